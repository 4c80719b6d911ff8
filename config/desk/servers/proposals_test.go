package servers

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/host/confine"
)

// A template grants the directories that the entry names, and neither the root nor
// a home; every proposal can be resolved as it is.
func TestAProposalGrantsWhatTheEntryNames(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		spec  config.Spec
		known bool
		reads []string
		asks  int
	}{
		{config.Spec{Command: "npx", Args: []string{"-y", "@modelcontextprotocol/server-filesystem@1.2.3", dir, home, filepath.Dir(home), "/", file, "relative", dir + "/../x"}}, true, []string{dir}, 2},
		{config.Spec{Command: "uvx", Args: []string{"mcp-server-fetch", dir}}, true, nil, 1},
		{config.Spec{Command: "uvx", Args: []string{"mcp-server-time"}, Env: map[string]string{"TZ": "UTC"}}, true, nil, 1},
		{config.Spec{Command: "npx", Args: []string{"-y", "evil-server-filesystem", dir}}, false, nil, 0},
		{config.Spec{Command: "node", Args: []string{"@modelcontextprotocol/server-filesystem", dir}}, false, nil, 0},
	} {
		p := propose(row.spec, confine.Own{})
		m := p.Manifest
		if p.Known != row.known || !slices.Equal([]string(m.Scopes.ReadPaths), row.reads) || len(m.Permissions) != row.asks {
			t.Errorf("%v: %+v %+v", row.spec, p, m.Scopes)
		}
		if _, err := confine.Resolve(m, *m.Scopes, confine.Program{}); err != nil {
			t.Errorf("%v: %v", row.spec, err)
		}
	}
}
