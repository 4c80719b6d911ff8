package trust_test

import (
	"context"
	"slices"
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/trust"
	"github.com/onestep-run/onestep/trace"
)

// confinedCaller answers each call, and reports this of the server's sandbox.
type confinedCaller struct{ sandbox *trace.SandboxBody }

func (c confinedCaller) Call(context.Context, gate.Approved, trace.Receipt, gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	return gate.RawResult{Body: []byte(`{"content":[]}`), Sandbox: c.sandbox}, pin.Descriptor{Server: "kb"}, nil
}

func attempt(permission, resource string, inCall bool) *trace.SandboxBody {
	return &trace.SandboxBody{Blocked: []trace.AttemptBody{{Action: "write", Permission: permission, Resource: resource, InCall: inCall}}}
}

// A reading tool that tried to write in its call counts as writing until a decision.
// Neither a refresh nor another review ends that.
func TestARefreshKeepsWhichToolsTriedToWrite(t *testing.T) {
	t.Parallel()
	const writes, deletes = "mcp.ac.filesystem.write", "mcp.ac.filesystem.delete"
	for name, row := range map[string]struct {
		sandbox *trace.SandboxBody
		counts  bool
	}{
		"a write in the call":  {attempt(writes, "/x", true), true},
		"a delete in the call": {attempt(deletes, "/x", true), true},
		"a write before it":    {attempt(writes, "/x", false), false},
		"a read":               {attempt("mcp.ac.filesystem.read", "/x", true), false},
		"a connection":         {attempt("mcp.ac.network.client", "x:1", true), false},
		"what Python compiles": {attempt(writes, "/lib/a/__pycache__/b.pyc", true), false},
		"nothing":              {&trace.SandboxBody{}, false},
		"no sandbox":           {nil, false},
	} {
		k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
		approve(t, k, kb, "get")
		w := trust.Watched{
			Caller: confinedCaller{row.sandbox}, Keeper: k, Places: map[string]pin.Place{"kb": kb.subject().Place},
			Program: func(context.Context, string) error { return nil },
		}
		if _, _, err := w.Call(t.Context(), planned(t, kb.tools[0]), trace.Receipt{}, gate.Consent{}); err != nil {
			t.Fatal(err)
		}
		count := func(when string, want bool) {
			p, err := k.Pins(t.Context(), kb.subject().Place)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(p.Wrote, "get"); got != want {
				t.Errorf("%s, %s: it counts as writing: %v", name, when, got)
			}
			if _, approved := p.Tools["get"]; !approved {
				t.Errorf("%s, %s: the tool is not approved any more", name, when)
			}
		}
		count("after the call", row.counts)
		if _, err := k.Refresh(t.Context(), kb.subject("get"), pin.Accept{}); err != nil {
			t.Fatal(err)
		}
		count("after a refresh", row.counts)
		if _, err := k.Look(t.Context(), kb.subject("get")); err != nil {
			t.Fatal(err)
		}
		count("after a review", row.counts)
		if row.counts {
			approve(t, k, kb, "get") // of the whole review, without what is approved alone
			count("after an approval of the rest", true)
			r := look(t, k, kb, "get")
			if _, err := k.Decide(t.Context(), r, trust.Choice{By: "ada", How: "digest", Digests: []string{r.Parts[0].Digest}}); err != nil {
				t.Fatal(err)
			}
			count("after a decision", false)
		}
	}
}
