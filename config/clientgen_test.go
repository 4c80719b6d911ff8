package config_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/config"
)

// writer draws a file: its white space, comments and commas.
type writer struct {
	*rapid.T
	newline string
}

func (w writer) one(of ...string) string { return rapid.SampledFrom(of).Draw(w.T, "one") }

// gap is what may be between two tokens of JSON.
func (w writer) gap() string {
	return w.one("", "", " ", w.newline, "\t", w.newline+"   ", "/* {\"a\": */", "// ,}"+w.newline)
}

// value is what an entry has besides, in a form that JSON and TOML share.
func (w writer) value() string {
	return w.one(`"x"`, `""`, `"# no comment"`, `"// {"`, `[]`, `["a", "}"]`, `true`, `-7`, `1.5`, `"ä\u00e4\\\""`)
}

func (w writer) json(servers []string) string {
	g := w.gap
	entry := func(name string) string {
		members := []string{`"command"` + g() + ":" + g() + `"x"`}
		for i := range rapid.IntRange(0, 3).Draw(w.T, "members") {
			members = append(members, fmt.Sprintf(`"m%d"%s:%s%s`, i, g(), g(), w.value()))
		}
		if rapid.Bool().Draw(w.T, "env") {
			members = append(members, `"env":`+g()+`{"A":`+g()+`"b"`+g()+`}`)
		}
		return fmt.Sprintf("%q%s:%s{%s%s%s%s}", name, g(), g(), g(), strings.Join(members, g()+","+g()), g(), w.one("", ",")) + g()
	}
	var all []string
	for _, name := range servers {
		all = append(all, g()+entry(name))
	}
	holder := w.one("mcpServers", "servers", "context_servers")
	return w.one("", "\ufeff") + g() + `{` + g() + `"before":` + w.value() + g() + "," + g() + `"` + holder + `":` + g() + "{" + strings.Join(all, ",") + w.one("", ",") + g() + "}" + w.one("", ",") + g() + "}" + g()
}

func (w writer) toml(servers []string) string {
	end := func() string { return w.one("", " # c", "   ") + w.newline }
	between := func() string {
		return w.one("", w.newline, "# [mcp_servers.x]"+w.newline, "  "+w.newline+"\t# c"+w.newline)
	}
	text := between() + "a = " + w.value() + end()
	for _, name := range servers {
		key := w.one(name, `"`+name+`"`, "'"+name+"'")
		text += between() + w.one("[mcp_servers.", "  [ mcp_servers . ") + key + "]" + end() + "command = 'x'" + end()
		for i := range rapid.IntRange(0, 3).Draw(w.T, "members") {
			text += between() + fmt.Sprintf("m%d = %s", i, w.one(w.value(), "'''"+w.newline+"[z]"+w.newline+"# c'''", "[ 1,"+w.newline+"# ]"+w.newline+" ]", "1979-05-27", "{a = 1}")) + end()
		}
		if rapid.Bool().Draw(w.T, "env") {
			text += between() + "[mcp_servers." + name + ".env]" + end() + "A = 'b'" + end()
		}
		if rapid.Bool().Draw(w.T, "another") {
			text += between() + "[other." + name + "]" + end() + "z = 1" + end()
		}
	}
	return text + between()
}

func (w writer) yaml(servers []string) string {
	outer := strings.Repeat(" ", rapid.IntRange(0, 3).Draw(w.T, "outer"))
	inner := strings.Repeat(" ", rapid.IntRange(1, 4).Draw(w.T, "inner"))
	end := func() string { return w.one("", " # c", "  ") + w.newline }
	text := w.one("", "# c"+w.newline) + "mcpServers:" + end()
	for _, name := range servers {
		at := outer + " " + inner // of the members
		text += w.one("", w.newline, outer+"# about it"+w.newline) + outer + "-" + inner + "name: " + name + end() + at + "command: x" + end()
		for i := range rapid.IntRange(0, 3).Draw(w.T, "members") {
			text += w.one("", w.newline, at+"# c"+w.newline) + at + fmt.Sprintf("m%d: %s", i, w.one("x", "'# no comment'", "[a, b]", "1.5", "~", "true", "|"+w.newline+at+"  two"+w.newline+w.newline+at+"  # lines", ">-"+w.newline+at+" x")) + w.newline
		}
		if rapid.Bool().Draw(w.T, "env") {
			text += at + "env:" + end() + at + "  A: b" + end()
		}
	}
	return text + w.one("", w.newline, "# end"+w.newline) + "other: [1]" + w.one("", w.newline)
}

// Whatever way a file is written in: each server is wrapped, all else stays, and
// what is put back, in whatever order, is the file.
func TestEveryWayOfWritingIsWrappedAndPutBack(t *testing.T) {
	t.Parallel()
	for path, write := range map[string]func(writer, []string) string{
		"/h/mcp.json": writer.json, "/h/config.toml": writer.toml, "/h/config.yaml": writer.yaml,
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				w := writer{t, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "newline")}
				servers := []string{"a", "b-1", "c_2"}[:rapid.IntRange(1, 3).Draw(t, "servers")]
				text := write(w, servers)
				c, err := config.ParseClientFile(path, "", []byte(text))
				if err != nil || !slices.Equal(c.Servers.Names(), servers) {
					t.Fatalf("%q has %v, %v", text, c.Servers.Names(), err)
				}
				was := map[string]string{}
				for _, name := range servers {
					before, _, after, err := c.Wrap(name, wrapper())
					if err != nil {
						t.Fatalf("%s of %q: %v", name, text, err)
					}
					was[name], c = before, after
				}
				for _, name := range rapid.Permutation(servers).Draw(t, "order") {
					if c, err = c.With(name, []byte(was[name])); err != nil {
						t.Fatalf("%s of %q: %v", name, c.Text(), err)
					}
				}
				if string(c.Text()) != text {
					t.Fatalf("%q came back as %q", text, c.Text())
				}
			})
		})
	}
}
