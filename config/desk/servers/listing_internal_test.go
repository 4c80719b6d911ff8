package servers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
)

// Packages are fetched unconfined only where the settings do not have everything
// confined, and that is said once.
func TestAnUnconfinedFetchIsSaidOnceOrRefused(t *testing.T) {
	t.Parallel()
	var said []string
	s := Servers{Desk: desk.Desk{Say: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }}}
	fetch := s.unconfined()
	for range 3 {
		fetch("npm: no Landlock")
	}
	if len(said) != 1 || !strings.HasSuffix(said[0], "because this machine cannot confine npm: no Landlock") {
		t.Errorf("%q", said)
	}
	s.Desk.Settings.Sandbox.V = config.SandboxAll
	if s.unconfined() != nil {
		t.Error("with sandbox = \"all\" packages are fetched unconfined")
	}
}
