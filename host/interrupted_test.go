package host_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

// over is a context that ends as its parent does, and says why in its own way.
type over struct {
	context.Context //nolint:containedctx // it is one
	why             error
}

func (o over) Err() error {
	if o.Context.Err() == nil {
		return nil
	}
	return o.why
}

// lastCall is a caller whose answer is the last thing before the run is over.
type lastCall struct {
	host.Caller
	end func()
}

func (c lastCall) Call(ctx context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	raw, live, err := c.Caller.Call(ctx, a, on, yes)
	c.end()
	return raw, live, err
}

// The run ends while its answer is scanned, and what was not scanned is not
// shown. What the built-in rules find takes no time that could be over: it
// is the same on every run, and on every replay.
func TestARunThatEndsDuringTheScanReplaysAsItWas(t *testing.T) {
	t.Parallel()
	waits := scanFunc(func(ctx context.Context, _ host.Sample) ([]scan.Finding, error) { <-ctx.Done(); return nil, ctx.Err() })
	for _, c := range []struct {
		why  error
		told string
	}{{context.Canceled, "the run was interrupted"}, {context.DeadlineExceeded, "the time for the run ended"}} {
		for range 10 {
			for _, scanners := range [][]host.NamedScanner{nil, {{Scanner: waits, Name: "judge"}}} {
				b, q := answering(t, asText, text("Marzipan is sweet.")), &cellar{}
				parent, end := context.WithCancel(t.Context())
				ctx := over{parent, c.why}
				b.config.Quarantine, b.config.Scanners = q, scanners
				b.config.Caller = lastCall{b.config.Caller, end}
				h, err := host.New(b.config)
				if err != nil {
					t.Fatal(err)
				}
				out := h.Ask(ctx, host.Question{Text: "Who am I there?"})
				switch {
				case scanners == nil && out.Type != host.ToolResult:
					t.Errorf("%v: only the built-in rules, and %s", c.why, documentOf(t, out))
				case scanners != nil && (out.Error == nil || out.Error.Code != verdict.OutputQuarantined || len(q.all) != 1 || len(out.Guard.Findings) != 1):
					t.Errorf("%v: %s, kept %d", c.why, documentOf(t, out), len(q.all))
				case scanners != nil && !strings.Contains(b.disk.String(), c.told):
					t.Errorf("%v: the trace is %s", c.why, b.disk.String())
				}
				replayed(t, b)
			}
		}
	}
}

// The rules of another version failed, and those of this one would not: what the
// run recorded is what happened.
func TestAReplayTakesTheFailureOfOtherRulesFromTheRecord(t *testing.T) {
	t.Parallel()
	b := answering(t, asText, text("Marzipan is sweet."))
	b.ask(t, "Who am I there?")
	events := b.events(t)
	for i, e := range events {
		if e.Kind == trace.Guard {
			events[i].Body = []byte(`{"rules":"0","ledger":[],"scanners":[{"name":"patterns","error":{"code":"output.scanner","reason":"a panic"}}]}`)
		}
	}
	r, err := replay.Run(t.Context(), events, replay.Options{Objects: b.disk.object})
	if err != nil || r.Outcome.Error == nil || !strings.Contains(r.Outcome.Error.Message, "patterns/failed") {
		t.Errorf("the replay has %+v, %v", r.Outcome.Error, err)
	}
}

// A run that was killed before its answer had been looked at shows nothing of it
// when it is run again.
func TestAReplayShowsNoAnswerThatNobodyLookedAt(t *testing.T) {
	t.Parallel()
	b := answering(t, asText, text("Marzipan is sweet."))
	b.ask(t, "Who am I there?")
	events := b.events(t)
	at := slices.IndexFunc(events, func(e trace.Event) bool { return e.Kind == trace.Guard })
	for i := at; i > at-3; i-- { // with the verdict on the call, and without
		r, err := replay.Run(t.Context(), events[:i], replay.Options{Objects: b.disk.object})
		if err != nil || len(r.Differences) > 0 || strings.Contains(documentOf(t, r.Outcome), "Marzipan") {
			t.Errorf("of %d lines: %+v, %s, %v", i, r.Differences, documentOf(t, r.Outcome), err)
		}
	}
}
