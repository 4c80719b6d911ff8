package session_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/onestep-run/onestep/gate"
)

// TestACallReportsWhatItsSessionListsSince: the descriptors that the session did not list
// at first, after each call. The names of all tools are reported once.
func TestACallReportsWhatItsSessionListsSince(t *testing.T) {
	t.Parallel()
	for name, way := range ways {
		if name == "HTTP+SSE" {
			continue // its fake begins again with each stream
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := pool(t, long, way(t, "grows on call", filepath.Join(t.TempDir(), "log")))
			call := func() gate.RawResult {
				a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
				raw, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
				must(t, err)
				return raw
			}
			var listed [][]string
			var grown []string
			for range 3 { // over HTTP what is announced in the first call may come after its answer
				raw := call()
				grown = nil
				for _, d := range raw.Grown {
					f, err := d.Fields()
					must(t, err)
					grown = append(grown, f.Name)
				}
				if raw.Listed != nil {
					listed = append(listed, raw.Listed)
				}
			}
			if !slices.Equal(grown, []string{"late", "a/b"}) {
				t.Errorf("grown %q", grown)
			}
			if n := len(listed); n == 0 || n > 2 || !slices.Equal(listed[n-1], []string{"echo", "late", "a/b"}) {
				t.Errorf("listed %q", listed)
			}
		})
	}
}
