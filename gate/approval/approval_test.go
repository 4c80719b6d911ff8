package approval_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
)

var now = time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)

func of(s approval.State) approval.Approval {
	return approval.Approval{RunID: "run1", Digest: "sha256:1", State: s, Created: now, Expires: now.Add(time.Minute)}
}

var states = []approval.State{approval.Pending, approval.Approved, approval.Denied, approval.Spent, approval.Superseded, approval.Revoked, "", "Approved"}

// Every pair of states that is not named here is refused.
func TestTheStepsOfAnApproval(t *testing.T) {
	t.Parallel()
	allowed := map[[2]approval.State]bool{
		{approval.Pending, approval.Pending}: true, {approval.Pending, approval.Approved}: true, {approval.Pending, approval.Denied}: true,
		{approval.Pending, approval.Superseded}: true, {approval.Approved, approval.Spent}: true, {approval.Approved, approval.Superseded}: true,
		{approval.Approved, approval.Revoked}: true,
	}
	for _, from := range states {
		for _, to := range states {
			a, err := of(from).After("sha256:1", approval.Step{To: to, By: "ada", How: "terminal", Now: now})
			if (err == nil) != allowed[[2]approval.State{from, to}] || err == nil && a.State != to || err != nil && a != (approval.Approval{}) {
				t.Errorf("%q to %q: %+v, %v", from, to, a, err)
			}
		}
	}
}

func TestAStepThatIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from approval.State
		dig  string
		step approval.Step
		want verdict.Code
	}{
		"another digest":         {approval.Pending, "sha256:2", approval.Step{To: approval.Approved, By: "a", Now: now}, verdict.ApprovalChanged},
		"no digest":              {approval.Pending, "", approval.Step{To: approval.Approved, By: "a", Now: now}, verdict.ApprovalChanged},
		"after the expiry":       {approval.Pending, "sha256:1", approval.Step{To: approval.Approved, By: "a", Now: now.Add(61 * time.Second)}, verdict.ApprovalExpired},
		"a use after the expiry": {approval.Approved, "sha256:1", approval.Step{To: approval.Spent, Now: now.Add(61 * time.Second)}, verdict.ApprovalExpired},
		"before it was asked":    {approval.Pending, "sha256:1", approval.Step{To: approval.Approved, By: "a", Now: now.Add(-2 * time.Second)}, verdict.ApprovalExpired},
		"no clock":               {approval.Pending, "sha256:1", approval.Step{To: approval.Approved, By: "a"}, verdict.ApprovalExpired},
		"by no one":              {approval.Pending, "sha256:1", approval.Step{To: approval.Approved, Now: now}, verdict.Internal},
		"a no by no one":         {approval.Pending, "sha256:1", approval.Step{To: approval.Denied, Now: now}, verdict.Internal},
		"a use that was refused": {approval.Denied, "sha256:1", approval.Step{To: approval.Spent, Now: now}, verdict.ApprovalRefused},
		"a use that waits":       {approval.Pending, "sha256:1", approval.Step{To: approval.Spent, Now: now}, verdict.ApprovalNeeded},
		"a second use":           {approval.Spent, "sha256:1", approval.Step{To: approval.Spent, Now: now}, verdict.ApprovalSpent},
		"a use of what changed":  {approval.Superseded, "sha256:1", approval.Step{To: approval.Spent, Now: now}, verdict.ApprovalChanged},
	} {
		if _, err := of(c.from).After(c.dig, c.step); verdict.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// Whatever is tried in whatever order, an approval is used at most once, and only
// after a yes.
func TestAnApprovalIsUsedOnceAfterAYes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, approved, spent := of(approval.Pending), 0, 0
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			s := approval.Step{To: rapid.SampledFrom(states).Draw(t, "to"), By: rapid.SampledFrom([]string{"", "ada"}).Draw(t, "by"), Now: now.Add(time.Duration(rapid.IntRange(-90, 90).Draw(t, "at")) * time.Second)}
			next, err := a.After(rapid.SampledFrom([]string{"sha256:1", "sha256:2"}).Draw(t, "digest"), s)
			if err != nil {
				continue
			}
			switch next.State {
			case approval.Approved:
				approved++
			case approval.Spent:
				if spent++; approved != 1 || next.By == "" {
					t.Fatalf("used after %d yeses: %+v", approved, next)
				}
			}
			a = next
		}
		if spent > 1 || approved > 1 {
			t.Fatalf("%d yeses, %d uses", approved, spent)
		}
	})
}
