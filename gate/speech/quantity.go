package speech

import (
	"cmp"
	"math/big"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// Quantity is a number in a text, with its magnitude and unit.
type Quantity struct {
	First, Last int    // tokens
	Raw, Value  Number // without and with the magnitude and a half
	How         string // how the value is written, "" for plain digits
	Units       []Unit
	Percent     bool
	Added       *big.Rat // the value of a smaller unit behind it, in the base of the dimension
	Implied     bool     // only its unit gives it: the last week
}

// How a value is written if it is more than plain digits.
const (
	Respelled  = "number"      // with marks between thousands, or as an ordinal
	InWords    = "number word" //
	Magnified  = "magnitude"   //
	Percentage = "percentage"  //
	InUnit     = "unit"        // by its unit
)

// twofold numbers mean thousands to some readers and a fraction to others.
var twofold = lex.Pattern(`^[-+−]?[1-9]\d{0,2}(?:\.\d{3})+$`)

// Quantities are the numbers in a text. They are read once.
func (t *Text) Quantities() []Quantity {
	for i := 0; !t.read.quantities && i < len(t.Tokens); {
		q, said := t.quantity(i)
		if i++; said {
			t.quantities, i = append(t.quantities, q), q.Last+1
		}
	}
	t.read.quantities = true
	return t.quantities
}

// quantity reads the number at token i.
func (t *Text) quantity(i int) (q Quantity, said bool) {
	if low := t.Low(i); low == "minus" || low == "negative" {
		return t.negative(i)
	}
	q.First, q.Last = i, i
	word := t.NFC[t.Tokens[i].Start:t.Tokens[i].End]
	switch n := numeralOf(word); {
	case twofold().MatchString(word):
		return q, false
	case n.Is():
		q.digits(n)
	case !t.inWords(&q):
		return q, false
	}
	t.measure(&q)
	return q, true
}

// negative reads "minus 18", which is not "20 minus 18".
func (t *Text) negative(i int) (q Quantity, said bool) {
	subtracts := i > 0 && !t.Tokens[i-1].Quoted && Day(t.Word(i-1)) != ""
	if t.Behind(i+1) == "" || subtracts {
		return q, false
	}
	q, said = t.quantity(i + 1)
	if !said || q.Value.Digits == "" || q.Value.Negative {
		return q, false
	}
	q.First, q.Value.Negative, q.How = i, true, cmp.Or(q.How, InWords)
	return q, true
}

// digits reads a number with the sign or the unit at its end.
func (q *Quantity) digits(n numeral) {
	unit := strings.ToLower(n.unit)
	q.Raw, q.Percent, q.Units = n.Number, unit == "%", Units(unit)
	switch {
	case n.parted:
		q.How = Respelled
	case strings.Contains(unit, "/"):
		q.How = InUnit
	}
	e := magnitudes[unit]
	if n.unit == "M" { // of metres and minutes the letter is a small one
		e = 6
	}
	if q.Value = n.Scaled(e); e > 0 {
		q.How, q.Units = Magnified, nil
	}
}

// set sets the value and how it is written.
func (q *Quantity) set(value Number, how string) bool {
	q.Raw, q.Value, q.How = value, value, how
	return true
}

func whole(n int) Number { return Decimal(big.NewInt(int64(n)).String()) }

// inWords reads a number in words: "twenty five", "a dozen", "an hour", "2-hour".
func (t *Text) inWords(q *Quantity) bool {
	low, next := t.Low(q.First), t.Behind(q.First+1)
	switch low {
	case "a", "an":
		return t.article(q, next)
	case "half":
		return t.half(q, next)
	case "past", "last", "previous":
		return t.elapsed(q, next)
	case "quarter":
		return t.quarter(q)
	case "couple", "pair":
		return false
	case "one":
		if pointing()[t.Low(q.First-1)] {
			return false
		}
	}
	if head, tail, hyphened := strings.Cut(low, "-"); hyphened {
		return q.hyphened(head, tail)
	}
	if n := digit(low); n > 0 {
		return q.set(whole(n), Respelled)
	}
	n, said := numberWords()[low]
	if said {
		q.set(whole(t.compound(q, n)), InWords)
	}
	return said
}

// hyphened reads "2-hour" and "twenty-five".
func (q *Quantity) hyphened(head, tail string) bool {
	if u := Units(tail); len(u) > 0 && head != "" {
		if n := numeralOf(head); n.Is() {
			q.Units = u
			return q.set(n.Number, InUnit)
		}
	}
	tens, one := numberWords()[head], numberWords()[tail]
	return isTens(tens) && isDigit(one) && q.set(whole(tens+one), InWords)
}

func isTens(n int) bool { return n >= 20 && n < 100 }

func isDigit(n int) bool { return n > 0 && n < 10 }

// compound is the number of several words: twenty five, three hundred and fifty.
func (t *Text) compound(q *Quantity, n int) int {
	if one := numberWords()[t.Behind(q.Last+1)]; isTens(n) && isDigit(one) {
		q.Last, n = q.Last+1, n+one
	}
	if t.Behind(q.Last+1) != "hundred" || n >= 100 {
		return n
	}
	q.Last, n = q.Last+1, n*100
	at := q.Last + 1
	if t.Behind(at) == "and" {
		at++
	}
	if rest := numberWords()[t.Behind(at)]; rest > 0 && rest < 100 {
		q.Last, n = at, n+rest
	}
	return n
}

// elapsed reads "the last week", which is one week.
func (t *Text) elapsed(q *Quantity, unit string) bool {
	u := Units(unit)
	if len(u) == 0 || strings.HasSuffix(unit, "s") || t.Behind(q.First+2) == "of" {
		return false
	}
	if u[0].Dimension != "time" && u[0].Dimension != "months" {
		return false
	}
	q.Implied = true
	return q.set(whole(1), InUnit)
}

// quarter reads "quarter of an hour".
func (t *Text) quarter(q *Quantity) bool {
	if article := t.Behind(q.First + 2); article != "a" && article != "an" {
		return false
	}
	if t.Behind(q.First+1) != "of" || len(Units(t.Behind(q.First+3))) == 0 {
		return false
	}
	q.Last += 2
	return q.set(Decimal("0.25"), InUnit)
}

// article reads "a dozen", "a million" and "an hour".
func (t *Text) article(q *Quantity, next string) bool {
	n := numberWords()[next]
	switch {
	case next == "quarter" && t.Behind(q.Last+2) == "of":
		return false
	case magnitudes[next] > 0:
		n = 1
	case n >= 12, next == "couple", next == "pair":
		q.Last++
	case len(Units(next)) > 0:
		n = 1
	default:
		return false
	}
	return q.set(whole(n), InWords)
}

// half reads "half an hour", "half a million" and, for anything else, 50 per cent.
func (t *Text) half(q *Quantity, next string) bool {
	if next == "a" || next == "an" {
		q.Last, next = q.Last+1, t.Behind(q.First+2)
	}
	if !t.article(q, next) {
		q.Percent = next != "quarter"
		return q.Percent && q.set(whole(50), Percentage)
	}
	v := q.Value.Rational()
	q.Value = Decimal(v.Quo(v, big.NewRat(2, 1)).FloatString(1))
	return true
}

// measure reads the magnitude and the unit behind a number, or before it.
func (t *Text) measure(q *Quantity) {
	if len(q.Units) == 0 && !q.Percent && t.andHalf(q.Last+1) {
		q.Last, q.Value, q.How = q.Last+3, q.Value.andHalf(), InWords
	}
	if e := magnitudes[t.Behind(q.Last+1)]; e > 0 && len(q.Units) == 0 {
		q.Last++
		q.Value, q.How = q.Value.Scaled(e), cmp.Or(q.How, Magnified)
	}
	if len(q.Units) == 0 {
		q.Units = t.sign(q.First)
	}
	switch next := t.Behind(q.Last + 1); next {
	case "percent", "%":
		q.Last, q.Percent = q.Last+1, true
	case "degrees", "degree":
		if u := Units(t.Behind(q.Last + 2)); len(u) > 0 {
			q.Last, q.Units = q.Last+2, u
		}
	case "in": // a preposition, and not an inch
	default:
		if u := Units(next); len(u) > 0 && len(q.Units) == 0 {
			q.Last, q.Units = q.Last+1, u
			t.smaller(q)
		}
	}
}

// sign is the currency of the sign before token i.
func (t *Text) sign(i int) []Unit {
	before := t.NFC[t.Tokens[i].Outer:t.Tokens[i].Start]
	for _, sign := range []string{"$", "€", "£"} {
		if strings.HasSuffix(before, sign) {
			return Units(sign)
		}
	}
	return nil
}

// andHalf reports whether "and a half" begins at token i.
func (t *Text) andHalf(i int) bool {
	return t.Behind(i) == "and" && t.Behind(i+1) == "a" && t.Behind(i+2) == "half"
}

// smaller adds "30 minutes" to "2 hours".
func (t *Text) smaller(q *Quantity) {
	at, unit := q.Last+1, q.Units[0]
	if t.andHalf(at) && numberWords()[t.Behind(at+3)] == 0 {
		q.Last, q.Added = at+2, new(big.Rat).Quo(unit.factor, big.NewRat(2, 1))
		return
	}
	if t.Behind(at) == "and" {
		at++
	}
	if t.Behind(at) == "" {
		return
	}
	less := Units(t.Behind(at + 1))
	if len(less) == 0 || less[0].Dimension != unit.Dimension || less[0].factor.Cmp(unit.factor) >= 0 {
		return
	}
	if v := numeralOf(t.Word(at)).Rational(); v != nil {
		q.Last, q.Added = at+1, v.Mul(v, less[0].factor)
	}
}

// In is the quantity in one of several units. It is nil if it is in that unit already, or
// they cannot be compared. A loose unit has two readings, so its value is nil too.
func (q *Quantity) In(into []Unit) (value *big.Rat, u Unit) {
	v := q.Value.Rational()
	for _, from := range q.Units {
		for _, to := range into {
			switch {
			case v == nil, from.Dimension != to.Dimension, from.Name == to.Name && q.Added == nil:
				continue
			case from.Loose, to.Loose:
				return nil, Unit{Dimension: "loose", Loose: true}
			}
			value = from.To(v, to)
			if q.Added != nil {
				value.Add(value, new(big.Rat).Quo(q.Added, to.factor))
			}
			return value, to
		}
	}
	return nil, Unit{}
}
