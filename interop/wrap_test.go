//go:build interop

package interop_test

import (
	"strings"
	"testing"
)

// TestClientsOfTheServerItself is the measure of what ask wrap changes: nothing of
// these.
func TestClientsOfTheServerItself(t *testing.T) {
	seated(t, func(t *testing.T, r *room) {
		t.Helper()
		s := r.begin(t)
		s.offers(t, "find", "missing", "mail", "close_ticket", "purge")
		s.reads(t)
		s.end(t)
	})
}

// offers is which of the server's tools the model gets, and of those of ours.
func (s *session) offers(t *testing.T, want ...string) {
	t.Helper()
	all := []string{"find", "missing", "mail", "close_ticket", "purge", "onestep_status", "onestep_released"}
	var got []string
	for _, name := range all {
		if _, ok := s.latest.offered(name); ok {
			got = append(got, name)
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the model is offered %q, want %q", got, want)
	}
}

// reads is a result with all kinds of content, and an error of a tool: the model gets
// what its client makes of the server's own words.
func (s *session) reads(t *testing.T) {
	t.Helper()
	if got := s.made(t, "find", object{"id": "INC7"}); !strings.Contains(got, s.client.found) {
		t.Errorf("of what is found the model gets %s, want %s", got, s.client.found)
	}
	if got := s.made(t, "missing", object{}); !strings.Contains(got, s.client.missing) {
		t.Errorf("of the error the model gets %s, want %s", got, s.client.missing)
	}
}
