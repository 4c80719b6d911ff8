package intent

import (
	"cmp"
	"math/big"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/lex"
)

// How a value was derived.
const (
	byPart       = "part"
	byAddress    = "address"     // a part of one, of which the host is left over
	byNumber     = "number"      // marks between thousands, an ordinal
	byNumberWord = "number word" //
	byMagnitude  = "magnitude"
	byPercentage = "percentage"
	byUnit       = "unit"
	byDateWords  = "date in words"
	byDate       = "date or time"
	byForm       = "form" // of a word
	byZone       = "zone"
	byCurrency   = "currency"
	byCountry    = "country"
	byName       = "name"      // of the parameter, which is said
	byDirection  = "direction" // the word before a value
	byOrder      = "order"     // of the two values of a pair, which no word tells apart
)

// quantity is a number that a text says, with its magnitude and unit.
type quantity struct {
	first, last int32 // tokens
	raw, value  number
	by          string // how value came about, "" where it stands there
	units       []unit
	percent     bool
	added       *big.Rat // of a smaller unit behind it, in the base of the dimension
	implied     bool     // it is said by its unit alone: the last week
}

var (
	numberWords = sync.OnceValue(func() map[string]int {
		m := map[string]int{"dozen": 12, "hundred": 100, "couple": 2, "pair": 2, "single": 1}
		for i, w := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen") {
			m[w] = i
		}
		for i, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
			m[w] = 20 + 10*i
		}
		return m
	})
	ordinals = sync.OnceValue(func() map[string]string {
		m := map[string]string{}
		for i, w := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth") {
			m[w] = string(rune('1' + i))
		}
		return m
	})
	magnitudes = map[string]int{"k": 3, "thousand": 3, "grand": 3, "lakh": 5, "crore": 7, "mn": 6, "mio": 6, "million": 6, "bn": 9, "billion": 9}
	// twofold numbers are thousands to some and a fraction to others.
	twofold = lex.Pattern(`^[-+−]?[1-9]\d{0,2}(?:\.\d{3})+$`)
)

// quantities are the numbers that a text says. They are read once.
func (t *text) quantities() []quantity {
	if t.counted {
		return t.amounts
	}
	t.counted = true
	for i := 0; i < len(t.tokens); {
		q, next := t.quantity(int32(i))
		if next > i {
			t.amounts = append(t.amounts, q)
		}
		i = max(next, i+1)
	}
	return t.amounts
}

func (t *text) word(i int32) string {
	if i < 0 || int(i) >= len(t.tokens) || t.tokens[i].quoted {
		return ""
	}
	return t.all[t.tokens[i].start:t.tokens[i].end]
}

// behind is token i in lower case where a space alone parts it from the one before.
func (t *text) behind(i int32) string {
	if int(i) >= len(t.tokens) || i == 0 || strings.Trim(t.all[t.tokens[i-1].end:t.tokens[i].start], " -") != "" {
		return ""
	}
	return strings.ToLower(t.word(i))
}

// quantity reads the number at token i, and says where the next token begins; i where there is none.
func (t *text) quantity(i int32) (q quantity, next int) {
	s := t.all[t.tokens[i].start:t.tokens[i].end]
	q.first, q.last = i, i
	if low := strings.ToLower(s); (low == "minus" || low == "negative") && !t.tokens[i].quoted && t.behind(i+1) != "" && (i == 0 || t.tokens[i-1].quoted || dayOf(t.word(i-1)) == "") {
		below, end := t.quantity(i + 1)
		if end > int(i)+1 && below.value.digits != "" && !below.value.negative {
			below.first, below.value.negative, below.by = i, true, cmp.Or(below.by, byNumberWord)
			return below, end
		}
		return q, int(i)
	}
	if n := numeralOf(s); !strings.HasPrefix(n.digits, "?") {
		if twofold().MatchString(s) {
			return q, int(i)
		}
		q.raw, q.percent, q.units = n.number, n.percent, units()[strings.ToLower(n.unit)]
		if n.respelled {
			q.by = byNumber
		} else if strings.Contains(n.unit, "/") {
			q.by = byUnit
		}
		e := magnitudes[strings.ToLower(n.unit)]
		if n.unit == "M" { // of metres and minutes the letter is a small one
			e = 6
		}
		if q.value = n.scaled(e); e > 0 {
			q.by, q.units = byMagnitude, nil
		}
	} else if !t.inWords(&q) {
		return q, int(i)
	}
	t.measure(&q)
	return q, int(q.last) + 1
}

// scaled is the number times a power of ten.
func (n number) scaled(e int) number {
	if n.digits != "" {
		n.exponent += e
	}
	return n
}

// inWords reads a number that words say: "twenty five", "a dozen", "an hour", "2-hour".
func (t *text) inWords(q *quantity) bool {
	low := strings.ToLower(t.word(q.first))
	if head, tail, found := strings.Cut(low, "-"); found {
		if n := numeralOf(head); len(units()[tail]) > 0 && head != "" && !strings.HasPrefix(n.digits, "?") {
			q.raw, q.value, q.units, q.by = n.number, n.number, units()[tail], byUnit
			return true
		}
		if a, b := numberWords()[head], numberWords()[tail]; a >= 20 && a < 100 && b > 0 && b < 10 {
			q.set(a+b, byNumberWord)
			return true
		}
	}
	if o := ordinals()[low]; o != "" {
		q.raw, q.value, q.by = decimal(o), decimal(o), byNumber
		return true
	}
	v, found := numberWords()[low]
	if low == "a" || low == "an" || low == "half" {
		return t.article(q, low)
	}
	next := t.behind(q.first + 1)
	if u := units()[next]; (low == "past" || low == "last" || low == "previous") && t.behind(q.first+2) != "of" && len(u) > 0 && !strings.HasSuffix(next, "s") && (u[0].dimension == "time" || u[0].dimension == "months") {
		q.set(1, byUnit)
		q.implied = true
		return true
	}
	if a := t.behind(q.first + 2); low == "quarter" && next == "of" && (a == "a" || a == "an") && len(units()[t.behind(q.first+3)]) > 0 {
		q.raw, q.value, q.by, q.last = decimal("0.25"), decimal("0.25"), byUnit, q.last+2
		return true
	}
	if !found || low == "one" && pointing()[strings.ToLower(t.word(q.first-1))] || low == "couple" || low == "pair" {
		return false
	}
	if more := numberWords()[t.behind(q.first+1)]; v >= 20 && v < 100 && more > 0 && more < 10 {
		q.last, v = q.last+1, v+more
	}
	if t.behind(q.last+1) == "hundred" && v < 100 {
		q.last, v = q.last+1, v*100
		at := q.last + 1
		if t.behind(at) == "and" {
			at++
		}
		if more := numberWords()[t.behind(at)]; more > 0 && more < 100 {
			q.last, v = at, v+more
		}
	}
	q.set(v, byNumberWord)
	return true
}

// article reads "a dozen", "an hour" and "half an hour".
func (t *text) article(q *quantity, low string) bool {
	next, half := t.behind(q.first+1), low == "half"
	if half && (next == "a" || next == "an") {
		q.last, next = q.last+1, t.behind(q.first+2)
	}
	if next == "quarter" && t.behind(q.last+2) == "of" {
		return false
	} else if e := magnitudes[next]; e > 0 {
		q.set(1, byNumberWord)
	} else if v := numberWords()[next]; v >= 12 || v == 2 && (next == "couple" || next == "pair") {
		q.set(v, byNumberWord)
		q.last++
	} else if len(units()[next]) > 0 {
		q.set(1, byNumberWord)
	} else if half {
		q.set(50, byPercentage)
		q.percent = true
		return true
	} else {
		return false
	}
	if half && q.value.rational() != nil {
		v := q.value.rational()
		q.value = decimal(v.Quo(v, big.NewRat(2, 1)).FloatString(1))
	}
	return true
}

// pointing are the words before which "one" is a pronoun: this one, the one.
var pointing = words(`this that the which other another no new any each every`)

func (q *quantity) set(v int, by string) {
	q.raw = decimal(big.NewInt(int64(v)).String())
	q.value, q.by = q.raw, by
}

// measure takes up the magnitude and the unit behind a number, or before it.
func (t *text) measure(q *quantity) {
	if t.andHalf(q.last+1) && len(q.units) == 0 && !q.percent {
		q.last, q.value, q.by = q.last+3, q.value.and("5", -1), byNumberWord
	}
	if e := magnitudes[t.behind(q.last+1)]; e > 0 && len(q.units) == 0 {
		q.last++
		q.value, q.by = q.value.scaled(e), cmp.Or(q.by, byMagnitude)
	}
	if k := t.tokens[q.first]; len(q.units) == 0 {
		for _, sign := range []string{"$", "€", "£"} {
			if strings.HasSuffix(t.all[k.outer:k.start], sign) {
				q.units = units()[sign]
			}
		}
	}
	next := t.behind(q.last + 1)
	if next == "degrees" || next == "degree" {
		if u := units()[t.behind(q.last+2)]; len(u) > 0 {
			q.last, q.units = q.last+2, u
			return
		}
	}
	if next == "percent" || next == "%" {
		q.last, q.percent = q.last+1, true
		return
	}
	if u := units()[next]; len(u) > 0 && len(q.units) == 0 && next != "in" {
		q.last, q.units = q.last+1, u
		t.smaller(q)
	}
}

// andHalf reports whether "and a half" begins at token i.
func (t *text) andHalf(i int32) bool {
	return t.behind(i) == "and" && t.behind(i+1) == "a" && t.behind(i+2) == "half"
}

// and adds a digit behind the point to a whole number.
func (n number) and(digit string, at int) number {
	if n.exponent < 0 || n.exponent > 30 {
		return number{digits: "?"}
	}
	return number{n.negative, strings.TrimLeft(n.digits+strings.Repeat("0", n.exponent)+digit, "0"), at}
}

// smaller adds "30 minutes" to "2 hours".
func (t *text) smaller(q *quantity) {
	at := q.last + 1
	if t.andHalf(at) && numberWords()[t.behind(at+3)] == 0 {
		q.last, q.added = at+2, new(big.Rat).Quo(q.units[0].factor, big.NewRat(2, 1))
		return
	}
	if t.behind(at) == "and" {
		at++
	}
	if int(at) >= len(t.tokens) || t.behind(at) == "" {
		return
	}
	n, behind := numeralOf(t.word(at)), units()[t.behind(at+1)]
	if strings.HasPrefix(n.digits, "?") || len(behind) == 0 || behind[0].dimension != q.units[0].dimension || behind[0].factor.Cmp(q.units[0].factor) >= 0 {
		return
	}
	if v := n.rational(); v != nil {
		q.last, q.added = at+1, v.Mul(v, behind[0].factor)
	}
}
