package session_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

func TestABadAnswerIsRefusedAndTheCallIsNotRepeated(t *testing.T) {
	t.Parallel()
	streams := []string{"stdio", "in process"}
	for _, c := range []struct {
		mode, code string
		only       []string
	}{
		{"silent call", "call.outcome_unknown", nil},
		{"late call", "call.outcome_unknown", nil},
		{"exit on call", "call.outcome_unknown", streams},
		{"banner on call", "call.outcome_unknown", []string{"in process"}},
		{"call refused", "output.rpc_error", nil},
		{"result of 20 MiB", "call.outcome_unknown", strangers},
		{"result not UTF-8", "output.invalid", nil},
		{"result with a key twice", "output.invalid", nil},
		{"result with 1e400", "output.number", nil},
		{"result 100 deep", "output.too_large", nil},
		{"result 2000 deep", "output.too_large", strangers},
		{"result is null", "output.invalid", nil},
		{"input required ten times", "call.input_required", nil},
		{"samples and gives up", "call.server_request", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}},
		{"asks for roots and falls silent", "call.server_request", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}},
		{"asks for ever", "call.server_request", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}},
		{"elicits and goes on", "", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}},
		{"changed, different", "pin.changed", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}},
		{"never settles", "pin.unstable", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}},
		{"changed, twice", "pin.changed", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}},
		{"changed, twin malformed", "pin.changed", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}},
		{"changed, twin unreadable", "pin.changed", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}},
		{"changed, gone", "pin.absent", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}},
		{"changes unannounced", "pin.changed", nil},
		{"stateless, changes", "pin.changed", nil},
		{staleForAnHour, "pin.changed", nil},
	} {
		each(t, c.mode, c.only, func(t *testing.T, s session.Server, log string) {
			limits := long
			if strings.Contains(c.mode, "silent") || strings.HasPrefix(c.mode, "late") {
				limits = short
				limits.StartTimeout, limits.ConnectTimeout = time.Minute, time.Minute
				limits.CallTimeout = lateCall
			}
			if strings.Contains(c.mode, "MiB") {
				limits.MaxMessage = 1 << 20
			}
			code, err := ask(t, pool(t, limits, s))
			for code == "server.timeout" { // the machine is too busy for a listing within the limit
				limits.CallTimeout *= 2
				code, err = ask(t, pool(t, limits, s))
			}
			if code != c.code {
				t.Errorf("the call came to %v, want %s", err, c.code)
			}
			goOn(t, log)
			var f *verdict.Fault
			if errors.As(err, &f) {
				quotes(t, err)
			}
			want := 1
			if strings.HasPrefix(c.code, "pin.") {
				want = 0
			}
			if n := arrived(t, log, "tools/call"); n != want {
				t.Errorf("%d calls arrived, want %d", n, want)
			}
			if want == 1 && verdict.CodeOf(err).Entry().Retryable {
				t.Errorf("a call has left, and %v may be tried again", err)
			}
		})
	}
}
