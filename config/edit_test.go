package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

func put(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

func get(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestOnlyTheModelChanges(t *testing.T) {
	t.Parallel()
	const wrote = `"openai/qwen3:8b"`
	for name, row := range map[string]struct{ before, after string }{
		"an empty file":     {"", "model = " + wrote + "\n"},
		"a value":           {"model = \"x/y\"\n", "model = " + wrote + "\n"},
		"its line's rest":   {"  model   =  'x/y'   # mine, \"kept\"\r\n", "  model   =  " + wrote + "   # mine, \"kept\"\r\n"},
		"a quoted key":      {"\"model\"=\"x\"", "\"model\"=" + wrote},
		"lines around":      {"# top\n\ntimeout = \"9s\" # t\nmodel=\"\"\n\n# end", "# top\n\ntimeout = \"9s\" # t\nmodel=" + wrote + "\n\n# end"},
		"none yet":          {"# top\ntimeout = \"9s\"\n", "# top\ntimeout = \"9s\"\nmodel = " + wrote + "\n"},
		"no last line end":  {"timeout = \"9s\"", "timeout = \"9s\"\nmodel = " + wrote + "\n"},
		"CRLF":              {"timeout = \"9s\"\r\n", "timeout = \"9s\"\r\nmodel = " + wrote + "\r\n"},
		"in a comment":      {"# model = \"a/b\"\n", "# model = \"a/b\"\nmodel = " + wrote + "\n"},
		"inside a string":   {"servers = \"\"\"\nmodel = 'a/b'\n\"\"\"\n", "servers = \"\"\"\nmodel = 'a/b'\n\"\"\"\nmodel = " + wrote + "\n"},
		"a string of lines": {"model = \"\"\"\\\n  a/b\"\"\" # c\ntimeout = \"9s\"\n", "model = " + wrote + " # c\ntimeout = \"9s\"\n"},
		"near names":        {"model_timeout = \"9s\"\n", "model_timeout = \"9s\"\nmodel = " + wrote + "\n"},
		"tables after it":   {"timeout = \"9s\"\n\n[server.a]\nproxy = \"http://a\"\n", "timeout = \"9s\"\n\nmodel = " + wrote + "\n[server.a]\nproxy = \"http://a\"\n"},
		"tables alone":      {"[server.a]\nproxy = \"http://a\"\n", "model = " + wrote + "\n[server.a]\nproxy = \"http://a\"\n"},
		"a comment alone":   {"# nothing here", "# nothing here\nmodel = " + wrote + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := put(t, row.before)
			changed, err := config.SetModel(path, "openai/qwen3:8b")
			if got := get(t, path); err != nil || !changed || got != row.after {
				t.Fatalf("%v, %v:\n%q, want\n%q", changed, err, got, row.after)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
			if changed, err := config.SetModel(path, "openai/qwen3:8b"); changed || err != nil {
				t.Errorf("again: %v, %v", changed, err)
			}
			if left, err := os.ReadDir(filepath.Dir(path)); len(left) != 1 || err != nil {
				t.Errorf("%v stays behind, %v", left, err)
			}
		})
	}
}

func TestAFileThatIsNotUnderstoodIsLeft(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"model = ", "model = \"a\nb\"", "model = \"a\"\nmodel = \"b\"\n", "model = 7\n", "allow_all = true\n", "[model]\nname = \"a\"\n", "model.name = \"a\"\n",
		"summary_level = \"trusting\"\n", "timeout = \"9s\"\n[other]\nmodel = \"a/b\"\n", "\xff\n", "not toml at all",
	} {
		path := put(t, text)
		changed, err := config.SetModel(path, "openai/m")
		if verdict.CodeOf(err) != verdict.ConfigInvalid || changed || get(t, path) != text {
			t.Errorf("%q became %q: %v", text, get(t, path), err)
		}
	}
}

func TestANameThatWouldNotStandInAStringIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "a b", "a\"", "a\\", "a'", "a\nservers = 'x'", "a\x00", "\u202e", "é", strings.Repeat("a", 257)} {
		path := put(t, "timeout = \"9s\"\n")
		if _, err := config.SetModel(path, name); verdict.CodeOf(err) != verdict.UsageArgument || get(t, path) != "timeout = \"9s\"\n" {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAFileIsMadeForItsUserAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "b", "config.toml")
	changed, err := config.SetModel(path, "embedded")
	if !changed || err != nil || get(t, path) != "model = \"embedded\"\n" {
		t.Fatal(changed, err)
	}
	for place, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(place); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, %v", place, info.Mode(), err)
		}
	}
}

func TestALinkStaysALink(t *testing.T) {
	t.Parallel()
	path := put(t, "model = \"a/b\"\n")
	link := filepath.Join(t.TempDir(), "config.toml")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := config.SetModel(link, "openai/m"); err != nil || get(t, path) != "model = \"openai/m\"\n" {
		t.Error(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestAFileThatDoesNotEndIsNotReadToItsEnd(t *testing.T) {
	t.Parallel()
	_, err := config.Load(config.Paths{}, environ(), config.Flags{Config: "/dev/zero"})
	if verdict.CodeOf(err) != verdict.ConfigUnreadable || !strings.Contains(err.Error(), "over 4194304 bytes") {
		t.Error(err)
	}
	if d := new(verdict.Denial); !errors.As(config.LoadAllowlist("/dev/zero").Refusal(), &d) || d.Code != verdict.AllowInvalid {
		t.Error(d)
	}
	if _, err := config.LoadRules([]config.Value[string]{{V: "/dev/zero"}}); verdict.CodeOf(err) != verdict.ConfigUnreadable {
		t.Error(err)
	}
	long := put(t, "timeout = \"9s\"\n"+strings.Repeat("# long\n", 1<<20))
	if _, err := config.SetModel(long, "openai/m"); verdict.CodeOf(err) != verdict.ConfigUnreadable {
		t.Error(err)
	}
}

// FuzzSetModel: whatever a file holds, either it is left byte for byte, or it
// can be read and says the new model.
func FuzzSetModel(f *testing.F) {
	for _, s := range []string{"", "model = \"a\"", "timeout='9s'\r\n", "[a]\n", "model = '''\n'''", "# model", "\"model\" = \"\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		path := put(t, string(b))
		_, err := config.SetModel(path, "openai/m")
		if err != nil {
			if get(t, path) != string(b) {
				t.Fatal("a refused edit changed the file")
			}
			return
		}
		s, err := config.Load(config.Paths{}, environ(), config.Flags{Config: path})
		if err != nil || s.Model.V != "openai/m" {
			t.Fatalf("%q: model %q, %v", get(t, path), s.Model.V, err)
		}
	})
}
