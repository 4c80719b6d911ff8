package summarize

import (
	"fmt"
	"strconv"
)

var months = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

var (
	isoDate  = pattern(`^(\d{4})-(\d{2})-(\d{2})$`)
	dayForm  = pattern(`^(\d{1,2})(?:st|nd|rd|th)?$`)
	yearForm = pattern(`^(1[5-9]\d\d|20\d\d)$`)
)

// dateAt reads the date that begins at ws[i]: 2026-03-05, March 5, 2026,
// 5 March 2026, March 2026, 5 March. A date in figures and strokes has no one
// reading and stands as it is.
func dateAt(ws []word, i int) (fact, int) {
	if m := isoDate().FindStringSubmatch(ws[i].key); m != nil {
		return date(atoi(m[1]), atoi(m[2]), atoi(m[3])), 1
	}
	if month := months[ws[i].key]; month > 0 && ws[i].capital() {
		return monthFirst(ws, i, month)
	}
	day := dayOf(ws, i)
	at := i + 1
	if day > 0 && at < len(ws) && ws[at].key == "of" {
		at++
	}
	if day == 0 || at >= len(ws) || months[ws[at].key] == 0 || !ws[at].capital() {
		return fact{}, 0
	}
	n := at + 1 - i
	year := yearOf(ws, at+1)
	if year > 0 {
		n++
	}
	return date(year, months[ws[at].key], day), n
}

func monthFirst(ws []word, i, month int) (fact, int) {
	if year := yearOf(ws, i+1); year > 0 {
		return date(year, month, 0), 2
	}
	day := dayOf(ws, i+1)
	if day == 0 {
		return fact{}, 0
	}
	if year := yearOf(ws, i+2); year > 0 {
		return date(year, month, day), 3
	}
	return date(0, month, day), 2
}

func dayOf(ws []word, i int) int {
	if i >= len(ws) {
		return 0
	}
	if m := dayForm().FindStringSubmatch(ws[i].key); m != nil && atoi(m[1]) <= 31 {
		return atoi(m[1])
	}
	return 0
}

func yearOf(ws []word, i int) int {
	if i >= len(ws) || !yearForm().MatchString(ws[i].key) {
		return 0
	}
	return atoi(ws[i].key)
}

func date(year, month, day int) fact {
	return fact{"date", fmt.Sprintf("%04d-%02d-%02d", year, month, day), ""}
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // the patterns above let at most four digits through
	return n
}
