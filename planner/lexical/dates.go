package lexical

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// date is a date that a text states: all of it, its month or its day, or words
// that the clock gives a meaning.
type date struct {
	year, month, day int  // 0 where not stated
	relative         bool // tomorrow
	days             int  // from today
}

var (
	isoForm   = pattern(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:t[\d:.]+(?:z|[-+]\d\d:?\d\d)?)?$`)
	otherForm = pattern(`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$`)
	dayForm   = pattern(`^(\d{1,2})(?:st|nd|rd|th)?$`)
	yearForm  = pattern(`^(?:1[5-9]|20|21)\d\d$`)
)

// dateAt reads the date at word i. Where the order of day and month cannot be
// seen, there is no reading: 03/04/2026 is no date.
func (t text) dateAt(i int) (value, bool) {
	d, used := t.dateParts(i)
	if used == 0 || d.month > 12 || d.day > 31 {
		return value{}, false
	}
	if d.day > 0 && d.year > 0 && time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC).Day() != d.day {
		return value{}, false // no 31 June
	}
	return value{shape: dated, from: i, to: i + used, text: t.span(i, i+used), date: d}, true
}

func (t text) dateParts(i int) (date, int) {
	w := t.words[i]
	if m := isoForm().FindStringSubmatch(w.low); m != nil {
		return date{year: atoi(m[1]), month: atoi(m[2]), day: atoi(m[3])}, 1
	}
	if m := otherForm().FindStringSubmatch(w.low); m != nil {
		d := date{year: atoi(m[3]), month: atoi(m[1]), day: atoi(m[2])}
		if d.month > 12 {
			d.month, d.day = d.day, d.month
		}
		return d, 1
	}
	if month := monthNames[w.low]; month > 0 && (w.capital || w.low != "may" && w.low != "march") {
		return t.monthFirst(i, month)
	}
	if m := dayForm().FindStringSubmatch(w.low); m != nil {
		return t.dayFirst(i, atoi(m[1]))
	}
	return t.relativeAt(i)
}

// monthFirst reads March 5, 2024 and March 2024 and March 5.
func (t text) monthFirst(i, month int) (date, int) {
	d := date{month: month}
	next := i + 1
	if m := dayForm().FindStringSubmatch(t.low(next)); m != nil {
		d.day = atoi(m[1])
		next++
	}
	if yearForm().MatchString(t.low(next)) && !t.breaks(next) {
		d.year = atoi(t.low(next))
		next++
	}
	if d.day == 0 && d.year == 0 {
		return date{}, 0
	}
	return d, next - i
}

// dayFirst reads 5 March 2024 and 5th of March.
func (t text) dayFirst(i, day int) (date, int) {
	next := i + 1
	if t.low(next) == "of" {
		next++
	}
	month := monthNames[t.low(next)]
	if month == 0 || day == 0 || next >= len(t.words) || !t.words[next].capital && t.low(next) == "may" {
		return date{}, 0
	}
	d := date{month: month, day: day}
	if next++; yearForm().MatchString(t.low(next)) && !t.breaks(next) {
		d.year = atoi(t.low(next))
		next++
	}
	return d, next - i
}

// relativeAt reads today, tomorrow and yesterday. "Friday" and "next week" are
// asked about: people do not agree on which they are.
func (t text) relativeAt(i int) (date, int) {
	w := &t.words[i]
	days, known := map[string]int{"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}[t.low(i)]
	if weekdays()[t.low(i)] && w.capital {
		return date{}, 1
	}
	return date{relative: known, days: days}, truth(known)
}

var weekdays = set("monday tuesday wednesday thursday friday saturday sunday")

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

var layoutForm = pattern(`\b(y{2,4}|m{2}|d{2})([-/.])(y{2,4}|m{2}|d{2})(?:[-/.](y{2,4}|m{2}|d{2}))?`)

// write gives the date the form that a slot asks for: its format, or a layout
// such as MM-DD-YYYY in its description. Without either the question's own
// words stay.
func (v value) write(s *slot, now time.Time) (string, bool) {
	layout := layoutForm().FindString(s.hint)
	if s.format == "" && layout == "" && !strings.Contains(s.hint, "iso") {
		return v.text, true
	}
	if s.format == "date-time" && strings.ContainsAny(v.text, "tT") && isoForm().MatchString(strings.ToLower(v.text)) {
		return v.text, true
	}
	d := v.date
	if d.relative {
		day := now.AddDate(0, 0, d.days)
		d = date{year: day.Year(), month: int(day.Month()), day: day.Day()}
	}
	if d.year == 0 {
		d.year = now.Year()
	}
	if d.day == 0 && !(layout != "" && !strings.Contains(layout, "d")) {
		return "", false
	}
	switch {
	case s.format == "date-time":
		return fmt.Sprintf("%04d-%02d-%02dT00:00:00Z", d.year, d.month, d.day), true
	case layout == "" || s.format == "date":
		return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day), true
	}
	return strings.NewReplacer("yyyy", fmt.Sprintf("%04d", d.year), "yy", fmt.Sprintf("%02d", d.year%100),
		"mm", fmt.Sprintf("%02d", d.month), "dd", fmt.Sprintf("%02d", d.day)).Replace(layout), true
}
