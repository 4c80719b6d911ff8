package host_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// ledger is an audit in memory, which fails at a phase.
type ledger struct {
	lines []host.AuditLine
	fails string
	seen  func()
}

func (l *ledger) Add(_ context.Context, line host.AuditLine) error {
	if l.seen != nil {
		l.seen()
	}
	if line.Phase == l.fails {
		return errors.New("no space left on device")
	}
	l.lines = append(l.lines, line)
	return nil
}

func audited(b *bench, required bool) *ledger {
	l := &ledger{}
	b.config.Audit, b.config.AuditRequired = l, required
	return l
}

func TestEachCallAndEachRefusalHasALine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		question host.Question
		rules    []string
		entry    string
		verdict  string
		code     verdict.Code
		rules1   string
		by       string
		call     string
	}{
		"a call":             {fetching, []string{allowFetch}, fetchWrites, "allow", "", "", "policy.json:1", host.Answered},
		"a denied call":      {fetching, []string{denyFetch}, fetchWrites, "deny", verdict.RuleDenied, "policy.json:1 rule.denied", "policy.json:1", host.None},
		"an unanswered call": {fetching, []string{askRead}, fetchWrites, "ask", verdict.ApprovalNeeded, "approval.needed policy.json:1 rule.asks", "policy.json:1", host.None},
		"no allowed tool":    {host.Question{Plan: plan.Call("mcp-policy-kb", "delete_policy_entry", []byte(`{"policy_id":"policy-002"}`))}, nil, fetchWrites, "deny", verdict.AllowTool, "allow.tool", "", host.None},
		"no admitted words":  {host.Question{Text: "\x1b[31m"}, nil, fetchWrites, "deny", verdict.InputControl, "input.control", "", host.None},
		"wrong arguments":    {host.Question{Plan: plan.Call("mcp-policy-kb", "fetch_policy_entry", []byte(`{"polic\u001by":"x"}`))}, nil, fetchWrites, "deny", verdict.SchemaArguments, "schema.arguments", "", host.None},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, _ := writing(t, c.entry)
			if c.rules != nil {
				b.config.Policy.CallRules = policy(t, c.rules...)
			}
			l := audited(b, false)
			out := b.put(t, c.question)
			if len(l.lines) != 1 {
				t.Fatalf("%d lines: %+v", len(l.lines), l.lines)
			}
			got := l.lines[0]
			if got.Verdict != c.verdict || got.Code != c.code || strings.Join(got.Rules, " ") != c.rules1 || got.DecidedBy != c.by || got.Call != c.call || got.Phase != host.After {
				t.Errorf("%+v", got)
			}
			if got.RunID != out.RunID || got.TraceDigest != out.TraceDigest || got.TraceDigest == "" || (got.ExecutionMS != nil) != (c.call != host.None) {
				t.Errorf("%+v", got)
			}
			if got.Tool != "" && got.ResourceID != "mcp_"+got.Server+"_"+got.Tool || (got.Tool == "") != (got.ResourceID == "") {
				t.Error(got.ResourceID)
			}
			if len(got.Values) > 0 || strings.ContainsRune(strings.Join(got.Arguments, ""), 0x1b) {
				t.Errorf("%q, %v", got.Arguments, got.Values)
			}
		})
	}
}

func TestWhatIsNeitherCallNorRefusalHasNoLine(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, `{"read":["fetch_policy_entry"]}`)
	l := audited(b, true)
	dry := fetching
	dry.DryRun = true
	b.put(t, dry)
	b.again().config.Proposer = says(`{"type":"final_answer","answer":"which?","needs_more_info":true}`)
	b.put(t, host.Question{Text: "Which policy"})
	if len(l.lines) > 0 {
		t.Errorf("%+v", l.lines)
	}
}

// A required line is on disk before its call leaves, and says whose call it is.
func TestNoCallLeavesWithoutItsLineWhereThatIsRequired(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, `{"read":["fetch_policy_entry"]}`)
	l := audited(b, true)
	var calls []int
	l.seen = func() { calls = append(calls, b.calls()) }
	b.put(t, fetching)
	if !slices.Equal(calls, []int{0, 1}) || len(l.lines) != 2 || l.lines[0].Phase != host.Before || l.lines[0].Verdict != "allow" || l.lines[0].Subject != "ada" {
		t.Errorf("calls at each line: %v; %+v", calls, l.lines)
	}
	replayed(t, b)

	b.again()
	l.fails = host.Before
	out := b.put(t, fetching)
	if out.Error == nil || out.Error.Code != verdict.AuditUnwritable || out.Exit() != 2 || b.calls() != 1 {
		t.Errorf("%+v, %d calls", out.Error, b.calls())
	}
	replayed(t, b)

	b.again()
	l.fails = host.After
	if out = b.put(t, fetching); out.Type != host.ToolResult || !strings.Contains(out.Note, "The audit has no line of this run") {
		t.Errorf("%s, %q", out.Type, out.Note)
	}

	b.config.Audit = nil
	if _, err := host.New(b.config); err == nil {
		t.Error("a host takes a required audit that is not there")
	}
}

// Names of arguments are shown, and of their values those that a rule names.
func TestValuesAreShownByRule(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, `{"read":["search_policy_kb"]}`)
	b.config.Policy.CallRules = policy(t, `{"audit":["query"],"tools":["mcp-policy-kb/*"]}`, `{"audit":["limit"],"tools":["mcp-servicenow/*"]}`)
	l := audited(b, false)
	args := `{"query":"token ghp_0123456789abcdefghijklmnopqrstuvwxyzAB","limit":3}`
	b.put(t, host.Question{Subject: "ada", Facts: gate.Facts{Conversation: "c1"}, Plan: plan.Call("mcp-policy-kb", "search_policy_kb", []byte(args))})
	got := l.lines[0]
	if !slices.Equal(got.Arguments, []string{"limit", "query"}) || len(got.Values) != 1 || got.Conversation != "c1" {
		t.Errorf("%+v", got)
	}
	if v := got.Values["/query"]; !strings.HasPrefix(v, "token ") || strings.Contains(v, "ghp_") {
		t.Errorf("the value is %q", v)
	}
}

func TestTheLineNamesWhoApprovedAndTheRunThatAsked(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, writes1)
	q := asked(t, b)
	l := audited(b, false)
	if out := b.put(t, q); out.Call != host.Answered {
		t.Fatalf("%+v", out.Error)
	}
	if got := l.lines[0]; got.Approver != "ada" || got.ApprovedHow != gate.ByDigest || got.ParentRun != q.Approval.RunID || got.Verdict != "allow" {
		t.Errorf("%+v", got)
	}
}
