package session_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/trace"
)

// What a server logs during a call belongs to that call, over every transport.
func TestWhatAServerLogsBelongsToItsCall(t *testing.T) {
	t.Parallel()
	each(t, "reports on call", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}, func(t *testing.T, s session.Server, _ string) {
		p := pool(t, long, s)
		for range 2 {
			a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
			raw, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
			must(t, err)
			if len(raw.Logs) != 2 || raw.LeftOut != 0 {
				t.Fatalf("%+v, and %d more", raw.Logs, raw.LeftOut)
			}
			if diff := cmp.Diff(trace.LogBody{Level: "info", Text: `two\u{A}lines`}, raw.Logs[1]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
	})
}
