package config_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/verdict"
)

// wrapper is what the rows below write.
func wrapper() config.Wrapper {
	return config.Wrapper{Command: "/opt/ask", Env: map[string]string{"ASK_HOME": "/h"}}
}

// wrapAll wraps every server of a file, and gives the bytes of the entries before.
func wrapAll(t testing.TB, c config.ClientFile, w config.Wrapper) (after config.ClientFile, was map[string]string) {
	t.Helper()
	was = map[string]string{}
	for _, name := range c.Servers.Names() {
		before, entry, next, err := c.Wrap(name, w)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if now, _, err := next.Entry(name); err != nil || string(now) != entry {
			t.Fatalf("%s is %q, %v, and not %q", name, now, err, entry)
		}
		was[name], c = before, next
	}
	return c, was
}

const home = "/home/u/"

// What each client's file becomes. Everything outside of the entries stays, and so
// do members that do not say how a server is reached.
func TestAnEntryIsReplacedAndNoOtherByteChanges(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ path, project, before, after string }{
		"on one line": {
			home + ".cursor/mcp.json", "", `{"x":1,"mcpServers":{"a":{"command":"x","alwaysAllow":["t"]}},"y":[]}`,
			`{"x":1,"mcpServers":{"a":{"command":"/opt/ask","args":["wrap","a"],"env":{"ASK_HOME":"/h"},"alwaysAllow":["t"]}},"y":[]}`,
		},
		"with comments, last commas and tabs": {
			home + ".cursor/mcp.json", "",
			"{ // mine\n\t\"mcpServers\": {\n\t\t// of a\n\t\t\"a\": {\n\t\t\t\"command\": \"x\", // gone\n\t\t\t\"disabled\": false,\n\t\t}, // kept\n\t},\n}",
			"{ // mine\n\t\"mcpServers\": {\n\t\t// of a\n\t\t\"a\": {\n\t\t\t\"command\": \"/opt/ask\",\n\t\t\t\"args\": [\n\t\t\t\t\"wrap\",\n\t\t\t\t\"a\"\n\t\t\t],\n\t\t\t\"env\": {\n\t\t\t\t\"ASK_HOME\": \"/h\"\n\t\t\t},\n\t\t\t\"disabled\": false\n\t\t}, // kept\n\t},\n}",
		},
		"a byte order and CRLF": {
			home + "mcp.json", "", "\ufeff{\r\n   \"servers\": {\r\n   \"a\": {\r\n \"url\": \"https://h\"}}\r\n}",
			"\ufeff{\r\n   \"servers\": {\r\n   \"a\": {\r\n     \"type\": \"stdio\",\r\n     \"command\": \"/opt/ask\",\r\n     \"args\": [\r\n       \"wrap\",\r\n       \"a\"\r\n     ],\r\n     \"env\": {\r\n       \"ASK_HOME\": \"/h\"\r\n     }\r\n   }}\r\n}",
		},
		"VS Code's settings, with an input": {
			home + "Code/User/settings.json", "",
			`{"mcp":{"inputs":[{"id":"k","type":"promptString"}],"servers":{"a":{"command":"x","env":{"K":"${input:k}","P":"${env:P}","D":"${env:D:-e}"}}}},"z":0}`,
			`{"mcp":{"inputs":[{"id":"k","type":"promptString"}],"servers":{"a":{"type":"stdio","command":"/opt/ask","args":["wrap","a"],"env":{"ASK_HOME":"/h","ASK_INPUT_k":"${input:k}","P":"${env:P}"}}}},"z":0}`,
		},
		"Claude Code's own file": {
			home + ".claude.json", "",
			`{"projects":{"/p":{"mcpServers":{"a":{"command":"y"}}}},"mcpServers":{"a":{"type":"http","url":"https://h","headers":{"Authorization":"Bearer ${T}"}}}}`,
			`{"projects":{"/p":{"mcpServers":{"a":{"command":"y"}}}},"mcpServers":{"a":{"type":"stdio","command":"/opt/ask","args":["wrap","a"],"env":{"ASK_HOME":"/h","T":"${T}"}}}}`,
		},
		"its part about a project": {
			home + ".claude.json", "/p",
			`{"projects":{"/q":{},"/p":{"n":1,"mcpServers":{"a":{"command":"y"}}}},"mcpServers":{"a":{"command":"x"}}}`,
			`{"projects":{"/q":{},"/p":{"n":1,"mcpServers":{"a":{"command":"/opt/ask","args":["wrap","a"],"env":{"ASK_HOME":"/h"}}}}},"mcpServers":{"a":{"command":"x"}}}`,
		},
		"Gemini": {
			home + ".gemini/settings.json", "", `{"mcpServers":{"a":{"httpUrl":"https://h/${T}","trust":true,"timeout":5}}}`,
			`{"mcpServers":{"a":{"command":"/opt/ask","args":["wrap","a"],"env":{"ASK_HOME":"/h","T":"${T}"},"trust":true,"timeout":5}}}`,
		},
		"Zed, older and newer": {
			home + "zed/settings.json", "",
			`{"context_servers":{"a":{"command":{"path":"x","args":[]},"settings":{}},"b":{"source":"custom","command":"x"}}}`,
			`{"context_servers":{"a":{"command":{"path":"/opt/ask","args":["wrap","a"],"env":{"ASK_HOME":"/h"}},"settings":{}},"b":{"command":"/opt/ask","args":["wrap","b"],"env":{"ASK_HOME":"/h"},"source":"custom"}}}`,
		},
		"opencode": {
			home + "opencode.jsonc", "",
			`{"mcp":{"a":{"type":"local","command":["x","{env:A}"],"environment":{"B":"{env:C}"},"enabled":true},"b":{"type":"remote","url":"https://h"},},}`,
			`{"mcp":{"a":{"type":"local","command":["/opt/ask","wrap","a"],"environment":{"A":"{env:A}","ASK_HOME":"/h","C":"{env:C}"},"enabled":true},"b":{"type":"local","command":["/opt/ask","wrap","b"],"environment":{"ASK_HOME":"/h"}},},}`,
		},
		"Codex": {
			home + ".codex/config.toml", "",
			"model = \"m\"\r\n# of a\r\n  [mcp_servers.a] # x\r\nurl = \"https://h\"\r\nbearer_token_env_var = \"T\"\r\ntool_timeout_sec = 5.0\r\n\r\n# of b\r\n[mcp_servers.'b.c']\r\ncommand = \"x\"\r\nargs = [ # one\r\n  \"]\", '''\r\n[mcp_servers.z]\r\n''' ]\r\nenv_vars = [\"V\"]\r\n[mcp_servers.'b.c'.tools.t]\r\napproval_mode = \"approve\" # y\r\n\r\n#end\r\n[profiles.p]\r\n",
			"model = \"m\"\r\n# of a\r\n[mcp_servers.a]\r\nargs = ['wrap', 'a']\r\ncommand = '/opt/ask'\r\nenv = {ASK_HOME = '/h'}\r\nenv_vars = ['T']\r\ntool_timeout_sec = 5.0\r\n\r\n# of b\r\n[mcp_servers.\"b.c\"]\r\nargs = ['wrap', 'b.c']\r\ncommand = '/opt/ask'\r\nenv = {ASK_HOME = '/h'}\r\nenv_vars = ['V']\r\ntools = {t = {approval_mode = 'approve'}}\r\n\r\n#end\r\n[profiles.p]\r\n",
		},
		"Continue": {
			home + ".continue/config.yaml", "",
			"mcpServers:\n- name: My a\n  command: x # c\n  env:\n    K: |\n      two\n\n      lines\n  # of a\n# of b\n- connectionTimeout: 5\n  name: b\n  command: y\nmodels: []\n",
			"mcpServers:\n- name: \"My a\"\n  command: \"/opt/ask\"\n  args: [\"wrap\",\"My-a\"]\n  env: {\"ASK_HOME\":\"/h\"}\n# of b\n- name: \"b\"\n  command: \"/opt/ask\"\n  args: [\"wrap\",\"b\"]\n  env: {\"ASK_HOME\":\"/h\"}\n  connectionTimeout: 5\nmodels: []\n",
		},
		"Goose": {
			home + "goose/config.yaml", "",
			"extensions:\n   g:\n        cmd: uvx\n        args: [x]\n        envs: {}\n        env_keys: [K]\n        type: stdio\n        enabled: true\n\n\n   h: {type: builtin}\n",
			"extensions:\n   g:\n        type: \"stdio\"\n        cmd: \"/opt/ask\"\n        args: [\"wrap\",\"g\"]\n        envs: {\"ASK_HOME\":\"/h\"}\n        env_keys: [\"K\"]\n        enabled: true\n\n\n   h: {type: builtin}\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := config.ParseClientFile(row.path, row.project, []byte(row.before))
			if err != nil {
				t.Fatal(err)
			}
			after, was := wrapAll(t, c, wrapper())
			if string(after.Text()) != row.after {
				t.Fatalf("wrapped it is\n%q\nand not\n%q", after.Text(), row.after)
			}
			for name, entry := range was {
				if spec, _, is := after.Servers.Spec(name); !is || spec.Command != wrapper().Command {
					t.Errorf("%s is read as %v", name, spec)
				}
				if after, err = after.With(name, []byte(entry)); err != nil {
					t.Fatal(err)
				}
			}
			if string(after.Text()) != row.before {
				t.Errorf("put back it is\n%q\nand not\n%q", after.Text(), row.before)
			}
		})
	}
}

// A file may end in any way that its client reads: it is wrapped, changed and put
// back byte for byte.
func TestAFileMayEndInAnyWay(t *testing.T) {
	t.Parallel()
	comments := map[string][]string{
		home + ".cursor/mcp.json":      {"", "// c", " // c", "// c\r", "//", "// {", "// \"é\\", "/* c */", "/**/", "/* c */ // d", "// c\n// d"},
		home + ".codex/config.toml":    {"", "# c", " # c", "#", "# [mcp_servers.b]", "[z]", "[z] # c"},
		home + ".continue/config.yaml": {"", "# c", "  # c", "#", "# - name: b", "...", "models: []"},
		home + "goose/config.yaml":     {"", "# c", "  # c", "#", "...", "z: 0"},
	}
	bodies := map[string]string{
		home + ".cursor/mcp.json":      "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\",},\n  },\n}",
		home + ".codex/config.toml":    "[mcp_servers.a]\ncommand = 'x'",
		home + ".continue/config.yaml": "mcpServers:\n- name: a\n  command: x",
		home + "goose/config.yaml":     "extensions:\n  a:\n    cmd: x\n    type: stdio",
	}
	for path, ends := range comments {
		for _, comment := range ends {
			for _, end := range []string{"", "\n", " "} {
				for _, mark := range []string{"", "\ufeff"} {
					text := mark + bodies[path] + "\n" + comment + end
					putBack(t, path, text)
					putBack(t, path, strings.ReplaceAll(text, "\n", "\r\n"))
				}
			}
		}
	}
}

func putBack(t *testing.T, path, text string) {
	t.Helper()
	c, err := config.ParseClientFile(path, "", []byte(text))
	if err != nil {
		t.Errorf("%s: %q: %v", path, text, err)
		return
	}
	was, _, after, err := c.Wrap("a", wrapper())
	if err == nil {
		after, err = after.With("a", []byte(was))
	}
	if err != nil {
		t.Errorf("%s: %q: %v", path, text, err)
	} else if string(after.Text()) != text {
		t.Errorf("%s: %q came back as %q", path, text, after.Text())
	}
}

// The entry of a server whose calls wait a time of their own says so, in the form
// of each client.
func TestAnEntryCanSayHowLongItsCallsWait(t *testing.T) {
	t.Parallel()
	for file, row := range map[string][2]string{
		".cursor/mcp.json":      {`{"mcpServers":{"a":{"command":"x"}}}`, `"args":["wrap","a","--hold","2m0s"]`},
		".codex/config.toml":    {"[mcp_servers.a]\ncommand = 'x'\n", `args = ['wrap', 'a', '--hold', '2m0s']`},
		".continue/config.yaml": {"mcpServers:\n- name: a\n  command: x\n", `args: ["wrap","a","--hold","2m0s"]`},
	} {
		c, err := config.ParseClientFile(home+file, "", []byte(row[0]))
		if err != nil {
			t.Fatal(err)
		}
		w := wrapper()
		w.Hold = 2 * time.Minute
		after, _ := wrapAll(t, c, w)
		if !strings.Contains(string(after.Text()), row[1]) {
			t.Errorf("%s is %q, without %q", file, after.Text(), row[1])
		}
	}
}

// Codex asks its own person no more where that is wanted, and only there.
func TestCodexLeavesTheApprovalToAskWhereThatIsWanted(t *testing.T) {
	t.Parallel()
	c, err := config.ParseClientFile(home+".codex/config.toml", "", []byte("[mcp_servers.a]\ncommand = 'x'\n"))
	if err != nil {
		t.Fatal(err)
	}
	for approve, want := range map[bool]int{false: 0, true: 1} {
		w := wrapper()
		w.Approve = approve
		_, entry, _, err := c.Wrap("a", w)
		if n := strings.Count(entry, "default_tools_approval_mode = 'approve'\n"); err != nil || n != want {
			t.Errorf("%v: %d in %q, %v", approve, n, entry, err)
		}
	}
}

// What cannot be edited by its bytes is left, and said to be.
func TestAnEntryInOtherFormsIsLeftToAPerson(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ path, text string }{
		"TOML in one line with others":     {"config.toml", "mcp_servers = {a = {command = 'x'}}\n"},
		"TOML with dots, in two places":    {"config.toml", "mcp_servers.a.command = 'x'\nz = 1\nmcp_servers.a.args = ['y']\n"},
		"TOML with dots and a table":       {"config.toml", "[mcp_servers]\na.command = 'x'\n[mcp_servers.a.env]\nA = 'b'\n"},
		"TOML in several places":           {"config.toml", "[mcp_servers.a]\ncommand = 'x'\n[z]\n[mcp_servers.a.env]\nA = 'b'\n"},
		"YAML in one line":                 {"config.yaml", "mcpServers: [{name: a, command: x}]\n"},
		"YAML in one line of a list":       {"config.yaml", "mcpServers:\n- {name: a, command: x}\n"},
		"YAML with an anchor":              {"config.yaml", "mcpServers:\n- &a\n  name: a\n  command: x\n"},
		"YAML that is referred to":         {"config.yaml", "mcpServers:\n- name: a\n  command: x\n  env: &e {A: b}\nother: *e\n"},
		"YAML with a text that stands out": {"config.yaml", "extensions:\n  a:\n    cmd: \"x\n  other: y\"\n"},
		"YAML by reference":                {"config.yaml", "x: &a\n  command: x\nextensions:\n  a: *a\n"},
	} {
		c, err := config.ParseClientFile(home+row.path, "", []byte(row.text))
		if err != nil || !slices.Equal(c.Servers.Names(), []string{"a"}) {
			t.Fatalf("%s: %v, %v", name, c.Servers.Names(), err)
		}
		if _, _, after, err := c.Wrap("a", wrapper()); err == nil {
			t.Errorf("%s: it became %q", name, after.Text())
		}
		if s := c.Snippet("a", wrapper()); !strings.Contains(s, "/opt/ask") {
			t.Errorf("%s: the snippet is %q", name, s)
		}
	}
}

func TestAFileWithANameTwiceIsRefused(t *testing.T) {
	t.Parallel()
	for path, text := range map[string]string{
		"mcp.json":         `{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}`,
		"settings.json":    `{"mcpServers":{"a":{"command":"x","command":"y"}}}`,
		"config.toml":      "[mcp_servers.a]\ncommand='x'\n[mcp_servers.a]\n",
		"config.yaml":      "extensions:\n  a:\n    cmd: x\n  a:\n    cmd: y\n",
		".claude.json":     `{"projects":{"/p":{"mcpServers":{"a":{"command":"x"}}},"/p":{}}}`,
		"opencode.json":    `{"mcp":{"a":{"type":"local","command":["x"]}},"mcp":{}}`,
		"a/servers/a.json": `{"mcpServers":{"a":{"command":"x"}},"x":{"y":1,"y":2}}`,
	} {
		project := ""
		if path == ".claude.json" {
			project = "/p"
		}
		if _, err := config.ParseClientFile(home+path, project, []byte(text)); verdict.CodeOf(err) != verdict.ConfigInvalid {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A client that writes its file again sets it out in its own way.
func TestAnEntryIsTheSameWhateverItsWhiteSpaceAndNothingElse(t *testing.T) {
	t.Parallel()
	entry := []byte(`{"command":"ask","args":["wrap","a"],"n":1}`)
	for text, want := range map[string]bool{
		`{"command":"ask","args":["wrap","a"],"n":1}`:                       true,
		"{\n \"n\": 1, \"command\": \"ask\", \"args\": [\"wrap\",\n\"a\"]}": true,
		`{"command":"ask","args":["wrap","b"],"n":1}`:                       false,
		`{"command":"ask","args":["wrap","a"],"n":1.0}`:                     false,
		`{"command":"ask","args":["wrap","a"],"n":1,"m":2}`:                 false,
		`{"command":"ask","args":["wrap","a"],"n":1,"type":"x"}`:            false,
		`{"command":"ask","args":["wrap","a"]}`:                             false,
		`{"command":"ask","args":["wrap","a"],"n":1,"cwd":"/"}`:             false,
	} {
		c, err := config.ParseClientFile(home+"mcp.json", "", []byte(`{"mcpServers":{"a":`+text+`}}`))
		if err != nil || c.Same("a", entry) != want {
			t.Errorf("%s: %v, %v", text, c.Same("a", entry), err)
		}
	}
}

// No line that is shown has a secret, however it is spelled.
func TestNoSecretIsShown(t *testing.T) {
	t.Parallel()
	for path, text := range map[string]string{
		"a.json":       "{\"mcpServers\":{\"b\":{\"env\":{\"API_KEY\":\"hunter-2\"},\"command\":\"y\"},\"a\":{\n \"url\":\"https://h\",\"headers\":{\"Authorization\":\"Bearer hunter-2\"}}}}",
		"escaped.json": `{"mcpServers":{"a":{"command":"x","env":{"API_KEY":"\u0068unter-2\u000a"}}}}`,
		"quoted.json":  `{"mcpServers":{"a":{"command":"x","env":{"API_KEY":"hunter-2\"\\"}}}}`,
		"slash.json":   `{"mcpServers":{"a":{"command":"x","args":["--token","hunter-2\/"]}}}`,
		"a.toml":       "[mcp_servers.a]\nurl = 'https://h'\nhttp_headers = {X-Api-Key = \"hunter-2\"}\n",
		"escaped.toml": "[mcp_servers.a]\ncommand = 'x'\n[mcp_servers.a.env]\nAPI_KEY = \"h\\u0075nter-2\"\n",
		"a.yaml":       "mcpServers:\n- name: a\n  command: x\n  env:\n    API_KEY: hunter-2\n",
		"b.yaml":       "mcpServers:\n- name: a\n  command: x\n  env:\n    API_KEY: >-\n      hunter-2\n      twice\n",
	} {
		c, err := config.ParseClientFile(home+path, "", []byte(text))
		if err != nil {
			t.Fatal(path, err)
		}
		lines, ok := c.Lines("a")
		shown := strings.Join(lines, "\n")
		if strings.Contains(shown, "unter-2") || strings.Contains(shown, "nter-2") {
			t.Errorf("%s: %q", path, lines)
		}
		if plain := !strings.Contains(path, "escaped") && path != "slash.json" && path != "b.yaml"; ok != plain || plain && !strings.Contains(shown, "[redacted:") {
			t.Errorf("%s: %v, %q", path, ok, lines)
		}
	}
}

// A file that another program writes in between stays as that wrote it.
func TestAFileThatChangedInBetweenIsLeft(t *testing.T) {
	t.Parallel()
	path := putServers(t, "mcp.json", `{"mcpServers":{}}`)
	link := filepath.Join(filepath.Dir(path), "link.json")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	target, before, err := config.OpenClientFile(link)
	if err != nil || filepath.Base(target) != "mcp.json" {
		t.Fatal(target, err)
	}
	if err := os.WriteFile(path, []byte(`{"mcpServers":{"theirs":{}}}`), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := edit.Replace(target, before, []byte("{}")); verdict.CodeOf(err) != verdict.ConfigUnreadable || !strings.Contains(get(t, path), "theirs") {
		t.Errorf("%v, and it holds %s", err, get(t, path))
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := edit.Replace(target, before, []byte("{}")); verdict.CodeOf(err) != verdict.ConfigUnreadable {
		t.Errorf("one that is gone: %v", err)
	}
	if _, _, err := config.OpenClientFile(link); verdict.CodeOf(err) != verdict.ConfigUnreadable {
		t.Errorf("a link to nothing: %v", err)
	}
	if _, _, err := config.OpenClientFile(path); verdict.CodeOf(err) != verdict.ConfigMissing {
		t.Errorf("nothing: %v", err)
	}
}

// Whatever a file holds: what is wrapped and put back is the file, and meanwhile
// all but the entry is what it was.
func FuzzWhatIsWrappedIsPutBack(f *testing.F) {
	for path, text := range map[string]string{
		"a.json": "{ // c\n\t\"mcpServers\": {\"a\": {\"command\": \"x\",},\r\n \"b\":{\"url\":\"https://h\",\"headers\":{\"K\":\"${env:V}\"}}}, \"z\": [1,]}",
		"b.json": `{"mcp":{"servers":{"a":{"command":"x"}}},"projects":{"/p":{"mcpServers":{"q":{"command":"x"}}}}}`,
		"a.toml": "a = 1\n[mcp_servers.a]\ncommand = 'x' # c\n[mcp_servers.a.env]\nA = '''\n# b'''\n\n# d\n[mcp_servers.b]\nurl = 'u'\n",
		"a.yaml": "mcpServers:\n  - name: a\n    command: >\n      x\n\n      # y\n    # c\n  - name: b\n    args: [x,\n      y]\n    command: z\nz: 1\n",
		"b.yaml": "extensions:\n  a:\n    cmd: x\n    # c\n\n  b:\n      cmd: y\n",
	} {
		f.Add(path, "", []byte(text))
	}
	f.Add("c.json", "/p", []byte(`{"projects":{"/p":{"mcpServers":{"q":{"command":"x"}}}}}`))
	f.Add("opencode.json", "", []byte(`{"mcp":{"a":{"type":"local","command":["x"]}}}`))
	f.Fuzz(func(t *testing.T, name, project string, text []byte) {
		c, err := config.ParseClientFile("/h/"+filepath.Base(name), project, text)
		if err != nil {
			return
		}
		for _, name := range c.Servers.Names() {
			was, _, after, err := c.Wrap(name, wrapper())
			if err != nil {
				continue
			}
			_, from, err := c.Entry(name)
			if err != nil || !bytes.HasPrefix(after.Text(), text[:from]) || !bytes.HasSuffix(after.Text(), text[from+len(was):]) {
				t.Fatalf("%s: another byte changed: %q", name, after.Text())
			}
			for _, other := range c.Servers.Names() {
				a, _, _ := c.Servers.Spec(other)
				b, _, _ := after.Servers.Spec(other)
				if other != name && a.CommandLine()+a.URL != b.CommandLine()+b.URL {
					t.Fatalf("%s changed with %s", other, name)
				}
			}
			back, err := after.With(name, []byte(was))
			if err != nil || !bytes.Equal(back.Text(), text) {
				t.Fatalf("%s: %v: put back it is %q", name, err, back.Text())
			}
		}
	})
}
