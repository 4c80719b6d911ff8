package trust_test

import (
	"context"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
	"github.com/onestep-run/onestep/trace"
)

// planned is a call of a tool that was approved, as the gate lets it go on.
func planned(t *testing.T, raw string) gate.Approved {
	t.Helper()
	allow, err := catalog.ParseAllowlist([]byte(`{"kb":{"read":["get"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Admit([]catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{{Server: "kb", Raw: jsontext.Value(raw)}}}}, allow, catalog.Options{})
	q, err := input.Admit(input.Asked{Words: "get p-2"}, input.BuiltIn())
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Parse([]byte(`{"type":"call_tool","server":"kb","tool":"get","args":{"id":"p-2"}}`))
	if err != nil {
		t.Fatal(err)
	}
	a, err := gate.New(gate.Options{}).Approve(gate.Asked{Query: q}, c, p)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// refuses is a caller that finds this right before the call.
type refuses struct{ err error }

func (r refuses) Call(context.Context, gate.Approved, trace.Receipt, gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	return gate.RawResult{}, pin.Descriptor{Server: "kb", Raw: jsontext.Value(tool("get", "gets more"))}, r.err
}

// TestACallThatFindsAChangeKeepsIt: the tool is out of the next run's catalog.
// What else goes wrong with a call says nothing of the tool.
func TestACallThatFindsAChangeKeepsIt(t *testing.T) {
	t.Parallel()
	for code, held := range map[verdict.Code]verdict.Code{
		verdict.PinChanged: verdict.PinChanged, verdict.PinAbsent: verdict.PinAbsent, verdict.PinUnstable: verdict.PinUnstable,
		verdict.ApprovalNeeded: "",
	} {
		k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
		approve(t, k, kb, "get")
		w := trust.Watched{
			Caller: refuses{verdict.Deny(code, "w")}, Keeper: k, Places: map[string]pin.Place{"kb": kb.subject().Place},
			Program: func(context.Context, string) error { return nil },
		}
		if _, _, err := w.Call(t.Context(), planned(t, kb.tools[0]), trace.Receipt{}, gate.Consent{}); verdict.CodeOf(err) != code {
			t.Errorf("%s: %v", code, err)
		}
		want(t, string(code), catalogOf(t, k, kb, "get"), "get "+string(held))
	}
}
