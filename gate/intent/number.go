package intent

import (
	"math/big"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/speech"
)

// number looks for a number of the question that equals the value, in the parameter's unit.
// differs is the match that has the same digits and another value.
func (c *comparison) number(l *leaf, literal string) (best match, found bool, differs *match) {
	t, into := &c.question, l.unit()
	for _, q := range t.Quantities() {
		if !t.spend(1) {
			break
		}
		m, equal := l.compare(&q, literal, into)
		m.start, m.end, m.taken = t.Tokens[q.First].Start, t.Tokens[q.Last].End, t.used(q.First, q.First)
		if m.want != "" && differs == nil {
			d := m
			differs = &d
		}
		if m.want = ""; equal && (!found || m.better(best)) {
			best, found = m, true
		}
	}
	return best, found, differs
}

// compare reports whether a quantity equals the value, and how. If the value has only its
// digits, the match has the value of the quantity.
func (l *leaf) compare(q *speech.Quantity, literal string, into []speech.Unit) (m match, equal bool) {
	value := speech.Decimal(literal)
	converted, u := q.In(into)
	m.by = q.How
	switch {
	case q.Implied && converted == nil:
		return m, false
	case q.Percent:
		equal, m.by, m.want = l.shares(q, value)
	case converted != nil:
		equal, m.by = about(literal, converted, u.Rounds()), byUnit
	case u.Dimension == "":
		equal = q.Value == value
	}
	m.exact = m.by == ""
	switch {
	case equal, m.want != "", q.Raw != value:
	case converted == nil && u.Dimension != "":
		m.want, m.by = "two readings", byUnit
	case converted != nil || q.Value != q.Raw:
		m.want = reckoned(q.Value, converted)
	}
	return m, equal
}

// about reports whether a literal is a rational number, or the number as people round it.
func about(literal string, want *big.Rat, rounds bool) bool {
	v := speech.Decimal(literal).Rational()
	if v == nil || v.Cmp(want) == 0 {
		return v != nil
	}
	_, fraction, _ := strings.Cut(literal, ".")
	if !rounds || strings.ContainsAny(literal, "eE") || len(fraction) >= 6 {
		return false
	}
	return want.FloatString(len(fraction)) == strings.TrimPrefix(literal, "+")
}

// shares reports whether a value is a percentage, or a hundredth of it, as its parameter
// takes it. If it is the wrong one of the two, wants is the right one.
func (l *leaf) shares(q *speech.Quantity, v speech.Number) (equal bool, by, wants string) {
	whole, part := q.Value, q.Value.Scaled(-2)
	takes := l.percent()
	switch {
	case v == whole && takes < 0:
		return false, byPercentage, reckoned(part, nil)
	case v == part && takes > 0:
		return false, byPercentage, reckoned(whole, nil)
	case v == whole:
		return true, q.How, ""
	}
	return v == part && part.Digits != "", byPercentage, ""
}

// fractional finds that a parameter takes 1 for all of something. It distinguishes "0 to
// 100" from "0 to 1".
var fractional = lex.Pattern(`fraction|ratio|probability|decimal|\b0 ?(?:-|–|to|and|\.\.) ?1(?:\.0)?(?:[^\d.]|\.(?:\D|$)|$)`)

// percentages finds that a parameter takes 100 for all of something.
var percentages = lex.Pattern(`percent|pct|%`)

// percent is 1 if a parameter takes per cent, -1 if it takes a fraction, and 0 if it states
// neither.
func (l *leaf) percent() int {
	says := strings.ReplaceAll(speech.Snake(l.name()), "_", " ")
	for _, n := range l.at.nodes {
		says += " " + strings.ToLower(description(n))
		v, _ := n.Value("maximum")
		if most, is := v.(schema.Numeral); is && speech.Decimal(most.String()) == speech.Decimal("1") {
			return -1
		}
	}
	switch {
	case fractional().MatchString(says):
		return -1
	case percentages().MatchString(says):
		return 1
	}
	return 0
}

// measured finds a unit in a description: "in minutes", "(ms)", "number of seconds".
var measured = lex.Pattern(`(?i)(?:^|\bin |\bof |\bmany |: |\()(?:degrees |whole |full )?(°?\pL+(?:/\pL+)?)`)

// unit is the unit of a parameter, by the last word of its name or by its description. It
// is nil if they give no unit, or several.
func (l *leaf) unit() []speech.Unit {
	words := strings.Split(speech.Snake(l.name()), "_")
	if last := words[len(words)-1]; len(words) > 1 || len(last) > 2 {
		if u := speech.Units(last); u != nil {
			return u
		}
	}
	var found []speech.Unit
	for _, n := range l.at.nodes {
		for _, m := range measured().FindAllStringSubmatch(description(n), 8) {
			u := speech.Units(strings.ToLower(m[1]))
			switch {
			case len(u) == 0:
			case len(found) > 0 && u[0].Name != found[0].Name:
				return nil
			case len(m[1]) > 1:
				found = u
			}
		}
	}
	return found
}

// maxDescription bounds the part of a parameter's description that is read.
const maxDescription = 512

func description(n *schema.Node) string {
	v, _ := n.Value("description")
	s, _ := v.(string)
	return s[:min(len(s), maxDescription)]
}

// findNumber looks for a number literal of the same value, ignoring its unit.
func (t *text) findNumber(literal string) (match, bool) {
	want := speech.Decimal(literal)
	for _, q := range t.Quantities() {
		if q.Raw == want && q.Value == want && t.spend(1) {
			m := t.tokens(q.First, q.Last, "")
			m.exact = true
			return m, true
		}
	}
	return match{}, false
}

// reckoned writes the value of a quantity.
func reckoned(value speech.Number, converted *big.Rat) string {
	if converted == nil {
		converted = value.Rational()
	}
	switch {
	case converted == nil:
		return "another number"
	case converted.IsInt():
		return converted.Num().String()
	}
	return strings.TrimRight(converted.FloatString(4), "0")
}
