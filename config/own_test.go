package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

// Wherever the environment and the settings have the files of an installation, no
// scope reaches them.
func TestNoScopeReachesAnInstallation(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	rules := filepath.Join(dir, "else", "rules.json")
	for name, c := range map[string]struct {
		env    config.Environ
		barred []string
	}{
		"ASK_HOME": {environ("ASK_HOME", dir+"/ask"), []string{"/ask", "/ask/cache/packages", "/ask/traces"}},
		"XDG": {
			environ("HOME", dir, "XDG_CONFIG_HOME", dir+"/c", "XDG_STATE_HOME", dir+"/s", "XDG_CACHE_HOME", dir+"/k", "XDG_CONFIG_DIRS", dir+"/x"),
			[]string{"/c", "/c/onestep", "/s/onestep/traces", "/k/onestep"},
		},
		"HOME": {environ("HOME", dir), []string{"", "/.config", "/.config/onestep/allowlist.json", "/.local/state/onestep", "/.cache"}},
	} {
		paths, err := config.FindPaths(c.env)
		if err != nil {
			t.Fatal(err)
		}
		s, err := config.Load(paths, c.env, config.Flags{Given: map[string]string{"policy": rules}})
		if err != nil {
			t.Fatal(err)
		}
		own := s.Own(c.env)
		for _, path := range append(c.barred, "/else", "/else/rules.json") {
			if err := own.Forbids(confine.Scopes{ReadPaths: confine.Paths{dir + path}}); verdict.CodeOf(err) != verdict.ManifestInvalid {
				t.Errorf("%s: %s: %v", name, path, err)
			}
		}
		program, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		if err := own.Forbids(confine.Scopes{ReadPaths: confine.Paths{dir + "/work"}, WritePaths: confine.Paths{dir + "/work"}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := own.Forbids(confine.Scopes{WritePaths: confine.Paths{program}}); verdict.CodeOf(err) != verdict.ManifestInvalid {
			t.Errorf("%s: the program: %v", name, err)
		}
	}
}
