package gate_test

import (
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The rules and settings that decided are checked last. A call is not redeemed if they
// have changed, and may be once they are as before.
func TestACallIsNotRedeemedUnderOtherRules(t *testing.T) {
	t.Parallel()
	var changed error
	by := gate.Asked{Query: query(t, "get 1", ""), Still: func() error { return changed }}
	a, err := gate.New(gate.Options{}).Approve(by, tools(t, descriptor, ""), parsed(t, `{"id":1}`))
	if err != nil {
		t.Fatal(err)
	}
	on := receipt(t, a)
	for _, changed = range []error{verdict.Deny(verdict.ConfigChanged, "other rules"), verdict.Fail(verdict.ConfigUnreadable, nil, "no rules")} {
		_, err = a.Redeem(live(descriptor), on, gate.Consent{})
		code(t, "under other rules", err, verdict.CodeOf(changed))
	}
	if a.Redeemed() {
		t.Error("a refused redemption counts as one")
	}
	changed = nil
	_, err = a.Redeem(live(descriptor), on, gate.Consent{})
	code(t, "under the same rules", err, "")
}

func TestAnApprovalThatWasWithdrawnIsNotRedeemed(t *testing.T) {
	t.Parallel()
	a := approve(t, gate.New(gate.Options{}), descriptor, "")
	on := receipt(t, a)
	for range 2 {
		if !a.Withdraw() || a.Redeemed() {
			t.Error("it is not withdrawn")
		}
	}
	_, err := a.Redeem(live(descriptor), on, gate.Consent{})
	code(t, "a withdrawn approval", err, verdict.CallUnapproved)
	if a.Redeemed() {
		t.Error("a withdrawn approval counts as redeemed")
	}

	b := approve(t, gate.New(gate.Options{}), descriptor, "")
	if _, err := b.Redeem(live(descriptor), receipt(t, b), gate.Consent{}); err != nil {
		t.Fatal(err)
	}
	if b.Withdraw() || !b.Redeemed() {
		t.Error("a call that may have left was withdrawn")
	}
	if !(gate.Approved{}).Withdraw() {
		t.Error("nothing is approved, and something can be redeemed")
	}
}

// A person who was asked under other rules is asked again, whatever these say but no.
func TestAPersonIsAskedAgainUnderOtherRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		entry, rules string
		again, want  verdict.Ruling
	}{
		"a read":           {`{"read":["get"]}`, "", verdict.Ask, verdict.Allow},
		"a write":          {`{"write":["get"]}`, "", verdict.Ask, verdict.Ask},
		"a rule that asks": {`{"read":["get"]}`, `{"effect":"ask","tools":["kb/get"]}`, verdict.Ask, verdict.Ask},
		"one that allows":  {`{"read":["get"]}`, `{"effect":"allow","tools":["kb/get"]}`, verdict.Ask, verdict.Allow},
		"one that denies":  {`{"read":["get"]}`, `{"effect":"deny","tools":["kb/get"]}`, verdict.Refuse, verdict.Refuse},
	} {
		allow, err := catalog.ParseAllowlist([]byte(`{"kb":` + c.entry + `}`))
		if err != nil {
			t.Fatal(err)
		}
		policy := rule.Policy{}
		if c.rules != "" {
			if policy, err = rule.Parse(rule.File{Name: "policy.json", Text: []byte(`{"rules":[` + c.rules + `]}`)}); err != nil {
				t.Fatal(err)
			}
		}
		tools := catalog.Admit([]catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{live(descriptor)}}}, allow, catalog.Options{})
		g := gate.New(gate.Options{Policy: policy})
		for again, want := range map[string]verdict.Ruling{"": c.want, "the rules have changed": c.again} {
			by := gate.Asked{Query: query(t, "get 1", ""), RunID: "r", Again: again, Time: time.Now().UTC().Format(time.RFC3339)}
			ruled, err := g.Explain(by, tools, parsed(t, `{"id":1}`))
			if err != nil || ruled.Ruling != want {
				t.Errorf("%s, %q: %v, %v", name, again, ruled.Ruling, err)
			}
		}
	}
}

// The digest of the rules and settings that decided is a part of the approval, but not
// of the call's digest.
func TestAnApprovalIsOfWhatDecided(t *testing.T) {
	t.Parallel()
	var digests, calls []string
	for _, deciding := range []string{"sha256:1", "sha256:2"} {
		by := gate.Asked{Query: query(t, "get 1", ""), RunID: "r", Deciding: deciding}
		a, err := gate.New(gate.Options{}).Approve(by, tools(t, descriptor, ""), parsed(t, `{"id":1}`))
		if err != nil {
			t.Fatal(err)
		}
		is, err := gate.ReadRecord(a.Record())
		if err != nil || is.Deciding != deciding {
			t.Errorf("%s, %v", is.Deciding, err)
		}
		digests, calls = append(digests, a.Digest()), append(calls, is.CallDigest())
	}
	if digests[0] == digests[1] {
		t.Error("two approvals under other rules are the same")
	}
	if calls[0] != calls[1] || calls[0] == "" {
		t.Errorf("one call is two: %v", calls)
	}
	other, err := gate.New(gate.Options{}).Approve(gate.Asked{Query: query(t, "get 2", ""), RunID: "r"}, tools(t, descriptor, ""), parsed(t, `{"id":2}`))
	if err != nil {
		t.Fatal(err)
	}
	if is, err := gate.ReadRecord(other.Record()); err != nil || is.CallDigest() == calls[0] {
		t.Errorf("two calls are one, %v", err)
	}
}
