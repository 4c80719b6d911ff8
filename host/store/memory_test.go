package store_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/host/store"
)

func init() {
	children["change"] = func(s *store.Store, _ string) error { return changes[os.Getenv("STORE_CHANGE")](s) }
}

// changes are what another process changes in the state of a call.
var changes = map[string]func(s *store.Store) error{
	"a grant":  func(s *store.Store) error { return s.Grant(bg, granted("g1")) },
	"a revoke": func(s *store.Store) error { return s.Revoke(bg, "g1", "ada") },
	"a label": func(s *store.Store) error {
		return s.Redeem(bg, grant.Redemption{Run: "r", Now: when, Marks: []grant.Mark{{Conversation: "c1", Name: "exposed", Run: "r", At: when}}})
	},
	"an end":      func(s *store.Store) error { return s.End(bg, []string{"c1"}) },
	"an approval": func(s *store.Store) error { a := waits("r1"); a.Key = "k"; return s.Ask(bg, a) },
	"a decision": func(s *store.Store) error {
		_, err := s.Move(bg, "r1", waits("r1").Digest, approval.Step{To: approval.Denied, By: "ada", Now: when})
		return err
	},
}

// state is what a call learns of the state.
type state struct {
	grants  int
	labels  string
	newest  time.Time
	waiting approval.State
}

func stateOf(t *testing.T, s *store.Store) state {
	t.Helper()
	is := known(t, s, keyOf(granted("g1")))
	a, err := s.SameCall(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.SameCall(t.Context(), "another")
	if err != nil || b.RunID != "" {
		t.Fatal(b, err)
	}
	labels := ""
	for _, l := range is.Labels {
		labels += l + " "
	}
	return state{len(is.Grants), labels, is.Newest, a.State}
}

// Nothing is read again while nothing was written, and the very next reading has what was:
// by this process, by this one through another connection, and by another process.
func TestWhatDidNotChangeIsNotReadAgain(t *testing.T) {
	t.Parallel()
	ways := map[string]func(s *store.Store, path, what string) error{
		"its own": func(s *store.Store, _, what string) error { return changes[what](s) },
		"another connection": func(_ *store.Store, path, what string) error {
			other := store.Of(path, clock)
			return errors.Join(changes[what](other), other.Close())
		},
		"another process": func(_ *store.Store, path, what string) error {
			return child(t, "change", path, "STORE_CHANGE="+what).Run()
		},
	}
	for way, change := range ways {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			s, path := fresh(t)
			decide(t, s, 0, decision(kb, "get", store.Approved))
			is := stateOf(t, s)
			for _, step := range []struct {
				what   string
				change func(*state)
			}{
				{"a grant", func(is *state) { is.grants = 1 }},
				{"a label", func(is *state) { is.labels = "exposed " }},
				{"an approval", func(is *state) { is.waiting = approval.Pending }},
				{"a decision", func(is *state) { is.waiting = approval.Denied }},
				{"a revoke", func(is *state) { is.grants = 0 }},
				{"an end", func(*state) {}},
			} {
				if err := change(s, path, step.what); err != nil {
					t.Fatal(step.what, err)
				}
				want := is
				step.change(&want)
				is = stateOf(t, s)
				want.newest = is.newest // which the next reading checks
				if is != want {
					t.Errorf("after %s: %+v, not %+v", step.what, is, want)
				}
				before := s.Reads()
				if again := stateOf(t, s); again != is {
					t.Errorf("after %s, again: %+v, not %+v", step.what, again, is)
				}
				if n := s.Reads() - before; n > 1 { // the grants of a conversation that has some
					t.Errorf("after %s: %d queries, and nothing was written", step.what, n)
				}
			}
		})
	}
}

// A call of a conversation without grants needs no query, whatever its arguments.
func TestACallWithoutGrantsNeedsNoQuery(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	decide(t, s, 0, decision(kb, "get", store.Approved))
	look := func(argument string) {
		known(t, s, grant.Key{Subject: "ada", Conversation: "c", Labelled: "c", Server: "s", Tool: "t", Resource: argument})
		if _, err := s.SameCall(t.Context(), argument); err != nil {
			t.Error(err)
		}
	}
	look("1")
	before := s.Reads()
	for _, argument := range []string{"1", "2", "3"} {
		look(argument)
	}
	if n := s.Reads() - before; n != 0 {
		t.Errorf("%d queries", n)
	}
}

// An error is not remembered, and neither is a state that is not known.
func TestAnErrorIsNotRemembered(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	decide(t, s, 0, decision(kb, "get", store.Approved))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Known(ended, keyOf(granted("g1"))); err == nil {
		t.Error("what was not read is known")
	}
	give(t, s, granted("g1"))
	if is := known(t, s, keyOf(granted("g1"))); len(is.Grants) != 1 {
		t.Errorf("%+v", is)
	}
}
