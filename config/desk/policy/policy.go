// Package policy answers a person's questions about the rules of an installation. It lists
// rules, checks them against the approved tools, explains and tries decisions, and scans
// texts. It also manages the grants and conversations that decisions depend on.
//
// It vouches that the code that makes a decision explains it: the gate, or the replay of a
// run. It calls no tool, and approves nothing.
//
// cmd/ask calls it, and prints around it.
package policy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
)

// Rule is one rule of a list.
type Rule struct {
	Rule   string   `json:"rule"` // file:line
	Effect string   `json:"effect"`
	Tools  []string `json:"tools"`
	Takes  []string `json:"takes,omitempty"` // JSON Pointers of the arguments to which it is limited
	Why    string   `json:"why,omitempty"`
}

// Report is a policy and its problems.
type Report struct {
	Files    []string      `json:"files"`
	Zone     string        `json:"zone"`
	Rules    []Rule        `json:"rules"`
	Problems []string      `json:"problems"` // each denies calls
	Denied   []string      `json:"denied"`   // tools for which they deny every call, as "server/tool"
	Warnings []string      `json:"warnings"` // about rules that do nothing
	Points   []string      `json:"decision_points,omitempty"`
	Error    *host.Failure `json:"error,omitempty"`
}

// Policy is the policy of the settings, or of one file in its place.
func (d Desk) Policy(file string) (rule.Policy, error) {
	files := d.Settings.Policy
	if file != "" {
		files = []config.Value[string]{{V: file, Origin: config.Origin{Kind: config.FromArgument}}}
	}
	return config.LoadPolicy(files)
}

// Report lists the policy of the settings, and the decision points outside of this program.
func (d Desk) Report() (Report, error) {
	p, err := d.Policy("")
	r := ReportOf(p)
	for _, one := range d.Settings.Decisions {
		r.Points = append(r.Points, one.Describe())
	}
	return r, err
}

// ReportOf lists a policy.
func ReportOf(p rule.Policy) Report {
	r := Report{Files: []string{}, Zone: cmp.Or(p.Zone(), "UTC"), Rules: []Rule{}, Problems: []string{}, Denied: []string{}, Warnings: []string{}}
	for _, f := range p.Files() {
		r.Files = append(r.Files, f.Name)
	}
	for _, one := range p.Rules() {
		r.Rules = append(r.Rules, Rule{one.Name(), string(one.Effect), one.Tools, one.Takes, one.Why})
	}
	return r
}

// Validate reads every condition of a policy, and compares the rules with the
// approved tools of the allowlist. No server is asked.
func Validate(ctx context.Context, s servers.Servers, file string) (Report, error) {
	p, err := At(s.Desk).Policy(file)
	if err == nil {
		if wrong := p.Check(func(*rule.Rule) bool { return true }); wrong != nil {
			err = config.BadPolicy(wrong)
		}
	}
	if err == nil {
		_, err = time.LoadLocation(p.Zone())
	}
	if err != nil {
		return Report{Error: host.FailureOf(err)}, err
	}
	r := ReportOf(p)
	allowed := []string{}
	for _, server := range s.Allowlist.Servers() {
		for _, tool := range s.Allowlist.Tools(server) {
			allowed = append(allowed, server+"/"+tool)
		}
	}
	for _, one := range p.Rules() {
		r.Warnings = append(r.Warnings, idle(p, one, allowed)...)
	}
	unchecked := 0
	err = approved(ctx, s, func(c catalog.Catalog) error {
		for _, one := range p.Rules() {
			if !r.fits(one, c.Tools()) {
				unchecked++
			}
		}
		return nil
	})
	slices.Sort(r.Denied)
	r.Denied = slices.Compact(r.Denied)
	if err == nil && unchecked > 0 {
		err = cannotCheck(unchecked, r.Denied)
	}
	r.Error = host.FailureOf(err)
	return r, err
}

// cannotCheck is the fault of rules that name arguments missing in tools.
func cannotCheck(rules int, tools []string) error {
	return verdict.Fail(verdict.ConfigInvalid, nil, "%s cannot be checked for %s, because a named argument does not exist there; every such call is denied: %s",
		verdict.Count(rules, "rule"), verdict.Count(len(tools), "tool"), strings.Join(tools, ", ")).
		WithHint(`correct the name, or limit the rule to tools that have it: name them in tools, or add "takes": ["ARGUMENT"] to a rule that denies or asks`)
}

// fits reports whether a rule can be checked for every approved tool that it covers. It adds
// the rule's problems.
func (r *Report) fits(one *rule.Rule, tools []catalog.Tool) bool {
	never, met, of, suited, before := "", false, 0, 0, len(r.Problems)
	for _, t := range tools {
		if !one.Speaks(t.Server(), t.Name()) {
			continue
		}
		if of++; !one.Suits(t.Input()) {
			continue
		}
		suited++
		name := t.Server() + "/" + t.Name()
		if no := one.Fits(t.Input()); no != "" {
			r.Problems, r.Denied = append(r.Problems, fmt.Sprintf("%s: %s: %s", one.Name(), name, no)), append(r.Denied, name)
		}
		why := one.Never(t.Input())
		never, met = cmp.Or(never, why), met || why == ""
	}
	switch {
	case of > 0 && suited == 0:
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s: no approved tool can take %s", one.Name(), strings.Join(one.Takes, " and ")))
	case never != "" && !met:
		r.Warnings = append(r.Warnings, one.Name()+": never matches: "+never)
	}
	return len(r.Problems) == before
}

// approved passes the catalog of approved tools to read. It asks no server.
func approved(ctx context.Context, s servers.Servers, read func(catalog.Catalog) error) error {
	d := s.Desk
	d.With.Live = false
	return d.List(ctx, s.Allowlist.Servers(), read)
}

// idle are the reasons why a rule decides nothing. It covers no allowlisted tool, or a rule
// without conditions always comes before it.
func idle(p rule.Policy, r *rule.Rule, allowed []string) (why []string) {
	of := slices.DeleteFunc(slices.Clone(allowed), func(name string) bool { return !speaks(r, name) })
	if len(of) == 0 {
		return []string{fmt.Sprintf("%s: no tool of the allowlist matches %s", r.Name(), strings.Join(r.Tools, " or "))}
	}
	if !r.Decides() {
		return nil
	}
	rank := map[rule.Effect]int{rule.Allow: 0, rule.Ask: 1, rule.Deny: 2}
	for _, other := range p.Rules() {
		first := rank[other.Effect] > rank[r.Effect] && other.Always()
		if first && !slices.ContainsFunc(of, func(name string) bool { return !speaks(other, name) }) {
			return []string{fmt.Sprintf("%s: never decides, because %s always comes first", r.Name(), other.Name())}
		}
	}
	return nil
}

func speaks(r *rule.Rule, name string) bool {
	server, tool, _ := strings.Cut(name, "/")
	return r.Speaks(server, tool)
}

// Call is a call for a policy to decide.
type Call struct {
	Call         string         `json:"call"` // "server/tool"
	Args         jsontext.Value `json:"args"`
	Question     string         `json:"question,omitempty"` // "" for a call that the user wrote out
	Subject      string         `json:"subject,omitempty"`
	Conversation string         `json:"conversation,omitempty"`
	Labels       []string       `json:"labels,omitempty"`
	Time         string         `json:"time,omitempty"` // RFC 3339

	grants []grant.Grant // that the subject has in the conversation
}

// Explained is the decision of a policy, and the reason.
type Explained struct {
	Call    string         `json:"call"`
	Verdict string         `json:"verdict"`
	By      string         `json:"by"` // a rule as file:line, "floor" or "default"
	Code    verdict.Code   `json:"code,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Spoke   []rule.Spoke   `json:"spoke"`
	Record  jsontext.Value `json:"record,omitempty"`
	Grant   *grant.Grant   `json:"grant,omitempty"` // the grant by which the call needs no person
}

// Explain decides on a call of an approved tool through the gate's own code.
// It asks no server, and approves nothing.
func Explain(ctx context.Context, s servers.Servers, q Call) (found Explained, err error) {
	j, err := newJudge(s, "")
	if err != nil {
		return found, err
	}
	err = approved(ctx, s, func(c catalog.Catalog) error {
		known, err := At(s.Desk).knownOf(ctx, c, q)
		if err != nil {
			return err
		}
		q.Labels, q.grants = grant.Labelled(q.Labels, known.Labels), known.Grants
		found, err = j.explained(s, c, q)
		return err
	})
	return found, err
}

// knownOf is the stored data for a call of a conversation.
func (d Desk) knownOf(ctx context.Context, c catalog.Catalog, q Call) (grant.Known, error) {
	if q.Conversation == "" {
		return grant.Known{}, nil
	}
	server, tool, _ := strings.Cut(q.Call, "/")
	p, _ := plan.Parse(plan.Call(server, tool, q.Args)) // nothing is known about an unreadable plan
	k := grant.Key{Subject: q.Subject, Conversation: q.Conversation, Labelled: q.Conversation, Server: server, Tool: tool, Resource: rule.ResourceID(c, p)}
	return desk.FromState(d.Desk, func(s *store.Store) (grant.Known, error) { return s.Known(ctx, k) })
}

// ExplainRun returns the policy's decision in a run, from its trace.
func (d Desk) ExplainRun(run string) (Explained, error) {
	r, err := runs.At(d.Desk).Runs().Read(run)
	if err != nil && verdict.CodeOf(err) != verdict.TraceIncomplete {
		return Explained{}, err
	}
	found := Explained{Call: run, By: byNothing, Spoke: []rule.Spoke{}}
	for _, e := range r.Events {
		var err error
		switch e.Kind {
		case trace.Decision:
			var b trace.DecisionBody
			err = e.Decode(&b)
			found.Verdict, found.By, found.Code, found.Reason, found.Record = b.Verdict, b.By, b.Code, b.Reason, b.Record
			for _, s := range b.Spoke {
				found.Spoke = append(found.Spoke, rule.Spoke{Rule: s.Rule, Effect: rule.Effect(s.Effect), Why: s.Why, Error: s.Error})
			}
		case trace.Verdict:
			var b trace.VerdictBody
			err = e.Decode(&b)
			if b.Verdict != verdict.Allow.String() && (found.Verdict == "" || b.Gate == "rate") {
				found.Verdict, found.Code, found.Reason = b.Verdict, b.Code, b.Reason
			}
		case trace.Consent:
			var b trace.ConsentBody
			err = e.Decode(&b)
			found.Grant = b.Grant
		}
		if err != nil {
			return Explained{}, err
		}
	}
	found.Verdict = cmp.Or(found.Verdict, verdict.Allow.String())
	return found, nil
}

// byNothing is the decider if no policy was asked: an earlier gate, or the default.
const byNothing = "no rule"

// judge decides like a run.
type judge struct {
	gate  *gate.Gate
	input input.Rules
	place *time.Location // the time zone of the policy
}

// newJudge is a judge with the policy of the settings, or of one file in its place.
func newJudge(s servers.Servers, file string) (j judge, err error) {
	p, err := setup.Policy(s.Desk.Settings)
	if err == nil && file != "" {
		p.CallRules, err = At(s.Desk).Policy(file)
	}
	if err != nil {
		return j, err
	}
	if j.place, err = time.LoadLocation(p.CallRules.Zone()); err != nil {
		return j, verdict.Fail(verdict.ConfigInvalid, nil, "the zone %.60q of the policy is not known on this machine", p.CallRules.Zone())
	}
	j.gate = gate.New(gate.Options{Strict: p.StrictIntent, OthersApprove: p.OthersApprove, Accept: p.Accept, Policy: p.CallRules})
	j.input = p.Rules
	return j, nil
}

func (j judge) explained(s servers.Servers, c catalog.Catalog, q Call) (Explained, error) {
	server, tool, err := s.SplitName(q.Call)
	if err != nil {
		return Explained{}, err
	}
	if err := s.Allowlist.Permits(server, tool); err != nil {
		return Explained{}, err
	}
	if q.Args == nil {
		q.Args = jsontext.Value("{}")
	}
	p, err := plan.Parse(plan.Call(server, tool, q.Args))
	if err != nil {
		return Explained{}, err
	}
	query, err := input.Admit(input.Asked{Words: q.Question, Arguments: []string{}}, j.input)
	if err != nil {
		return Explained{}, err
	}
	now := s.Desk.Now()
	if q.Time != "" {
		if now, err = time.Parse(time.RFC3339, q.Time); err != nil {
			return Explained{}, verdict.Fail(verdict.UsageArgument, nil, "the time %.60q is not one of RFC 3339, such as 2026-11-24T17:00:00+01:00", q.Time)
		}
	}
	ruled, err := j.gate.Explain(gate.Asked{
		Query: query, Subject: q.Subject, Time: now.In(j.place).Format(time.RFC3339), Facts: gate.Facts{Conversation: q.Conversation}, Labels: q.Labels, Grants: q.grants,
	}, c, p)
	if err != nil {
		return Explained{}, err
	}
	found := Explained{Call: server + "/" + tool, Verdict: ruled.Ruling.String(), By: "default", Spoke: []rule.Spoke{}}
	for _, r := range ruled.Rules[:min(1, len(ruled.Rules))] {
		found.Code, found.Reason = r.Code, r.Reason
	}
	if ruled.Ruling == verdict.Ask {
		found.Grant = ruled.Grant()
	}
	if d := ruled.Decision; d != nil {
		found.By, found.Record, found.Spoke = d.By, d.Record, append(found.Spoke, d.Spoke...)
		found.Reason = cmp.Or(found.Reason, d.Reason)
	}
	return found, nil
}

// Desk manages the rules of an installation.
type Desk struct{ desk.Desk }

// At is the desk of an installation.
func At(d desk.Desk) Desk { return Desk{d} }
