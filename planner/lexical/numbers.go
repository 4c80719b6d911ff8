package lexical

import (
	"math/big"
	"strings"
)

// number is a number that a text states, exactly: no float comes between the
// question's digits and the argument's.
type number struct {
	rat     *big.Rat
	unit    string // as written, folded
	percent bool
	digits  bool // digits alone, so that it may be the number of something
}

var numberForm = pattern(`^([-+−]?)([$€£¥#]?)(\d{1,30}(?:,\d{3})*|)(\.\d{1,30})?(st|nd|rd|th|%|k|[a-z°/^23]{1,5}|-[a-z]{3,12})?$`)

// numberAt reads the number at word i and says how many words it takes, its
// unit included.
func (t text) numberAt(i int) (n number, used int, ok bool) {
	w := t.words[i]
	next := t.low(i + 1)
	if v, word := numberWords[w.low]; word && next != "one" && numberWords[next] == 0 { // "twenty one" is asked about
		n, used, ok = number{rat: big.NewRat(v, 1)}, 1, true
	} else if n, ok = parseNumber(w.low); ok {
		used = 1
	}
	if !ok {
		return number{}, 0, false
	}
	if next = t.low(i + used); t.follows(i+used) && n.unit == "" && units()[next].kind != "" {
		n.percent = n.percent || next == "percent"
		n.unit = next
		used++
	}
	return n, used, true
}

// follows reports whether word i goes on from the one before.
func (t text) follows(i int) bool { return i < len(t.words) && t.joined(i) }

func parseNumber(word string) (number, bool) {
	if !strings.ContainsAny(word, "0123456789") {
		return number{}, false
	}
	m := numberForm().FindStringSubmatch(word)
	if m == nil || m[3] == "" && m[4] == "" {
		return number{}, false
	}
	literal := strings.ReplaceAll(m[3], ",", "") + m[4]
	rat, ok := new(big.Rat).SetString(literal)
	if !ok {
		return number{}, false
	}
	if m[1] == "-" || m[1] == "−" {
		rat.Neg(rat)
	}
	n := number{rat: rat, digits: m[3] == word || m[2] == "#" && m[1] == "", percent: m[5] == "%"}
	switch s := strings.TrimPrefix(m[5], "-"); {
	case s == "st" || s == "nd" || s == "rd" || s == "th" || s == "%" || s == "":
	case s == m[5] && units()[s].kind == "": // 7a9f2b and 4x are identifiers
		return number{}, false
	default:
		n.unit = s
	}
	if m[2] != "" && m[2] != "#" {
		n.unit = "dollars"
	}
	return n, true
}

// literal is the JSON number that n becomes in the slot, if it can be one.
func (n number) literal(s *slot) (string, bool) {
	r := n.rat
	if n.percent && s.kind == "number" && !strings.Contains(s.hint, "percent") && !strings.Contains(s.label, "percent") {
		r = new(big.Rat).Quo(r, big.NewRat(100, 1))
	}
	if s.kind == "integer" && !r.IsInt() {
		return "", false
	}
	f, _ := r.Float64()
	if s.min != nil && f < *s.min || s.max != nil && f > *s.max || s.otherUnit(n.unit) {
		return "", false
	}
	literal := decimal(r)
	return literal, literal != "" && len(literal) <= 60
}

// otherUnit reports whether the slot asks for another unit of the same kind:
// nothing is converted here.
func (s *slot) otherUnit(said string) bool {
	got, want := units()[said], units()[s.unit]
	return got.kind == want.kind && got.kind != "" && got.kind != "other" && got.name != want.name
}

// decimal writes r with all its digits, or "" where it has no end.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	const places = 40
	s := strings.TrimRight(r.FloatString(places), "0")
	if back, ok := new(big.Rat).SetString(s); !ok || back.Cmp(r) != 0 {
		return ""
	}
	return s
}
