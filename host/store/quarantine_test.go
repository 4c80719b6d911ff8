package store_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

func withheld(run string, created time.Time) store.Kept {
	return store.Kept{
		Run: run, Trace: "sha256:t", Server: "kb", Tool: "get", Rules: []string{"patterns/a", "judge/b"},
		Body: []byte(`{"content":[{"type":"text","text":"` + strings.Repeat(run, 100) + `"}]}`), Created: created,
	}
}

func keep(t *testing.T, s *store.Store, all ...store.Kept) {
	t.Helper()
	for _, k := range all {
		if err := s.Keep(t.Context(), k); err != nil {
			t.Fatal(err)
		}
	}
}

func kept(t *testing.T, s *store.Store) (runs []string) {
	t.Helper()
	all, err := s.AllKept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range all {
		runs = append(runs, k.Run)
	}
	return runs
}

func TestAWithheldResultIsKeptAndReleasedOnce(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	want := withheld("run1", when.Add(-time.Hour))
	keep(t, s, want, store.Kept{Run: "run2", Created: when})
	want.Size = int64(len(want.Body))
	for step, by := range []string{"", "ada", "bo"} {
		if by != "" {
			if _, err := s.Release(t.Context(), "run1", by); err != nil {
				t.Fatal(err)
			}
			want.By, want.Released = "ada", when // the first word holds
		}
		got, err := s.Kept(t.Context(), "run1")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("step %d: %s, %v", step, diff, err)
		}
	}
	all, err := s.AllKept(t.Context())
	if err != nil || len(all) != 2 || all[0].Body != nil || all[0].Size != want.Size || all[0].By != "ada" || all[1].By != "" || all[1].Rules != nil {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestWhatIsNotKeptIsNamedAndNothingElseIsDone(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	keep(t, s, withheld("run1", when))
	for _, id := range []string{"", "run", "run11", "RUN1", "run1 ", "run%", "' OR 1=1 --"} {
		_, look := s.Kept(t.Context(), id)
		_, release := s.Release(t.Context(), id, "ada")
		for _, err := range []error{look, release, s.Drop(t.Context(), id)} {
			if verdict.CodeOf(err) != verdict.StateMissing {
				t.Errorf("%q: %v", id, err)
			}
		}
	}
	if k, err := s.Kept(t.Context(), "run1"); err != nil || k.By != "" {
		t.Errorf("%+v, %v", k, err)
	}
}

func TestAResultIsNotKeptAsAnother(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	keep(t, s, withheld("run1", when))
	again := withheld("run1", when)
	again.Body = []byte("{}")
	released, lines := withheld("run2", when), withheld("run3", when)
	released.By, lines.Rules = "ada", []string{"patterns/a\njudge/b"}
	for name, k := range map[string]store.Kept{"of a run that has one": again, "of no run": {}, "released already": released, "by a rule of two lines": lines} {
		if err := s.Keep(t.Context(), k); verdict.CodeOf(err) != verdict.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Release(t.Context(), "run1", ""); verdict.CodeOf(err) != verdict.Internal {
		t.Errorf("released without a name: %v", err)
	}
	if k, err := s.Kept(t.Context(), "run1"); err != nil || k.By != "" || len(k.Body) < 100 || len(kept(t, s)) != 1 {
		t.Errorf("%+v, %v", k, err)
	}
}

func TestOldAndManyResultsAreTidiedTheOldestFirst(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	for i, run := range []string{"c", "a", "b", "d"} {
		keep(t, s, withheld(run, when.Add(time.Duration(i)*time.Hour)))
	}
	each := int64(len(withheld("a", when).Body))
	for _, step := range []struct {
		n    int64
		tidy func() (int64, error)
		left string
	}{
		{0, func() (int64, error) { return s.Purge(t.Context(), when) }, "cabd"},
		{0, func() (int64, error) { return s.Shrink(t.Context(), 4*each) }, "cabd"},
		{1, func() (int64, error) { return s.Purge(t.Context(), when.Add(time.Millisecond)) }, "abd"},
		{1, func() (int64, error) { return s.Shrink(t.Context(), 3*each-1) }, "bd"},
		{2, func() (int64, error) { return s.Shrink(t.Context(), 0) }, ""},
	} {
		n, err := step.tidy()
		if left := strings.Join(kept(t, s), ""); err != nil || n != step.n || left != step.left {
			t.Errorf("%d went, %q are left, %v: want %d and %q", n, left, err, step.n, step.left)
		}
	}
}

func TestNothingOfADroppedResultIsLeftInTheFiles(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	s, path := fresh(t)
	one := withheld("run1", when)
	one.Body = []byte(strings.Repeat("the withheld words ", 10_000))
	keep(t, s, one, withheld("run2", when))
	if !onDisk(t, path, "the withheld words") {
		t.Fatal("it was not on disk before")
	}
	if err := s.Drop(t.Context(), "run1"); err != nil {
		t.Fatal(err)
	}
	if onDisk(t, path, "the withheld words") {
		t.Error("it is still on disk")
	}
}

func onDisk(t *testing.T, path, words string) bool {
	t.Helper()
	for _, p := range []string{path, path + "-wal"} {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(words)) {
			return true
		}
	}
	return false
}

// A released result goes to one conversation, with the labels of its call or not at all.
func TestAReleasedResultIsHandedWithItsLabels(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	keep(t, s, withheld("run1", when), withheld("run2", when))
	mark := func(conversation, name string) grant.Mark {
		return grant.Mark{Conversation: conversation, Name: name, Run: "run1", At: when}
	}
	if err := s.Hand(t.Context(), "run1", nil); verdict.CodeOf(err) != verdict.StateMissing {
		t.Errorf("a result that is not released: %v", err)
	}
	if _, err := s.Release(t.Context(), "run1", "ada"); err != nil {
		t.Fatal(err)
	}
	if err := s.Hand(t.Context(), "run1", []grant.Mark{mark("c1", grant.Exposed), mark("", grant.Sensitive)}); err == nil {
		t.Error("a label of no conversation is kept")
	}
	if got, labels := kept(t, s), labelsOf(t, s, "c1"); len(got) != 2 || len(labels) != 0 {
		t.Errorf("after a failure %q are kept, with the labels %q", got, labels)
	}
	var all sync.WaitGroup
	var taken atomic.Int32
	for i := range 4 {
		all.Go(func() {
			if s.Hand(t.Context(), "run1", []grant.Mark{mark(fmt.Sprint("taker", i), grant.Exposed)}) == nil {
				taken.Add(1)
			}
		})
	}
	all.Wait()
	labelled := 0
	for i := range 4 {
		labelled += len(labelsOf(t, s, fmt.Sprint("taker", i)))
	}
	if got := kept(t, s); taken.Load() != 1 || labelled != 1 || !slices.Equal(got, []string{"run2"}) {
		t.Errorf("%d took it, %d are labelled, and %q are kept", taken.Load(), labelled, got)
	}
}

func labelsOf(t *testing.T, s *store.Store, conversation string) (all []string) {
	t.Helper()
	known, err := s.Known(t.Context(), grant.Key{Conversation: conversation, Labelled: conversation})
	if err != nil {
		t.Fatal(err)
	}
	return known.Labels
}
