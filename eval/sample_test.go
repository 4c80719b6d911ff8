package eval_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/eval"
)

func TestASampleIsSpreadOverTheCasesAndTheSameEveryTime(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][]string{
		1:   {"case-0"},
		4:   {"case-0", "case-2", "case-5", "case-7"},
		9:   {"case-0", "case-1", "case-2", "case-3", "case-4", "case-5", "case-6", "case-7", "case-8"},
		10:  suite(10, nil).IDs,
		100: suite(10, nil).IDs,
	} {
		whole := suite(10, nil)
		s := whole.Sample(n)
		_, r, err := run(t, t.Context(), s, eval.Options{Jobs: 2})
		if err != nil || !slices.Equal(s.IDs, want) || r.Cases != len(want) || len(r.Reasons) == 0 {
			t.Fatalf("%d: %v, %v: %+v", n, err, s.IDs, r)
		}
		for i, row := range r.Rows {
			if row.ID != want[i/2] || row.Passed != strings.ContainsAny(want[i/2], "02468") {
				t.Errorf("%d: the row %d is of %s, and passed: %v", n, i, row.ID, row.Passed)
			}
		}
		if (s.Digest == whole.Digest) != (n >= 10) || (len(r.Notes) == 0) != (n >= 10) {
			t.Errorf("%d: digest %s, notes %q", n, s.Digest, r.Notes)
		}
	}
}

func TestAStopwatchGivesMedianAndTailOfEachAgent(t *testing.T) {
	t.Parallel()
	var w eval.Stopwatch
	if got := w.Latencies(); got != nil {
		t.Error(got)
	}
	for i := range 200 {
		w.Took("slow", time.Duration(200-i)*time.Second)
	}
	w.Took("quick", time.Millisecond)
	want := []eval.Latency{{Agent: "slow", P50: 100_000, P99: 198_000}, {Agent: "quick", P50: 1, P99: 1}}
	if got := w.Latencies(); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
