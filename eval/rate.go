package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Rate is how many of how many. Shares are between 0 and 1.
type Rate struct {
	Hits int     `json:"hits"`
	Of   int     `json:"of"`
	Rate float64 `json:"rate"`
	// Interval is nil for cases that were chosen by hand: they are not a sample of
	// anything, so what they would have been by chance is undefined.
	*Interval `json:",embed"`
}

// Interval is a 95 % confidence interval: Wilson's score interval of the rows
// (JASA 22, 1927), or, where rows repeat one another, that of a bootstrap which
// draws whole clusters (Efron and Tibshirani, An Introduction to the Bootstrap,
// 1993, chapters 8 and 13).
type Interval struct {
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Clusters int     `json:"clusters,omitzero"` // 0: every row is one of its own
}

// NewRate makes the rate of hits with Wilson's interval, or nil for nothing of
// nothing: no rows are no figure, neither 0 % nor 100 %.
func NewRate(hits, of int) *Rate {
	if of <= 0 {
		return nil
	}
	r := Rate{Hits: hits, Of: of, Rate: float64(hits) / float64(of)}
	r.Interval = wilson(r.Rate, float64(of))
	return &r
}

func wilson(p, n float64) *Interval {
	const z = 1.959964 // the standard normal's 97.5 % point
	mid := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return &Interval{Low: min(p, max(0, mid-half)), High: max(p, min(1, mid+half))} // rounding may pass p where it is 0 or 1
}

// cluster counts the rows of one cluster: those of one instruction, of one text.
type cluster struct{ hits, of int }

const (
	draws     = 2000
	drawsSeed = 20 // the same figures give the same interval
)

// clustered makes the rate of the rows of all clusters together. Where all
// rows agree a bootstrap draws the same from everything, and its interval would
// be a point: Wilson's of as many rows as there are clusters stands in.
func clustered(of []cluster) *Rate {
	all := cluster{}
	for _, c := range of {
		all.hits, all.of = all.hits+c.hits, all.of+c.of
	}
	r := NewRate(all.hits, all.of)
	if r == nil || len(of) == all.of {
		return r
	}
	if r.Interval = wilson(r.Rate, float64(len(of))); all.hits > 0 && all.hits < all.of {
		random := rand.New(rand.NewPCG(drawsSeed, 0)) //nolint:gosec // draws that repeat, not a secret
		shares := make([]float64, draws)
		for i := range shares {
			drawn := cluster{}
			for range of {
				c := of[random.IntN(len(of))]
				drawn.hits, drawn.of = drawn.hits+c.hits, drawn.of+c.of
			}
			shares[i] = float64(drawn.hits) / float64(drawn.of)
		}
		slices.Sort(shares)
		r.Low, r.High = min(r.Rate, shares[draws/40]), max(r.Rate, shares[draws-1-draws/40])
	}
	r.Clusters = len(of)
	return r
}

// recount makes a rate that was read the one of its counts. The interval of
// clusters cannot be made from them: it is kept if it holds the rate.
func (r *Rate) recount() {
	kept, counted := r.Interval, NewRate(r.Hits, r.Of)
	*r = *counted
	switch {
	case kept == nil:
		r.Interval = nil
	case kept.Clusters > 0 && 0 <= kept.Low && kept.Low <= r.Rate && r.Rate <= kept.High && kept.High <= 1:
		r.Interval = kept
	}
}

// String is the rate in per cent with its interval, or a dash for none.
func (r *Rate) String() string {
	switch {
	case r == nil:
		return "-"
	case r.Interval == nil:
		return fmt.Sprintf("%.1f %%", 100*r.Rate)
	}
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*r.Rate, 100*r.Low, 100*r.High)
}

// Counted is the rate with what it is of: "3 of 40 = 7.5 % [2.6, 19.9]".
func (r *Rate) Counted() string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%d of %d = %s", r.Hits, r.Of, r)
}
