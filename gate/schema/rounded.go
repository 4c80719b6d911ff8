package schema

import (
	"math/big"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Rounded finds a number that changes in a program that reads numbers as float64, as
// JavaScript does. That is an integer beyond 2^53, or any number that float64 writes
// as another one.
func Rounded(value jsontext.Value) (pointer, literal string, found bool) {
	for leaf := range Leaves(value) {
		if leaf.Kind == '0' && !leaf.Name && !asFloat(leaf.Text) {
			return leaf.Pointer(), leaf.Text, true
		}
	}
	return "", "", false
}

// asFloat reports whether a number stays the same as a float64.
func asFloat(literal string) bool {
	is, ok := new(big.Rat).SetString(literal)
	f, err := strconv.ParseFloat(literal, 64)
	if !ok || err != nil {
		return false
	}
	if is.IsInt() {
		return new(big.Int).Abs(is.Num()).Cmp(big.NewInt(1<<53)) <= 0
	}
	after, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	return ok && is.Cmp(after) == 0
}
