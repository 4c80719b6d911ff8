package speech

import (
	"strconv"
	"strings"
	"time"
)

// clock is a time of day.
func (m *moment) clock(hour, minute, second int) bool {
	m.Clock, m.At = true, time.Date(0, 1, 1, hour, minute, second, 0, time.UTC)
	return true
}

// clockAt reads "3pm", "3:30 pm" and "15:00".
func (t *Text) clockAt(m *moment, s string) bool {
	c := clockForm().FindStringSubmatch(s)
	if c == nil {
		return false
	}
	hour, _ := strconv.Atoi(c[1])
	minute, _ := strconv.Atoi(c[2])
	second, _ := strconv.Atoi(c[3])
	half := strings.ReplaceAll(c[4], ".", "")
	if half == "" {
		half, m.Last = t.dayHalf(m.Last + 1)
	}
	switch said := half != ""; {
	case hour > 23, minute > 59, second > 59:
		return false
	case !said && !strings.Contains(s, ":"):
		return false
	case said && (hour < 1 || hour > 12):
		return false
	case said:
		hour = hourOf(hour, half)
	}
	return m.clock(hour, minute, second)
}

// hourOf is an hour from 1 to 12 of a half of the day.
func hourOf(hour int, half string) int {
	if hour %= 12; half == "pm" {
		hour += 12
	}
	return hour
}

// dayHalf reads the half of the day at token i, such as pm or in the evening, and returns
// its last token. Without one, last is the token before i.
func (t *Text) dayHalf(i int) (half string, last int) {
	last = i - 1
	low := strings.ReplaceAll(t.Behind(i), ".", "")
	switch low {
	case "am", "pm":
		return low, i
	case "o'clock", "o’clock":
		if half, end := t.dayHalf(i + 1); half != "" {
			return half, end
		}
	case "at":
		if t.Behind(i+1) == "night" {
			return "pm", i + 1
		}
	case "in":
		if half = partsOfTheDay[t.Behind(i+2)]; half != "" && t.Behind(i+1) == "the" {
			return half, i + 2
		}
	}
	return "", last
}

var partsOfTheDay = map[string]string{"morning": "am", "afternoon": "pm", "evening": "pm"}

// pastTheHour reads "half past nine" and "quarter to 3", if the half of the day is given.
func (t *Text) pastTheHour(m *moment) bool {
	minutes := fractions[t.Low(m.First)+" "+t.Behind(m.First+1)]
	hour := numberWords()[t.Behind(m.First+2)]
	if n, err := strconv.Atoi(t.Behind(m.First + 2)); err == nil {
		hour = n
	}
	if minutes == 0 || hour < 1 || hour > 12 {
		return false
	}
	half, last := t.dayHalf(m.First + 3)
	m.Last = last
	return half != "" && m.clock(hourOf(hour, half), minutes, 0)
}

var fractions = map[string]int{"half past": 30, "quarter past": 15, "quarter to": -15}

// wordClock reads "nine thirty am" and "ten in the morning". The half of the day must be
// given.
func (t *Text) wordClock(m *moment) bool {
	hour, minute := numberWords()[t.Low(m.First)], numberWords()[t.Behind(m.First+1)]
	if minute > 9 && minute < 60 {
		m.Last++
	} else {
		minute = 0
	}
	half, last := t.dayHalf(m.Last + 1)
	m.Last = last
	if half == "" || hour > 12 || collective()[t.Label(m.First)] {
		return false
	}
	return m.clock(hourOf(hour, half), minute, 0)
}
