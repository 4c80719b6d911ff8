package gate_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Without an approval, a call leaves only if all of it is certain. That is so if the
// allowlist waives the approval, or the policy is strict and the tool reads. A person who
// is asked anyway sees the derived values, without a mark for them.
func TestACallThatNoPersonSeesIsCertain(t *testing.T) {
	t.Parallel()
	const tool = `{"name":"close_ticket","inputSchema":{"type":"object","properties":{"id":{"type":"string"},"minutes":{"type":"integer"},"owner":{"type":"string"},"date":{"type":"string"}}}}`
	for _, c := range []struct {
		words, args     string
		waived, strict  verdict.Ruling // of a writing tool without approval, and of a reading one under strict
		marked, plainly bool
	}{
		{"Close INC1", `{"id":"INC1"}`, verdict.Allow, verdict.Allow, false, true},
		{"Close INC1 in five", `{"id":"INC1","minutes":5}`, verdict.Allow, verdict.Allow, false, true},
		{"Close acme/INC1", `{"id":"INC1","owner":"acme"}`, verdict.Allow, verdict.Allow, false, true},
		{"Close INC1 on 4 December 2026", `{"id":"INC1","date":"2026-12-04"}`, verdict.Allow, verdict.Allow, false, true},
		{"Close INC1 on 24.12.2026", `{"id":"INC1","date":"2026-12-24"}`, verdict.Ask, verdict.Ask, false, true},
		{"Close INC1 in 2 hours", `{"id":"INC1","minutes":120}`, verdict.Ask, verdict.Ask, false, true},
		{"Close INC1 in 2 hours", `{"id":"INC1","minutes":2}`, verdict.Ask, verdict.Ask, true, true},
		{"Close INC1, not INC2", `{"id":"INC1"}`, verdict.Ask, verdict.Ask, false, true},
		{"Don't close INC1", `{"id":"INC1"}`, verdict.Ask, verdict.Allow, true, false},
		{"Should I close INC1?", `{"id":"INC1"}`, verdict.Ask, verdict.Allow, true, false},
	} {
		rule := func(allowlist string, strict bool) gate.Approved {
			allow, err := catalog.ParseAllowlist([]byte(allowlist))
			if err != nil {
				t.Fatal(err)
			}
			tools := catalog.Admit([]catalog.Listing{{Server: "s", Tools: []pin.Descriptor{{Server: "s", Raw: []byte(tool)}}}}, allow, catalog.Options{})
			q, err := input.Admit(input.Asked{Words: c.words}, input.BuiltIn())
			if err != nil {
				t.Fatal(err)
			}
			p, err := plan.Parse(plan.Call("s", "close_ticket", []byte(c.args)))
			if err != nil {
				t.Fatal(err)
			}
			a, err := gate.New(gate.Options{Strict: strict}).Approve(gate.Asked{Query: q}, tools, p)
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		if got := rule(`{"s":{"write":[{"name":"close_ticket","approval":"none"}]}}`, false).Ruled().Ruling; got != c.waived {
			t.Errorf("%q %s, without approval: %v", c.words, c.args, got)
		}
		if got := rule(`{"s":{"read":["close_ticket"]}}`, true).Ruled().Ruling; got != c.strict {
			t.Errorf("%q %s, reading, under strict: %v", c.words, c.args, got)
		}
		asks := rule(`{"s":{"write":["close_ticket"]}}`, false)
		if got := asks.Intent().Marked(false); got != c.marked || asks.Ruled().Ruling != verdict.Ask {
			t.Errorf("%q %s, with approval: marked %v, %v", c.words, c.args, got, asks.Ruled())
		}
		if got := asks.Intent().NotAsked == nil; got != c.plainly {
			t.Errorf("%q: plainly asked %v", c.words, got)
		}
		if got := rule(`{"s":{"read":["close_ticket"]}}`, false); got.Ruled().Ruling != verdict.Allow || got.Intent().NotAsked != nil {
			t.Errorf("%q %s, reading: %v", c.words, c.args, got.Ruled())
		}
	}
}

// Approve gives the intent lock the arguments that name the resource.
func TestThePluralOfTheOperatorsResourceIsMarked(t *testing.T) {
	t.Parallel()
	const tool = `{"name":"purge","inputSchema":{"type":"object","properties":{"topic":{"type":"string"}}}}`
	for entry, marked := range map[string]bool{`"purge"`: false, `{"name":"purge","resource":"topic:{topic}"}`: true} {
		allow, err := catalog.ParseAllowlist([]byte(`{"s":{"write":[` + entry + `]}}`))
		if err != nil {
			t.Fatal(err)
		}
		tools := catalog.Admit([]catalog.Listing{{Server: "s", Tools: []pin.Descriptor{{Server: "s", Raw: []byte(tool)}}}}, allow, catalog.Options{})
		p, err := plan.Parse(plan.Call("s", "purge", []byte(`{"topic":"order"}`)))
		if err != nil {
			t.Fatal(err)
		}
		a, err := gate.New(gate.Options{}).Approve(gate.Asked{Query: query(t, "purge the topic orders", "")}, tools, p)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Intent().Marked(false); got != marked {
			t.Errorf("%s: marked %v", entry, got)
		}
	}
}
