package eval

import "strings"

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
