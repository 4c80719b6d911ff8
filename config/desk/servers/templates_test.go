package servers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config/desk/servers"
)

// TestTemplatesAreOfTheVersionsThatAreTried: by interop, against the real servers.
func TestTemplatesAreOfTheVersionsThatAreTried(t *testing.T) {
	t.Parallel()
	tried := ""
	for _, name := range []string{"package.json", "python/requirements.txt"} {
		b, err := os.ReadFile(filepath.Join("..", "..", "..", "interop", name))
		if err != nil {
			t.Fatal(err)
		}
		tried += string(b)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "servers.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tmpl := range servers.Templates() {
		if !strings.Contains(string(page), "\n| `"+tmpl.Name+"` | ") {
			t.Errorf("docs/servers.md does not have %s", tmpl.Name)
		}
		if secrets := tmpl.Server.Secrets(); secrets != nil {
			t.Errorf("%s: %v", tmpl.Name, secrets)
		}
		if tmpl.Server.URL != "" {
			continue
		}
		i := strings.LastIndex(tmpl.Server.Args[len(tmpl.Server.Args)-1], "@")
		pack, version := tmpl.Server.Args[len(tmpl.Server.Args)-1][:i], tmpl.Server.Args[len(tmpl.Server.Args)-1][i+1:]
		if !strings.Contains(tried, `"`+pack+`": "`+version+`"`) && !strings.Contains(tried, "\n"+pack+"=="+version+" ") {
			t.Errorf("%s: version %s of %s is not tried", tmpl.Name, version, pack)
		}
	}
}
