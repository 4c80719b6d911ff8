package gate

import (
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

const listed = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}}`

// concrete is a call of a tool that is allowed, reached as id says.
func concrete(t *testing.T, id pin.Identity) (input.Query, materialised) {
	t.Helper()
	allow, err := catalog.ParseAllowlist([]byte(`{"kb":{"read":["get"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Admit([]catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{{Server: "kb", Raw: []byte(listed)}}}},
		allow, catalog.Options{Identities: map[string]pin.Identity{"kb": id}})
	q, err := input.Admit(input.Asked{Words: "get 1"}, input.BuiltIn())
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Parse(plan.Call("kb", "get", []byte(`{"id":1}`)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(Options{}).materialise(Asked{Query: q}, c, p)
	if err != nil {
		t.Fatal(err)
	}
	return q, m
}

type memory struct{}

func (memory) Write(b []byte) (int, error) { return len(b), nil }
func (memory) Sync() error                 { return nil }

// Whatever the rules come to, only a plain yes is redeemed.
func TestOnlyAnAllowedCallIsRedeemed(t *testing.T) {
	t.Parallel()
	for ruling, want := range map[verdict.Ruling]verdict.Code{
		verdict.Refuse: verdict.ApprovalNeeded, verdict.Ask: verdict.ApprovalNeeded, verdict.Allow: "", verdict.Allow + 1: verdict.ApprovalNeeded,
	} {
		q, m := concrete(t, pin.Identity{})
		a, err := spend(q, m, Ruled{Ruling: ruling})
		if err != nil {
			t.Fatal(err)
		}
		on, err := trace.New(memory{}, clock).Commit(trace.Approval, a.Record())
		if err != nil {
			t.Fatal(err)
		}
		yes := Consent{}
		if ruling != verdict.Ask { // to no other ruling is a consent worth anything
			yes.to = a.p
		}
		_, err = a.Redeem(pin.Descriptor{Server: "kb", Raw: []byte(listed)}, on, yes)
		if got := verdict.CodeOf(err); got != want || a.Redeemed() != (want == "") {
			t.Errorf("%v: %v", ruling, err)
		}
	}
}

func TestADecisionNamesEveryRuleThatRefused(t *testing.T) {
	t.Parallel()
	d := Ruled{Rules: []Rule{{verdict.AllowTool, "not this one"}, {verdict.SchemaArguments, "nor like that"}}}
	err := d.denial()
	if rules := verdict.Rules(err); verdict.CodeOf(err) != verdict.AllowTool || len(rules) != 2 || rules[1] != string(verdict.SchemaArguments) {
		t.Errorf("%v by %v", err, rules)
	}
	if verdict.CodeOf(Ruled{}.denial()) != verdict.CallUnapproved {
		t.Error("the zero decision refuses without a code")
	}
}

func TestTheRecordHoldsHowTheServerIsReached(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, id := range []pin.Identity{{}, {Entry: "a"}, {Entry: "a", Endpoint: "b"}, {Entry: "a", Endpoint: "c"}} {
		_, m := concrete(t, id)
		seen[string(m.record)] = true
	}
	if len(seen) != 4 {
		t.Errorf("four identities make %d records", len(seen))
	}
}

// The permit's own bytes stay its own: a caller that writes into what it was
// handed changes no approval.
func TestARecordIsACopy(t *testing.T) {
	t.Parallel()
	q, m := concrete(t, pin.Identity{})
	a, err := spend(q, m, Ruled{Ruling: verdict.Allow})
	if err != nil {
		t.Fatal(err)
	}
	was := string(a.Record())
	clear(a.Record())
	if string(a.Record()) != was {
		t.Error("the record was changed from outside")
	}
}

func clock() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
