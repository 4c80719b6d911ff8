package config_test

import (
	"path/filepath"
	"testing"

	"github.com/onestep-run/onestep/config"
)

// TestACommandIsFoundWhateverItsEnvironmentNeeds: an input that is not yet given
// changes nothing of what is started.
func TestACommandIsFoundWhateverItsEnvironmentNeeds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, env := range []string{``, `"K":"${input:key}"`, `"K":"${NO_SUCH_VARIABLE}"`} {
		text := `{"inputs":[{"id":"key","type":"promptString","description":"Key"}],"servers":{"s":{"command":"./server","env":{` + env + `}}}}`
		s, err := config.ParseServers(filepath.Join(dir, "mcp.json"), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if path := s.Command(environ(), "s").Path; path != filepath.Join(dir, "server") {
			t.Errorf("with env {%s} it is %q", env, path)
		}
	}
}
