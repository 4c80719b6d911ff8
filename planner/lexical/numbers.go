package lexical

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/speech"
)

// number is an exact number in a text: no float comes between the question's digits and the
// argument's.
type number struct {
	speech.Quantity
	digits bool // only digits, so it may be the number of something
}

// from is the reading that begins at a token.
func from[T any](all []T, token int, first func(*T) int) (one T, found bool) {
	i, found := slices.BinarySearchFunc(all, token, func(r T, token int) int { return cmp.Compare(first(&r), token) })
	if found {
		one = all[i]
	}
	return one, found
}

// behind is the first word from word i on that is behind a token.
func (t text) behind(i, token int) int {
	for i++; i < len(t.words) && t.words[i].token <= token; {
		i++
	}
	return i
}

// numberAt reads the number at word i, and returns the word behind it and its unit. "First",
// "one" and "an hour" are only words here, and 7a9f2b and 4x are identifiers.
func (t text) numberAt(i int) (n number, to int, ok bool) {
	w := &t.words[i]
	q, said := from(t.speech.Quantities(), w.token, func(q *speech.Quantity) int { return q.First })
	if !said || q.Implied || w.quoted {
		return n, i, false
	}
	n, to = number{q, strings.Trim(w.raw, "0123456789") == ""}, t.behind(i, q.Last)
	unit := strings.TrimLeft(w.low, "+-−.,%0123456789")
	switch {
	case unit == w.low:
		ok = q.How != speech.Respelled && q.Raw != speech.Decimal("1")
	case unit == "", counted()[unit], speech.Day(w.low) != "":
		ok = true
	default:
		ok = q.How != "" || len(q.Units) > 0
	}
	if to < len(t.words) && counted()[t.low(to)] && t.joined(to) {
		to++
	}
	return n, to, ok && !slices.ContainsFunc(t.words[i:to], func(w word) bool { return objection(w.low) != "" })
}

// literal is n as a JSON number for the slot, if it can be one.
func (n number) literal(s *slot) (string, bool) {
	v := n.Value
	if s.says(heatNames()) { // 298K are not thousands
		v = n.Raw
	}
	if n.Percent && s.kind == "number" && !strings.Contains(s.hint+" "+s.label, "percent") {
		v = v.Scaled(-2)
	}
	r := v.Rational()
	switch other, u := n.In(s.units); {
	case u.Loose, u.Rounds(), n.Added != nil && other == nil:
		return "", false
	case len(n.Units) > 0 && len(s.units) > 0 && !s.measures(&n):
		return "", false
	case other != nil:
		r = other
	}
	if r == nil || s.kind == "integer" && !r.IsInt() {
		return "", false
	}
	f, _ := r.Float64()
	below, above := s.min != nil && f < *s.min, s.max != nil && f > *s.max
	if below || above {
		return "", false
	}
	literal := decimal(r)
	return literal, literal != "" && len(literal) <= 60
}

// measures reports whether the slot asks for a unit of the number's dimension.
func (s *slot) measures(n *number) bool {
	return slices.ContainsFunc(n.Units, func(u speech.Unit) bool {
		return slices.ContainsFunc(s.units, func(o speech.Unit) bool { return o.Dimension == u.Dimension })
	})
}

// decimal writes r with all its digits, or "" if they do not end.
func decimal(r *big.Rat) string {
	places, ends := r.FloatPrec()
	if !ends || places > maxPlaces {
		return ""
	}
	return r.FloatString(places)
}

const maxPlaces = 40

// date is a date in a text, or one relative to the clock.
type date struct {
	at    time.Time
	year  bool // the text has the year
	day   bool
	timed bool
	days  int // from today, if at is zero
}

var (
	relatives = map[string]int{"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
	weekdays  = set("monday tuesday wednesday thursday friday saturday sunday")
)

// dateAt reads the date at word i. "Friday" is a date without a reading: people do not
// agree on which day it is.
func (t text) dateAt(i int) (value, bool) {
	w := &t.words[i]
	days, relative := relatives[w.low]
	d, to := date{days: days, day: relative}, i+1
	m, isDay := from(t.speech.Moments(), w.token, func(m *speech.Moment) int { return m.First })
	p, isMonth := from(t.speech.Periods(), w.token, func(p *speech.Period) int { return p.First })
	switch {
	case w.quoted:
		return value{}, false
	case relative:
	case isDay && (m.Date || !m.Clock):
		d, to = date{at: m.At, year: m.Date, day: true, timed: m.Clock}, t.behind(i, m.Last)
	case isMonth && len(p.Name) == len("2026-11"):
		d, to = date{at: p.From, year: true}, t.behind(i, p.Last)
	case !weekdays()[w.low] || !w.capital:
		return value{}, false
	}
	return value{shape: dated, from: i, to: to, text: t.span(i, to), date: d}, true
}

var layoutForm = pattern(`\b(y{2,4}|m{2}|d{2})([-/.])(y{2,4}|m{2}|d{2})(?:[-/.](y{2,4}|m{2}|d{2}))?`)

// write gives the date the form that a slot asks for. The form is its format, or a layout
// such as MM-DD-YYYY in its description. Without either the question's own words stay.
func (v value) write(s *slot, now time.Time, loose bool) (string, bool) {
	layout := strings.NewReplacer("yyyy", "2006", "yy", "06", "mm", "01", "dd", "02").Replace(layoutForm().FindString(s.hint))
	switch {
	case s.format == "date-time":
		layout = "2006-01-02T00:00:00Z"
	case s.format == "date" || layout == "" && strings.Contains(s.hint, "iso"):
		layout = time.DateOnly
	}
	d := v.date
	switch {
	case layout == "" || d.timed && s.format != "date":
		return v.text, true
	case !d.day && (d.at.IsZero() || strings.Contains(layout, "02")):
		return "", false
	case d.at.IsZero():
		d.at = now.AddDate(0, 0, d.days)
	case !d.year && !loose:
		return "", false // the year is unknown
	case !d.year:
		d.at = d.at.AddDate(now.Year(), 0, 0)
	}
	return d.at.Format(layout), true
}
