package intent

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
)

// number is a decimal number without a spelling: a sign, significant digits
// and a power of ten. Zero has no digits.
type number struct {
	negative bool
	digits   string
	exponent int
}

// decimal reads a JSON number's literal. Anything else equals no number.
func decimal(literal string) number {
	var n number
	mantissa, exp, scaled := strings.Cut(strings.ToLower(literal), "e")
	if scaled {
		e, err := strconv.Atoi(strings.TrimPrefix(exp, "+"))
		if err != nil {
			return number{digits: "?" + literal}
		}
		n.exponent = e
	}
	mantissa, n.negative = strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	n.exponent -= len(fraction)
	n.digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(n.digits, "0")
	n.exponent += len(n.digits) - len(short)
	n.digits = short
	if short == "" {
		return number{}
	}
	return n
}

// said is a number as people write one, with a unit behind it: 5, -5, 5%, 5kg,
// 1,000, 1e3.
var said = lex.Pattern(`^([-+−]?)(\d{1,3}(?:[,'’_]\d{3})+|\d+)(\.\d+)?([eE][-+]?\d{1,3})?(%|km/h|m/s|°?\p{L}{0,3})$`)

// numeral is a token as a number.
type numeral struct {
	number
	respelled bool // the marks between thousands are left out
	percent   bool
	unit      string // the letters behind it
}

// numeralOf reads a token. Anything else equals no number.
func numeralOf(token string) numeral {
	if strings.Trim(token, "0123456789") == "" {
		return numeral{number: decimal(token)}
	}
	none := numeral{number: number{digits: "?"}}
	if first := token[0]; first > '9' && first < 0x80 { // most literals are names
		return none
	}
	m := said().FindStringSubmatch(token)
	if m == nil {
		return none
	}
	whole := strings.Join(strings.FieldsFunc(m[2], func(r rune) bool { return r < '0' || r > '9' }), "")
	sign := strings.TrimPrefix(strings.Replace(m[1], "−", "-", 1), "+")
	return numeral{decimal(sign + whole + m[3] + m[4]), whole != m[2], m[5] == "%", m[5]}
}

// number looks for a number of the question that is the value, in the
// parameter's unit. Differs is what the number that stands there comes to, where it
// is another.
func (c *comparison) number(l *leaf, literal string) (best match, found bool, differs *match) {
	t, want, into := &c.question, decimal(literal), l.unit()
	for n := range t.quantities() {
		q := &t.amounts[n]
		if !t.spend(1) {
			break
		}
		m := match{start: t.tokens[q.first].start, end: t.tokens[q.last].end, taken: t.used(q.first, q.first), by: q.by}
		converted, u := q.in(into)
		if q.implied && converted == nil && !slices.ContainsFunc(into, func(u unit) bool { return len(q.units) > 0 && u.name == q.units[0].name }) {
			continue
		}
		equal := false
		switch {
		case converted != nil:
			equal, m.by = about(literal, converted, u.rounds()), byUnit
		case u.dimension == "":
			equal = q.value == want
		}
		if q.percent {
			equal, m.by, m.want = l.shares(q, want)
		}
		wants := m.want
		if m.want = ""; q.percent && wants != "" && differs == nil {
			d := m
			d.want = wants
			differs = &d
		}
		if m.exact = m.by == ""; equal && (!found || m.better(best)) {
			best, found = m, true
		} else if !equal && differs == nil && q.raw == want && (converted != nil || u.dimension != "" || q.value != q.raw) {
			if m.want = reckoned(q.value, converted); converted == nil && u.dimension != "" {
				m.want, m.by = "two readings", byUnit
			}
			differs = &m
		}
	}
	return best, found, differs
}

// shares reports whether a value is a percentage, or a hundredth of it, as its
// parameter takes it. Where it is the other one, wants is what it should be.
func (l *leaf) shares(q *quantity, v number) (equal bool, by, wants string) {
	whole, part := q.value, q.value.scaled(-2)
	takes := l.percent()
	switch {
	case v == whole && takes < 0:
		return false, byPercentage, reckoned(part, nil)
	case v == part && takes > 0:
		return false, byPercentage, reckoned(whole, nil)
	case v == whole:
		return true, q.by, ""
	}
	return v == part && part.digits != "", byPercentage, ""
}

// fractional finds that a parameter takes 1 for all of something. "0 to 100" is no "0 to 1".
var fractional = lex.Pattern(`fraction|ratio|probability|decimal|\b0 ?(?:-|–|to|and|\.\.) ?1(?:\.0)?(?:[^\d.]|\.(?:\D|$)|$)`)

// percent is 1 where a parameter takes per cent, -1 where it takes a fraction, 0 where neither is said.
func (l *leaf) percent() int {
	said := strings.ReplaceAll(snake(l.name()), "_", " ")
	for _, n := range l.at.nodes {
		said += " " + strings.ToLower(description(n))
		if v, is := n.Value("maximum"); is {
			if most, is := v.(schema.Numeral); is && decimal(most.String()) == decimal("1") {
				return -1
			}
		}
	}
	if fractional().MatchString(said) {
		return -1
	}
	if strings.Contains(said, "percent") || strings.Contains(said, "pct") || strings.Contains(said, "%") {
		return 1
	}
	return 0
}

// findNumber looks for a number literal of the same value, its unit aside.
func (t *text) findNumber(literal string) (match, bool) {
	want := decimal(literal)
	for _, q := range t.quantities() {
		if q.raw == want && q.value == want && t.spend(1) {
			return match{start: t.tokens[q.first].start, end: t.tokens[q.last].end, exact: true}, true
		}
	}
	return match{}, false
}

// reckoned writes what a quantity comes to.
func reckoned(value number, converted *big.Rat) string {
	if converted == nil {
		if converted = value.rational(); converted == nil {
			return "another number"
		}
	}
	if converted.IsInt() {
		return converted.Num().String()
	}
	return strings.TrimRight(converted.FloatString(4), "0")
}
