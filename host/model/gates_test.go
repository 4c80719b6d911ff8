package model_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/plan"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/planner"
)

// TestWhatAModelSaysMeetsTheGates drives every near plan over the wire, through the
// planner, into the gate. None of them may be approved, and the whole plan must be.
func TestWhatAModelSaysMeetsTheGates(t *testing.T) {
	t.Parallel()
	allow, err := catalog.ParseAllowlist([]byte(`{"kb":["fetch"]}`))
	if err != nil {
		t.Fatal(err)
	}
	tools := catalog.Admit([]catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{
		{Server: "kb", Raw: jsontext.Value(`{"name":"fetch","inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}`)},
		{Server: "kb", Raw: jsontext.Value(`{"name":"drop","inputSchema":{"type":"object","properties":{}}}`)},
	}}}, allow, catalog.Options{})
	rules, err := input.ParseRules([]byte(`{"builtin":false,"rules":[{"id":"one","category":"test","pattern":"xyzzy","reason":"a test"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]verdict.Code{
		"a duplicate key":     verdict.PlanJSON,
		"a key in other case": verdict.PlanShape,
		"an unknown tool":     verdict.AllowTool,
		"a nested argument":   verdict.SchemaArguments,
	}
	texts := map[string]string{"a whole plan": fetchPlan}
	for name, text := range nearPlans {
		texts[name] = text
		if codes[name] == "" {
			codes[name] = verdict.PlanJSON
		}
	}
	for _, provider := range providers {
		for name, text := range texts {
			t.Run(provider+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := serve(t, body(envelope(t, provider, text, "stop")))
				chat := client(t, model.Config{Provider: provider, BaseURL: s.URL, APIKey: key})
				q, err := input.Admit(input.Asked{Words: "fetch p-2"}, rules)
				if err != nil {
					t.Fatal(err)
				}
				said, err := planner.Model{Chat: chat}.Propose(t.Context(), q, tools)
				if err != nil {
					t.Fatal(err)
				}
				approved, err := approve(q, tools, said.Said)
				if got := verdict.CodeOf(err); got != codes[name] || (approved.Record() != nil) != (name == "a whole plan") {
					t.Errorf("%v, want %s", err, codes[name])
				}
				if len(s.seen()) != 1 {
					t.Errorf("%d requests", len(s.seen()))
				}
			})
		}
	}
}

func approve(q input.Query, c catalog.Catalog, said []byte) (gate.Approved, error) {
	p, err := plan.Parse(said)
	if err != nil {
		return gate.Approved{}, err
	}
	return gate.New(gate.Options{}).Approve(gate.Asked{Query: q}, c, p)
}
