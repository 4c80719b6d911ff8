package eval

import (
	"fmt"
	"math"
)

// Rate is how many of how many, with its 95 % Wilson score interval (E. B.
// Wilson, JASA 22, 1927). Shares are between 0 and 1.
type Rate struct {
	Hits int     `json:"hits"`
	Of   int     `json:"of"`
	Rate float64 `json:"rate"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// NewRate makes the rate of hits, or nil for nothing of nothing: no rows are
// no figure, neither 0 % nor 100 %.
func NewRate(hits, of int) *Rate {
	if of <= 0 {
		return nil
	}
	const z = 1.959964 // the standard normal's 97.5 % point
	p, n := float64(hits)/float64(of), float64(of)
	mid := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return &Rate{hits, of, p, min(p, max(0, mid-half)), max(p, min(1, mid+half))} // rounding may pass p where it is 0 or 1
}

// String is the rate in per cent with its interval, or a dash for none.
func (r *Rate) String() string {
	if r == nil {
		return "-"
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
