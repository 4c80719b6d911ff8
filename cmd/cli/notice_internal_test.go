package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestAReportIsShownBehindTheNotice: a row never begins with a server's words, and
// none is longer than the terminal is wide.
func TestAReportIsShownBehindTheNotice(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]string{
		80: "Waiting for kb/get (7 s); kb reports: progress 3 of 10: reading the archive",
		60: "Waiting for kb/get (7 s); kb reports: progress 3 of 10: re…",
		40: "Waiting for kb/get (7 s)",
	} {
		var shown bytes.Buffer
		n := &notice{w: &shown, width: width, what: "kb/get", since: time.Now().Add(-7 * time.Second), timer: time.NewTimer(time.Hour)}
		n.report("kb", "progress 3 of 10: reading the archive")
		n.tick()
		n.timer.Stop()
		if diff := cmp.Diff(want, shown.String()); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", width, diff)
		}
		n.end()
		n.report("kb", "too late")
		shown.Reset()
		over := n.begin("the model")
		n.since = time.Now().Add(-7 * time.Second)
		n.tick()
		if diff := cmp.Diff("Waiting for the model (7 s)", shown.String()); diff != "" {
			t.Errorf("the next wait (-want +got):\n%s", diff)
		}
		over()
	}
}
