package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

func putServers(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

// both is what is written in the rows below.
func both() map[string]config.Spec {
	return map[string]config.Spec{
		"b": {Command: "go", Args: []string{"run", "<x>"}, Env: map[string]string{"T": "${T}"}},
		"c": {Type: "http", URL: "https://h/mcp"},
	}
}

const (
	bInLines = "\"b\": {\n      \"command\": \"go\",\n      \"args\": [\n        \"run\",\n        \"<x>\"\n      ],\n      \"env\": {\n        \"T\": \"${T}\"\n      }\n    }"
	cInLines = "\"c\": {\n      \"type\": \"http\",\n      \"url\": \"https://h/mcp\"\n    }"
	compact  = `"b":{"command":"go","args":["run","<x>"],"env":{"T":"${T}"}},"c":{"type":"http","url":"https://h/mcp"}`
)

func TestServersAreAddedAndNoOtherByteChanges(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ before, after string }{
		"an empty file":    {"", "{\n  \"mcpServers\": {\n    " + bInLines + ",\n    " + cInLines + "\n  }\n}\n"},
		"no servers yet":   {"{\"mcpServers\": {}} // mine\n", "{\"mcpServers\": {\n    " + bInLines + ",\n    " + cInLines + "\n  }} // mine\n"},
		"a comment's end":  {"{\"mcpServers\": {}} // mine", "{\"mcpServers\": {\n    " + bInLines + ",\n    " + cInLines + "\n  }} // mine"},
		"on lines":         {"{\"mcpServers\": {\n    \"a\": {\"command\": \"x\"} // kept\n  }}", "{\"mcpServers\": {\n    \"a\": {\"command\": \"x\"}, // kept\n    " + bInLines + ",\n    " + cInLines + "\n  }}"},
		"a last comma":     {"{\"mcpServers\": {\n    \"a\": {\"command\": \"x\"}, // kept\n  },}", "{\"mcpServers\": {\n    \"a\": {\"command\": \"x\"}, // kept\n    " + bInLines + ",\n    " + cInLines + ",\n  },}"},
		"on one line":      {`{"x":1,"mcpServers":{"a":{"command":"x"}},"y":[]}`, `{"x":1,"mcpServers":{"a":{"command":"x"},` + compact + `},"y":[]}`},
		"another's holder": {`{"servers":{"a":{"command":"x"}},"inputs":[]}`, `{"servers":{"a":{"command":"x"},` + compact + `},"inputs":[]}`},
		"one level deeper": {`{"mcp":{"servers":{"a":{"command":"x"}}}}`, `{"mcp":{"servers":{"a":{"command":"x"},` + compact + `}}}`},
		"a byte order":     {"\ufeff" + `{"mcpServers":{"a":{"command":"x"}}}`, "\ufeff" + `{"mcpServers":{"a":{"command":"x"},` + compact + `}}`},
		"one left out":     {`{"mcpServers":{"a":{"type":"builtin"},"d":{"command":"x","disabled":true}}}`, `{"mcpServers":{"a":{"type":"builtin"},"d":{"command":"x","disabled":true},` + compact + `}}`},
		"a comment's line": {"{\"mcpServers\":{\"a\":{\"command\":\"x\"} // c\n}}", "{\"mcpServers\":{\"a\":{\"command\":\"x\"}, // c\n" + compact + "}}"},
		"CRLF": {
			"{\r\n  \"mcpServers\": {\r\n    \"a\": {\"command\": \"x\"}\r\n  }\r\n}\r\n",
			"{\r\n  \"mcpServers\": {\r\n    \"a\": {\"command\": \"x\"},\r\n    " + strings.ReplaceAll(bInLines+",\n    "+cInLines, "\n", "\r\n") + "\r\n  }\r\n}\r\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := putServers(t, "mcp.json", row.before)
			if err := config.AddServers(path, both(), true); err != nil || get(t, path) != row.before {
				t.Fatalf("a dry run: %v, and %s", err, get(t, path))
			}
			if err := config.AddServers(path, both(), false); err != nil || get(t, path) != row.after {
				t.Fatalf("%v:\n%s\nwant\n%s", err, get(t, path), row.after)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
			if err := config.AddServers(path, both(), false); verdict.CodeOf(err) != verdict.UsageArgument || get(t, path) != row.after {
				t.Errorf("again: %v", err)
			}
			for name := range both() {
				if err := config.RemoveServer(path, name, false); err != nil {
					t.Fatal(err)
				}
			}
			s, err := config.LoadServers(path)
			if _, _, there := s.Spec("b"); err != nil || there || strings.Contains(get(t, path), "https") {
				t.Errorf("%v: left is %s", err, get(t, path))
			}
		})
	}
}

func TestAServersFileThatIsNotThereIsMadeForItsUserAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "mcp.json")
	if err := config.AddServers(path, both(), false); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestWhatCannotBeWrittenChangesNothing(t *testing.T) {
	t.Parallel()
	plain := map[string]config.Spec{"b": {Command: "x"}}
	for name, row := range map[string]struct {
		file, text string
		add        map[string]config.Spec
		code       verdict.Code
	}{
		"TOML":               {"c.toml", "[mcp_servers.a]\ncommand = \"x\"\n", plain, verdict.UsageArgument},
		"YAML":               {"c.yaml", "extensions: {}\n", plain, verdict.UsageArgument},
		"no holder":          {"mcp.json", "{}", plain, verdict.ConfigInvalid},
		"broken":             {"mcp.json", `{"mcpServers":{`, plain, verdict.ConfigInvalid},
		"a list":             {"mcp.json", `{"mcpServers":[{"name":"a","command":"x"}]}`, plain, verdict.ConfigInvalid},
		"one that is there":  {"mcp.json", `{"mcpServers":{"b":{"command":"y"}}}`, plain, verdict.UsageArgument},
		"one that is off":    {"mcp.json", `{"mcpServers":{"b":{"command":"y","disabled":true}}}`, plain, verdict.UsageArgument},
		"a bad name":         {"mcp.json", `{"mcpServers":{}}`, map[string]config.Spec{"a b": {Command: "x"}}, verdict.UsageArgument},
		"neither":            {"mcp.json", `{"mcpServers":{}}`, map[string]config.Spec{"b": {}}, verdict.UsageArgument},
		"both":               {"mcp.json", `{"mcpServers":{}}`, map[string]config.Spec{"b": {Command: "x", URL: "http://h"}}, verdict.UsageArgument},
		"an open reference":  {"mcp.json", `{"mcpServers":{}}`, map[string]config.Spec{"b": {Command: "x", Args: []string{"${A"}}}, verdict.UsageArgument},
		"a type that it has": {"mcp.json", `{"mcpServers":{}}`, map[string]config.Spec{"b": {Command: "x", Type: "http"}}, verdict.UsageArgument},
		"one of two":         {"mcp.json", `{"mcpServers":{}}`, map[string]config.Spec{"a": {Command: "x"}, "b": {}}, verdict.UsageArgument},
	} {
		path := putServers(t, row.file, row.text)
		if err := config.AddServers(path, row.add, false); verdict.CodeOf(err) != row.code || get(t, path) != row.text {
			t.Errorf("%s: %v; %s", name, err, get(t, path))
		}
	}
}

func TestAServerIsRemovedWithItsCommentsAndNoOther(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ remove, before, after string }{
		"the first":     {"a", "{\"mcpServers\": {\n  // of a\n  \"a\": {\"command\": \"x\"},\n  // of b\n  \"b\": {\"command\": \"y\"}\n}}", "{\"mcpServers\": {\n  // of b\n  \"b\": {\"command\": \"y\"}\n}}"},
		"the last":      {"b", "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\"},\n  \"b\": {\"command\": \"y\"}\n}, \"z\": 1}", "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\"}\n}, \"z\": 1}"},
		"the middle":    {"b", "{\"mcpServers\": {\r\n  \"a\": {\"command\": \"x\"}, // of a\r\n\r\n  // of b\r\n  \"b\": {\"command\": \"y\"}, // of b\r\n  \"c\": {\"command\": \"z\"}\r\n}}", "{\"mcpServers\": {\r\n  \"a\": {\"command\": \"x\"}, // of a\r\n  \"c\": {\"command\": \"z\"}\r\n}}"},
		"a last comma":  {"b", "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\"}, // of a\n  \"b\": {\"command\": \"y\"}, // of b\n  // the end\n},}", "{\"mcpServers\": {\n  \"a\": {\"command\": \"x\"}, // of a\n  // the end\n},}"},
		"one of a line": {"a", `{"mcpServers":{"a":{"command":"x"}, "b":{"command":"y"}}}`, `{"mcpServers":{"b":{"command":"y"}}}`},
		"a line's last": {"b", `{"mcpServers":{"a":{"command":"x"}, "b":{"command":"y"} }}`, `{"mcpServers":{"a":{"command":"x"} }}`},
		"on the brace":  {"a", "{\"mcpServers\": { // mine\n  \"a\": {\"command\": \"x\"}\n}}", "{\"mcpServers\": { // mine\n}}"},
		"the only one":  {"a", `{"mcpServers":{"a":{"command":"x"}}}`, `{"mcpServers":{}}`},
		"left out":      {"a/~", `{"mcpServers":{"a/~":{"command":"x"},"b":{"command":"y"}}}`, `{"mcpServers":{"b":{"command":"y"}}}`},
		"disabled":      {"a", `{"mcpServers":{"a":{"command":"x","disabled":true},"b":{"command":"y"}}}`, `{"mcpServers":{"b":{"command":"y"}}}`},
	} {
		path := putServers(t, "mcp.json", row.before)
		if err := config.RemoveServer(path, row.remove, false); err != nil || get(t, path) != row.after {
			t.Errorf("%s: %v:\n%s\nwant\n%s", name, err, get(t, path), row.after)
		}
		if err := config.RemoveServer(path, row.remove, false); verdict.CodeOf(err) != verdict.UsageArgument || get(t, path) != row.after {
			t.Errorf("%s, again: %v", name, err)
		}
	}
}

func TestAManifestIsWrittenIntoItsServerAlone(t *testing.T) {
	t.Parallel()
	m := confine.Manifest{Description: "d", Permissions: []confine.Permission{confine.FilesRead}, Scopes: &confine.Scopes{ReadPaths: []string{"/srv"}}}
	const short = `{"description":"d","permissions":["mcp.ac.filesystem.read"],"scopes":{"readPaths":["/srv"]}}`
	for name, row := range map[string]struct{ before, after string }{
		"on one line":      {`{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}`, `{"mcpServers":{"a":{"command":"x","manifest":` + short + `},"b":{"command":"y"}}}`},
		"in place of one":  {`{"mcpServers":{"a":{"manifest":"old.json","command":"x"}}}`, `{"mcpServers":{"a":{"command":"x","manifest":` + short + `}}}`},
		"another's holder": {"{\"servers\":{\"a\":{\"command\":\"x\"}}} // kept\n", `{"servers":{"a":{"command":"x","manifest":` + short + "}}} // kept\n"},
		"on lines": {"{\"mcpServers\": {\n  \"a\": {\n    \"command\": \"x\" // kept\n  }\n}}", "{\"mcpServers\": {\n  \"a\": {\n    \"command\": \"x\", // kept\n    \"manifest\": {\n" +
			"      \"description\": \"d\",\n      \"permissions\": [\n        \"mcp.ac.filesystem.read\"\n      ],\n      \"scopes\": {\n        \"readPaths\": [\n          \"/srv\"\n        ]\n      }\n    }\n  }\n}}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := putServers(t, "mcp.json", row.before)
			if err := config.ConfineServer(path, "a", m, nil, true); err != nil || get(t, path) != row.before {
				t.Fatalf("a dry run: %v, and %s", err, get(t, path))
			}
			if err := config.ConfineServer(path, "a", m, nil, false); err != nil || get(t, path) != row.after {
				t.Fatalf("%v, and\n%s, want\n%s", err, get(t, path), row.after)
			}
		})
	}
}

func TestAManifestThatWouldNotCountIsNotWritten(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"scopes of its own":      `{"mcpServers":{"a":{"command":"x","scopes":{}}}}`,
		"a sandbox that is off":  `{"mcpServers":{"a":{"command":"x","sandbox":"off"}}}`,
		"a server elsewhere":     `{"mcpServers":{"a":{"url":"https://h/mcp"}}}`,
		"no such server":         `{"mcpServers":{"b":{"command":"x"}}}`,
		"an entry that is wrong": `{"mcpServers":{"a":"x"}}`,
	} {
		path := putServers(t, "mcp.json", text)
		err := config.ConfineServer(path, "a", confine.Manifest{Description: "d"}, nil, false)
		if _, f := verdict.First(err); f == nil || get(t, path) != text {
			t.Errorf("%s: %v, and %s", name, err, get(t, path))
		}
	}
}
