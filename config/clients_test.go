package config_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
)

func TestClientsAreLookedForInTheirOwnPlaces(t *testing.T) {
	t.Parallel()
	home, elsewhere := t.TempDir(), t.TempDir()
	env := func(values map[string]string) config.Environ {
		return func(name string) (string, bool) { v, ok := values[name]; return v, ok }
	}
	for name, row := range map[string]struct {
		goos   string
		env    map[string]string
		client string
		want   string
	}{
		"linux":        {"linux", map[string]string{"HOME": home}, "claude-desktop", home + "/.config/Claude/claude_desktop_config.json"},
		"linux, moved": {"linux", map[string]string{"HOME": home, "XDG_CONFIG_HOME": elsewhere}, "zed", elsewhere + "/zed/settings.json"},
		"not relative": {"linux", map[string]string{"HOME": home, "XDG_CONFIG_HOME": "here"}, "goose", home + "/.config/goose/config.yaml"},
		"macOS":        {"darwin", map[string]string{"HOME": home, "XDG_CONFIG_HOME": elsewhere}, "vscode", home + "/Library/Application Support/Code/User/mcp.json"},
		"macOS's Zed":  {"darwin", map[string]string{"HOME": home}, "zed", home + "/.config/zed/settings.json"},
		"everywhere":   {"freebsd", map[string]string{"HOME": home}, "codex", home + "/.codex/config.toml"},
	} {
		all := config.Clients(env(row.env), row.goos)
		i := slices.IndexFunc(all, func(c config.Client) bool { return c.Name == row.client })
		if i < 0 || filepath.ToSlash(all[i].Files[0]) != filepath.ToSlash(row.want) {
			t.Errorf("%s: %v, want %s", name, all, row.want)
		}
		for _, c := range all {
			for _, file := range c.Files {
				if !strings.HasPrefix(file, home) && !strings.HasPrefix(file, elsewhere) {
					t.Errorf("%s: %s is the file of no user", name, file)
				}
			}
		}
	}
	for _, home := range []string{"", "home"} {
		if all := config.Clients(env(map[string]string{"HOME": home}), "linux"); all != nil {
			t.Errorf("with the home %q there are %v", home, all)
		}
	}
}
