package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Each type of value is written as a file has it, in its place, and nothing else
// changes.
func TestOnlyTheSettingChanges(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ key, value, before, after string }{
		"a truth":           {"notify", "true", "# a\nnotify = false # b\ntimeout = \"9s\"\n", "# a\nnotify = true # b\ntimeout = \"9s\"\n"},
		"a number":          {"max_output", "128", "max_output=64\n[server.a]\nproxy = \"http://a\"\n", "max_output=128\n[server.a]\nproxy = \"http://a\"\n"},
		"a duration":        {"timeout", "90s", "# top\n\ntimeout = '9s'\t# mine\r\n", "# top\n\ntimeout = \"90s\"\t# mine\r\n"},
		"a list":            {"accept", "cosmetic, safer", "accept = [ \"informational\", # why\n  'safer' ] # c\nnotify = true\n", "accept = [\"cosmetic\", \"safer\"] # c\nnotify = true\n"},
		"an empty list":     {"accept", "", "\"accept\" = [ 'safer' ]", "\"accept\" = []"},
		"a word for a path": {"audit", "off", "audit = \"/x\"\n", "audit = \"off\"\n"},
		"a path":            {"allowlist", "/a \"b\"\\c.json", "", "allowlist = \"/a \\\"b\\\"\\\\c.json\"\n"},
		"added":             {"intent", "strict", "notify = true\n\n[scanner.a]\nmodel = \"a/b\"\n", "notify = true\n\nintent = \"strict\"\n[scanner.a]\nmodel = \"a/b\"\n"},
		"a table's key":     {"call_timeout", "5s", "[server.a]\ncall_timeout = \"9s\"\n", "call_timeout = \"5s\"\n[server.a]\ncall_timeout = \"9s\"\n"},
		"added up":          {"rules", "/r.json", "rules = \"/q.json\"\n", "rules = \"/r.json\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := put(t, row.before)
			changed, err := config.Set(path, row.key, row.value)
			if got := get(t, path); err != nil || !changed || got != row.after {
				t.Fatalf("%v, %v:\n%q, want\n%q", changed, err, got, row.after)
			}
			if changed, err := config.Set(path, row.key, row.value); changed || err != nil {
				t.Errorf("again: %v, %v", changed, err)
			}
		})
	}
}

func TestASettingIsRefusedAsAtAStart(t *testing.T) {
	t.Parallel()
	for _, row := range [][2]string{
		{"timeout", "soon"},
		{"timeout", "-1s"},
		{"timeout", ""},
		{"notify", "1"},
		{"notify", "true\nmodel = \"a/b\""},
		{"max_output", "63"},
		{"max_output", "64 # x"},
		{"intent", "lax"},
		{"accept", "everything"},
		{"allowlist", ""},
		{"allowlist", "/a\nb"},
		{"allowlist", "/\xff"},
		{"timeuot", "9s"},
		{"allow_all", "true"},
		{"server.a.proxy", "http://a"},
		{"read_timeout", "9s"},
		{"", ""},
		{"timeout\nx", "9s"},
	} {
		const text = "# mine\nnotify = false\n"
		path := put(t, text)
		changed, err := config.Set(path, row[0], row[1])
		if verdict.CodeOf(err) != verdict.UsageArgument || changed || get(t, path) != text {
			t.Errorf("%q: %v, %v, %q", row, changed, err, get(t, path))
		}
	}
	path := put(t, "timeout = 9\n")
	if _, err := config.Set(path, "notify", "true"); verdict.CodeOf(err) != verdict.ConfigInvalid || get(t, path) != "timeout = 9\n" {
		t.Errorf("a file that is not understood: %v", err)
	}
}

// Every setting can be written: with its default, where it has one.
func TestEverySettingCanBeSet(t *testing.T) {
	t.Parallel()
	for _, r := range config.Table() {
		path, value := filepath.Join(t.TempDir(), "new", "config.toml"), r.Default
		if value == "" {
			value = "rules.json"
		}
		changed, err := config.Set(path, r.Key, value)
		if err != nil || !changed || !strings.HasPrefix(get(t, path), r.Key+" = ") {
			t.Errorf("%s: %v, %v", r.Key, changed, err)
			continue
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", r.Key, info.Mode(), err)
		}
	}
}
