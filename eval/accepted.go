package eval

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Accepted takes an answer through the gates, because no other way leads to a typed
// result. The steps are question, plan, approval, its record, the call, and the
// answer. It asks no server: descriptor is the one tool of the server "kb", and the
// measurement supplies the answer. An error is a gate's refusal.
func Accepted(allowlist, descriptor string, answer []byte) (gate.Typed, error) {
	live := pin.Descriptor{Server: "kb", Raw: jsontext.Value(descriptor)}
	about, err := live.Fields()
	if err != nil {
		return gate.Typed{}, err
	}
	allow, err := catalog.ParseAllowlist([]byte(allowlist))
	if err != nil {
		return gate.Typed{}, err
	}
	tools := catalog.Admit([]catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{live}}}, allow, catalog.Options{})
	q, err := input.Admit(input.Asked{Words: "fetch it"}, input.BuiltIn())
	if err != nil {
		return gate.Typed{}, err
	}
	proposed, err := plan.Parse(plan.Call("kb", about.Name, jsontext.Value(`{}`)))
	if err != nil {
		return gate.Typed{}, err
	}
	g := gate.New(gate.Options{})
	approved, err := g.Approve(gate.Asked{Query: q}, tools, proposed)
	if err != nil {
		return gate.Typed{}, err
	}
	receipt, err := trace.New(&unkept{}, Noon).Commit(trace.Approval, approved.Record())
	if err != nil {
		return gate.Typed{}, err
	}
	yes, err := Consent(approved)
	if err != nil {
		return gate.Typed{}, err
	}
	if _, err := approved.Redeem(live, receipt, yes); err != nil {
		return gate.Typed{}, err
	}
	return g.Accept(approved, gate.RawResult{Body: answer})
}

// Consent says yes to every call, for suites that measure other gates.
func Consent(a gate.Approved) (gate.Consent, error) {
	if a.Ruled().Ruling != verdict.Ask {
		return gate.Consent{}, nil
	}
	yes := gate.Yes{Approval: a.Digest(), By: "eval", How: "yes"}
	record, err := a.ConsentRecord(yes)
	if err != nil {
		return gate.Consent{}, err
	}
	on, err := trace.New(&unkept{}, Noon).Commit(trace.Consent, record)
	if err != nil {
		return gate.Consent{}, err
	}
	return a.Consented(yes, on)
}

// AcceptedText returns a result that the operator declared to be text: one leaf.
func AcceptedText(text string) (gate.Typed, error) {
	answer := `{"content":[{"type":"text","text":` + string(Data(text)) + `}]}`
	return Accepted(`{"kb":[{"name":"fetch","output":"text"}]}`, `{"name":"fetch","inputSchema":{"type":"object"}}`, []byte(answer))
}

// unkept is a trace that is never read, because its call never leaves.
type unkept struct{ strings.Builder }

func (*unkept) Sync() error { return nil }
