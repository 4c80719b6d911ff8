package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// TestADecisionCanBeMadeAgain: a review with --again asks about what is approved or
// rejected, n leaves it, and a writing tool becomes a reading one only after a second
// yes.
func TestADecisionCanBeMadeAgain(t *testing.T) {
	t.Parallel()
	const each = "[y/r/w/x/a/W/N/?] "
	const loosens = "as reading, its calls leave without an approval"
	for name, c := range map[string]struct {
		keys    []string // each after a question
		confirm bool
		shows   string
		allows  string
	}{
		"left":              {[]string{"n\n"}, false, "s: nothing was decided", `{"s":{"write":["close_ticket"]}}`},
		"approved again":    {[]string{"y\n"}, false, "s: approved close_ticket", `{"s":{"write":["close_ticket"]}}`},
		"writing as before": {[]string{"w\n"}, false, "allows s/close_ticket as writing", `{"s":{"write":["close_ticket"]}}`},
		"reading":           {[]string{"r\n", "y\n"}, true, "close_ticket was writing before; to undo: `ask servers allow s --write close_ticket`", `{"s":{"write":[],"read": ["close_ticket"]}}`},
		"not reading":       {[]string{"r\n", "n\n", "n\n"}, true, "s: nothing was decided", `{"s":{"write":["close_ticket"]}}`},
		"withdrawn":         {[]string{"x\n"}, false, "s: rejected close_ticket", `{"s":{"write":["close_ticket"]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, files := deskOf(t)
			clitest.Trust(t, home, files[1:]...)
			s := sit(t, home, 120, append(files, "servers", "review", "s", "--again")...)
			for n, keys := range c.keys {
				ends := each
				if n == 1 {
					ends = "[y/N] "
				}
				s.until(t, ends)
				s.types(t, keys)
			}
			shown := strings.Join(strings.Fields(s.ends(t, 0)), " ")
			if !strings.Contains(shown, c.shows) {
				t.Errorf("no %q in %s", c.shows, shown)
			}
			if strings.Contains(shown, loosens) != c.confirm {
				t.Errorf("the confirmation in %s", shown)
			}
			b, err := os.ReadFile(filepath.Join(home, "allow.json"))
			if err != nil || string(b) != c.allows {
				t.Errorf("%s, %v", b, err)
			}
		})
	}
}

// TestARejectionCanBeTakenBack at a review with --again, and at no other.
func TestARejectionCanBeTakenBack(t *testing.T) {
	t.Parallel()
	home, files := deskOf(t)
	clitest.Trust(t, home, files[1:]...)
	s := sit(t, home, 120, append(files, "servers", "review", "s", "--again")...)
	s.until(t, "Approve close_ticket? [y/r/w/x/a/W/N/?] ")
	s.types(t, "x\n")
	s.ends(t, 0)
	s = sit(t, home, 120, append(files, "servers", "review", "s")...)
	if shown := s.ends(t, 0); strings.Contains(shown, "Approve close_ticket?") {
		t.Errorf("a rejected tool is asked about:\n%s", shown)
	}
	s = sit(t, home, 120, append(files, "servers", "review", "s", "--again")...)
	s.until(t, "q leaves them out ")
	s.types(t, "q\n")
	s.until(t, "Approve close_ticket? [y/r/w/x/a/W/N/?] ")
	s.types(t, "y\n")
	if shown := s.ends(t, 0); !strings.Contains(shown, "s: approved close_ticket") {
		t.Errorf("it shows\n%s", shown)
	}
}
