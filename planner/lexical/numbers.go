package lexical

import (
	"math/big"
	"strings"
	"unicode"
)

// number is a number that a text states, exactly: no float stands between
// the question's digits and the argument's.
type number struct {
	rat     *big.Rat
	unit    unit
	percent bool
	money   bool
	ordinal bool // 19th
	spelled bool // five
	plain   bool // digits only: no sign, point, unit or grouping
	literal string
}

var numberForm = pattern(`^([-+−]?)([$€£¥]?)([-+−]?)(\d{1,30}(?:,\d{3})*|)(\.\d{1,30})?(?:e([-+]?\d{1,2}))?(st|nd|rd|th)?([\p{L}°μ/²³%^0-9]*)$`)

// numberAt reads the number that begins at token i and says how many tokens
// it takes, its unit included; 5 ft 10 in is one number.
func (t text) numberAt(i int) (number, int, bool) {
	n, used, ok := t.quantity(i)
	if !ok || !n.unit.known() {
		return n, used, ok
	}
	if m, more, ok := t.quantity(i + used); ok && t.joined(i+used) && m.unit.dim == n.unit.dim && m.unit.factor.Cmp(n.unit.factor) < 0 {
		n.rat = new(big.Rat).Add(n.rat, m.in(n.unit))
		return n, used + more, true
	}
	return n, used, true
}

// quantity reads one number with its multiplier and its unit.
func (t text) quantity(i int) (n number, used int, ok bool) {
	if i >= len(t.toks) {
		return number{}, 0, false
	}
	if n, ok = parseNumber(t.toks[i].word); ok {
		used = 1
	} else if n, ok = compound(t.toks[i].word); ok {
		return n, 1, true
	} else if n, used, ok = t.spelled(i); !ok {
		return number{}, 0, false
	}
	if f, mul := multipliers[t.wordAt(i+used)]; mul && !n.percent {
		n.rat, n.plain = new(big.Rat).Mul(n.rat, big.NewRat(f, 1)), false
		used++
	}
	if next := t.wordAt(i + used + 1); next == "celsius" || next == "fahrenheit" {
		used++ // degrees
	}
	word := t.wordAt(i + used)
	switch u, unit := units()[word]; {
	case n.unit.known() && !n.money || n.percent:
	case word == "percent":
		n.percent = true
		used++
	case unit && word != "in" && word != "a" && word != "c":
		n.unit = u
		used++
	}
	return n, used, true
}

// wordAt is the word of token i where it goes on from the one before.
func (t text) wordAt(i int) string {
	if i < len(t.toks) && t.joined(i) {
		return t.toks[i].word
	}
	return ""
}

// joined reports whether only a space or a hyphen stands before token i.
func (t text) joined(i int) bool {
	g := t.gap(i)
	return g == "" || g == " " || g == "-" || g == "  "
}

func parseNumber(word string) (number, bool) {
	if !strings.ContainsAny(word, "0123456789") {
		return number{}, false
	}
	m := numberForm().FindStringSubmatch(word)
	if m == nil || m[4] == "" && m[5] == "" {
		return number{}, false
	}
	digits := strings.ReplaceAll(m[4], ",", "")
	lit := digits + m[5]
	if m[6] != "" {
		lit += "e" + m[6]
	}
	rat, ok := new(big.Rat).SetString(strings.TrimSuffix(lit, "."))
	if !ok {
		return number{}, false
	}
	if m[1] == "-" || m[3] == "-" || m[1] == "−" || m[3] == "−" {
		rat.Neg(rat)
	}
	n := number{rat: rat, money: m[2] != "", ordinal: m[7] != "", literal: lit}
	n.plain = digits == word
	if !n.suffix(m[8]) {
		return number{}, false
	}
	return n, true
}

// compound reads the number of "4-day", "20-sided" and "two-bedroom".
func compound(word string) (number, bool) {
	head, tail, ok := strings.Cut(word, "-")
	if !ok || len(tail) < 3 || strings.ContainsFunc(tail, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' }) {
		return number{}, false
	}
	n, ok := parseNumber(head)
	if v, word := numberWords[head]; word {
		n, ok = number{rat: big.NewRat(v, 1)}, true
	}
	if u, known := units()[tail]; ok && known {
		n.unit = u
	}
	n.plain = false
	return n, ok
}

// suffix reads what is written against a number: 70kg, 5%, 4k.
func (n *number) suffix(s string) bool {
	switch {
	case s == "":
		if n.money {
			n.unit = units()["$"]
		}
		return true
	case s == "%":
		n.percent = true
		return true
	case (s == "k" || s == "m") && n.money:
		n.rat.Mul(n.rat, big.NewRat(map[string]int64{"k": 1e3, "m": 1e6}[s], 1))
		return true
	}
	if u, ok := units()[s]; ok {
		n.unit = u
		return true
	}
	// A unit that is not known is one all the same: 100N, 60mph, 9.8m/s^2.
	// What holds a digit elsewhere is an identifier.
	return unknownUnit().MatchString(s)
}

var unknownUnit = pattern(`^[\p{L}°]{1,5}(?:/\p{L}{1,4})?(?:\^[23])?$|^(?:[ckm]?m|ft|in|s|\p{L}{1,3}/\p{L}{1,2})[23]$|^/\d+$`)

// spanning words lead to how long something lasts: for an hour.
var spanning = set("for in within after")

// spelled reads "five", "twenty five", "a million", "decade".
func (t text) spelled(i int) (number, int, bool) {
	var total int64
	used := 0
	for ; i+used < len(t.toks) && used < 2; used++ {
		v, ok := numberWords[t.toks[i+used].word]
		if !ok || used > 0 && (!t.joined(i+used) || total < 20 || total%10 != 0 || v > 9) {
			break
		}
		total += v
	}
	if used == 0 {
		if m, ok := multipliers[t.toks[i].word]; ok && i > 0 && t.toks[i-1].word == "a" {
			return number{rat: big.NewRat(m, 1)}, 1, true
		}
		if u, ok := units()[t.wordAt(i+1)]; ok && (t.toks[i].word == "an" || t.toks[i].word == "a") && i > 0 && spanning()[t.toks[i-1].word] {
			return number{rat: big.NewRat(1, 1), unit: u}, 2, true
		}
		if w := t.toks[i].word; w == "decade" || w == "century" {
			return number{rat: big.NewRat(1, 1), unit: units()[w]}, 1, true
		}
		return number{}, 0, false
	}
	return number{rat: big.NewRat(total, 1), spelled: true}, used, true
}

// in is the number in the unit that a slot asks for.
func (n number) in(u unit) *big.Rat {
	if !u.known() || !n.unit.known() || u.dim != n.unit.dim {
		return n.rat
	}
	return new(big.Rat).Quo(new(big.Rat).Mul(n.rat, n.unit.factor), u.factor)
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

// number is the literal that n becomes in the slot, if it can be one.
func (s *slot) number(n number) (string, bool) {
	r := n.in(s.unit)
	if n.percent && s.kind == "number" && !s.wants.percentage {
		r = new(big.Rat).Quo(r, big.NewRat(100, 1))
	}
	if s.kind == "integer" && !r.IsInt() {
		return "", false
	}
	f, _ := r.Float64()
	if s.min != nil && f < *s.min || s.max != nil && f > *s.max {
		return "", false
	}
	lit := decimal(r)
	return lit, lit != "" && len(lit) <= 60
}
