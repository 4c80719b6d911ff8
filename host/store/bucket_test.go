package store_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

func init() { children["take"] = takeAll }

func limit(key string, calls int) grant.Bucket {
	return grant.Bucket{Rule: "policy.json:" + key, Key: "sha256:" + key, Rate: grant.Rate{Calls: calls, Seconds: 3600}}
}

func taken(t *testing.T, s *store.Store, want verdict.Code, left []int, limits ...grant.Bucket) {
	t.Helper()
	takenAt(t, s, when, want, left, limits...)
}

func takenAt(t *testing.T, s *store.Store, now time.Time, want verdict.Code, left []int, limits ...grant.Bucket) {
	t.Helper()
	err := s.Redeem(t.Context(), grant.Redemption{Takes: limits, Now: now})
	if want == "" && err != nil || want != "" && verdict.CodeOf(err) != want {
		t.Errorf("%v, want %q", err, want)
	}
	for i, n := range left {
		if limits[i].Left != n {
			t.Errorf("%+v, want %v left", limits, left)
		}
	}
}

// Where one bucket is empty nothing is taken from another.
func TestACallTakesFromEachBucketOrFromNone(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	a, b := limit("a", 2), limit("b", 1)
	taken(t, s, "", []int{2, 1}, a, b)
	taken(t, s, verdict.RuleRate, []int{1, 0}, a, b)
	taken(t, s, verdict.RuleRate, []int{1, 0}, a, b)
	taken(t, s, "", []int{1}, a)
	taken(t, s, verdict.RuleRate, []int{0}, a)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	taken(t, opened(t, path), verdict.RuleRate, []int{0}, a) // in another process, too
	takenAt(t, opened(t, path), when.Add(30*time.Minute), "", []int{1}, a)
	takenAt(t, opened(t, path), when.Add(-24*time.Hour), verdict.RuleRate, []int{0}, a) // a clock that was set back gives none
}

// A clock that goes ahead and back returns nothing to a bucket, also where calls take of another
// one meanwhile.
func TestAClockThatGoesAheadAndBackReturnsNothing(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string][]grant.Bucket{
		"another limit": {limit("b", 5)}, "the same limit": {limit("a", 2)}, "both": {limit("a", 2), limit("b", 5)},
	} {
		s, path := fresh(t)
		taken(t, s, "", []int{2}, limit("a", 2))
		taken(t, s, "", []int{1}, limit("a", 2))
		for _, ahead := range []time.Duration{time.Hour + time.Second, 24 * time.Hour, 10 * 365 * 24 * time.Hour} {
			takenAt(t, s, when.Add(ahead), "", nil, meanwhile...)
			takenAt(t, s, when, verdict.RuleRate, []int{0}, limit("a", 2))
			takenAt(t, opened(t, path), when, verdict.RuleRate, []int{0}, limit("a", 2))
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

func TestWithoutALimitNothingIsOpened(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	path := filepath.Join(t.TempDir(), "state.db")
	taken(t, store.Of(path, clock), "", nil)
	if _, err := os.Stat(path); err == nil {
		t.Error("a call without a limit makes a database")
	}
}

func TestAnAlteredBucketLetsNothingLeave(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	s, path := fresh(t)
	taken(t, s, "", []int{1}, limit("a", 1))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `UPDATE bucket SET full_at = full_at - 3600000000 + 3600000000 - 1`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	taken(t, opened(t, path), verdict.StateUnreadable, nil, limit("a", 1))
}

// takeAll takes as often as a bucket has something left, and prints how often.
func takeAll(s *store.Store, _ string) error {
	for n := 0; ; n++ {
		err := s.Redeem(bg, grant.Redemption{Takes: []grant.Bucket{limit("shared", 30)}, Now: when})
		if verdict.CodeOf(err) == verdict.RuleRate {
			fmt.Println(strings.Repeat("x", n))
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func TestProcessesTakeFromOneBucket(t *testing.T) {
	t.Parallel()
	_, path := fresh(t)
	outs := make(chan string)
	for range 6 {
		go func() {
			out, err := child(t, "take", path).Output()
			if err != nil {
				t.Error(err)
			}
			outs <- string(out)
		}()
	}
	calls := 0
	for range 6 {
		calls += strings.Count(<-outs, "x")
	}
	if calls != 30 {
		t.Errorf("%d calls left, want 30", calls)
	}
}

// A bucket that its index does not lead to is not a full one: nothing is written.
func TestALostBucketGivesNoCalls(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	s, path := fresh(t)
	taken(t, s, "", []int{1}, limit("a", 1))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	misspell(t, path, "sqlite_autoindex_bucket_1", "sha256:a")
	taken(t, opened(t, path), verdict.StateUnreadable, nil, limit("a", 1))
}
