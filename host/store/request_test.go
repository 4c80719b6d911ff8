package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/seal"
)

func sealing(t *testing.T) seal.Keys {
	t.Helper()
	k, err := seal.Read(seal.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func shows(run, what string) approval.Approval {
	a := waits(run)
	a.Request = what
	return a
}

// What a person is shown is read as it was stored, under its own approval alone, and stays
// when the approval is used.
func TestACallIsShownAsItWasAskedFor(t *testing.T) {
	t.Parallel()
	const odd = "{\x00\xff the canary of a call}"
	for name, keys := range map[string]seal.Keys{"sealed": sealing(t), "not sealed": {}} {
		s, path := fresh(t)
		s.Sealing(keys)
		askFor(t, s, shows("run1", odd))
		moved(t, s, "run1", approval.Approved, "")
		other := opened(t, path)
		other.Sealing(keys)
		if b, err := other.Request(t.Context(), "run1", "sha256:run1"); err != nil || string(b) != odd {
			t.Errorf("%s: %q, %v", name, b, err)
		}
		for _, of := range [][2]string{{"run2", "sha256:run1"}, {"run1", "sha256:run2"}, {"", ""}} {
			if b, err := other.Request(t.Context(), of[0], of[1]); verdict.CodeOf(err) != verdict.ApprovalUnknown {
				t.Errorf("%s: %s: %q, %v", name, of, b, err)
			}
		}
		other.Sealing(sealing(t))
		if b, err := other.Request(t.Context(), "run1", "sha256:run1"); verdict.CodeOf(err) != verdict.StateUnreadable {
			t.Errorf("%s, with another key: %q, %v", name, b, err)
		}
		if is := fmt.Sprint(other.Column(t.Context(), "request", "body")); strings.Contains(is, "canary") == keys.Any() {
			t.Errorf("%s: the row has %.80q", name, is)
		}
	}
}

// A sealed row of one approval does not open as another's.
func TestASealedCallIsOfItsOwnApproval(t *testing.T) {
	t.Parallel()
	keys := sealing(t)
	s, _ := fresh(t)
	s.Sealing(keys)
	askFor(t, s, shows("run1", "one"))
	askFor(t, s, shows("run2", "two"))
	if err := s.SwapRequests(t.Context(), "run1", "run2"); err != nil {
		t.Fatal(err)
	}
	if b, err := s.Request(t.Context(), "run2", "sha256:run2"); verdict.CodeOf(err) != verdict.StateUnreadable {
		t.Errorf("%q, %v", b, err)
	}
}

// It is dropped with its approval, thirty days after that expired.
func TestACallIsForgottenWithItsApproval(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	old, kept := shows("old", "1"), shows("kept", "2")
	old.Expires, kept.Expires = when.Add(-31*24*time.Hour), when.Add(-29*24*time.Hour)
	for _, a := range []approval.Approval{old, kept, waits("now")} {
		askFor(t, s, a)
	}
	if _, err := s.Request(t.Context(), "old", "sha256:old"); verdict.CodeOf(err) != verdict.ApprovalUnknown {
		t.Error(err)
	}
	if b, err := s.Request(t.Context(), "kept", "sha256:kept"); err != nil || string(b) != "2" {
		t.Errorf("%q, %v", b, err)
	}
	if n := len(s.Column(t.Context(), "request", "body")); n != 1 {
		t.Errorf("%d rows", n)
	}
}
