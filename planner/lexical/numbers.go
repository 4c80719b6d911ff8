package lexical

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/speech"
)

// number is an exact number in a text: no float comes between the question's digits and the
// argument's.
type number struct {
	rat     *big.Rat
	unit    string // as written, folded
	percent bool
	digits  bool // only digits, so it may be the number of something
}

var numberForm = pattern(`^([-+−]?)([$€£¥#]?)(\d{1,30}(?:,\d{3})*|)(\.\d{1,30})?(st|nd|rd|th|%|k|[a-z°/^23]{1,5}|-[a-z]{3,12})?$`)

// numberAt reads the number at word i and returns how many words it takes, with its unit.
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
	if next = t.low(i + used); n.unit == "" && units()[next].kind != "" && t.joined(i+used) {
		n.percent = n.percent || next == "percent"
		n.unit = next
		used++
	}
	return n, used, true
}

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
	case slices.Contains([]string{"st", "nd", "rd", "th", "%", ""}, s):
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

// literal is n as a JSON number for the slot, if it can be one.
func (n number) literal(s *slot) (string, bool) {
	r := n.rat
	if n.percent && s.kind == "number" && !strings.Contains(s.hint+" "+s.label, "percent") {
		r = new(big.Rat).Quo(r, big.NewRat(100, 1))
	}
	if s.kind == "integer" && !r.IsInt() {
		return "", false
	}
	f, _ := r.Float64()
	if s.otherUnit(n.unit) {
		if r = speech.Convert(r, n.unit, s.unit); r == nil || s.kind == "integer" && !r.IsInt() {
			return "", false
		}
		f, _ = r.Float64()
	}
	below, above := s.min != nil && f < *s.min, s.max != nil && f > *s.max
	if below || above {
		return "", false
	}
	literal := decimal(r)
	return literal, literal != "" && len(literal) <= 60
}

// otherUnit reports whether the slot asks for another unit of the same kind.
func (s *slot) otherUnit(said string) bool {
	got, want := units()[said], units()[s.unit]
	if got.kind == "" || got.kind == "other" {
		return false
	}
	return got.kind == want.kind && got.name != want.name
}

// decimal writes r with all its digits, or "" if they do not end.
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

// date is a date in a text, or one relative to the clock.
type date struct {
	at    time.Time
	year  bool // the text has the year
	day   bool
	timed bool
	days  int // from today, if at is zero
}

// dateLayouts are the written forms of a date, the longest first. The order of day and
// month must be clear: 03/04/2026 is not a date.
var dateLayouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "January 2 2006", "2 January 2006", "2 of January 2006", "Jan 2 2006", "2 Jan 2006", "2006-1-2", "2006/1/2", "1/2/2006", "2/1/2006",
	"January 2006", "Jan 2006", "January 2", "2 January", "2 of January", "Jan 2", "2 Jan",
}

var (
	ordinalForm = pattern(`^(\d{1,2})(?:st|nd|rd|th)$`)
	relatives   = map[string]int{"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
	weekdays    = set("monday tuesday wednesday thursday friday saturday sunday")
)

// dateAt reads the date at word i. "Friday" is a date without a reading: people do not
// agree on which day it is.
func (t text) dateAt(i int) (value, bool) {
	v := value{shape: dated, from: i, to: i + 1, text: t.span(i, i+1)}
	if days, known := relatives[t.low(i)]; known {
		v.date = date{days: days, day: true}
		return v, true
	}
	for to := min(len(t.words), i+4); to > i; to-- {
		if d, ok := t.dateIn(i, to); ok {
			return value{shape: dated, from: i, to: to, text: t.span(i, to), date: d}, true
		}
	}
	return v, weekdays()[t.low(i)] && t.words[i].capital
}

// dateIn reads the words [from, to) as one date.
func (t text) dateIn(from, to int) (date, bool) {
	words := make([]string, 0, 4)
	for i := from; i < to; i++ {
		w := &t.words[i]
		if i > from && t.breaks(i) {
			return date{}, false
		}
		if !w.capital && (w.low == "may" || w.low == "march") {
			return date{}, false
		}
		words = append(words, ordinalForm().ReplaceAllString(w.raw, "$1"))
	}
	said := strings.Join(words, " ")
	for _, layout := range dateLayouts {
		if at, err := time.Parse(layout, said); err == nil && (!strings.Contains(layout, "/2006") || at.Day() > 12) {
			day := strings.Contains(strings.ReplaceAll(layout, "2006", ""), "2")
			return date{at: at, year: strings.Contains(layout, "2006"), day: day, timed: strings.Contains(layout, "T15")}, true
		}
	}
	return date{}, false
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
