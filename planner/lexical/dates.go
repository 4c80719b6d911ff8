package lexical

import (
	"strings"
	"time"
)

// date is a date that a text states, or one that the clock gives.
type date struct {
	at    time.Time
	year  bool // the text says it
	day   bool
	timed bool
	days  int // from today, where at is zero
}

// dateLayouts are the ways in which a date is written, the longest first. The
// order of day and month has to be seen: 03/04/2026 is none.
var dateLayouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "January 2 2006", "2 January 2006", "2 of January 2006", "Jan 2 2006", "2 Jan 2006", "2006-1-2", "2006/1/2", "1/2/2006", "2/1/2006",
	"January 2006", "Jan 2006", "January 2", "2 January", "2 of January", "Jan 2", "2 Jan",
}

var (
	ordinalForm = pattern(`^(\d{1,2})(?:st|nd|rd|th)$`)
	relatives   = map[string]int{"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
	weekdays    = set("monday tuesday wednesday thursday friday saturday sunday")
)

// dateAt reads the date at word i. "Friday" is one without a reading: people do
// not agree on which it is.
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
		if i > from && t.breaks(i) || !w.capital && (w.low == "may" || w.low == "march") {
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

// write gives the date the form that a slot asks for: its format, or a layout
// such as MM-DD-YYYY in its description. Without either the question's own
// words stay.
func (v value) write(s *slot, now time.Time) (string, bool) {
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
	case !d.year:
		d.at = d.at.AddDate(now.Year(), 0, 0)
	}
	return d.at.Format(layout), true
}
