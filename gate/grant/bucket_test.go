package grant_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/verdict"
)

// take takes calls at times, in seconds, and gives how many left.
func take(r grant.Rate, full time.Time, seconds ...int) (let int, _ time.Time) {
	for _, s := range seconds {
		left, then, _ := r.Take(full, began.Add(time.Duration(s)*time.Second))
		if full = then; left > 0 {
			let++
		}
	}
	return let, full
}

var began = time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)

func TestABucketIsFullAtFirstAndFillsStepByStep(t *testing.T) {
	t.Parallel()
	r := grant.Rate{Calls: 3, Seconds: 3600} // one every 20 minutes
	for _, c := range []struct {
		at   []int
		want int
	}{
		{[]int{0}, 1},
		{[]int{0, 0, 0}, 3},
		{[]int{0, 0, 0, 0, 1, 2, 1199}, 3},
		{[]int{0, 0, 0, 1200, 1200}, 4},
		{[]int{0, 0, 0, 2400, 2400, 2400}, 5},
		{[]int{0, 0, 0, 86400, 86400, 86400, 86400}, 6},
		{[]int{7200, 7200, 0, 0, 0}, 2}, // the clock was set back: none comes back
	} {
		if got, _ := take(r, time.Time{}, c.at...); got != c.want {
			t.Errorf("%v: %d calls left, want %d", c.at, got, c.want)
		}
	}
	_, full := take(r, time.Time{}, 0, 0, 0)
	if left, _, wait := r.Take(full, began.Add(5*time.Minute)); left != 0 || wait != 15*time.Minute {
		t.Errorf("%d left, the next in %s", left, wait)
	}
}

// In any window of the period, at most twice the calls leave: a full bucket, and the
// calls that come back meanwhile. The rest falls by one with each call.
func TestNoMoreLeaveThanTheRateSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := grant.Rate{Calls: rapid.IntRange(1, 50).Draw(t, "calls"), Seconds: rapid.SampledFrom([]int{60, 3600, 86400}).Draw(t, "seconds")}
		per := time.Duration(r.Seconds) * time.Second
		now, full, let := began, time.Time{}, 0
		for range 200 {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(per)/40).Draw(t, "later")))
			left, then, wait := r.Take(full, now)
			if left < 0 || left > r.Calls || (left == 0) != (wait > 0) || then.Before(full) {
				t.Fatalf("%d of %d left, wait %s", left, r.Calls, wait)
			}
			if full = then; left > 0 {
				let++
			}
		}
		if most := r.Calls + int(now.Sub(began)*time.Duration(r.Calls)/per) + 1; let > most {
			t.Fatalf("%d calls left in %s, at most %d may", let, now.Sub(began), most)
		}
	})
}

func TestAnEmptyBucketRefuses(t *testing.T) {
	t.Parallel()
	some := grant.Bucket{Rule: "policy.json:1", Rate: grant.Rate{Calls: 2, Seconds: 3600}, Left: 1}
	none := grant.Bucket{Rule: "policy.json:2", Rate: grant.Rate{Calls: 1, Seconds: 3600}, Wait: 90_000}
	if err := grant.Exhausted([]grant.Bucket{some}); err != nil {
		t.Error(err)
	}
	if err := grant.Exhausted(nil); err != nil {
		t.Error(err)
	}
	no, _ := verdict.First(grant.Exhausted([]grant.Bucket{some, none}))
	if no == nil || no.Code != verdict.RuleRate || !slices.Contains(no.Rules, "policy.json:2") || !strings.Contains(no.Hint, "1m30s") {
		t.Errorf("%+v", no)
	}
}
