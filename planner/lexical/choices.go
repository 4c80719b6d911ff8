package lexical

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// choices fills the parameters with listed values, if the question has one of the values.
// It fills booleans if the question has their name.
func (f *filling) choices() {
	for k := range f.e.slots {
		s := &f.e.slots[k]
		switch {
		case !f.open(k):
		case len(s.enum) > 0:
			f.choose(k, s)
		case s.kind == "boolean" && (!s.required || s.preset == nil):
			if from, to := f.yes(s); to > from {
				f.set(k, argument{literal: jsontext.Value("true"), origin: fromName, words: f.t.span(from, to)}, from, to)
			}
		}
	}
}

// yes finds the words that ask for a boolean parameter. They are all words of its name, in
// any order, with only articles or words of the tool between.
func (f *filling) yes(s *slot) (from, to int) {
	name := s.name
	if f.loose && len(name) > 1 && having()[name[0]] {
		name = name[1:]
	}
	for from = range f.t.words {
		said := 0
		end := min(len(f.t.words), from+len(name)+2)
		for to = from; to < end && f.goesOn(from, to); to++ {
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

// goesOn reports whether the free words that begin at from continue at word i.
func (f *filling) goesOn(from, i int) bool {
	return !f.used[i] && (i == from || !f.t.parts(i))
}

// having are words before the thing that a boolean parameter switches on.
var having = stems("is has have with include includes allow allows accept accepts only show")

// choose takes the one listed value that the question has. If one is part of another, it
// takes the longer one.
func (f *filling) choose(k int, s *slot) {
	best, from, to, several := -1, 0, 0, false
	for i, c := range s.enum {
		a, b := f.says(c.stems, 0)
		for b > a && !f.picks(s, a, b) {
			a, b = f.says(c.stems, b)
		}
		switch {
		case b == a:
		case best < 0 || b-a > to-from,
			b-a == to-from && f.inName(from) && !f.inName(a):
			best, from, to, several = i, a, b, false
		case b-a == to-from && (!f.inName(a) || f.inName(from)):
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

// picks reports whether words select a listed value, and are not only the tool's name.
func (f *filling) picks(s *slot, from, to int) bool {
	if !f.chosen(from, to) {
		return false
	}
	return f.loose || !f.inName(from) || slices.ContainsFunc(s.name, f.t.has)
}

// inName reports whether word i is one of the tool's name.
func (f *filling) inName(i int) bool { return f.e.at(f.t, i)&inName != 0 }

// chosen reports whether words select this listed value. A number may belong to something
// else. A verb of the request does not select: "run the monitor" does not mean a monitor
// that is running.
func (f *filling) chosen(from, to int) bool {
	if numeric(&f.t.words[from]) {
		return false
	}
	if !f.t.heads(from) {
		return true
	}
	asks := verbs(f.t.low(from)) && (!f.loose || f.inName(from))
	return !asks && !articles()[f.t.low(to)]
}

// years reports whether a word is a year from 1900 to 2099.
func years(w string) bool {
	century := strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20")
	return century && len(w) == 4 && strings.Trim(w, "0123456789") == ""
}

// says finds the first run of free words from word i on that have these stems.
func (f *filling) says(stems []string, i int) (from, to int) {
	for ; len(stems) > 0 && i < len(f.t.words); i++ {
		n := 0
		at := i
		for n < len(stems) && at < len(f.t.words) {
			if f.used[at] || n > 0 && f.t.parts(at) {
				break
			}
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
