package planner_test

import (
	"math"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/planner"
)

func TestCostsAddUpExactlyOrNotAtAll(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		costs []string
		want  string
	}{
		{nil, ""},
		{[]string{""}, ""},
		{[]string{"0.10"}, "0.10"},
		{[]string{"0.1", "0.2"}, "0.3"}, // 0.30000000000000004 to a float
		{[]string{"0.000015", "1"}, "1.000015"},
		{[]string{"0.00", "0"}, "0.00"},
		{[]string{"9007199254740993", "0.0000000001"}, "9007199254740993.0000000001"},
		{[]string{"0.1", ""}, ""},
		{[]string{"", "0.1"}, ""},
		{[]string{"0.1", "", "0.1"}, ""},
		{[]string{"0.1", "much"}, ""},
		{[]string{"0.1", "1/3"}, ""}, // which big.Rat would read, as some below
		{[]string{"0.1", "0x10"}, ""},
		{[]string{"0.1", "-1"}, ""},
		{[]string{"0.1", "1e3"}, ""},
		{[]string{"0.1", ".5"}, ""},
		{[]string{"0.1", "5."}, ""},
		{[]string{"0.1", "1.2.3"}, ""},
		{[]string{"0.1", strings.Repeat("9", 257)}, ""},
	} {
		var replies []planner.Reply
		for _, c := range row.costs {
			replies = append(replies, planner.Reply{Usage: planner.Usage{Input: 2, Output: 1, Cost: c}})
		}
		got := planner.Took(replies)
		if got != (planner.Usage{Input: 2 * len(replies), Output: len(replies), Cost: row.want}) {
			t.Errorf("%s: %+v, want cost %q", strings.Join(row.costs, " + "), got, row.want)
		}
	}
}

func TestCountsNeverAddUpToLess(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ a, b, want int }{
		{0, 0, 0},
		{2, 3, 5},
		{math.MaxInt, 0, math.MaxInt},
		{math.MaxInt, 1, math.MaxInt},
		{math.MaxInt, math.MaxInt, math.MaxInt},
		{-5, 3, 3},
		{math.MinInt, -1, 0},
	} {
		for _, sum := range []planner.Usage{
			planner.Usage{Input: row.a, Output: row.b}.Plus(planner.Usage{Input: row.b, Output: row.a}),
			planner.Took([]planner.Reply{{Usage: planner.Usage{Input: row.a, Output: row.a}}, {Usage: planner.Usage{Input: row.b, Output: row.b}}}),
		} {
			if sum != (planner.Usage{Input: row.want, Output: row.want}) {
				t.Errorf("%d and %d: %+v, want %d", row.a, row.b, sum, row.want)
			}
		}
	}
}
