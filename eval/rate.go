package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Rate is a share of hits, between 0 and 1, with its counts.
type Rate struct {
	Hits int     `json:"hits"`
	Of   int     `json:"of"`
	Rate float64 `json:"rate"`
	// Interval is nil for hand-picked cases. They are not a sample, so chance is not
	// defined for them.
	*Interval `json:",embed"`
}

// Interval is a 95 % confidence interval. It is Wilson's score interval of the rows
// (JASA 22, 1927). If rows repeat one another, it is the interval of a bootstrap that
// draws whole clusters (Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
// chapters 8 and 13).
type Interval struct {
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Clusters int     `json:"clusters,omitzero"` // 0: every row is a separate cluster
}

// NewRate returns the rate of hits with Wilson's interval, or nil without rows. No
// rows give no figure, neither 0 % nor 100 %.
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
	return &Interval{Low: min(p, max(0, mid-half)), High: max(p, min(1, mid+half))} // rounding may pass 0 or 1
}

// cluster counts the rows of one cluster, such as those of one instruction or one
// text.
type cluster struct{ hits, of int }

const (
	draws     = 2000
	drawsSeed = 20 // the same figures give the same interval
)

// clustered returns the rate of the rows of all clusters together. If all rows agree,
// every draw of a bootstrap is the same, and its interval would be a point. Then it
// uses Wilson's interval, with the number of clusters as the number of rows.
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

// recount computes a rate that was read again from its counts. The interval of
// clusters cannot be computed from them: it is kept if it contains the rate.
func (r *Rate) recount() {
	stated, counted := r.Interval, NewRate(r.Hits, r.Of)
	*r = *counted
	if stated == nil || stated.Clusters > 0 && stated.contains(r.Rate) {
		r.Interval = stated
	}
}

// contains reports whether a rate is in the interval, which is a part of 0 to 1.
func (i *Interval) contains(rate float64) bool {
	return slices.IsSorted([]float64{0, i.Low, rate, i.High, 1})
}

// String returns the rate in per cent with its interval, or a dash for nil.
func (r *Rate) String() string {
	switch {
	case r == nil:
		return "-"
	case r.Interval == nil:
		return fmt.Sprintf("%.1f %%", 100*r.Rate)
	}
	return fmt.Sprintf("%.1f %% [%.1f, %.1f]", 100*r.Rate, 100*r.Low, 100*r.High)
}

// Counted returns the rate with its counts: "3 of 40 = 7.5 % [2.6, 19.9]".
func (r *Rate) Counted() string {
	if r == nil {
		return "-"
	}
	return fmt.Sprintf("%d of %d = %s", r.Hits, r.Of, r)
}
