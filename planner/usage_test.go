package planner_test

import (
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
