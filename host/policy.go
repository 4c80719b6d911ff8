package host

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// Policy is everything that the operator decides and that verdicts depend on.
// Its zero value refuses every question.
type Policy struct {
	Rules         input.Rules
	Allowlist     catalog.Allowlist
	SummaryLevel  summarize.Level
	StrictFormats bool        // an unknown schema format takes a tool out
	MaxResult     int         // bytes of one result; 0: the default
	SummaryBudget int         // bytes of a result that a writer is given; 0: the default
	StrictIntent  bool        // every call that carries a mark needs a person's approval
	Guard         guard.Rules // which built-in rules are not for which server
	OthersApprove bool        // nobody approves what they asked for themselves
	Accept        pin.Accept  // differences from what was approved that pass without a person

	format  int     // of the records of approvals; only a replay sets it
	unasked bool    // as the formats before the third; only their decoder sets it
	locked  *locked // what became of a summary at a level that is gone; only a replay sets it
}

// locked is the verdict that a run recorded of its summary.
type locked struct{ no *verdict.Denial }

// Locked gives the verdict on a summary that a run recorded, nil where it had
// one, whatever a writer says. It is for host/replay alone, where a run had an
// evidence level that this program does not have.
func (p Policy) Locked(no *verdict.Denial) Policy {
	p.locked = &locked{no}
	return p
}

// LockFromRecord reports whether the verdict on a summary is one that was
// recorded, and not computed anew.
func (p Policy) LockFromRecord() bool { return p.locked != nil }

// recorded is a policy as it stands in a trace: the operator's own texts, so
// that a replay reads them as the run did.
type recorded struct {
	Rules         *trace.Bytes        `json:"rules,omitempty"`
	Allowlist     *trace.Bytes        `json:"allowlist,omitempty"`
	Refusal       *trace.Error        `json:"allowlist_refusal,omitempty"`
	SummaryLevel  string              `json:"summary_level"`
	StrictFormats bool                `json:"strict_formats"`
	MaxResult     int                 `json:"max_result"`
	SummaryBudget int                 `json:"summary_budget"`
	StrictIntent  bool                `json:"strict_intent,omitzero"`
	OthersApprove bool                `json:"others_approve,omitzero"`
	Accept        []string            `json:"accept,omitempty"`
	Suppressed    []guard.Suppression `json:"suppressed,omitempty"`
}

func (p Policy) record() jsontext.Value {
	r := recorded{
		Rules: keep(p.Rules.Source()), Allowlist: keep(p.Allowlist.Source()), Refusal: trace.ErrorOf(p.Allowlist.Refusal()),
		SummaryLevel: p.SummaryLevel.String(), StrictFormats: p.StrictFormats, MaxResult: p.MaxResult, SummaryBudget: p.SummaryBudget,
		StrictIntent: p.StrictIntent, OthersApprove: p.OthersApprove, Accept: p.Accept.Classes(), Suppressed: p.Guard.Suppressed(),
	}
	b, err := json.Marshal(r)
	if err != nil {
		return jsontext.Value("null") // a policy of strings and numbers; a replay of null is refused
	}
	return b
}

func keep(b []byte) *trace.Bytes {
	if b == nil {
		return nil
	}
	kept := trace.Keep(b)
	return &kept
}

// RecordedPolicy reads a policy back from a trace's begin line. Where the run
// had built-in input rules that this program does not have, the error is
// [input.ErrOtherBuiltIn] and the policy is whole but for its rules, which refuse everything.
func RecordedPolicy(format int, body jsontext.Value) (Policy, error) {
	var r recorded
	if err := schema.Decode(body, &r, policyLimits); err != nil {
		return Policy{}, fmt.Errorf("the recorded policy has %w", err)
	}
	p := Policy{
		StrictFormats: r.StrictFormats, MaxResult: r.MaxResult, SummaryBudget: r.SummaryBudget,
		StrictIntent: r.StrictIntent, OthersApprove: r.OthersApprove, unasked: format < 3, format: format,
	}
	var err error
	if p.Accept, err = pin.ParseAccept(r.Accept); err != nil {
		return Policy{}, fmt.Errorf("the recorded policy: %w", err)
	}
	if p.Guard, err = suppressing(r.Suppressed); err != nil {
		return Policy{}, fmt.Errorf("the recorded policy: %w", err)
	}
	switch p.SummaryLevel, err = summarize.ParseLevel(r.SummaryLevel); {
	case summarize.Retired(r.SummaryLevel):
		p.locked = &locked{verdict.Deny(verdict.SummaryEvidence, "not recorded: the run made no summary")}
	case err != nil:
		return Policy{}, fmt.Errorf("the recorded policy: %w", err)
	}
	if p.Allowlist, err = r.allowlist(); err != nil {
		return Policy{}, err
	}
	rules, err := r.Rules.Get()
	if err == nil && r.Rules != nil {
		p.Rules, err = input.ParseRules(rules)
	}
	switch {
	case errors.Is(err, input.ErrOtherBuiltIn):
		return p, err
	case err != nil:
		return Policy{}, fmt.Errorf("the recorded rules: %w", err)
	}
	return p, nil
}

// suppressing are the guard's rules without these. What a rule that is gone
// found, a replay has from the record.
func suppressing(all []guard.Suppression) (guard.Rules, error) {
	known := slices.DeleteFunc(slices.Clone(all), func(s guard.Suppression) bool { _, is := guard.Explain(s.Rule); return !is })
	return guard.Rules{}.Suppress(known...)
}

// reached is the identities of the allowlisted servers, for the trace. Of the
// others nothing is anybody's to know.
func (c Config) reached() jsontext.Value {
	ids := map[string]pin.Identity{}
	for _, name := range c.Policy.Allowlist.Servers() {
		if id, known := c.Servers[name]; known {
			ids[name] = id
		}
	}
	b, err := json.Marshal(ids, json.Deterministic(true))
	if err != nil {
		return nil // of strings alone
	}
	return b
}

// RecordedServers reads the servers back from a begin line of format 2.
func RecordedServers(body jsontext.Value) (map[string]pin.Identity, error) {
	var ids map[string]pin.Identity
	if body == nil {
		return nil, nil
	}
	if err := schema.Decode(body, &ids, policyLimits); err != nil {
		return nil, fmt.Errorf("the recorded servers have %w", err)
	}
	return ids, nil
}

func (r recorded) allowlist() (catalog.Allowlist, error) {
	if r.Refusal != nil {
		return catalog.Nothing(r.Refusal.Denial()), nil
	}
	b, err := r.Allowlist.Get()
	if err != nil {
		return catalog.Allowlist{}, fmt.Errorf("the recorded allowlist: %w", err)
	}
	a, err := catalog.ParseAllowlist(b)
	if err != nil {
		return a, fmt.Errorf("the recorded allowlist: %w", err)
	}
	return a, nil
}

// policyLimits fit a policy whose texts are as long as they may be.
var policyLimits = schema.Limits{Bytes: 32 << 20, Depth: 8, Values: 1_000, Exponent: 9, Digits: 12}
