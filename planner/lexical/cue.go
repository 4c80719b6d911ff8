package lexical

import (
	"slices"
	"strings"
)

// told is the strength of a sign from which an optional parameter takes a value. Such signs
// are the parameter's name next to the value, a preposition of its role, or a distinct
// form. byName is the strength of the name.
const (
	told   = 2
	byName = 4
)

// link are words that may be between a parameter's name and its value.
var link = set(`is of the a an named called titled id number value with as equal equals no name my our are be`)

// Words around the number of results that a user wants.
var (
	limitNames = stems("limit count max maximum top size results k n")
	limitLeads = set("top first last next limit max maximum most up")
	limitTails = stems("results hits items entries matches them")
)

// cue is how strongly the words around a value support the slot. It is negative if they
// support another one.
func (f *filling) cue(v *value, s *slot) int {
	score := f.before(v, s) + f.after(v, s)
	if v.shape != numeral {
		return score
	}
	tail := f.limitTail(v)
	switch {
	case s.limits && len(v.num.Units) > 0:
		return score
	case s.limits && (tail || f.t.limited(v)):
		return score + 4
	case s.limits || !tail:
	case s.nameless, s.identifies:
		return -6 // 5 issues are not the issue with the number 5
	}
	return score
}

// limited reports whether words make a number a limit: top 5, up to 5, 5 at most.
func (t text) limited(v *value) bool {
	before := t.low(v.from - 1)
	if before == "to" {
		before = t.low(v.from - 2)
	}
	return limitLeads()[before] || limitLeads()[t.low(v.to)] || t.begins(v.to, []string{"at", "most"})
}

func (f *filling) limitTail(v *value) bool {
	next := v.to
	if f.t.low(next) == "of" {
		next++
	}
	if next >= len(f.t.words) || f.t.parts(next) {
		return false
	}
	return limitTails()[f.t.words[next].stem] || f.e.at(f.t, next)&(inName|inTitle) != 0
}

// before reads back from a value to the preposition that leads to it. It stops at a word
// that does not belong to the slot.
func (f *filling) before(v *value, s *slot) (score int) {
	for i := v.from - 1; i >= 0 && i >= v.from-6; i-- {
		if g := f.t.gap(i + 1); strings.ContainsAny(g, ",;.!?()\n") || strings.Contains(g, ":") && i+1 < v.from {
			return score
		}
		w := &f.t.words[i]
		switch {
		case f.used[i]:
			return score
		case s.named(w) || s.label == w.low:
			score += 4
		case slices.Contains(s.cues, w.stem):
			score++
		case roles()[w.low] != nil:
			if score == 0 && s.says(roles()[w.low]) {
				return told
			}
			return score
		case !link()[w.low] && !generic()[w.stem]:
			return score
		}
	}
	return score
}

// after reads on from a value: 50 lines, the staging namespace, 10:00 (start).
func (f *filling) after(v *value, s *slot) (score int) {
	for i := v.to; i < len(f.t.words) && i < v.to+2; i++ {
		if g := strings.Trim(f.t.gap(i), " -"); g != "" && !(g == "(" && i == v.to) {
			return score
		}
		w := &f.t.words[i]
		switch {
		case f.used[i]:
			return score
		case s.named(w) && !s.nameless:
			score += 3
		case slices.Contains(s.cues, w.stem):
			score++
			if v.shape == numeral {
				score++
			}
		default:
			return score
		}
	}
	return score
}

// form is how strongly a value's form supports the slot.
func (s *slot) form(v *value) int {
	if v.shape == listing {
		return s.form(&v.items[0])
	}
	if s.telling() {
		return 3
	}
	if s.shapes(v) {
		return told
	}
	return 0
}

// shapes reports whether a value has the form that the slot's name or description asks for.
func (s *slot) shapes(v *value) bool {
	switch v.shape {
	case identifier:
		return s.examples().likes != "" && outline(v.text) == s.examples().likes
	case mailbox:
		return s.mail()
	case address:
		return s.page()
	case pathname:
		return s.file()
	case dated:
		return s.day()
	case quotation:
		return s.takesText()
	case numeral:
		year := v.to == v.from+1 && s.says(yearNames()) && years(v.text)
		return year || s.measures(&v.num)
	}
	return false
}

var (
	mailNames = stems("email mail")
	pageNames = stems("url uri link website endpoint href")
	fileNames = stems("path file filename directory folder filepath source destination")
	pathNames = stems("path filename directory folder filepath")
	globNames = stems("pattern glob filter")
	yearNames = stems("year")
	heatNames = stems("temperature temp kelvin")
	dayNames  = stems("date day since until start end from to when after before birthday deadline due time begin month week")
)

func (s *slot) mail() bool { return s.format == "email" || s.says(mailNames()) }
func (s *slot) page() bool { return s.format == "uri" || s.format == "url" || s.says(pageNames()) }
func (s *slot) file() bool { return s.says(fileNames()) }
func (s *slot) day() bool {
	if s.format == "date" || s.format == "date-time" {
		return true
	}
	return s.says(dayNames()) || strings.Contains(s.hint, "date")
}
