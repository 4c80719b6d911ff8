package speech

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Period is a week, a month or a quarter with its year in a text. It may also be the first
// or last day of a month.
type Period struct {
	First, Last int    // tokens
	Name        string // as arguments write it: 2026-11, 2027-W07; "" of a quarter and a day
	From, To    time.Time
}

// Periods are the periods in a text. They are read once.
func (t *Text) Periods() []Period {
	for i := 0; !t.read.periods && i < len(t.Tokens); i++ {
		if p, said := t.period(i); said {
			t.periods = append(t.periods, p)
		}
	}
	t.read.periods = true
	return t.periods
}

// period reads "November 2026", "the third quarter of 2026", "Q3 2026" and "week 7 of
// 2027". It also reads the first or last day of a month.
func (t *Text) period(i int) (p Period, said bool) {
	p.First = i
	switch month := t.month(i); {
	case month > 0 && t.dayBefore(i) == "":
		said = t.monthOf(&p, month)
	case t.Low(i) == "week":
		said = t.week(&p)
	default:
		said = t.quarterOf(&p)
	}
	return p, said
}

func day(year, month, day int) time.Time {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

func (t *Text) monthOf(p *Period, month int) bool {
	i := p.First
	year, last := t.ofYear(i)
	if year == 0 {
		return false
	}
	p.Last, p.From = last, day(year, month, 1)
	p.To, p.Name = p.From.AddDate(0, 1, -1), p.From.Format("2006-01")
	if t.Behind(i-1) != "of" || t.Behind(i-2) != "day" {
		return true
	}
	switch t.Low(i - 3) {
	case "first":
		p.First, p.Name, p.To = i-3, "", p.From
	case "last":
		p.First, p.Name, p.From = i-3, "", p.To
	}
	return true
}

// week reads a week as ISO 8601 counts.
func (t *Text) week(p *Period) bool {
	n, _ := strconv.Atoi(t.Behind(p.First + 1))
	year, last := t.ofYear(p.First + 1)
	if n < 1 || year == 0 {
		return false
	}
	first := day(year, 1, 4) // in the first week
	p.From = first.AddDate(0, 0, 7*(n-1)-(int(first.Weekday())+6)%7)
	p.To, p.Last, p.Name = p.From.AddDate(0, 0, 6), last, fmt.Sprintf("%d-W%02d", year, n)
	y, w := p.From.ISOWeek()
	return y == year && w == n
}

// quarterOf reads "third quarter" and "Q3".
func (t *Text) quarterOf(p *Period) bool {
	low := t.Low(p.First)
	n, at := digit(low), p.First+1
	if t.Behind(at) != "quarter" {
		if len(low) != 2 || low[0] != 'q' {
			return false
		}
		n, at = int(low[1]-'0'), p.First
	}
	year, last := t.ofYear(at)
	if n < 1 || n > 4 || year == 0 {
		return false
	}
	p.Last, p.From = last, day(year, 3*n-2, 1)
	p.To = p.From.AddDate(0, 3, -1)
	return true
}

// ofYear is the year behind token i, ignoring "of" and a comma. It is 0 if the text has no
// year there.
func (t *Text) ofYear(i int) (year, last int) {
	if last = i + 1; t.Behind(last) == "of" {
		last++
	}
	y := t.Word(last)
	year, _ = strconv.Atoi(y)
	if len(y) != 4 || year < 1000 || strings.Trim(t.Gap(last), " ,") != "" {
		return 0, i
	}
	return year, last
}

// dayBefore is the day of the month before token i, or "".
func (t *Text) dayBefore(i int) string {
	at := i - 1
	if t.Low(at) == "of" && t.Low(at-1) != "day" {
		at--
	}
	return Day(t.Word(at))
}
