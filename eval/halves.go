package eval

import (
	"crypto/sha256"
	"strings"
)

// The halves of a file whose rows are numbered: those whose id ends in a
// number with even tens (3, 127, 40) and those with odd tens. The embedded
// planner's rules were written with the even half of cases/planner.jsonl in
// sight.
const (
	EvenTens = "even tens"
	OddTens  = "odd tens"
)

// TensHalf is the half that an id belongs to, or "" where it ends in no number.
func TensHalf(id string) string {
	digits := id[len(strings.TrimRight(id, "0123456789")):]
	switch {
	case digits == "":
		return ""
	case len(digits) > 1 && (digits[len(digits)-2]-'0')%2 == 1:
		return OddTens
	}
	return EvenTens
}

// The halves of a file that are parted by a hash. Whoever writes rules or
// word lists reads the first only, and believes the figures of the second; so
// the input rules and the evidence lock were written.
const (
	Tuning  = "tuning"
	HeldOut = "held out"
)

// HashHalf is the half of what hashes to an even or an odd first byte.
func HashHalf(key string) string {
	if sha256.Sum256([]byte(key))[0]%2 == 0 {
		return Tuning
	}
	return HeldOut
}
