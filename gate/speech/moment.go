package speech

import (
	"strconv"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/lex"
)

// Moment is a date or a time of day in a text that has one reading.
type Moment struct {
	First, Last int       // tokens
	At          time.Time // of a time of day, on the first of January of the year 0
	Date, Clock bool      // which of the two it says; neither, if it is a day without its year
	Words       bool      // the month is a word
}

// moment is a moment, or two: in "14-18 June 2026" until is the other end.
type moment struct {
	Moment
	until time.Time
}

var (
	dateForm  = lex.Pattern(`^(\d{1,4})([-/.])(\d{1,2})[-/.](\d{1,4})$`)
	clockForm = lex.Pattern(`^(\d{1,2})(?:[:.](\d{2}))?(?::(\d{2}))?(am|pm|a\.m|p\.m)?$`)
)

// Moments are the dates and times of day in a text. They are read once.
func (t *Text) Moments() []Moment {
	for i := 0; !t.read.moments && i < len(t.Tokens); {
		m, said := t.moment(i)
		if i++; !said {
			continue
		}
		t.moments, i = append(t.moments, m.Moment), m.Last+1
		if !m.until.IsZero() {
			m.At = m.until
			t.moments = append(t.moments, m.Moment)
		}
	}
	t.read.moments = true
	return t.moments
}

// moment reads the date or the time of day that begins at token i.
func (t *Text) moment(i int) (m moment, said bool) {
	m.First, m.Last = i, i
	s := t.Low(i)
	switch {
	case s == "":
		return m, false
	case t.month(i) > 0:
		said = t.monthFirst(&m, t.month(i))
	case s == "noon":
		said = m.clock(12, 0, 0)
	case s == "midnight":
		said = m.clock(0, 0, 0)
	case s == "half", s == "quarter":
		said = t.pastTheHour(&m)
	case numberWords()[s] > 0:
		said = t.wordClock(&m)
	case Day(s) != "" && t.dayFirst(&m):
		said = true
	case s[0] >= '0' && s[0] <= '9':
		said = m.written(s) || t.dayFirst(&m) || t.clockAt(&m, s)
	}
	return m, said
}

// month is the month that token i names, or 0. May and march are words as well, so they
// need a capital.
func (t *Text) month(i int) int {
	s := t.Word(i)
	if s == "may" || s == "march" {
		return 0
	}
	return months()[strings.ToLower(s)]
}

// written reads a date, or a date and a time, of digits.
func (m *moment) written(s string) bool {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if at, err := time.Parse(layout, strings.ToUpper(s)); err == nil {
			m.At, m.Date, m.Clock = at, true, true
			return true
		}
	}
	if d := dateForm().FindStringSubmatch(s); d != nil {
		m.At, m.Date = numeric(d[1], d[3], d[4])
	}
	return m.Date
}

// dayFirst reads "4 December 2026", "the 4th of December, 2026" and "4-8 December 2026".
func (t *Text) dayFirst(m *moment) bool {
	day, until := days(t.Word(m.First))
	at := m.First + 1
	if t.Behind(at) == "of" {
		at++
	}
	switch month := months()[t.Behind(at)]; {
	case day == "":
		return false
	case connects()[t.Behind(at)] && until == "": // 4 to 8 December 2026
		return t.beginsBefore(m, at+1, day, 0)
	case month == 0:
		return false
	case until == "":
		return t.year(m, at, month, day)
	default:
		return t.year(m, at, month, until) && m.starts(day)
	}
}

// monthFirst reads "December 4, 2026", "December 4th 2026" and "December 4-8, 2026".
func (t *Text) monthFirst(m *moment, month int) bool {
	day, until := days(t.Behind(m.First + 1))
	switch {
	case day == "":
		return false
	case until == "":
		return t.year(m, m.First+1, month, day)
	}
	return t.year(m, m.First+1, month, until) && m.starts(day)
}

// days are the day that a word names, or the two of 4-8.
func days(word string) (day, until string) {
	if day = Day(word); day != "" {
		return day, ""
	}
	begin, end, both := strings.Cut(strings.ReplaceAll(word, "–", "-"), "-")
	if !both || Day(begin) == "" || Day(end) == "" {
		return "", ""
	}
	return Day(begin), Day(end)
}

// starts makes a date the end of a time that begins on another day of its month.
func (m *moment) starts(day string) bool {
	begin, is := date(m.At.Format("2006"), m.At.Format("1"), day)
	m.Date = m.Date && is && begin.Before(m.At)
	m.At, m.until = begin, m.At
	return m.Date
}

// beginsBefore reads the first day of a range. The end of the range, with the year, is at a
// token. If month is 0, it is the month of the end.
func (t *Text) beginsBefore(m *moment, end int, day string, month int) bool {
	until, said := t.moment(end)
	if !said || !until.Date || !until.Words {
		return false
	}
	if month == 0 {
		month = int(until.At.Month())
	}
	m.At, m.Date = date(until.At.Format("2006"), strconv.Itoa(month), day)
	m.Words = true
	return m.Date
}

// year reads the year behind token at. A date without a year has many readings, so it is
// a moment of the year 0 that is not a date.
func (t *Text) year(m *moment, at, month int, day string) bool {
	year := ""
	if at+1 < len(t.Tokens) && strings.Trim(t.Gap(at+1), " ,") == "" {
		year = t.Word(at + 1)
	}
	m.Last, m.Words = at, true
	switch {
	case connects()[strings.ToLower(year)] && t.beginsBefore(m, at+2, day, month): // 4 December to 8 December 2026
	case len(year) == 4:
		m.At, m.Date = date(year, strconv.Itoa(month), day)
		m.Last++
	case t.month(at) > 0 || t.month(m.First) > 0:
		at, exists := date("0000", strconv.Itoa(month), day)
		m.At = at
		return exists
	}
	return m.Date
}

// numeric reads a date of three numbers if it has one reading. The year is first, or one
// number is a day that cannot be a month.
func numeric(a, b, c string) (time.Time, bool) {
	if len(a) == 4 {
		return date(a, b, c)
	}
	dayFirst, one := date(c, b, a)
	monthFirst, two := date(c, a, b)
	switch {
	case len(c) != 4, one && two && !dayFirst.Equal(monthFirst):
		return time.Time{}, false
	case one:
		return dayFirst, true
	}
	return monthFirst, two
}

// date is a day that exists.
func date(y, m, d string) (time.Time, bool) {
	at, err := time.Parse("2006-1-2", y+"-"+m+"-"+d)
	return at, err == nil
}
