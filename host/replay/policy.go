package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/internal/recorded"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// Policy reads a policy back from a trace's begin line. If the run had built-in input rules
// that this program does not have, the error is [input.ErrOtherBuiltIn]. The policy is then
// whole except for its rules, which refuse everything.
func Policy(body jsontext.Value) (host.Policy, error) {
	var r recorded.Policy
	if err := schema.Decode(body, &r, policyLimits); err != nil {
		return host.Policy{}, fmt.Errorf("the recorded policy has %w", err)
	}
	p := host.Policy{
		StrictFormats: r.StrictFormats, StrictOutputs: r.StrictOutputs, MaxResult: r.MaxResult, SummaryBudget: r.SummaryBudget,
		StrictIntent: r.StrictIntent, OthersApprove: r.OthersApprove, MaxArguments: r.MaxArguments, ClientRules: r.ClientRules,
	}
	var accept, guard, level, err error
	p.Accept, accept = pin.ParseAccept(r.Accept)
	p.Guard, guard = suppressing(r.Suppressed)
	p.SummaryLevel, level = summarize.ParseLevel(r.SummaryLevel)
	if err := cmp.Or(accept, guard, level); err != nil {
		return host.Policy{}, fmt.Errorf("the recorded policy: %w", err)
	}
	if p.Allowlist, err = allowlist(r); err != nil {
		return host.Policy{}, err
	}
	if p.CallRules, err = callRules(r.Policy); err != nil {
		return host.Policy{}, err
	}
	rules, err := r.Rules.Get()
	if err == nil && r.Rules != nil {
		p.Rules, err = input.ParseRules(rules)
	}
	switch {
	case errors.Is(err, input.ErrOtherBuiltIn):
		return p, err
	case err != nil:
		return host.Policy{}, fmt.Errorf("the recorded rules: %w", err)
	}
	return p, nil
}

// callRules are the rules of calls, with their files by the names that they had.
func callRules(all []recorded.PolicyFile) (rule.Policy, error) {
	files := make([]rule.File, len(all))
	for i, f := range all {
		text, err := f.Text.Get()
		if err != nil {
			return rule.Policy{}, fmt.Errorf("the recorded policy file %.80q: %w", f.Name, err)
		}
		files[i] = rule.File{Name: f.Name, Text: text, Narrows: f.Narrows}
	}
	p, err := rule.Parse(files...)
	if err != nil {
		return p, fmt.Errorf("the recorded policy files: %w", err)
	}
	return p, nil
}

// suppressing are the guard's rules without the suppressed ones. It ignores rules that this
// program does not have: a replay takes their findings from the record.
func suppressing(all []scan.Suppression) (scan.Rules, error) {
	known := slices.DeleteFunc(slices.Clone(all), func(s scan.Suppression) bool { _, is := scan.Explain(s.Rule); return !is })
	return scan.Rules{}.Suppress(known...)
}

// Servers reads the servers back from a begin line.
func Servers(body jsontext.Value) (map[string]pin.Identity, error) {
	var ids map[string]pin.Identity
	if body == nil {
		return nil, nil
	}
	if err := schema.Decode(body, &ids, policyLimits); err != nil {
		return nil, fmt.Errorf("the recorded servers have %w", err)
	}
	return ids, nil
}

func allowlist(r recorded.Policy) (catalog.Allowlist, error) {
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

// policyLimits fit a policy with texts of the greatest permitted length.
var policyLimits = schema.Limits{Bytes: 32 << 20, Depth: 8, Values: 1_000, Exponent: 9, Digits: 12}

// guardGate is the gate of the scanners.
const guardGate = "guard"

// scanners repeat their recorded answers.
func (t *tape) scanners() (all []host.NamedScanner) {
	if t.guard == nil {
		return nil
	}
	for _, s := range t.guard.Scanners {
		if s.Name != recorded.Patterns {
			all = append(all, host.NamedScanner{Scanner: scanned(s), Name: s.Name})
		}
	}
	return all
}

type scanned trace.ScannerBody

// Scan gives the recorded answer.
func (s scanned) Scan(context.Context, host.Sample) ([]scan.Finding, error) {
	return found(s.Findings), s.Error.Err()
}

// found are recorded findings. A missing tier is the worst.
func found(all []trace.FindingBody) (fs []scan.Finding) {
	for _, f := range all {
		tier := scan.Hard
		if f.Tier == scan.Soft.String() {
			tier = scan.Soft
		}
		fs = append(fs, scan.Finding{Rule: f.Rule, Tier: tier, Where: f.Where, Start: f.Start, End: f.End, Why: f.Why})
	}
	return fs
}
