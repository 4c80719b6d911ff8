package lexical

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// choices fills the parameters whose values the schema lists, where the
// question says one of them, and the booleans whose name it says.
func (f *filling) choices() {
	for k := range f.e.slots {
		s := &f.e.slots[k]
		switch {
		case !f.open(k):
		case len(s.enum) > 0:
			f.choose(k, s)
		case s.kind == "boolean" && !s.required || s.kind == "boolean" && s.preset == nil:
			if from, to := f.yes(s); to > from {
				f.set(k, argument{literal: jsontext.Value("true"), origin: fromName, words: f.t.span(from, to)}, from, to)
			}
		}
	}
}

// yes finds the words that ask for what a boolean parameter switches on: all of
// its name in any order, with no more between than the tool says too.
func (f *filling) yes(s *slot) (from, to int) {
	name := s.name
	if f.loose && len(name) > 1 && having()[name[0]] {
		name = name[1:]
	}
	for from = range f.t.words {
		said := 0
		for to = from; to < min(len(f.t.words), from+len(name)+2) && !f.used[to] && (to == from || !f.t.parts(to)); to++ {
			if w := &f.t.words[to]; slices.Contains(name, w.stem) {
				said++
			} else if said == 0 || !articles()[w.low] && f.e.words[w.stem] == 0 {
				break
			}
			if said == len(name) {
				return from, to + 1
			}
		}
	}
	return 0, 0
}

// having are the words before what a boolean parameter switches on.
var having = stems("is has have with include includes allow allows accept accepts only show")

// choose takes the one listed value that the question says; the longest, where
// one is part of another.
func (f *filling) choose(k int, s *slot) {
	best, from, to, several := -1, 0, 0, false
	for i, c := range s.enum {
		a, b := f.says(c.stems, 0)
		for b > a && !(f.chosen(a, b) && (f.loose || f.e.at(f.t, a)&inName == 0 || slices.ContainsFunc(s.name, f.t.has))) {
			a, b = f.says(c.stems, b)
		}
		switch {
		case b == a:
		case best < 0 || b-a > to-from || b-a == to-from && f.e.at(f.t, from)&inName != 0 && f.e.at(f.t, a)&inName == 0:
			best, from, to, several = i, a, b, false
		case b-a == to-from && (f.e.at(f.t, a)&inName == 0 || f.e.at(f.t, from)&inName != 0):
			several = true
		}
	}
	if best < 0 {
		return
	}
	if several {
		f.unclear = append(f.unclear, value{from: from, to: to})
	}
	f.set(k, argument{literal: s.enum[best].literal, origin: fromEnum, words: f.t.span(from, to)}, from, to)
}

// chosen reports whether words that are a listed value mean this one: not a number,
// which may belong to something else; and not what the question asks to do, as in "run the monitor", which is not a monitor
// that is running.
func (f *filling) chosen(from, to int) bool {
	if f.t.heads(from) && (verbs(f.t.low(from)) && (!f.loose || f.e.at(f.t, from)&inName != 0) || articles()[f.t.low(to)]) {
		return false
	}
	return !numeric(&f.t.words[from])
}

// years reports whether a word is the number of a year of these times.
func years(w string) bool {
	return len(w) == 4 && (w[:2] == "19" || w[:2] == "20") && strings.Trim(w, "0123456789") == ""
}

// says finds the first run of free words from word i on that have these stems.
func (f *filling) says(stems []string, i int) (from, to int) {
	for ; len(stems) > 0 && i < len(f.t.words); i++ {
		n := 0
		at := i
		for n < len(stems) && at < len(f.t.words) && !f.used[at] && (n == 0 || !f.t.parts(at)) {
			if f.t.words[at].stem == stems[n] {
				n++
			} else if n == 0 && slices.Equal(f.t.words[at].parts, stems) {
				n = len(stems)
			} else if n == 0 || !articles()[f.t.low(at)] {
				break
			}
			at++
		}
		if n == len(stems) {
			return i, at
		}
	}
	return 0, 0
}
