package intent

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// period is a week, a month or a quarter that a text says with its year.
type period struct {
	first, last int32  // tokens
	name        string // as arguments write it: 2026-11, 2027-W07; "" of a quarter
	from, to    time.Time
}

// period looks for the period of which a value is the name, its first or its last
// day. An argument that is called start takes no last day, and one called end no first.
func (c *comparison) period(l *leaf, v string) (match, bool) {
	t := &c.question
	if len(v) < 7 || len(v) > 32 || v[0] < '0' || v[0] > '9' {
		return match{}, false
	}
	side, _ := sideOf(l.name())
	for _, p := range t.periods() {
		if !t.spend(1) {
			break
		}
		begins, ends := v == p.from.Format(time.DateOnly) || v == p.from.Format(time.RFC3339), v == p.to.Format(time.DateOnly)
		if p.name != "" && strings.EqualFold(v, p.name) || begins && (side != toSide || p.from.Equal(p.to)) || ends && (side != fromSide || p.from.Equal(p.to)) {
			return match{start: t.tokens[p.first].start, end: t.tokens[p.last].end, by: byDate}, true
		}
	}
	return match{}, false
}

// periods are those that a text says. They are read once.
func (t *text) periods() []period {
	for i := 0; !t.parted && i < len(t.tokens); i++ {
		if p, found := t.period(int32(i)); found {
			t.spans = append(t.spans, p)
		}
	}
	t.parted = true
	return t.spans
}

// period reads "November 2026", "the third quarter of 2026", "Q3 2026", "week 7 of
// 2027", and of a month its first or last day.
func (t *text) period(i int32) (p period, found bool) {
	low := strings.ToLower(t.word(i))
	p.first = i
	switch {
	case months()[low] > 0 && (low != "may" && low != "march" || t.word(i)[0] < 'a') && t.dayBefore(i) == "":
		year, last := t.ofYear(i)
		if p.last = last; year == 0 {
			return p, false
		}
		p.from = time.Date(year, time.Month(months()[low]), 1, 0, 0, 0, 0, time.UTC)
		p.to, p.name = p.from.AddDate(0, 1, -1), p.from.Format("2006-01")
		if edge := t.edge(i); edge != "" {
			p.first, p.name = i-3, ""
			if edge == "last" {
				p.from = p.to
			}
			p.to = p.from
		}
	case low == "week":
		n, err := strconv.Atoi(t.behind(i + 1))
		year, last := t.ofYear(i + 1)
		if p.last = last; err != nil || n < 1 || n > 53 || year == 0 {
			return p, false
		}
		p.from = time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC) // in the first week, as ISO 8601 counts
		p.from = p.from.AddDate(0, 0, 7*(n-1)-(int(p.from.Weekday())+6)%7)
		if y, w := p.from.ISOWeek(); y != year || w != n {
			return p, false
		}
		p.to, p.name = p.from.AddDate(0, 0, 6), fmt.Sprintf("%d-W%02d", year, n)
	default:
		quarter, at := ordinals()[low], i+1
		if t.behind(i+1) != "quarter" {
			quarter, at = strings.TrimPrefix(low, "q"), i
		}
		if len(quarter) != 1 || quarter == low || quarter < "1" || quarter > "4" {
			return p, false
		}
		year, last := t.ofYear(at)
		if p.last = last; year == 0 {
			return p, false
		}
		p.from = time.Date(year, time.Month(3*(quarter[0]-'1')+1), 1, 0, 0, 0, 0, time.UTC)
		p.to = p.from.AddDate(0, 3, -1)
	}
	return p, true
}

// ofYear is the year behind token i, "of" and a comma aside, 0 where there is none.
func (t *text) ofYear(i int32) (year int, last int32) {
	if last = i + 1; t.behind(last) == "of" {
		last++
	}
	y := t.word(last)
	if year, _ = strconv.Atoi(y); len(y) != 4 || year < 1000 || strings.Trim(t.all[t.tokens[last-1].end:t.tokens[last].start], " ,") != "" {
		return 0, i
	}
	return year, last
}

// edge is "first" or "last" where the first or the last day is meant of the month at token i.
func (t *text) edge(i int32) string {
	if low := strings.ToLower(t.word(i - 3)); (low == "first" || low == "last") && t.behind(i-2) == "day" && t.behind(i-1) == "of" {
		return low
	}
	return ""
}

// dayBefore is the day of the month that is said before token i, "" where none is.
func (t *text) dayBefore(i int32) string {
	at := i - 1
	if strings.EqualFold(t.word(at), "of") && strings.ToLower(t.word(at-1)) != "day" {
		at--
	}
	return dayOf(t.word(at))
}

// dayOf is the number of a day: 4, 4th, fourth, twenty-first.
func dayOf(word string) string {
	low := strings.ToLower(word)
	if d := dayForm().FindStringSubmatch(low); d != nil {
		return d[1]
	}
	tens, one, both := strings.Cut(low, "-")
	switch n := numberWords()[tens]; {
	case both && (n == 20 || n == 30) && ordinals()[one] != "":
		return string(rune('0'+n/10)) + ordinals()[one]
	case ordinals()[low] != "":
		return ordinals()[low]
	}
	for n, w := range [...]string{"tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth"} {
		if low == w {
			return strconv.Itoa(10 + n)
		}
	}
	if low == "thirtieth" {
		return "30"
	}
	return ""
}
