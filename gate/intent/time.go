package intent

import (
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/speech"
)

// valueLayouts are the ways in which arguments write a date, a time, or both.
var valueLayouts = strings.Split(`2006-01-02|2006/01/02|20060102|2.1.2006|2/1/2006|1/2/2006|2-1-2006|1-2-2006|January 2, 2006|2 January 2006|Jan 2, 2006|2 Jan 2006|`+
	`2006-01-02T15:04:05Z07:00|2006-01-02T15:04Z07:00|2006-01-02T15:04:05|2006-01-02T15:04|2006-01-02 15:04:05|2006-01-02 15:04|20060102T150405Z|`+
	`15:04|15:04:05|3:04 PM|3:04PM|3 PM|3PM`, "|")

// maxDate is the length of the longest date that is looked for.
const maxDate = 32

// moment looks for the date and the time of a value in the question. A zone must be stated,
// except the Z that every date-time needs. differs is the date with day and month
// exchanged.
func (c *comparison) moment(v string) (best match, found bool, differs *match) {
	if len(v) < 3 || len(v) > maxDate || strings.Trim(v, "0123456789") == v {
		return best, false, nil
	}
	for _, layout := range valueLayouts {
		at, err := time.Parse(layout, strings.ToUpper(v))
		if _, off := at.Zone(); err != nil || off != 0 {
			continue
		}
		day := strings.Contains(layout, "2006")
		hour := strings.Contains(layout, "15") || strings.Contains(layout, "PM")
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
	var d, h *speech.Moment
	if day {
		d = c.first(func(m *speech.Moment) bool { return m.Date && sameDay(m.At, at) })
	}
	if hour {
		h = c.first(func(m *speech.Moment) bool { return m.Clock && sameClock(m, at) })
	}
	switch noHour := hour && h == nil; {
	case noHour && d != nil && at.Equal(at.Truncate(24*time.Hour)): // a day alone begins at midnight
		return t.tokens(d.First, d.Last, byDate), true
	case day && d == nil, noHour:
		return match{}, false
	case !day:
		d = h
	case !hour:
		h = d
	}
	return c.both(d, h, hour), true
}

// first is the first moment of the question of a kind, or nil.
func (c *comparison) first(is func(m *speech.Moment) bool) *speech.Moment {
	for _, m := range c.question.Moments() {
		if is(&m) {
			return &m
		}
	}
	return nil
}

// both is the place of a date and a time of day, which may be one.
func (c *comparison) both(d, h *speech.Moment, hour bool) match {
	t := &c.question
	m := t.tokens(min(d.First, h.First), max(d.Last, h.Last), byDate)
	if *d != *h && max(d.First, h.First)-min(d.Last, h.Last) > 4 { // the text between belongs to other values
		t.take(m.start, t.Tokens[min(d.Last, h.Last)].End)
		m = t.tokens(h.First, h.Last, byDate)
	}
	if d.Words && !hour {
		m.by = byDateWords
	}
	return m
}

func sameDay(a, b time.Time) bool { return a.Format(time.DateOnly) == b.Format(time.DateOnly) }

// sameClock reports whether a moment is at a time of day, and on its day if it has one.
func sameClock(m *speech.Moment, at time.Time) bool {
	return m.At.UTC().Format(time.TimeOnly) == at.Format(time.TimeOnly) && (!m.Date || sameDay(m.At, at))
}

// exchanged is the date of the question that equals a date with day and month exchanged.
func (c *comparison) exchanged(at time.Time, day bool) *match {
	other, err := time.Parse("2006-2-1", at.Format(time.DateOnly))
	if !day || err != nil || sameDay(at, other) {
		return nil
	}
	m, found := c.says(other, true, false)
	if !found {
		return nil
	}
	m.want = other.Format(time.DateOnly)
	return &m
}

// period looks for the period that has a value as its name, its first or its last day. An
// argument that is called start takes no last day, and one called end no first day.
func (c *comparison) period(l *leaf, v string) (match, bool) {
	t := &c.question
	if len(v) < len("2026-11") || len(v) > maxDate {
		return match{}, false
	}
	side, _ := sideOf(l.name())
	for _, p := range t.Periods() {
		if !t.spend(1) {
			break
		}
		begins := v == p.From.Format(time.DateOnly) || v == p.From.Format(time.RFC3339)
		ends := v == p.To.Format(time.DateOnly)
		switch {
		case strings.EqualFold(v, p.Name), begins && ends:
		case begins && side != toSide:
		case ends && side != fromSide:
		default:
			continue
		}
		return t.tokens(p.First, p.Last, byDate), true
	}
	return match{}, false
}
