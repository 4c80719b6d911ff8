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
		n := &notice{w: &shown, width: width}
		over := waited(n, "kb/get", 7)
		n.report("kb", "progress 3 of 10: reading the archive")
		n.tick()
		if diff := cmp.Diff(want, shown.String()); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", width, diff)
		}
		over()
		n.report("kb", "too late")
		shown.Reset()
		over = waited(n, "the model", 7)
		n.tick()
		if diff := cmp.Diff("Waiting for the model (7 s)", shown.String()); diff != "" {
			t.Errorf("the next wait (-want +got):\n%s", diff)
		}
		over()
	}
}

// TestTheStartOfAServerIsShown within a call, with a mark that turns where there is
// colour, and the call again when it is over.
func TestTheStartOfAServerIsShown(t *testing.T) {
	t.Parallel()
	for spins, want := range map[bool][]string{
		true:  {"\\ starting memory (npx …) 12 s", "\r\x1b[K| starting memory (npx …) 12 s"},
		false: {"starting memory (npx …) 12 s", "\r\x1b[Kstarting memory (npx …) 12 s"},
	} {
		var shown bytes.Buffer
		n := &notice{w: &shown, width: 80, spins: spins}
		call := waited(n, "memory/get", 13)
		start := waited(n, "starting memory (npx …)", 12)
		for _, line := range append(want, "\r\x1b[KWaiting for memory/get (13 s)") {
			if line[len(line)-1] == ')' {
				start()
				line = line[len("\r\x1b[K"):]
				shown.Reset()
			}
			n.tick()
			if diff := cmp.Diff(line, shown.String()); diff != "" {
				t.Errorf("%v: (-want +got):\n%s", spins, diff)
			}
			shown.Reset()
		}
		call()
		if shown.String() != "\r\x1b[K" {
			t.Errorf("after the wait it shows %q", shown.String())
		}
	}
}

// waited is a wait that began so many seconds ago, and whose line is shown by tick
// alone.
func waited(n *notice, what string, seconds int) (over func()) {
	n.timer = time.NewTimer(time.Hour)
	over = n.begin(what)
	n.timer.Stop()
	n.waits[len(n.waits)-1].since = time.Now().Add(-time.Duration(seconds) * time.Second)
	return over
}
