package config_test

import (
	"path/filepath"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestAToolIsAllowedAndNoOtherByteChanges(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		before string
		reads  bool
		after  string
	}{
		"an empty file":      {"", true, "{\"s\": {\"read\": [\"t\"]}}\n"},
		"another server":     {"{\n  \"a\": [\"x\"]\n}\n", true, "{\n  \"a\": [\"x\"],\n  \"s\": {\"read\": [\"t\"]}\n}\n"},
		"a list":             {`{"s": {"read": ["a", "b"]}}`, true, `{"s": {"read": ["a", "b", "t"]}}`},
		"lines":              {"{\"s\": {\"read\": [\n  \"a\"\n]}}", true, "{\"s\": {\"read\": [\n  \"a\",\n  \"t\"\n]}}"},
		"the other list":     {`{"s":{"read":["a"]}}`, false, `{"s":{"read":["a"],"write": ["t"]}}`},
		"from the other":     {`{"s":{"read":["a","t"],"write":["b"]}}`, false, `{"s":{"read":["a"],"write":["b","t"]}}`},
		"with its options":   {`{"s":{"write":[{"name":"t","approval":"terminal"},"b"]}}`, true, `{"s":{"write":["b"],"read": [{"name":"t","approval":"terminal"}]}}`},
		"null":               {`{"s":null}`, true, `{"s":{"read": ["t"]}}`},
		"as it is":           {`{"s":{"read":["t"]}}`, true, `{"s":{"read":["t"]}}`},
		"an object as it is": {`{"s":{"read":[{"name":"t","output":"text"}]}}`, true, `{"s":{"read":[{"name":"t","output":"text"}]}}`},
	} {
		path := putServers(t, "allowlist.json", row.before)
		if err := config.AllowTools(path, "s", map[string]bool{"t": row.reads}, true); err != nil || get(t, path) != row.before {
			t.Errorf("a dry run: %v, and then %s", err, get(t, path))
		}
		if err := config.AllowTools(path, "s", map[string]bool{"t": row.reads}, false); err != nil || get(t, path) != row.after {
			t.Errorf("%s: %v:\n%s\nwant\n%s", name, err, get(t, path), row.after)
		}
	}
}

func TestAnAllowlistThatCannotBeEditedIsLeft(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text string
		code verdict.Code
	}{
		{`{"s":["a"]}`, verdict.UsageArgument},
		{`{"s":["t"]}`, verdict.UsageArgument},
		{`{"s":{"read":["a","a"]}}`, verdict.ConfigInvalid},
		{`{"s":{"read":["a"]}} // mine`, verdict.ConfigInvalid},
		{`[]`, verdict.ConfigInvalid},
		{`{`, verdict.ConfigInvalid},
	} {
		path := putServers(t, "allowlist.json", row.text)
		for _, dry := range []bool{true, false} {
			if err := config.AllowTools(path, "s", map[string]bool{"t": true}, dry); verdict.CodeOf(err) != row.code || get(t, path) != row.text {
				t.Errorf("%s: %v, and then %s", row.text, err, get(t, path))
			}
		}
	}
	path := filepath.Join(t.TempDir(), "allowlist.json")
	for _, names := range [][2]string{{"s/", "t"}, {"s", "a b"}, {"", "t"}, {"s", ""}} {
		if err := config.AllowTools(path, names[0], map[string]bool{names[1]: true}, false); verdict.CodeOf(err) != verdict.ConfigInvalid {
			t.Errorf("%q: %v", names, err)
		}
	}
}
