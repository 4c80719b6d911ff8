package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// liars are stdio servers, by where they are hostile: the result of a
// method, or its error. QUOTED is the hostile text as a string of JSON.
var liars = map[string]map[string]string{
	"wherever text may be": {
		"initialize": `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"instructions":QUOTED,"serverInfo":{"name":QUOTED,"title":QUOTED,"version":QUOTED}}`,
		"tools/list": `"result":{"tools":[{"name":"t","title":QUOTED,"description":QUOTED,"annotations":{"title":QUOTED},"x":QUOTED,"inputSchema":{"type":"object","title":QUOTED,"properties":{QUOTED:{"description":QUOTED,"enum":[QUOTED],"default":QUOTED},"f":{"format":QUOTED}}},` +
			`"outputSchema":{"type":"object","description":QUOTED,"properties":{QUOTED:{"const":QUOTED}}}},` +
			`{"name":QUOTED,"inputSchema":{"type":"object"}},{"name":"keyword","inputSchema":{"type":"object",QUOTED:1}},{"name":"place","inputSchema":{"type":"object","properties":{QUOTED:{"nullable":true}}}},{"name":"twice","title":7,"inputSchema":QUOTED}]}`,
		"tools/call": `"result":{"content":[{"type":"text","text":QUOTED}],"structuredContent":{QUOTED:QUOTED}}`,
	},
	"a tool's error": {"tools/call": `"result":{"isError":true,"content":[{"type":"text","text":QUOTED}]}`},
	"an untyped result": {
		"tools/list": `"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
		"tools/call": `"result":{"content":[{"type":"text","text":QUOTED}]}`,
	},
	"attachments": {
		"tools/list": `"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
		"tools/call": `"result":{"structuredContent":{QUOTED:QUOTED},"content":[{"type":"image","data":"aGk=","mimeType":"image/PNG; name=../../x","name":"../x"},{"type":"text","text":QUOTED},` +
			`{"type":"audio","data":"aGk=","mimeType":QUOTED},{"type":"resource","resource":{"uri":"file:///../../x.sh","mimeType":"text/html","text":"hi"}},` +
			`{"type":"resource","resource":{"uri":QUOTED,"mimeType":"../x.exe","blob":"aGk="}},{"type":"resource_link","uri":QUOTED,"name":QUOTED}]}`,
	},
	"a type that nothing enforces": {
		"tools/list": `"result":{"tools":[{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{QUOTED:{QUOTED:1}}}}]}`,
		"tools/call": `"result":{"content":[{"type":"text","text":QUOTED}],"structuredContent":{QUOTED:QUOTED}}`,
	},
	"a misfit": {"tools/call": `"result":{"content":[],"structuredContent":{"a":{QUOTED:QUOTED}}}`},
	"content of a type": {
		"tools/list": `"result":{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}`,
		"tools/call": `"result":{"content":[{"type":QUOTED}],"resultType":"complete"}`,
	},
	"a type of result":     {"tools/call": `"result":{"content":[],"resultType":QUOTED}`},
	"an error of the call": {"tools/call": `"error":{"code":-1,"message":QUOTED,"data":QUOTED}`},
	"an error of the list": {"tools/list": `"error":{"code":-1,"message":QUOTED,"data":QUOTED}`},
	"a handshake's error":  {"initialize": `"error":{"code":-1,"message":QUOTED}`},
	"a version":            {"initialize": `"result":{"protocolVersion":QUOTED,"capabilities":{},"serverInfo":{"name":"s","version":"1"}}`},
	"a cursor":             {"tools/list": `"result":{"tools":[],"nextCursor":QUOTED}`},
	"an unknown member":    {"tools/list": `"result":{},QUOTED:1`},
	"last words":           {"initialize": "exit"},
	"a banner":             {"initialize": "banner"},
	"a name that is none":  {"tools/list": `"result":{"tools":[{"name":[QUOTED],"inputSchema":{"type":"object"}}]}`},
}

// unquoted are the inputs of which no output repeats anything.
var unquoted = []string{"a cursor", "a name that is none"}

func polite() map[string]string {
	return map[string]string{
		"initialize": `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`,
		"tools/list": `"result":{"tools":[{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}]}`,
		"tools/call": `"result":{"content":[],"structuredContent":{"a":"b"}}`,
	}
}

// flowing is what a server says so that some of it comes to be in the first
// column of a terminal that breaks lines: words, a word without an end, wide
// characters and combining marks, a wide space, and further lines.
// Nothing that `ask` says by itself begins with one of these letters.
var flowing = strings.Repeat("ZX ŹX̣ 漢字 ＸＺ　", 12) + strings.Repeat("ZX漢Ź", 60) + "\nZX  effect     read\n        ZX next: ask\n| ZX\n\tZX"

// liar is the stdio server that LIAR names. What it quotes is hostile, or tame if
// LIAR_IS says so.
func liar() {
	text := map[string]string{"": hostile, "1": tame, "2": flowing}[os.Getenv("LIAR_IS")]
	quoted, err := json.Marshal(text)
	if err != nil {
		os.Exit(1)
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil || m.ID == nil {
			continue
		}
		says, odd := liars[os.Getenv("LIAR")][m.Method]
		switch {
		case says == "exit":
			fmt.Fprintln(os.Stderr, text)
			os.Exit(3)
		case says == "banner":
			fmt.Println(text)
		case !odd:
			says = polite()[m.Method]
		}
		if says == "" {
			says = `"error":{"code":-32601,"message":"no such method"}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, strings.ReplaceAll(says, "QUOTED", string(quoted)))
	}
}

// lying is an mcp.json whose one server is a liar.
// lying is a servers file with a liar. What a server is given is hidden in what it
// says, and so it is given a number.
func lying(where, is string) string {
	return fmt.Sprintf(`{"mcpServers":{"s":{"command":"liar","env":{"LIAR":%q,"LIAR_IS":%q,"GORACE":%q}}}}`, where, is, clitest.AtOnce)
}

// tame is what is hostile without that for which an answer is withheld, so that
// it is shown.
var tame = strings.ReplaceAll(hostile, "\u202e", "")

func TestNoWordOfAServerReachesATerminalAsItIs(t *testing.T) {
	t.Parallel()
	for where := range liars {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			clitest.Write(t, home, "mcp.json", lying(where, "1"))
			clitest.Write(t, home, "allowlist.json", `{"s":{"read":["t","keyword","place","twice","absent"]}}`)
			clitest.Trust(t, home)
			said, held := false, 0
			for _, args := range [][]string{
				{"tools", "list"},
				{"tools", "show", "s/t"},
				{"tools", "show", "s/keyword"},
				{"doctor"},
				{"servers", "list"},
				{"servers", "test"},
				{"servers", "review", "s"},
				{"--live", "tools", "list"},
				{"call", "s/t", "--args", "{}", "--live"},
				{"call", "s/t", "--args", "{}"},
				{"call", "s/t", "--args", "{}", "--summarize"},
				{"run", "--explain", "Use the tool t"},
				{"--dry-run", "call", "s/t", "--args", "{}"},
			} {
				for _, flag := range []string{"--debug", "--json"} {
					cmd := exec.CommandContext(t.Context(), "ask", append([]string{flag}, args...)...)
					cmd.Env = append(os.Environ(), "ASK_HOME="+home)
					stdout, stderr := heard(t, cmd)
					what := fmt.Sprintf("ask %s %q", flag, args)
					if (args[0] == "call" || args[0] == "run") && flag != "--json" {
						stdout = strings.ReplaceAll(stdout, "\n"+forged, " "+forged) // a text that is the answer has lines
					}
					harmless(t, what+": stdout", stdout)
					harmless(t, what+": stderr", stderr)
					if flag == "--json" {
						held += holding(t, what, stdout)
					}
					said = said || strings.Contains(stdout+stderr, "31mb") // however the rest is spelt
				}
			}
			if silent := slices.Contains(unquoted, where); said == silent {
				t.Errorf("something of it is said: %v", said)
			}
			if where == "wherever text may be" && held < 20 {
				t.Errorf("the documents hold %d of its values", held)
			}
		})
	}
}

// An answer that shows text in another order than it has is withheld, and
// nothing of it is said.
func TestNoWordOfAWithheldAnswerIsSaid(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"an untyped result", "attachments", "a tool's error"} {
		home := t.TempDir()
		clitest.Write(t, home, "mcp.json", lying(where, ""))
		clitest.Write(t, home, "allowlist.json", `{"s":{"read":["t"]}}`)
		clitest.Trust(t, home)
		for _, flag := range []string{"--debug", "--json"} {
			cmd := exec.CommandContext(t.Context(), "ask", flag, "call", "s/t", "--args", "{}")
			cmd.Env = append(os.Environ(), "ASK_HOME="+home)
			stdout, stderr := heard(t, cmd)
			if said := stdout + stderr; strings.Contains(said, "31mb") || !strings.Contains(said, "output.quarantined") {
				t.Errorf("%s, %s: %s", where, flag, said)
			}
		}
	}
}

// What a person reads before they approve is written by strangers, too: the
// question may be pasted, and the description is the server's.
func TestNoWordOfAServerReachesWhoeverApproves(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	clitest.Write(t, home, "mcp.json", lying("wherever text may be", ""))
	clitest.Write(t, home, "allowlist.json", `{"s":{"write":["t"]}}`)
	clitest.Trust(t, home)
	ask := func(args ...string) (stdout, stderr string) {
		cmd := exec.CommandContext(t.Context(), "ask", args...)
		cmd.Env = append(os.Environ(), "ASK_HOME="+home)
		stdout, stderr = heard(t, cmd)
		harmless(t, fmt.Sprintf("ask %q: stdout", args), stdout)
		harmless(t, fmt.Sprintf("ask %q: stderr", args), stderr)
		return stdout, stderr
	}
	ask("call", "s/t", "--args", "{}")
	is := waitingIn(t, home)
	run := is.RunID
	if shown, _ := ask("approvals", "show", run); !strings.Contains(shown, "the server says of it: ") || !strings.Contains(shown, `\u{202E}`) {
		t.Errorf("the server's words are not shown: %s", shown)
	}
	ask("approvals", "show", run, "--json")
	ask("approvals", "list")
	ask("approvals", "list", "--json")
	ask("approve", run)
	ask("tools", "--undecided")
	ask("approve", run, "--digest", hostile)
	ask("approve", hostile)
	ask("approve", run, "--digest", is.Digest, "--debug")
}
