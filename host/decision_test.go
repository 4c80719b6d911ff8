package host_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

func policy(t testing.TB, rules ...string) rule.Policy {
	t.Helper()
	p, err := rule.Parse(rule.File{Name: "policy.json", Text: []byte(`{"zone":"Europe/Berlin","rules":[` + strings.Join(rules, ",\n") + `]}`)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	denyFetch  = `{"effect":"deny","tools":["mcp-policy-kb/fetch_*"],"why":"nothing leaves"}`
	denyDelete = `{"effect":"deny","tools":["mcp-policy-kb/delete_*"]}`
	allowFetch = `{"effect":"allow","tools":["mcp-policy-kb/fetch_policy_entry"],"where":{"policy_id":"policy-002"},"when":{"subject":"ada"}}`
	askRead    = `{"effect":"ask","tools":["mcp-policy-kb/*"],"why":"someone looks first"}`
	nights     = `{"effect":"deny","tools":["*/*"],"when":{"/time/minute":{"not":{"min":540,"max":1019}}}}`
)

// fetching asks for a call of a tool that the server does not say to destroy, and
// that the allowlist of fetchWrites calls writing.
var fetching = host.Question{Text: "Fetch policy-002", Subject: "ada", Plan: []byte(fetch)}

const fetchWrites = `{"write":["fetch_policy_entry"]}`

// Each decision is on the trace with the record that it is of, and a replay comes
// to the same. A write that a rule allows leaves without a person, and no other does.
func TestThePolicyDecidesAndIsReplayed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rules []string
		entry string
		typ   host.Type
		code  verdict.Code
		ruled []string
		by    string
		calls int
	}{
		"denied":            {[]string{allowFetch, denyFetch}, fetchWrites, host.Blocked, verdict.RuleDenied, []string{"rule.denied", "policy.json:2"}, "policy.json:2", 0},
		"allowed":           {[]string{allowFetch}, fetchWrites, host.ToolResult, "", nil, "policy.json:1", 1},
		"asked":             {[]string{allowFetch, askRead}, fetchWrites, host.ApprovalNeeded, verdict.ApprovalNeeded, []string{"rule.asks", "policy.json:2"}, "policy.json:2", 0},
		"by default":        {[]string{`{"effect":"deny","tools":["x/y"]}`}, fetchWrites, host.ApprovalNeeded, verdict.ApprovalNeeded, []string{"approval.needed"}, "default", 0},
		"an error":          {[]string{allowFetch, `{"effect":"allow","tools":["*/*"],"where":{"policyid":"x"}}`}, fetchWrites, host.Blocked, verdict.RuleError, []string{"rule.error", "policy.json:2"}, "policy.json:2", 0},
		"terminal, allowed": {[]string{allowFetch}, `{"write":[{"name":"fetch_policy_entry","approval":"terminal"}]}`, host.ApprovalNeeded, verdict.ApprovalNeeded, []string{"rule.floor"}, "floor", 0},
		"none, denied":      {[]string{denyFetch}, `{"write":[{"name":"fetch_policy_entry","approval":"none"}]}`, host.Blocked, verdict.RuleDenied, []string{"rule.denied", "policy.json:1"}, "policy.json:1", 0},
		"none, asked":       {[]string{askRead}, `{"write":[{"name":"fetch_policy_entry","approval":"none"}]}`, host.ApprovalNeeded, verdict.ApprovalNeeded, []string{"rule.asks", "policy.json:1"}, "policy.json:1", 0},
		"not allowlisted":   {[]string{allowFetch}, `{"read":["search_policy_kb"]}`, host.Blocked, verdict.AllowTool, nil, "", 0},
	} {
		b, _ := writing(t, c.entry)
		b.config.Policy.CallRules = policy(t, c.rules...)
		out := b.put(t, fetching)
		if out.Type != c.typ || b.calls() != c.calls {
			t.Errorf("%s: %s, %d calls: %+v", name, out.Type, b.calls(), out.Error)
		}
		if code := codeOf(out); code != c.code {
			t.Errorf("%s: %s, not %s", name, code, c.code)
		}
		var ruled []string
		by := ""
		for _, v := range out.Verdicts {
			if v.Gate == "approve" {
				ruled = v.Rules
			}
		}
		for _, e := range b.events(t) {
			var d trace.DecisionBody
			if e.Kind == trace.Decision {
				if err := e.Decode(&d); err != nil {
					t.Fatal(err)
				}
				by = d.By
			}
		}
		if diff := cmp.Diff(c.ruled, ruled); diff != "" || by != c.by {
			t.Errorf("%s: by %q: %s", name, by, diff)
		}
		if c.by == "policy.json:1" && c.calls == 1 && out.Approval.How != gate.ByRule {
			t.Errorf("%s: approved by %q", name, out.Approval.How)
		}
		replayed(t, b)
	}
}

// Without a policy file nothing is decided by rules, and no line says so.
func TestWithoutAPolicyThereIsNoDecision(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, fetchWrites)
	b.put(t, fetching)
	for _, e := range b.events(t) {
		if e.Kind == trace.Decision {
			t.Errorf("a decision: %s", e.Body)
		}
	}
}

// A changed policy shows as a changed verdict, also where the run had none.
func TestAChangedPolicyShows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ was, is []string }{
		"a deny more":   {nil, []string{denyFetch}},
		"an allow more": {nil, []string{allowFetch}},
		"a deny less":   {[]string{denyFetch}, []string{allowFetch}},
		"night comes":   {[]string{allowFetch}, []string{allowFetch, nights}},
	} {
		b, _ := writing(t, fetchWrites)
		b.config.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC) }
		if c.was != nil {
			b.config.Policy.CallRules = policy(t, c.was...)
		}
		b.put(t, fetching)
		r, err := replay.Run(t.Context(), b.events(t), replay.Options{Types: demo.Types(), Objects: b.disk.object, Change: func(p host.Policy) host.Policy {
			p.CallRules = policy(t, c.is...)
			return p
		}})
		if err != nil || len(r.Differences) == 0 || r.Differences[0].Gate != "approve" {
			t.Errorf("%s: %+v, %v", name, r.Differences, err)
		}
	}
}

// Rules have the time of their zone, once for a decision; the record has it.
func TestRulesHaveTheTimeOfTheirZone(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]host.Type{
		"2026-01-02T07:59:00Z": host.Blocked, "2026-01-02T08:00:00Z": host.ToolResult, // 09:00 in Berlin in winter
		"2026-07-02T07:00:00Z": host.ToolResult, "2026-07-02T15:00:00Z": host.Blocked, // 17:00 in summer
	} {
		b, _ := writing(t, fetchWrites)
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		b.config.Now = func() time.Time { return now }
		b.config.Policy.CallRules = policy(t, allowFetch, nights)
		if out := b.put(t, fetching); out.Type != want {
			t.Errorf("%s: %s, %+v", at, out.Type, out.Error)
		}
		replayed(t, b)
	}
	b, _ := writing(t, fetchWrites)
	unknown, err := rule.Parse(rule.File{Name: "policy.json", Text: []byte(`{"zone":"Europe/Nowhere","rules":[]}`)})
	if err != nil {
		t.Fatal(err)
	}
	b.config.Policy.CallRules = unknown
	if _, err := host.New(b.config); verdict.CodeOf(err) != verdict.ConfigInvalid {
		t.Errorf("a zone that does not exist: %v", err)
	}
}

// What was approved is judged again: a rule that came in between denies, and an
// approval is not of the time.
func TestAnApprovalPassesTheRulesAgain(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, writes1)
	b.config.Policy.CallRules = policy(t, askRead)
	b.config.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	q := asked(t, b)
	b.again().config.Policy.CallRules = policy(t, denyDelete)
	if out := b.put(t, q); codeOf(out) != verdict.RuleDenied || b.calls() != 0 {
		t.Errorf("%s, %+v, %d calls", out.Type, out.Error, b.calls())
	}
	b.again().config.Policy.CallRules = policy(t, askRead)
	b.config.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 9, 0, 0, time.UTC) }
	if out := b.put(t, q); out.Type != host.ToolResult || b.calls() != 1 {
		t.Errorf("%s, %+v, %d calls", out.Type, out.Error, b.calls())
	}
}

// A recorded decision, or the record that it is of, that is not what the rules
// come to is a difference.
func TestAnAlteredDecisionIsADifference(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string][2]string{
		"another record": {`"subject":"ada"`, `"subject":"eve"`}, "another rule": {`"by":"policy.json:1"`, `"by":"policy.json:9"`},
		"another fact": {`"effect":"write"`, `"effect":"read"`}, "a rule less": {`"rule":"policy.json:1"`, `"rule":"policy.json:2"`},
	} {
		b, _ := writing(t, fetchWrites)
		b.config.Policy.CallRules = policy(t, allowFetch)
		b.put(t, fetching)
		events := b.events(t)
		for i, e := range events {
			if e.Kind == trace.Decision {
				forged := strings.Replace(string(e.Body), edit[0], edit[1], 1)
				if forged == string(e.Body) {
					t.Fatalf("%s: nothing was altered in %s", name, e.Body)
				}
				events[i].Body = []byte(forged)
			}
		}
		r, err := replay.Run(t.Context(), events, replay.Options{Types: demo.Types(), Objects: b.disk.object})
		if err != nil || len(r.Differences) != 1 || r.Differences[0].Gate != "decision" {
			t.Errorf("%s: %+v, %v", name, r.Differences, err)
		}
	}
}

// A decision without its places, or with others, does not replay.
func TestPlacesOfADecisionAreReplayed(t *testing.T) {
	t.Parallel()
	places := regexp.MustCompile(`"places":\{[^{}]*\},`)
	for _, edit := range []string{"", `"places":{"/arguments/policy_id":null},`} {
		b, _ := writing(t, fetchWrites)
		b.config.Policy.CallRules = policy(t, allowFetch)
		b.put(t, fetching)
		events := b.events(t)
		for i, e := range events {
			if e.Kind == trace.Decision {
				events[i].Body = []byte(places.ReplaceAllString(string(e.Body), edit))
				if string(events[i].Body) == string(e.Body) {
					t.Fatalf("nothing was altered in %s", e.Body)
				}
			}
		}
		r, err := replay.Run(t.Context(), events, replay.Options{Types: demo.Types(), Objects: b.disk.object})
		if err != nil || len(r.Differences) != 1 {
			t.Errorf("%q: %+v, %v", edit, r.Differences, err)
		}
	}
}

// What the tool of a call cannot take, of all that rules are limited to, is in the record,
// and a replay comes to the same.
func TestWhatAToolLacksIsRecordedAndReplayed(t *testing.T) {
	t.Parallel()
	for takes, want := range map[string]ended{"path": {"", 1}, "policy_id": {verdict.RuleDenied, 0}} {
		b, _ := writing(t, `{"read":["fetch_policy_entry"]}`)
		b.config.Policy.CallRules = policy(t, `{"effect":"deny","tools":["*/*"],"takes":["`+takes+`"],"where":{"`+takes+`":{"not":"policy-001"}}}`)
		if diff := cmp.Diff(want, end(b, b.put(t, fetching))); diff != "" {
			t.Errorf("%s: %s", takes, diff)
		}
		recorded := ""
		for _, e := range b.events(t) {
			if e.Kind == trace.Decision {
				recorded = string(e.Body)
			}
		}
		if strings.Contains(recorded, `"lacks":["/path"]`) != (takes == "path") {
			t.Errorf("%s: the record is %s", takes, recorded)
		}
		replayed(t, b)
	}
}
