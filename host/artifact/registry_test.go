package artifact_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
)

// TestALauncherThatWouldAskAnotherRegistryIsNotStarted: a server does not get
// the user's variables, so a private name would be asked for at the public
// registry.
func TestALauncherThatWouldAskAnotherRegistryIsNotStarted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{"npmrc": "@corp:registry=https://r.example/\n", "plain": "color=false\n", "pip.conf": "[global]\nindex-url = https://i.example/\n"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cache := artifact.Cache(t.TempDir())
	fetch(t, cache, line("npx -y good@1.0.0"))
	fetch(t, cache, line("npx -y scripts@1.0.0"))
	for _, row := range []struct{ command, set, entry, lost string }{
		{"npx -y corp-server", "npm_config_registry=https://r.example", "", "npm_config_registry"},
		{"npx -y corp-server", "NPM_CONFIG_REGISTRY=https://r.example", "", "NPM_CONFIG_REGISTRY"},
		{"npx -y corp-server", "NPM_CONFIG_REGISTRY=https://r.example", "npm_config_registry", ""},
		{"npx -y corp-server", "npm_config_registry=https://r.example", "npm_config_cache", "npm_config_registry"},
		{"npx -y corp-server", "npm_config_registry=", "", ""},
		{"npx -y @corp/server", "npm_config_@corp:registry=https://r.example", "", "npm_config_@corp:registry"},
		{"npx -y @other/server", "npm_config_@corp:registry=https://r.example", "", ""},
		{"npx -y not-fetched@1.0.0", "npm_config_registry=https://r.example", "", "npm_config_registry"},
		{"npx -y scripts@1.0.0", "npm_config_registry=https://r.example", "", "npm_config_registry"},
		{"npx -y good@1.0.0", "npm_config_registry=https://r.example", "", ""}, // no launcher is started
		{"npx --some-option corp-server", "npm_config_registry=https://r.example", "", "npm_config_registry"},
		{"bunx corp-server", "BUN_CONFIG_REGISTRY=https://r.example", "", "BUN_CONFIG_REGISTRY"},
		{"pnpm dlx corp-server", "npm_config_registry=https://r.example", "", "npm_config_registry"},
		{"env A=1 npx corp-server", "npm_config_registry=https://r.example", "", "npm_config_registry"},
		{"sh -c exec npx", "npm_config_registry=https://r.example", "", "npm_config_registry"},
		{"npx -y corp-server", "PIP_INDEX_URL=https://i.example", "", ""},
		{"uvx corp-server", "UV_INDEX_URL=https://i.example", "", "UV_INDEX_URL"},
		{"uvx corp-server", "UV_DEFAULT_INDEX=https://i.example", "", "UV_DEFAULT_INDEX"},
		{"uv tool run corp-server", "UV_EXTRA_INDEX_URL=https://i.example", "", "UV_EXTRA_INDEX_URL"},
		{"pipx run corp-server", "PIP_INDEX_URL=https://i.example", "", "PIP_INDEX_URL"},
		{"pipx run corp-server", "PIP_CONFIG_FILE=" + dir + "/pip.conf", "", "PIP_CONFIG_FILE"},
		{"uvx corp-server", "npm_config_registry=https://r.example", "", ""},
		{"npx -y corp-server", "npm_config_userconfig=" + dir + "/npmrc", "", "npm_config_userconfig"},
		{"npx -y corp-server", "npm_config_userconfig=" + dir, "", "npm_config_userconfig"}, // it cannot be read
		{"npx -y corp-server", "npm_config_userconfig=" + dir + "/plain", "", ""},
		{"npx -y corp-server", "npm_config_globalconfig=" + dir + "/none", "", ""},
		{"npx -y corp-server", "npm_config_userconfig=/home/.npmrc", "", ""}, // which the launcher finds by HOME
		{"node server.js npx", "npm_config_registry=https://r.example", "", ""},
		{"server --manager npx", "npm_config_registry=https://r.example", "", ""},
		{"docker run corp/server", "npm_config_registry=https://r.example", "", ""},
	} {
		name, value, _ := strings.Cut(row.set, "=")
		environment := map[string]string{"HOME": "/home", "PATH": "/bin", name: value}
		s := line(row.command)
		s.Env = strings.Fields(row.entry)
		_, _, err := cache.Start(s, func(name string) (string, bool) {
			value, set := environment[name]
			return value, set
		})
		if row.lost == "" && err != nil {
			t.Errorf("%s with %s: %v", row.command, row.set, err)
		}
		if row.lost == "" {
			continue
		}
		if verdict.CodeOf(err) != verdict.ServerRegistry {
			t.Errorf("%s with %s: %v, want %s", row.command, row.set, err, verdict.ServerRegistry)
			continue
		}
		if !strings.Contains(err.Error(), row.lost+" names") {
			t.Errorf("%s with %s does not name %s: %v", row.command, row.set, row.lost, err)
		}
		if value != "" && strings.Contains(err.Error(), value) {
			t.Errorf("%s quotes the value of %s: %v", row.command, name, err)
		}
	}
}
