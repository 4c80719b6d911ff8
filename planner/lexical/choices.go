package lexical

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// choices fills the slots whose values the schema lists: a value is chosen
// where the question names it.
func (f *filling) choices(m *match) {
	for i := range m.e.slots {
		s := &m.e.slots[i]
		switch {
		case len(s.enum) > 0:
			if hits := m.named(s, s.enum, s.required); len(hits) > 0 {
				best := hits[0]
				for _, h := range hits[1:] {
					if h.worth > best.worth {
						best = h
					}
				}
				f.set(i, argument{s.enum[best.choice].literal, m.t.span(best.from, best.to), fromEnum}, best.from, best.to)
			}
		case s.item != nil && len(s.item.enum) > 0:
			f.several(i, s, m)
		}
	}
}

// several fills an array whose items the schema lists, in the question's order.
func (f *filling) several(i int, s *slot, m *match) {
	hits := m.named(s, s.item.enum, true)
	slices.SortStableFunc(hits, func(a, b hit) int { return a.from - b.from })
	var parts, words []string
	for _, h := range hits {
		lit := string(s.item.enum[h.choice].literal)
		if !slices.Contains(parts, lit) {
			parts = append(parts, lit)
			words = append(words, m.t.span(h.from, h.to))
			f.set(i, argument{}, h.from, h.to)
		}
	}
	delete(f.args, i)
	if len(parts) > 0 {
		f.args[i] = argument{jsontext.Value("[" + strings.Join(parts, ",") + "]"), strings.Join(words, ", "), fromEnum}
	}
}

// hit is one enum value that the question names.
type hit struct {
	choice, from, to int
	worth            float64
}

// named finds the choices that the question names: all words of one, side by
// side; or, where loosely is allowed, one word that only this choice has.
func (m *match) named(s *slot, choices []choice, loosely bool) []hit {
	denied := slices.ContainsFunc(splitName(s.label()), func(w string) bool { return against()[w] })
	var hits, loose []hit
	for c := range choices {
		if h, ok := m.whole(&choices[c]); ok && (denied || !m.negated(h.from)) {
			h.choice = c
			hits = append(hits, h)
		}
	}
	for c := range choices {
		if h, ok := m.partly(choices, c); ok && loosely && len(hits) == 0 && (denied || !m.negated(h.from)) {
			loose = append(loose, h)
		}
	}
	return append(hits, loose...)
}

func (m *match) whole(c *choice) (hit, bool) {
	if len(c.stems) == 0 {
		return hit{}, false
	}
	for i := range m.t.toks {
		if m.t.toks[i].word == c.word || m.wordsAt(i, c.stems) {
			from, to := i, i+1
			if m.t.toks[i].word != c.word {
				to = m.reach(i, len(c.stems))
			}
			exact := pick(m.t.span(from, to) == c.word, 0.5, 0)
			return hit{from: from, to: to, worth: 2 + float64(len(c.stems)) + exact}, true
		}
	}
	return hit{}, false
}

// wordsAt reports whether the stems stand at token i, one after another.
func (m *match) wordsAt(i int, stems []string) bool {
	k := 0
	for ; i < len(m.t.toks) && k < len(stems); i++ {
		tok := &m.t.toks[i]
		parts := tok.stems
		if len(parts) > 1 {
			parts = parts[1 : len(parts)-1]
		}
		for _, p := range parts {
			if k == len(stems) || p != stems[k] {
				return false
			}
			k++
		}
	}
	return k == len(stems)
}

func (m *match) reach(i, words int) int {
	for k := 0; k < words && i < len(m.t.toks); i++ {
		k += max(1, len(m.t.toks[i].stems)-2)
	}
	return i
}

// partly finds one telling word of a choice: "toll roads" for "tolls",
// "disabled people" for "Disabled Access".
func (m *match) partly(choices []choice, c int) (hit, bool) {
	for k, st := range choices[c].stems {
		if weakStems()[st] || len(st) < 3 || k > 2 {
			continue
		}
		shared := 0
		for _, o := range choices {
			if slices.Contains(o.stems, st) {
				shared++
			}
		}
		if shared > 1 {
			continue
		}
		for i := range m.t.toks {
			if slices.Contains(m.t.toks[i].stems, st) && !m.t.toks[i].stop {
				return hit{choice: c, from: i, to: i + 1, worth: 1}, true
			}
		}
	}
	return hit{}, false
}

var negations = set("not no without don't never excluding exclude except avoid avoiding doesn't skip ignoring")

// negated reports whether the words before token i deny it.
func (m *match) negated(i int) bool {
	for j := i - 1; j >= 0 && j >= i-3 && !m.t.breaks(j+1); j-- {
		if negations()[m.t.toks[j].word] {
			return true
		}
	}
	return false
}

// flagWords in a boolean's name say that it is one, not which.
var flagWords = stems("include is with want show get flag only allow return use has have enable should do as in the of if exclude avoid without need calculate status verify")

// against begin the names of booleans that are true when the question denies.
var against = set("exclude avoid without no skip disable ignore omit")

// flags fills booleans from the phrasing: "including dissent", "without joker".
func (f *filling) flags(m *match) {
	for i := range m.e.slots {
		s := &m.e.slots[i]
		if s.kind != "boolean" || len(s.enum) > 0 || s.constant != nil {
			continue
		}
		if yes, at, ok := m.flag(s); ok {
			lit := "false"
			if yes {
				lit = "true"
			}
			f.args[i] = argument{jsontext.Value(lit), m.t.toks[at].raw, fromWords}
		}
	}
}

func (m *match) flag(s *slot) (yes bool, at int, ok bool) {
	words := splitName(s.path[len(s.path)-1])
	var keys []string
	reversed := false
	for _, w := range words {
		reversed = reversed || against()[w]
		if st := canonical(w); !flagWords()[st] && !stopWords()[w] {
			keys = append(keys, st)
		}
	}
	for i := range m.t.toks {
		tok := &m.t.toks[i]
		for _, k := range keys {
			if slices.Contains(tok.stems, k) && (len(keys) == 1 || m.around(i, keys)) {
				if reversed && !m.denies(i) {
					return false, 0, false // tolls are spoken of, avoiding them is not
				}
				return reversed || !m.negated(i), i, true
			}
		}
	}
	return false, 0, false
}

// denies reports whether a word near token i, on either side, denies it.
func (m *match) denies(i int) bool {
	for j := max(0, i-3); j < min(len(m.t.toks), i+4); j++ {
		if w := m.t.toks[j]; negations()[w.word] || against()[w.word] || against()[strings.TrimSuffix(w.word, "ed")] || against()[w.word+"e"] {
			return true
		}
	}
	return false
}

// around reports whether most of the keys stand around token i.
func (m *match) around(i int, keys []string) bool {
	n := 0
	for _, k := range keys {
		for j := max(0, i-3); j < min(len(m.t.toks), i+4); j++ {
			if slices.Contains(m.t.toks[j].stems, k) {
				n++
				break
			}
		}
	}
	return 2*n >= len(keys)+min(1, len(keys)-1)
}

// named fills parameters that name a unit or a currency.
func (f *filling) named(m *match) {
	for _, i := range f.open(m.e, func(s *slot) bool { return (s.wants.unit || s.wants.currency) && len(s.enum) == 0 }) {
		s := &m.e.slots[i]
		if s.wants.currency {
			f.currency(i, s, m)
		} else {
			f.unitName(i, s, m)
		}
	}
}
