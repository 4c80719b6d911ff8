package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// manyTypes is an input schema with a parameter of each type, and of several.
const manyTypes = `{"type":"object","properties":{"text":{"type":"string"},"whole":{"type":"integer"},"number":{"type":"number"},"flag":{"type":"boolean"},` +
	`"tags":{"type":"array","items":{"type":"string"}},"where":{"type":"object","properties":{"city":{"type":"string"}}},"perhaps":{"type":["string","null"]},` +
	`"id":{"anyOf":[{"type":"string"},{"type":"integer"}]},"any":{},"nothing":{"type":"null"},"a:b":{"type":"string"}}}`

func TestArgumentsAreReadByTheTypesOfTheSchema(t *testing.T) {
	t.Parallel()
	s, err := schema.Admit([]byte(manyTypes), schema.Options{Role: schema.Input})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	want := map[string]string{
		"text=007":                     `{"text":"007"}`,
		"text=true":                    `{"text":"true"}`,
		`text="quoted"`:                `{"text":"\"quoted\""}`,
		"text=":                        `{"text":""}`,
		"text=a=b":                     `{"text":"a=b"}`,
		"text= with\nspace ":           `{"text":" with\nspace "}`,
		`text:="\u0061"`:               `{"text":"\u0061"}`,
		"whole=-5 flag=true":           `{"whole":-5,"flag":true}`,
		"whole=9007199254740993":       `{"whole":9007199254740993}`,
		"number=1.50":                  `{"number":1.50}`,
		`tags=["a","b"]`:               `{"tags":["a","b"]}`,
		`where={"city":"Oslo"}`:        `{"where":{"city":"Oslo"}}`,
		"perhaps=5":                    `{"perhaps":"5"}`,
		"perhaps:=null":                `{"perhaps":null}`,
		"id=INC1":                      `{"id":"INC1"}`,
		"id:=7":                        `{"id":7}`,
		`id:="7"`:                      `{"id":"7"}`,
		"any=word":                     `{"any":"word"}`,
		"nothing=null":                 `{"nothing":null}`,
		`a:b=c`:                        `{"a:b":"c"}`,
		"whole=5.5":                    `the argument "whole" must be an integer, and is "5.5"`,
		"whole=five":                   `the argument "whole" must be an integer, and is "five"`,
		"whole=":                       `the argument "whole" must be an integer, and is ""`,
		"whole=05":                     `the argument "whole" must be an integer, and is "05"`,
		"number=1,5":                   `the argument "number" must be a number, and is "1,5"`,
		"number=1e999":                 `the argument "number" must be a number, and is "1e999"`,
		"flag=yes":                     `the argument "flag" must be true or false, and is "yes"`,
		"tags=a":                       `the argument "tags" must be a JSON list, and is "a"`,
		"where=[]":                     `the argument "where" must be a JSON object, and is "[]"`,
		"where={\"a\":1,\"a\":2}":      `the argument "where" must be a JSON object, and is "{\"a\":1,\"a\":2}"`,
		"perhaps=null":                 `the argument "perhaps" may be a string or null: write perhaps:=null, or perhaps:="null" for the text`,
		"id=7":                         `the argument "id" may be a string or an integer: write id:=7, or id:="7" for the text`,
		"id:=7.5":                      `the argument "id" must be a string or an integer, and is "7.5"`,
		"any=5":                        `the argument "any" may be a string or a number or true or false or a JSON list or a JSON object or null: write any:=5, or any:="5" for the text`,
		"txt=a":                        `the tool has no argument "txt"; did you mean text?`,
		"text=a text=b":                `the argument "text" is given twice`,
		"text=a text:=1":               `the argument "text" is given twice`,
		"tags=a tags=b tags=a":         `{"tags":["a","b","a"]}`,
		`tags=1 text=x tags:="b"`:      `{"tags":["1","b"],"text":"x"}`,
		"tags=a tags:=1":               `the argument "tags" must be a string, and is "1"`,
		"whole=1 whole=2":              `the argument "whole" is given twice`,
		"bare":                         `"bare" is not an argument of the tool: write NAME=VALUE, or NAME:=JSON`,
		"=a":                           `"=a" is not an argument of the tool: write NAME=VALUE, or NAME:=JSON`,
		":=1":                          `":=1" is not an argument of the tool: write NAME=VALUE, or NAME:=JSON`,
		"text=\xff":                    `the argument "text=\xff" is not UTF-8`,
		"where:={\"city\":\"a\"} any:": `"any:" is not an argument of the tool: write NAME=VALUE, or NAME:=JSON`,
	}
	for line := range want {
		words := strings.Split(line, " ")
		if strings.Contains(line, "\n") {
			words = []string{line}
		}
		got[line] = readAs(s.Params(), words)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// readAs is what is made of the words, or what is wrong with them.
func readAs(p schema.Params, words []string) string {
	given, err := tools.ReadArguments(words)
	if err == nil {
		v, bad := given.Typed(p)
		if bad == nil {
			return string(v)
		}
		err = bad
	}
	if code := verdict.CodeOf(err); code.Entry().Exit != 2 {
		return fmt.Sprintf("%s: %v", code, err)
	}
	_, why, _ := strings.Cut(err.Error(), ": ")
	return why
}

// The typed arguments reach the server as the types that its schema has, with
// --live too, and the trace says of each that it was given.
func TestTypedArgumentsReachTheServer(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	clitest.Write(t, home, "mcp.json", fmt.Sprintf(`{"mcpServers":{"s":{"command":"echoer","env":{"GORACE":%q}}}}`, clitest.AtOnce))
	clitest.Write(t, home, "allowlist.json", `{"s":{"read":["t"]}}`)
	run := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "ask", append([]string{"call", "s/t"}, args...)...)
		cmd.Env = append(os.Environ(), "ASK_HOME="+home)
		out, _ := cmd.Output()
		return fmt.Sprintf("%d %s", cmd.ProcessState.ExitCode(), strings.TrimSpace(string(out)))
	}
	if got := run("whole=5"); got != "4" && !strings.HasPrefix(got, "4 ") {
		t.Errorf("before the server was approved: %s", got)
	}
	clitest.Trust(t, home)
	want := `0 {"tags":["a"],"text":"007","whole":5}`
	for _, flags := range [][]string{nil, {"--live"}} {
		if got := run(append(flags, "text=007", "whole=5", `tags=["a"]`)...); got != want {
			t.Errorf("%q: %s, want %s", flags, got, want)
		}
	}
	origins := run("text=007", "--jq", `.intent.leaves[] | "\(.pointer) \(.origin)"`)
	if origins != "0 /text given" {
		t.Errorf("the origins are %s", origins)
	}
}
