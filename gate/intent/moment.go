package intent

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate/lex"
)

// moment is a date or a time of day that a text says in one reading.
type moment struct {
	first, last int32     // tokens
	at          time.Time // of a time of day, on the first of January of the year 0
	date, clock bool
	words       bool      // the month is a word
	until       time.Time // of "14-18 June 2026" the other end
}

var (
	months = sync.OnceValue(func() map[string]int {
		m := map[string]int{"sept": 9}
		for i := time.January; i <= time.December; i++ {
			m[strings.ToLower(i.String())], m[strings.ToLower(i.String()[:3])] = int(i), int(i)
		}
		return m
	})
	dayForm   = lex.Pattern(`^(\d{1,2})(?:st|nd|rd|th)?$`)
	dateForm  = lex.Pattern(`^(\d{1,4})([-/.])(\d{1,2})[-/.](\d{1,4})$`)
	clockForm = lex.Pattern(`^(\d{1,2})(?:[:.](\d{2}))?(?::(\d{2}))?(am|pm|a\.m|p\.m)?$`)
)

// times are the dates and times of day that a text says. They are read once.
func (t *text) times() []moment {
	for i := 0; !t.dated && i < len(t.tokens); {
		m, found := t.moment(int32(i))
		if i++; found {
			t.moments, i = append(t.moments, m), int(m.last)+1
			if !m.until.IsZero() {
				m.at = m.until
				t.moments = append(t.moments, m)
			}
		}
	}
	t.dated = true
	return t.moments
}

// moment reads the date or the time of day that begins at token i.
func (t *text) moment(i int32) (m moment, found bool) {
	m.first, m.last = i, i
	s := strings.ToLower(t.word(i))
	switch {
	case s == "":
		return m, false
	case months()[s] > 0:
		found = (s != "may" && s != "march" || t.word(i)[0] < 'a') && t.monthFirst(&m, months()[s])
		return m, found
	case s == "noon" || s == "midnight":
		if m.clock, m.at = true, clock(0, 0, 0); s == "noon" {
			m.at = clock(12, 0, 0)
		}
		return m, true
	case s == "half" || s == "quarter":
		found = t.spokenClock(&m)
		return m, found
	case numberWords()[s] > 0:
		found = t.wordClock(&m)
		return m, found
	case dayOf(s) != "" && t.dayFirst(&m):
		return m, true
	case s[0] < '0' || s[0] > '9':
		return m, false
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if at, err := time.Parse(layout, strings.ToUpper(s)); err == nil {
			m.at, m.date, m.clock = at, true, true
			return m, true
		}
	}
	if d := dateForm().FindStringSubmatch(s); d != nil {
		m.at, m.date = numeric(d[1], d[3], d[4])
		return m, m.date
	}
	if t.dayFirst(&m) {
		return m, true
	}
	found = t.clockAt(&m, s)
	return m, found
}

// dayFirst reads "4 December 2026" and "the 4th of December, 2026".
func (t *text) dayFirst(m *moment) bool {
	d := dayOf(t.word(m.first))
	begin, end, both := strings.Cut(strings.ReplaceAll(t.word(m.first), "–", "-"), "-")
	if both = both && d == "" && dayOf(begin) != ""; both { // 4-8 December 2026
		d = dayOf(end)
	}
	at := m.first + 1
	if t.behind(at) == "of" {
		at++
	}
	month := months()[t.behind(at)]
	if d != "" && connects()[t.behind(at)] { // 4 to 8 December 2026
		end, found := t.moment(at + 1)
		if found && end.date && end.words {
			m.at, m.date = date(end.at.Format("2006"), end.at.Format("1"), d)
			m.words = true
		}
		return m.date
	}
	if d == "" || month == 0 || !t.year(m, at, month, d) {
		return false
	}
	return !both || m.starts(begin)
}

// starts makes a date the end of what begins on another day of its month.
func (m *moment) starts(day string) bool {
	begin, is := date(m.at.Format("2006"), m.at.Format("1"), dayOf(day))
	is = is && begin.Before(m.at)
	m.at, m.until, m.date = begin, m.at, is
	return is
}

// connects are between the two ends of a time.
var connects = words(`to and until till through - –`)

// monthFirst reads "December 4, 2026" and "December 4th 2026".
func (t *text) monthFirst(m *moment, month int) bool {
	day := t.behind(m.first + 1)
	begin, end, both := strings.Cut(strings.ReplaceAll(day, "–", "-"), "-")
	if both = both && dayOf(day) == "" && dayOf(begin) != ""; both {
		day = end
	}
	return dayOf(day) != "" && t.year(m, m.first+1, month, dayOf(day)) && (!both || m.starts(begin))
}

// year reads the year behind token at. A date without one has many readings.
func (t *text) year(m *moment, at int32, month int, day string) bool {
	if int(at)+1 >= len(t.tokens) || strings.Trim(t.all[t.tokens[at].end:t.tokens[at+1].start], " ,") != "" {
		return false
	}
	y := t.word(at + 1)
	if connects()[strings.ToLower(y)] { // 4 December to 8 December 2026
		end, found := t.moment(at + 2)
		if !found || !end.date || !end.words {
			return false
		}
		m.at, m.date = date(end.at.Format("2006"), strconv.Itoa(month), day)
		m.last, m.words = at, true
		return m.date
	}
	if len(y) != 4 {
		return false
	}
	m.at, m.date = date(y, strconv.Itoa(month), day)
	m.last, m.words = at+1, true
	return m.date
}

// clockAt reads "3pm", "3:30 pm" and "15:00".
func (t *text) clockAt(m *moment, s string) bool {
	c := clockForm().FindStringSubmatch(s)
	if c == nil {
		return false
	}
	half := strings.ReplaceAll(c[4], ".", "")
	if half == "" {
		half = t.half(m, m.last+1)
	}
	if h, _ := strconv.Atoi(c[1]); half == "" && h < 13 && connects()[t.behind(m.last+1)] { // from 2 to 4 pm
		if end := clockForm().FindStringSubmatch(strings.ToLower(t.behind(m.last + 2))); end != nil {
			if half = strings.ReplaceAll(end[4], ".", ""); half == "" {
				at := *m
				half = t.half(&at, m.last+3)
			}
		}
	}
	h, _ := strconv.Atoi(c[1])
	minute, _ := strconv.Atoi(c[2])
	second, _ := strconv.Atoi(c[3])
	switch {
	case half == "" && (c[2] == "" || !strings.Contains(s, ":")) || half != "" && (h < 1 || h > 12) || h > 23 || minute > 59 || second > 59:
		return false
	case half != "":
		if h %= 12; half == "pm" {
			h += 12
		}
	}
	m.clock, m.at = true, clock(h, minute, second)
	return true
}

// half reads the half of the day that is said from token i on: pm, in the evening.
func (t *text) half(m *moment, i int32) string {
	low := strings.ReplaceAll(t.behind(i), ".", "")
	switch {
	case low == "am" || low == "pm":
		m.last = i
		return low
	case low == "o'clock" || low == "o’clock":
		return t.half(m, i+1)
	case low == "in" && t.behind(i+1) == "the":
		part := t.behind(i + 2)
		if part == "morning" {
			m.last = i + 2
			return "am"
		} else if part == "afternoon" || part == "evening" {
			m.last = i + 2
			return "pm"
		}
	case low == "at" && t.behind(i+1) == "night":
		m.last = i + 1
		return "pm"
	}
	return ""
}

// spokenClock reads "half past nine" and "quarter to 3", where the half of the day is said.
func (t *text) spokenClock(m *moment) bool {
	minutes := map[string]int{"half past": 30, "quarter past": 15, "quarter to": -15}[strings.ToLower(t.word(m.first))+" "+t.behind(m.first+1)]
	hour, said := numberWords()[t.behind(m.first+2)]
	if n, err := strconv.Atoi(t.behind(m.first + 2)); err == nil {
		hour, said = n, true
	}
	if minutes == 0 || !said || hour < 1 || hour > 12 {
		return false
	}
	m.last = m.first + 2
	switch t.half(m, m.first+3) {
	case "pm":
		m.at = clock(hour%12+12, minutes, 0)
	case "am":
		m.at = clock(hour%12, minutes, 0)
	default:
		return false
	}
	m.clock = true
	return true
}

// wordClock reads "nine thirty am" and "ten in the morning": the half of the day is said.
func (t *text) wordClock(m *moment) bool {
	hour, minute := numberWords()[strings.ToLower(t.word(m.first))], numberWords()[t.behind(m.first+1)]
	if minute > 9 && minute < 60 {
		m.last++
	} else {
		minute = 0
	}
	half := t.half(m, m.last+1)
	if low := t.label(int(m.first)); low == "dozen" || low == "single" || low == "couple" || low == "pair" {
		return false
	}
	if m.clock = half != "" && hour < 13; half == "pm" {
		hour += 12 - hour/12*12
	} else if hour == 12 {
		hour = 0
	}
	m.at = clock(hour, minute, 0)
	return m.clock
}

func clock(h, m, s int) time.Time { return time.Date(0, 1, 1, h, m, s, 0, time.UTC) }

// numeric reads a date of three numbers where it has one reading: the year
// first, or a day that cannot be a month.
func numeric(a, b, c string) (time.Time, bool) {
	if len(a) == 4 {
		return date(a, b, c)
	}
	dayFirst, one := date(c, b, a)
	monthFirst, two := date(c, a, b)
	if one == two && !dayFirst.Equal(monthFirst) || len(c) != 4 {
		return time.Time{}, false
	} else if one {
		return dayFirst, true
	}
	return monthFirst, two
}

// date is a day that there is.
func date(y, m, d string) (time.Time, bool) {
	at, err := time.Parse("2006-1-2", y+"-"+m+"-"+d)
	return at, err == nil
}

// valueLayouts are the ways in which arguments write a date, a time, or both.
var valueLayouts = strings.Split(`2006-01-02|2006/01/02|20060102|2.1.2006|2/1/2006|1/2/2006|2-1-2006|1-2-2006|January 2, 2006|2 January 2006|Jan 2, 2006|2 Jan 2006|`+
	`2006-01-02T15:04:05Z07:00|2006-01-02T15:04Z07:00|2006-01-02T15:04:05|2006-01-02T15:04|2006-01-02 15:04:05|2006-01-02 15:04|20060102T150405Z|`+
	`15:04|15:04:05|3:04 PM|3:04PM|3 PM|3PM`, "|")

// moment looks for the date and the time that a value is in the question. A zone has to
// be said, but for the Z without which a date-time is none. Differs is the date of which day
// and month are exchanged.
func (c *comparison) moment(v string) (best match, found bool, differs *match) {
	if len(v) < 3 || len(v) > 32 || strings.Trim(v, "0123456789") == v {
		return best, false, nil
	}
	for _, layout := range valueLayouts {
		day, hour := strings.Contains(layout, "2006"), strings.Contains(layout, "15") || strings.Contains(layout, "PM")
		at, err := time.Parse(layout, strings.ToUpper(v))
		if _, off := at.Zone(); err != nil || off != 0 {
			continue
		}
		if m, ok := c.says(at, day, hour); ok {
			if day && strings.IndexByte("/-.", layout[1]) >= 0 { // it has two readings
				m.by = byDate
			}
			return m, true, nil
		}
		if d := c.exchanged(at, day); d != nil {
			differs = d
		}
	}
	return best, false, differs
}

// says finds a date, a time of day, or both, in the question.
func (c *comparison) says(at time.Time, day, hour bool) (match, bool) {
	t := &c.question
	var d, h *moment
	for i := range t.times() {
		m := &t.moments[i]
		if day && d == nil && m.date && same(m.at, at) {
			d = m
		}
		if hour && h == nil && m.clock && m.at.UTC().Format(time.TimeOnly) == at.Format(time.TimeOnly) && (!m.date || same(m.at, at)) {
			h = m
		}
	}
	if hour && h == nil && d != nil && at.Equal(at.Truncate(24*time.Hour)) { // a day alone begins at midnight
		return match{start: t.tokens[d.first].start, end: t.tokens[d.last].end, by: byDate}, true
	}
	if day && d == nil || hour && h == nil {
		return match{}, false
	}
	if d == nil {
		d = h
	} else if h == nil {
		h = d
	}
	m := match{start: t.tokens[min(d.first, h.first)].start, end: t.tokens[max(d.last, h.last)].end, by: byDate}
	if d != h && max(d.first, h.first)-min(d.last, h.last) > 4 { // what is between belongs to others
		t.take(m.start, t.tokens[min(d.last, h.last)].end)
		m.start, m.end = t.tokens[h.first].start, t.tokens[h.last].end
	}
	if d.words && !hour {
		m.by = byDateWords
	}
	return m, true
}

func same(a, b time.Time) bool { return a.Format(time.DateOnly) == b.Format(time.DateOnly) }

// exchanged is the date of the question of which a date has day and month exchanged.
func (c *comparison) exchanged(at time.Time, day bool) *match {
	other, ok := date(at.Format("2006"), at.Format("2"), at.Format("1"))
	if !day || !ok || same(at, other) {
		return nil
	}
	if m, found := c.says(other, true, false); found {
		m.want = other.Format(time.DateOnly)
		return &m
	}
	return nil
}

// calendar is what a parameter that is called month, day or year takes of the one
// date that the question says.
func (c *comparison) calendar(l *leaf, v string) (m match, found bool) {
	parts := strings.Split(snake(l.name()), "_")
	layout := map[string]string{"month": "1", "day": "2", "year": "2006"}[parts[len(parts)-1]]
	if layout == "" {
		return m, false
	}
	var the *moment
	for i := range c.question.times() {
		if n := &c.question.moments[i]; n.date && the != nil {
			return m, false
		} else if n.date {
			the = n
		}
	}
	if the == nil {
		return m, false
	}
	m = match{start: c.question.tokens[the.first].start, end: c.question.tokens[the.last].end, by: byDate}
	if the.words {
		m.by = byDateWords
	}
	if want := the.at.Format(layout); want != strings.TrimLeft(v, "0") && fmt.Sprint(the.at.Month()) != v {
		m.want = want
	}
	return m, true
}
