package eval_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval"
)

type facts = map[string]int

// short is a figure in one line.
func short(figures []eval.Figure) []string {
	list := []string{}
	for _, f := range figures {
		list = append(list, f.Agent+"|"+f.Group+"|"+f.Half+"|"+f.Name+" "+f.Rate.Counted()[:len("0 of 0")])
	}
	return list
}

func TestARateIsOfTheRowsThatHaveTheFact(t *testing.T) {
	t.Parallel()
	rows := []eval.Row{
		{Group: "a", Facts: facts{"x": 1, "y": 0}},
		{Group: "a", Facts: facts{"x": 7}},
		{Group: "a", Facts: facts{"x": 0, "unmeasured": 1}},
		{Group: "b", Facts: facts{"y": 0}},
		{Group: "b", Facts: nil},
	}
	measures := []eval.Measure{{Name: "x", Title: "X", Better: eval.Lower}, {Name: "y", Title: "Y"}, {Name: "z", Title: "Z"}}
	got := eval.Tally(rows, measures)
	want := []string{"|||x 2 of 3", "|||y 0 of 2", "|a||x 2 of 3", "|a||y 0 of 1", "|b||y 0 of 1"}
	if diff := cmp.Diff(want, short(got)); diff != "" {
		t.Error(diff)
	}
	if f := got[0]; f.Sum != 8 || f.Title != "X" || f.Better != eval.Lower {
		t.Errorf("%+v", f)
	}
}

func TestFiguresAreGivenByAgentGroupAndHalf(t *testing.T) {
	t.Parallel()
	rows := []eval.Row{
		{Agent: "q", Group: "b", Half: "2", Facts: facts{"x": 1}},
		{Agent: "p", Group: "b", Half: "2", Facts: facts{"x": 0}},
		{Agent: "q", Group: "a", Half: "1", Facts: facts{"x": 0}},
		{Agent: "p", Group: "b", Half: "1", Facts: facts{"x": 1}},
	}
	want := []string{
		"q|||x 1 of 2", "q||1|x 0 of 1", "q||2|x 1 of 1",
		"q|b||x 1 of 1", "q|b|2|x 1 of 1",
		"q|a||x 0 of 1", "q|a|1|x 0 of 1",
		"p|b||x 1 of 2", "p|b|1|x 1 of 1", "p|b|2|x 0 of 1", // of one group, which is all
	}
	if diff := cmp.Diff(want, short(eval.Tally(rows, []eval.Measure{{Name: "x"}}))); diff != "" {
		t.Error(diff)
	}
}

// Rows of no half count in both of all, and make no half of their own.
func TestRowsOfNoHalfAreInTheWholeOnly(t *testing.T) {
	t.Parallel()
	rows := []eval.Row{{Group: "a", Facts: facts{"x": 1}}, {Group: "a", Half: "1", Facts: facts{"x": 0}}}
	want := []string{"|a||x 1 of 2", "|a|1|x 0 of 1"}
	if diff := cmp.Diff(want, short(eval.Tally(rows, []eval.Measure{{Name: "x"}}))); diff != "" {
		t.Error(diff)
	}
	if got := eval.Tally(nil, []eval.Measure{{Name: "x"}}); got == nil || len(got) > 0 {
		t.Errorf("figures of nothing: %+v", got)
	}
}

func TestReasonsAreCountedTheCommonestFirst(t *testing.T) {
	t.Parallel()
	var rows []eval.Row
	for _, r := range []string{"a1 g1 x", "a1 g1 y", "a1 g1 y", "a1 g2 x", "a0 g1 z", "a1 g1 w", "a1 g1 "} {
		rows = append(rows, eval.Row{Agent: r[:2], Group: r[3:5], Observed: r[6:]})
	}
	want := []eval.Reason{
		{Agent: "a0", Group: "g1", Code: "z", Count: 1},
		{Agent: "a1", Group: "g1", Code: "y", Count: 2},
		{Agent: "a1", Group: "g1", Code: "w", Count: 1},
		{Agent: "a1", Group: "g1", Code: "x", Count: 1},
		{Agent: "a1", Group: "g2", Code: "x", Count: 1},
	}
	if diff := cmp.Diff(want, eval.Tallied(rows, func(r eval.Row) string { return r.Observed })); diff != "" {
		t.Error(diff)
	}
}

// The intervals are those of R. G. Newcombe, Statistics in Medicine 17 (1998),
// 857-872, table I, method 3.
func TestIntervalsAreWilsons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hits, of  int
		low, high float64
	}{{81, 263, .2553, .3662}, {15, 148, .0624, .1605}, {0, 20, 0, .1611}, {1, 29, .0061, .1718}} {
		r, all := eval.NewRate(c.hits, c.of), eval.NewRate(c.of-c.hits, c.of)
		if math.Abs(r.Low-c.low) > 5e-5 || math.Abs(r.High-c.high) > 5e-5 || r.Rate != float64(c.hits)/float64(c.of) {
			t.Errorf("%d of %d: %+v", c.hits, c.of, r)
		}
		if math.Abs(1-all.High-r.Low) > 1e-12 || math.Abs(1-all.Low-r.High) > 1e-12 {
			t.Errorf("%d of %d: what is left is %+v", c.hits, c.of, all)
		}
	}
	if eval.NewRate(0, 0) != nil || eval.NewRate(1, -1) != nil || (*eval.Rate)(nil).String() != "-" || (*eval.Rate)(nil).Counted() != "-" {
		t.Error("nothing of nothing has a rate")
	}
}
