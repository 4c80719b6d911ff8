package eval_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval"
)

func TestRatesCarryWilsonIntervals(t *testing.T) {
	t.Parallel()
	if eval.NewRate(0, 0) != nil || eval.NewRate(0, 0).String() != "-" {
		t.Error("nothing of nothing is a rate")
	}
	// The values of Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
	for _, c := range []struct {
		hits, of  int
		low, high float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, {29, 29, 0.8830, 1}} {
		r := eval.NewRate(c.hits, c.of)
		if math.Abs(r.Low-c.low) > 5e-5 || math.Abs(r.High-c.high) > 5e-5 || r.Low > r.Rate || r.High < r.Rate {
			t.Errorf("%+v, want [%v, %v]", *r, c.low, c.high)
		}
	}
	if got := eval.NewRate(81, 263).String(); got != "30.8 % [25.5, 36.6]" {
		t.Error(got)
	}
}

func TestRowsOfOneClusterCountTogether(t *testing.T) {
	t.Parallel()
	rows := func(of ...string) (rows []eval.Row) {
		for _, cluster := range of { // "a1": a hit of cluster a
			row := eval.Row{Cluster: strings.TrimRight(cluster, "01"), Facts: map[string]int{"x": int(cluster[len(cluster)-1] - '0')}}
			rows = append(rows, row)
		}
		return rows
	}
	of := func(r []eval.Row) *eval.Rate {
		return eval.Tally(r, []eval.Measure{{Name: "x", Better: eval.Lower}})[0].Rate
	}
	// Two clusters that agree within themselves: either may be drawn twice.
	split := of(rows("a1", "a1", "a1", "a1", "b0", "b0", "b0", "b0"))
	if diff := cmp.Diff(&eval.Rate{Hits: 4, Of: 8, Rate: 0.5, Interval: &eval.Interval{Low: 0, High: 1, Clusters: 2}}, split); diff != "" {
		t.Error(diff)
	}
	// The same rows each on its own are as much as their number.
	if diff := cmp.Diff(eval.NewRate(4, 8), of(rows("1", "1", "1", "1", "0", "0", "0", "0"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(eval.NewRate(1, 2), of(rows("a1", "b0"))); diff != "" {
		t.Error(diff)
	}
	// Where all agree there is as much to go by as there are clusters.
	none := of(rows("a0", "a0", "a0", "b0", "b0", "b0"))
	if want := eval.NewRate(0, 2).High; none.High != want || none.Clusters != 2 {
		t.Errorf("%v of %d clusters, want a bound of %v", none, none.Clusters, want)
	}
	if twice := of(rows("a1", "a0", "b0", "c0", "c1", "c0")); !cmp.Equal(twice, of(rows("a1", "a0", "b0", "c0", "c1", "c0"))) || twice.Low > twice.Rate || twice.High < twice.Rate {
		t.Errorf("%v is not the same again, or not around the rate", twice)
	}
}

func TestChosenCasesHaveNoInterval(t *testing.T) {
	t.Parallel()
	s := eval.Suite{Measures: []eval.Measure{{Name: "x"}}, IDs: []string{"a", "b"}, Chosen: true}
	s.Observe = func(_ context.Context, i int) ([]eval.Row, error) {
		return []eval.Row{{ID: s.IDs[i], Facts: map[string]int{"x": i}}}, nil
	}
	r, err := s.Run(t.Context(), eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(eval.Data(r.Figures[0].Rate)); got != `{"hits":1,"of":2,"rate":0.5}` {
		t.Error(got)
	}
	if got := r.Figures[0].Rate.Counted(); got != "1 of 2 = 50.0 %" {
		t.Error(got)
	}
}
