package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

var when = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

func clock() time.Time { return when }

func fresh(t *testing.T) (*store.Store, string) {
	t.Helper()
	path := newPlace(t)
	return opened(t, path), path
}

func opened(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.OpenAt(t.Context(), path, clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // a test may have closed it
	return s
}

var (
	kb    = pin.Place{Entry: "sha256:kb", Credential: "KB_TOKEN"}
	kbToo = pin.Place{Entry: "sha256:kb", Credential: "OTHER_TOKEN"}
	desk  = pin.Place{Entry: "sha256:desk"}
)

func decision(place pin.Place, tool, state string) store.Decision {
	return store.Decision{
		Place: place, Server: "kb", Tool: tool, State: state, Reviewed: "sha256:r", Meaning: "sha256:m",
		Raw: []byte(`{"name":"` + tool + `"}`), Instructions: "Ask politely.", Review: "sha256:all", Effect: "read", By: "ada", How: "terminal",
	}
}

func decide(t *testing.T, s *store.Store, after int64, all ...store.Decision) {
	t.Helper()
	if err := s.Decide(t.Context(), after, all); err != nil {
		t.Fatal(err)
	}
}

func decisions(t *testing.T, s *store.Store, place pin.Place) []store.Decision {
	t.Helper()
	all, err := s.Decisions(t.Context(), place)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestADecisionIsReadBackAsItWasMade(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	decide(t, s, 0, decision(kb, "get", store.Approved), decision(kb, "put", store.Rejected))
	decide(t, s, 0, store.Decision{Place: desk, Tool: "get", State: store.Removed})
	decide(t, s, 2, decision(kb, "get", store.Removed))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = opened(t, path)
	want := []store.Decision{decision(kb, "get", store.Approved), decision(kb, "put", store.Rejected), decision(kb, "get", store.Removed)}
	want[0].Seq, want[1].Seq, want[2].Seq = 1, 2, 4
	for i := range want {
		want[i].At = when
	}
	if diff := cmp.Diff(want, decisions(t, s, kb)); diff != "" {
		t.Error(diff)
	}
	all, err := s.All(t.Context())
	if err != nil || len(all) != 4 || all[0].Place != desk {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestAPlaceIsNeverAnothers(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	decide(t, s, 0, decision(kb, "get", store.Approved))
	for _, other := range []pin.Place{{}, desk, kbToo, {Entry: kb.Entry}, {Credential: kb.Credential}, {Entry: kb.Entry + kb.Credential}} {
		if all := decisions(t, s, other); len(all) > 0 {
			t.Errorf("%+v has %+v", other, all)
		}
	}
}

func TestWhatIsNoDecisionIsNotKept(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	for name, bad := range map[string]store.Decision{
		"no place":       decision(pin.Place{}, "get", store.Approved),
		"a name alone":   decision(pin.Place{Credential: "X"}, "get", store.Approved),
		"no state":       decision(kb, "get", ""),
		"another state":  decision(kb, "get", "Approved"),
		"one too many":   decision(kb, "get", "approved "),
		"what none says": decision(kb, "get", "pending"),
		"a long name":    decision(kb, strings.Repeat("x", 5000), store.Approved),
	} {
		if err := s.Decide(t.Context(), 0, []store.Decision{decision(kb, "put", store.Approved), bad}); err == nil {
			t.Errorf("%s was kept", name)
		}
	}
	if all := decisions(t, s, kb); len(all) > 0 {
		t.Errorf("half of it was kept: %+v", all)
	}
}

func TestOfTwoWhoDecideAtOnceOneIsFirst(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	decide(t, s, 0, decision(kb, "get", store.Approved))
	two := opened(t, path)
	failed := make(chan error)
	for _, s := range []*store.Store{s, two} {
		go func() {
			failed <- s.Decide(context.Background(), 1, []store.Decision{decision(kb, "get", store.Rejected)})
		}()
	}
	a, b := <-failed, <-failed
	if (a == nil) == (b == nil) || !errors.Is(errors.Join(a, b), store.ErrMoved) {
		t.Errorf("%v, %v", a, b)
	}
	if all := decisions(t, s, kb); len(all) != 2 {
		t.Errorf("%+v", all)
	}
	// Another place moves on its own.
	decide(t, two, 0, decision(desk, "get", store.Approved))
}

func TestNothingIsOpenedBeforeItIsNeededAndNothingMadeByReading(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filepath.Join(t.TempDir(), "state", "state.db")
	s := store.Of(path, clock)
	if _, err := os.Lstat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Error("At made a folder")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if all := decisions(t, s, kb); len(all) > 0 || s.Check(t.Context()) != nil {
		t.Errorf("%+v", all)
	}
	_, release := s.Release(t.Context(), "run1", "ada")
	n, purge := s.Purge(t.Context(), when)
	if drop := s.Drop(t.Context(), "run1"); verdict.CodeOf(drop) != verdict.StateMissing || verdict.CodeOf(release) != verdict.StateMissing || n != 0 || purge != nil {
		t.Errorf("%v, %v, %d, %v", drop, release, n, purge)
	}
	if _, err := os.Lstat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Error("a read made a folder")
	}
	decide(t, s, 0, decision(kb, "get", store.Approved))
	if info, err := os.Lstat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestWhatIsPendingIsReplacedAndWrittenOnce(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	set := func(all ...store.Seen) {
		setSeen(t, s, kb, all...)
	}
	put, get := store.Seen{Tool: "put", Code: "pin.changed", Why: "w", Raw: []byte("{}")}, store.Seen{Tool: "get", Code: "pin.unapproved", Instructions: "i"}
	set(put, get)
	was := extent(t, s, path)
	for range 50 {
		set(get, put)
	}
	if now := extent(t, s, path); now != was {
		t.Errorf("the same was written again: %v became %v", was, now)
	}
	all, err := s.Seen(t.Context(), kb)
	if err != nil || len(all) != 2 || all[0].Tool != "get" || all[1].Why != "w" || !bytes.Equal(all[1].Raw, put.Raw) || all[0].At != when || all[0].Instructions != "i" {
		t.Errorf("%+v, %v", all, err)
	}
	set()
	if all, err := s.Seen(t.Context(), kb); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestWhatIsDecidedIsPendingNoMore, and other tools and places are as they were,
// as all of it is where somebody else was first.
func TestWhatIsDecidedIsPendingNoMore(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	for _, at := range []pin.Place{kb, kbToo} {
		setSeen(t, s, at, store.Seen{Tool: "get", Code: "pin.changed"}, store.Seen{Tool: "put", Code: "pin.changed"})
	}
	decide(t, s, 0, decision(kb, "", store.Approved), decision(kb, "get", store.Approved))
	if err := s.Decide(t.Context(), 1, []store.Decision{decision(kb, "put", store.Approved)}); !errors.Is(err, store.ErrMoved) {
		t.Error(err)
	}
	for at, want := range map[pin.Place][]string{kb: {"put"}, kbToo: {"get", "put"}} {
		all, err := s.Seen(t.Context(), at)
		var is []string
		for _, v := range all {
			is = append(is, v.Tool)
		}
		if err != nil || !slices.Equal(is, want) {
			t.Errorf("%q is pending, want %q, %v", is, want, err)
		}
	}
}

// setSeen replaces what is pending at a place.
func setSeen(t *testing.T, s *store.Store, at pin.Place, all ...store.Seen) {
	t.Helper()
	if err := s.ChangeSeen(t.Context(), at, func([]store.Seen) []store.Seen { return all }); err != nil {
		t.Fatal(err)
	}
}

// TestNothingIsLostThatAnotherProcessNoted between the moment when what is
// pending was read and the one when it is written.
func TestNothingIsLostThatAnotherProcessNoted(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	other := store.Of(path, func() time.Time { return when })
	t.Cleanup(func() { _ = other.Close() })
	adds := func(tool string) func([]store.Seen) []store.Seen {
		return func(was []store.Seen) []store.Seen { return append(was, store.Seen{Tool: tool}) }
	}
	asked := 0
	err := s.ChangeSeen(t.Context(), kb, func(was []store.Seen) []store.Seen {
		if asked++; asked == 1 {
			if err := other.ChangeSeen(t.Context(), kb, adds("theirs")); err != nil {
				t.Error(err)
			}
		}
		return adds("ours")(was)
	})
	if all, _ := s.Seen(t.Context(), kb); err != nil || len(all) != 2 || all[0].Tool != "ours" || all[1].Tool != "theirs" {
		t.Errorf("%v, %v", all, err)
	}
	if err := s.ChangeSeen(t.Context(), pin.Place{}, adds("x")); err == nil {
		t.Error("it is kept of no place")
	}
}

// size is what the database has on disk.
func size(t *testing.T, path string) (n int64) {
	t.Helper()
	for _, p := range []string{path, path + "-wal"} {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		n += info.Size()
	}
	return n
}

// A stranger's text is kept byte for byte, whatever it is.
func TestNoTextIsTooOddToKeep(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	for i, odd := range []string{"a\x00b", "\x00", "\xff\xfe", "'; DROP TABLE decision; --", "\u202e\U000e0041", "long"} {
		place := pin.Place{Entry: "sha256:" + strconv.Itoa(i), Credential: odd}
		text := odd
		if odd == "long" {
			text = strings.Repeat("x", 10<<20)
		}
		d := store.Decision{Place: place, Tool: odd, State: store.Approved, Raw: []byte(text), Instructions: text, Review: text}
		decide(t, s, 0, d)
		setSeen(t, s, place, store.Seen{Tool: odd, Why: text, Raw: []byte(text), Instructions: text})
		all := decisions(t, s, place)
		d.Seq, d.At = all[0].Seq, when
		if !reflect.DeepEqual([]store.Decision{d}, all) {
			t.Errorf("%.20q is not what was kept", odd)
		}
		if seen, err := s.Seen(t.Context(), place); err != nil || len(seen) != 1 || seen[0].Tool != odd || seen[0].Instructions != text {
			t.Errorf("%.20q: %v", odd, err)
		}
	}
}

func TestHealthIsAShortHistoryOfChanges(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	for i := range 100 {
		if err := s.NoteHealth(t.Context(), kb, []string{"", "", "server.auth"}[i%3]); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.HealthOf(t.Context(), kb)
	if err != nil || len(all) != 16 || all[15].Code != "" || all[14].Code != "server.auth" || all[0].At != when {
		t.Errorf("%+v, %v", all, err)
	}
	if all, err := s.HealthOf(t.Context(), kbToo); err != nil || len(all) > 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
