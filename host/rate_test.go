package host_test

import (
	"context"
	"slices"
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

const twice = `{"limit":{"calls":2,"per":"day"},"tools":["mcp-policy-kb/*"],"why":"w"}`

// Reads that no person approves are counted as well, whatever conversation they are
// of, and a replay comes to the same by what the trace says was left.
func TestNoMoreCallsLeaveThanALimitSays(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, `{"read":["fetch_policy_entry","search_policy_kb"]}`)
	b.config.Policy.CallRules = policy(t, twice)
	for i, want := range []verdict.Code{"", "", verdict.RuleRate, verdict.RuleRate} {
		q := fetching
		q.Facts = gate.Facts{Conversation: string(rune('a' + i))}
		out := b.put(t, q)
		code := verdict.Code("")
		if out.Error != nil {
			code = out.Error.Code
		}
		if code != want || (want != "") != (out.Exit() == 3) {
			t.Errorf("call %d: %+v", i+1, out.Error)
		}
		at := slices.IndexFunc(out.Verdicts, func(v host.Verdict) bool { return v.Gate == "rate" })
		if at < 0 || len(out.Verdicts[at].Rates) != 1 || out.Verdicts[at].Rates[0].Left != max(0, 2-i) {
			t.Errorf("call %d: %+v", i+1, out.Verdicts)
		}
		replayed(t, b)
		b.again()
	}
	if b.calls() != 2 {
		t.Errorf("%d calls left, want 2", b.calls())
	}
	dry := fetching
	dry.DryRun = true
	if out := b.put(t, dry); out.Type != host.Planned {
		t.Errorf("a dry run is no call: %+v", out.Error)
	}
}

// Where nothing is left the approval that was brought stays what it was.
func TestARefusedCallUsesNoApproval(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	b.config.Policy.CallRules = policy(t, `{"limit":{"calls":1,"per":"day"},"tools":["mcp-policy-kb/*"]}`)
	q := asked(t, b)
	other := deleting
	other.Approver = person(func(r host.Request) (gate.Yes, error) {
		return gate.Yes{Approval: r.Digest, By: "ada", How: gate.AtTerminal}, nil
	})
	if out := b.put(t, other); out.Call != host.Answered {
		t.Fatalf("%+v", out.Error)
	}
	b.again()
	if out := b.put(t, q); out.Error == nil || out.Error.Code != verdict.RuleRate || b.calls() != 1 {
		t.Errorf("%+v, %d calls", out.Error, b.calls())
	}
	replayed(t, b)
	if a, err := kept.Approval(context.Background(), q.Approval.RunID); err != nil || a.State == approval.Spent {
		t.Errorf("%+v, %v", a, err)
	}
}

// A limit that nothing counts lets nothing leave.
func TestALimitThatNothingCountsRefuses(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, `{"read":["fetch_policy_entry"]}`)
	b.config.Policy.CallRules, b.config.Approvals = policy(t, twice), nil
	if out := b.put(t, fetching); out.Error == nil || out.Error.Code != verdict.RuleRate || b.calls() != 0 {
		t.Errorf("%+v, %d calls", out.Error, b.calls())
	}
	replayed(t, b)
}
