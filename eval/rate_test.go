package eval_test

import (
	"math"
	"testing"

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
