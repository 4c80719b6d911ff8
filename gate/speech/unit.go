package speech

import (
	_ "embed"
	"math/big"
	"strings"
	"sync"
)

// Unit is a unit of measure. A value in the base of its dimension is (v+offset)*factor.
type Unit struct {
	Dimension, Name string // the name is the first of its words
	Loose           bool   // two readings: a kB is 1000 or 1024 bytes

	factor, offset *big.Rat
}

// A line of the table is a dimension and its units. A unit is a factor, an optional offset,
// "~" if it is loose, and its words.
//
//go:embed units.txt
var unitTable string

var units = sync.OnceValue(func() map[string][]Unit {
	all := map[string][]Unit{}
	for line := range strings.Lines(unitTable) {
		dimension, rest, _ := strings.Cut(line, "|")
		for one := range strings.SplitSeq(rest, "|") {
			words := strings.Fields(one)
			scale, loose := strings.CutSuffix(words[0], "~")
			factor, offset, _ := strings.Cut(scale, "+")
			u := Unit{Dimension: dimension, Name: words[1], Loose: loose, factor: ratio(factor), offset: ratio("0" + offset)}
			for _, w := range words[1:] {
				all[w] = append(all[w], u)
			}
		}
	}
	return all
})

func ratio(s string) *big.Rat {
	r, _ := new(big.Rat).SetString(s)
	return r
}

// Units are the units that a word in lower case means, one in each dimension.
func Units(word string) []Unit { return units()[word] }

// To converts a value into another unit of its dimension.
func (u Unit) To(v *big.Rat, into Unit) *big.Rat {
	base := new(big.Rat).Mul(new(big.Rat).Add(v, u.offset), u.factor)
	return base.Sub(base.Quo(base, into.factor), into.offset)
}

// Rounds reports whether people round converted values of this dimension.
func (u Unit) Rounds() bool {
	switch u.Dimension {
	case "length", "mass", "volume", "speed", "temperature":
		return true
	}
	return false
}
