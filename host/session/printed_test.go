package session_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// Many servers log to stdout. Other clients pass over it, and so does this one.
func TestWhatCannotBeAMessageIsPassedOver(t *testing.T) {
	t.Parallel()
	modes := []string{"banner", "number", "banner on list", "banner on call", "prints on call"}
	for _, line := range printed {
		modes = append(modes, "prints on call: "+line)
	}
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			log := logFile(t)
			p := pool(t, long, stdio(t, mode, log))
			l := discover(t, p)
			a := approve(t, l, "srv", "echo", `{"text":"hello"}`)
			raw, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
			if err != nil || string(raw.Body) != `{"content":[{"type":"text","text":"done"}]}` {
				t.Errorf("the call came to %s, %v", raw.Body, err)
			}
			if n := arrived(t, log, "tools/call"); n != 1 {
				t.Errorf("%d calls arrived", n)
			}
			shown := strings.Join(p.Strays(), "\n")
			if blank := mode == "prints on call: "; blank != (shown == "") || !blank && !strings.Contains(shown, "server srv: it printed ") {
				t.Errorf("of what was passed over is said %q", shown)
			}
			if strings.Contains(shown, secret) || strings.Contains(shown, "\x1b") || !utf8.ValidString(shown) {
				t.Errorf("it shows %q", shown)
			}
		})
	}
}

// What nearly is a message may be meant for an answer, and which one is not
// known.
func TestWhatMayBeAMessageIsNotPassedOver(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"level":"info"}`, `{"jsonrpc":"2.0","id":ID,"result":{"content":[]`, `{`, ` {"id":ID}`, `{jsonrpc: "2.0", id: ID}`,
		`[{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}]`, `[{"jsonrpc"`, `[]`, `[1]`, `[1, {"jsonrpc":"2.0","id":ID,"result":{}}`, `[`,
		"\ufeff" + `{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}`, "\x01" + `{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}`, `["jsonrpc"]`,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			log := logFile(t)
			code, err := ask(t, pool(t, long, stdio(t, "prints on call: "+line, log)))
			if code != "call.outcome_unknown" {
				t.Errorf("it came to %v", err)
			}
			if n := arrived(t, log, "tools/call"); n != 1 {
				t.Errorf("%d calls arrived", n)
			}
		})
	}
}

// TestAnAnswerWithoutAnIDIsSkipped: it answers no request, and the answer behind it does.
func TestAnAnswerWithoutAnIDIsSkipped(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"not this"}]}}`,
		`{"jsonrpc":"2.0","id":null,"result":{"content":[{"type":"text","text":"not this"}]}}`,
		`{"jsonrpc":"2.0","error":{"code":-32000,"message":"not this"}}`,
	} {
		each(t, "prints on call: "+line, []string{"stdio", "HTTP stream", "HTTP+SSE"}, func(t *testing.T, s session.Server, log string) {
			p := pool(t, long, s)
			a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
			raw, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
			must(t, err)
			if diff := cmp.Diff(`{"content":[{"type":"text","text":"done"}]}`, string(raw.Body)); diff != "" {
				t.Errorf("the answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnswersWithoutAnIDAreBounded(t *testing.T) {
	t.Parallel()
	each(t, "answers for ever without an id", []string{"stdio", "HTTP stream", "HTTP+SSE"}, func(t *testing.T, s session.Server, _ string) {
		_, err := ask(t, pool(t, long, s))
		if err == nil || !strings.Contains(err.Error(), "more than 1000 lines or 262144 bytes") {
			t.Error(err)
		}
	})
}

func TestWhatIsPassedOverIsBounded(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"prints for ever on call", "prints 1 MiB on call"} {
		code, err := ask(t, pool(t, long, stdio(t, mode, logFile(t))))
		if code != string(verdict.CallOutcomeUnknown) || !strings.Contains(err.Error(), "more than 1000 lines or 262144 bytes") {
			t.Errorf("%s: %v", mode, err)
		}
	}
}
