package runs

import (
	"slices"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// A use whose new name is not on the disk is none: after a crash the approval
// could be pending again, and its call would leave twice.
func TestAUseThatIsNotOnDiskMakesNoCall(t *testing.T) {
	t.Parallel()
	for failAt, want := range map[int]verdict.Code{0: "", 1: verdict.TraceUnwritable} {
		c := &counted{root: t.TempDir(), failAt: failAt}
		dir, now := Dir(c.root), time.Now()
		p := host.Pending{RunID: "r1", Digest: "sha256:1", Created: now, Expires: now.Add(time.Minute)}
		if err := dir.Keep(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		f, _, err := dir.open(p.RunID)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := dir.spend(c.open, f, p.RunID); verdict.CodeOf(err) != want {
			t.Errorf("failing at %d: %v, want %q", failAt, err, want)
		}
		if !slices.Equal(c.steps, []string{"sync .", "close ."}) {
			t.Errorf("failing at %d: %q", failAt, c.steps)
		}
		if _, err := dir.Approvals(nil).Claim(t.Context(), p.RunID, p.Digest, now); verdict.CodeOf(err) != verdict.ApprovalSpent {
			t.Errorf("failing at %d: a second use: %v", failAt, err)
		}
	}
}
