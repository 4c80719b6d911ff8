package host_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

// A result with a date-time that lacks its offset is typed, and trace and outcome say
// where; strict_outputs refuses it. Either replays as it was.
func TestADateTimeWithoutAnOffsetIsNotedAndReplays(t *testing.T) {
	t.Parallel()
	for _, strict := range []bool{false, true} {
		b := newBench(t)
		d := pin.Descriptor{Server: "mcp-policy-kb", Raw: jsontext.Value(`{"name":"fetch_policy_entry","description":"Fetches an entry.","inputSchema":{"type":"object","properties":{"policy_id":{"type":"string"}}},` +
			`"outputSchema":{"type":"object","properties":{"at":{"type":"string","format":"date-time"}}}}`)}
		b.config.Types, b.config.Policy.StrictOutputs = nil, strict
		b.config.Source = source(func(context.Context, []string) []catalog.Listing {
			return []catalog.Listing{{Server: "mcp-policy-kb", Tools: []pin.Descriptor{d}}}
		})
		b.config.Caller = caller(func(_ context.Context, a gate.Approved, r trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
			_, err := a.Redeem(d, r, yes)
			return gate.RawResult{Body: []byte(`{"content":[],"structuredContent":{"at":"2026-11-27T10:00:00"}}`)}, d, err
		})
		out := b.ask(t, "Fetch policy-002")
		const why = "date-time at /at has no offset from UTC"
		switch {
		case strict && (out.Error == nil || out.Error.Code != verdict.OutputSchema || out.Typed != nil):
			t.Errorf("strict: %s, %+v", out.Type, out.Error)
		case !strict && (out.Type != host.ToolResult || string(out.Typed) != `{"at":"2026-11-27T10:00:00"}` || !strings.Contains(out.Note, why)):
			t.Errorf("%s, %+v, note %q", out.Type, out.Error, out.Note)
		}
		if noted := strings.Contains(b.disk.String(), why); noted == strict {
			t.Errorf("strict %v: the trace notes it: %v", strict, noted)
		}
		if r, err := replay.Run(t.Context(), b.events(t), replay.Options{Objects: b.disk.object}); err != nil || len(r.Differences) > 0 || !r.Complete {
			t.Errorf("strict %v: the replay differs: %+v, %v", strict, r.Differences, err)
		}
	}
}
