package planner

import (
	"math"
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
// both are: half a price reads as a whole one. Counts that no endpoint can mean
// add up to the largest number, and never to one below zero.
func (u Usage) Plus(more Usage) Usage {
	return Usage{count(u.Input, more.Input), count(u.Output, more.Output), plus(u.Cost, more.Cost)}
}

func count(a, b int) int {
	a, b = max(0, a), max(0, b)
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func plus(a, b string) string {
	x, readA := decimal(a)
	y, readB := decimal(b)
	if !readA || !readB {
		return ""
	}
	return x.Add(x, y).FloatString(max(places(a), places(b)))
}

// decimal reads digits with or without a point. big.Rat itself takes fractions
// and hexadecimals too, and minutes for a megabyte of digits.
func decimal(text string) (*big.Rat, bool) {
	whole, behind, point := strings.Cut(text, ".")
	if !digits(whole) || point && !digits(behind) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func digits(s string) bool {
	return len(s) >= 1 && len(s) <= 256 && strings.Trim(s, "0123456789") == ""
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
