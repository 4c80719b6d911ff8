package planner

import (
	"math/big"
	"strings"
)

// Usage is the endpoint's own count of tokens; zero where it gave none.
type Usage struct {
	Input  int    `json:"input_tokens"`
	Output int    `json:"output_tokens"`
	Cost   string `json:"cost,omitempty"` // as reported, a decimal without an exponent; "" where it was not
}

// Plus adds up two exchanges. The sum's cost is exact, and is there only where
// both are: half a price reads as a whole one.
func (u Usage) Plus(more Usage) Usage {
	return Usage{u.Input + more.Input, u.Output + more.Output, plus(u.Cost, more.Cost)}
}

func plus(a, b string) string {
	x, readA := new(big.Rat).SetString(a)
	y, readB := new(big.Rat).SetString(b)
	if !readA || !readB {
		return ""
	}
	return x.Add(x, y).FloatString(max(places(a), places(b)))
}

// places is how many digits stand behind the point.
func places(decimal string) int {
	_, behind, _ := strings.Cut(decimal, ".")
	return len(behind)
}

// Took is what the replies took together.
func Took(replies []Reply) Usage {
	var u Usage
	for i, r := range replies {
		if i == 0 {
			u = r.Usage
		} else {
			u = u.Plus(r.Usage)
		}
	}
	return u
}
