package store_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

// granted is a grant of ada's in the conversation c1.
func granted(id string) grant.Grant {
	return grant.Grant{
		ID: id, Subject: "ada", Conversation: "c1", Server: "tickets", Tool: "close_ticket", Resource: "ticket:INC1", Pin: "sha256:pin",
		Fixed: []grant.Value{{Pointer: "/ticket_id", Digest: "sha256:1"}}, Open: []string{"/note"},
		By: "ada", How: "terminal", Why: "it changes something", Created: when, Until: when.Add(time.Hour),
	}
}

func keyOf(g grant.Grant) grant.Key {
	return grant.Key{Subject: g.Subject, Conversation: g.Conversation, Labelled: g.Conversation, Server: g.Server, Tool: g.Tool, Resource: g.Resource}
}

func known(t *testing.T, s *store.Store, k grant.Key) grant.Known {
	t.Helper()
	is, err := s.Known(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	return is
}

func give(t *testing.T, s *store.Store, g grant.Grant) {
	t.Helper()
	if err := s.Grant(t.Context(), g); err != nil {
		t.Fatal(err)
	}
}

func TestAGrantIsReadAsItWasKept(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	want := granted("g1")
	if is := known(t, s, keyOf(want)); len(is.Grants) != 0 || !is.Newest.IsZero() {
		t.Errorf("in no store: %+v", is)
	}
	give(t, s, want)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	is := known(t, opened(t, path), keyOf(want))
	if diff := cmp.Diff([]grant.Grant{want}, is.Grants); diff != "" || !is.Newest.Equal(when) {
		t.Error(diff, is.Newest)
	}
}

// A grant is found under its own key and under no other.
func TestAGrantIsOfNoOtherKey(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	give(t, s, granted("g1"))
	for name, change := range map[string]func(*grant.Key){
		"another subject":      func(k *grant.Key) { k.Subject = "eve" },
		"no subject":           func(k *grant.Key) { k.Subject = "" },
		"another conversation": func(k *grant.Key) { k.Conversation = "c2" },
		"a guess":              func(k *grant.Key) { k.Conversation = "c%" },
		"no conversation":      func(k *grant.Key) { k.Conversation = "" },
		"another server":       func(k *grant.Key) { k.Server = "mail" },
		"another tool":         func(k *grant.Key) { k.Tool = "delete_ticket" },
		"another resource":     func(k *grant.Key) { k.Resource = "ticket:INC2" },
		"no resource":          func(k *grant.Key) { k.Resource = "" },
	} {
		k := keyOf(granted("g1"))
		change(&k)
		if is := known(t, s, k); len(is.Grants) != 0 {
			t.Errorf("%s: %+v", name, is.Grants)
		}
	}
}

func TestWhatIsNoGrantIsNotKept(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	give(t, s, granted("g1"))
	for name, change := range map[string]func(*grant.Grant){
		"the same id again": func(g *grant.Grant) { g.ID = "g1" },
		"no id":             func(g *grant.Grant) { g.ID = "" },
		"no conversation":   func(g *grant.Grant) { g.Conversation = "" },
		"no subject":        func(g *grant.Grant) { g.Subject = "" },
	} {
		g := granted("g2")
		change(&g)
		if err := s.Grant(t.Context(), g); verdict.CodeOf(err) != verdict.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What was revoked, and what was granted in a conversation that ended, is read no
// more, and a call that had read it before does not leave.
func TestAGrantThatEndedIsUsedNoMore(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*store.Store) error{
		"revoked":                   func(s *store.Store) error { return s.Revoke(t.Context(), "g1", "bo") },
		"the conversation is ended": func(s *store.Store) error { return s.End(t.Context(), []string{"c1"}) },
	} {
		s, path := fresh(t)
		g := granted("g1")
		give(t, s, g)
		uses := grant.Redemption{Run: "run2", Uses: &g, Now: when.Add(time.Minute)}
		if err := s.Redeem(t.Context(), uses); err != nil {
			t.Fatal(err)
		}
		if err := end(opened(t, path)); err != nil {
			t.Fatal(err)
		}
		if is := known(t, s, keyOf(g)); len(is.Grants) != 0 {
			t.Errorf("%s: %+v", name, is.Grants)
		}
		if err := s.Redeem(t.Context(), uses); verdict.CodeOf(err) != verdict.GrantEnded {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAGrantIsUsedOnlyAsItStands(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	give(t, s, granted("g1"))
	for name, change := range map[string]func(*grant.Redemption){
		"its time is over":  func(r *grant.Redemption) { r.Now = r.Uses.Until },
		"it was never kept": func(r *grant.Redemption) { r.Uses.ID = "g2" },
		"a longer time":     func(r *grant.Redemption) { r.Uses.Until = r.Uses.Until.Add(time.Hour) },
		"more left open":    func(r *grant.Redemption) { r.Uses.Open = nil },
	} {
		g := granted("g1")
		r := grant.Redemption{Uses: &g, Now: when}
		change(&r)
		if err := s.Redeem(t.Context(), r); verdict.CodeOf(err) != verdict.GrantEnded {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNothingIsGrantedInAConversationThatEnded(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	if err := s.End(t.Context(), []string{"c1"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Grant(t.Context(), granted("g1")); verdict.CodeOf(err) != verdict.GrantRefused {
		t.Error(err)
	}
}

func TestRevokingWhatIsNoGrantIsAnError(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	for range 2 { // without a file, and with one
		if err := s.Revoke(t.Context(), "g1", "bo"); verdict.CodeOf(err) != verdict.StateMissing {
			t.Error(err)
		}
		if err := s.End(t.Context(), []string{"c9"}); err != nil {
			t.Fatal(err)
		}
	}
	give(t, s, granted("g2"))
	for _, by := range []string{"bo", "eve"} {
		if err := s.Revoke(t.Context(), "g2", by); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := s.Grants(t.Context()); err != nil || len(all) != 1 || all[0].RevokedBy != "bo" {
		t.Errorf("%+v, %v", all, err)
	}
}

// Of one redemption all steps are taken or none: a label that is set by a call whose
// approval is another's is not set.
func TestARedemptionIsWholeOrNothing(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	askFor(t, s, waits("run1"))
	moved(t, s, "run1", approval.Approved, "")
	g, dead := granted("g1"), granted("g2")
	r := grant.Redemption{
		Run: "run1", Approval: "run1", Digest: "sha256:run1", Uses: &dead, Gives: &g, Now: when,
		Marks: []grant.Mark{{Conversation: "c1", Name: grant.Exposed, At: when}},
	}
	if err := s.Redeem(t.Context(), r); verdict.CodeOf(err) != verdict.GrantEnded {
		t.Fatal(err)
	}
	if a, err := s.Approval(t.Context(), "run1"); err != nil || a.State != approval.Approved {
		t.Errorf("the approval is %s, %v", a.State, err)
	}
	if is := known(t, s, keyOf(g)); len(is.Grants)+len(is.Labels) != 0 {
		t.Errorf("%+v", is)
	}
	r.Uses = nil
	if err := s.Redeem(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if a, err := s.Approval(t.Context(), "run1"); err != nil || a.State != approval.Spent {
		t.Errorf("the approval is %s, %v", a.State, err)
	}
	if is := known(t, s, keyOf(g)); len(is.Grants) != 1 || len(is.Labels) != 1 {
		t.Errorf("%+v", is)
	}
}

// If labels cannot be read, no rule sees an empty list, and no call is sent.
func TestLabelsThatCannotBeReadAreAnError(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	for name, damage := range map[string]string{
		"a label was altered": `UPDATE conversation SET run = run || 'x'`, "there is no table of them": `DROP TABLE conversation`,
		"a time is no number": `UPDATE conversation SET at = 'x'`,
	} {
		path := filled(t)
		raw(t, path, damage)
		s := opened(t, path)
		if is, err := s.Known(t.Context(), grant.Key{Labelled: "c1"}); verdict.CodeOf(err) != verdict.StateUnreadable || is.Labels != nil {
			t.Errorf("%s: %+v, %v", name, is, err)
		}
		for _, labels := range [][]string{nil, {grant.Exposed}, {""}} {
			if err := s.Redeem(t.Context(), grant.Redemption{Run: "run2", Labelled: "c1", Labels: labels, Now: when}); verdict.CodeOf(err) != verdict.StateUnreadable {
				t.Errorf("%s: with %q: %v", name, labels, err)
			}
		}
	}
}

// A redemption by what rules read of labels holds only while there is no other.
func TestARedemptionIsOfTheLabelsThatWereRead(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	if err := s.Redeem(t.Context(), grant.Redemption{Run: "run0", Marks: []grant.Mark{{Conversation: "c1", Name: grant.Exposed, At: when}}, Now: when}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		of     string
		labels []string
		want   verdict.Code
	}{
		"all that there are":       {"c1", []string{grant.Exposed}, ""},
		"one that was not read":    {"c1", nil, verdict.StateLabels},
		"another one was read":     {"c1", []string{grant.Sensitive}, verdict.StateLabels},
		"another conversation":     {"c2", nil, ""},
		"more than there are here": {"c2", []string{grant.Exposed}, ""},
	} {
		if err := s.Redeem(t.Context(), grant.Redemption{Run: "run1", Labelled: c.of, Labels: c.labels, Now: when}); verdict.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever is written, a label that is set is read from then on.
func TestALabelNeverFalls(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	set := map[string]bool{}
	for i, m := range []grant.Mark{
		{Name: grant.Sensitive}, {Name: grant.Exposed}, {Name: grant.Sensitive}, {Name: grant.Ended}, {Name: grant.Exposed},
	} {
		m.Conversation, m.At = "c1", when.Add(time.Duration(i)*time.Minute)
		if err := s.Redeem(t.Context(), grant.Redemption{Marks: []grant.Mark{m}}); err != nil {
			t.Fatal(err)
		}
		if m.Name != grant.Ended {
			set[m.Name] = true
		}
		is := known(t, opened(t, path), grant.Key{Labelled: "c1"})
		if len(is.Labels) != len(set) {
			t.Errorf("after %s: %v, not %v", m.Name, is.Labels, set)
		}
	}
	if is := known(t, s, grant.Key{Labelled: "c2"}); len(is.Labels) != 0 {
		t.Errorf("another conversation has %v", is.Labels)
	}
	if err := s.Redeem(t.Context(), grant.Redemption{Marks: []grant.Mark{{Name: grant.Exposed, At: when}}}); verdict.CodeOf(err) != verdict.Internal {
		t.Errorf("a label of no conversation: %v", err)
	}
}

// Of many that redeem one approval, one does.
func TestOneApprovalIsRedeemedOnce(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	askFor(t, s, waits("run1"))
	moved(t, s, "run1", approval.Approved, "")
	var won atomic.Int64
	var all sync.WaitGroup
	for i := range 10 {
		own := opened(t, path)
		all.Go(func() {
			g := granted(fmt.Sprint("g", i))
			err := own.Redeem(t.Context(), grant.Redemption{Approval: "run1", Digest: "sha256:run1", Gives: &g, Now: when})
			if err == nil {
				won.Add(1)
			} else if verdict.CodeOf(err) != verdict.ApprovalSpent {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if is := known(t, s, keyOf(granted(""))); won.Load() != 1 || len(is.Grants) != 1 {
		t.Errorf("%d redeemed it, and %d grants were given", won.Load(), len(is.Grants))
	}
}
