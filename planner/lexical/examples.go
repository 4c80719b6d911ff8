package lexical

import (
	"slices"
	"strings"
	"sync"
)

// A string parameter often says in words what others list in an enum: "the
// diet, e.g. vegan or gluten-free", "can be 'list' or 'dictionary'", or just by
// being called colour. Where the question holds one of those words, that word
// is the value, as the question writes it; only its capitals are the
// description's, which knows how its server spells the value.

var (
	quotedExample = pattern(`'([^']{1,40})'|"([^"]{1,40})"`)
	listedExample = pattern(`(?i)(?:\be\.?g\b|\bsuch as|\bfor example|\bfor instance|\bincluding|\blike|\boptions(?: are)?|\bcan be|\bone of|\beither|\bvalues(?: are)?)[.,:]* ([^.;()]{1,160})|\(([^().;]{1,160})\)`)
	exampleCut    = pattern(`(?i),| or | and |/`)
)

// examples are the values that a description names and those of the kind that
// the slot's name asks for.
func (r *reader) examples(s *slot, description string) {
	w := s.wants
	if s.kind != "string" || len(s.enum) > 0 || w.place || w.country || w.state || w.date || w.time || w.path || w.url || w.email || w.unit || w.currency || w.formula || w.free || w.glob {
		return
	}
	var list []choice
	add := func(word string) {
		word = strings.Trim(word, ` '"`)
		if n := len(strings.Fields(word)); n == 0 || n > 3 || stopWords()[fold(word)] || len(list) == maxEnum {
			return
		}
		list = append(list, r.words(word))
	}
	for _, m := range quotedExample().FindAllStringSubmatch(description, maxEnum) {
		add(m[1] + m[2])
	}
	for _, m := range listedExample().FindAllStringSubmatch(description, 8) {
		if parts := exampleCut().Split(m[1]+m[2], maxEnum); len(parts) > 1 || m[1] != "" {
			for _, p := range parts {
				add(p)
			}
		}
	}
	s.told = len(list)
	for _, n := range s.words {
		list = append(list, kinds()[n]...)
	}
	s.examples = list
}

func (r *reader) words(word string) choice {
	c := choice{spelled: word, word: fold(word)}
	for _, w := range splitName(word) {
		c.stems = append(c.stems, r.stem.stem(w))
	}
	return c
}

// exampled fills slots with what the question holds of their examples.
func (f *filling) exampled(m *match) {
	for _, i := range f.open(m.e, func(s *slot) bool { return len(s.examples) > 0 }) {
		s := &m.e.slots[i]
		hits := slices.DeleteFunc(m.named(s, s.examples, false), func(h hit) bool { return slices.Contains(f.used[h.from:h.to], true) || m.inside(h) })
		if len(hits) == 0 {
			continue
		}
		best := hits[0]
		for _, h := range hits[1:] {
			if h.worth > best.worth {
				best = h
			}
		}
		words := m.t.wording(best.from, best.to)
		lit := quote(words)
		if c := &s.examples[best.choice]; best.choice < s.told && len(c.spelled) == len(words) && strings.EqualFold(c.spelled, words) {
			lit = quote(c.spelled) // no other letter of it can differ from the question's
		}
		f.set(i, argument{lit, words, fromQuestion}, best.from, best.to)
	}
}

// inside reports whether a hit is a part of a longer name: Blue Whale.
func (m *match) inside(h hit) bool {
	upper := func(i int) bool { return i > 0 && i < len(m.t.toks) && m.t.toks[i].upper && !m.edge[m.t.toks[i].stem] }
	return upper(h.from) && (upper(h.from-1) && m.t.joined(h.from) || upper(h.to) && m.t.joined(h.to))
}

// kinds are words of which a name says the kind. They are common words of
// many questions, and no list of them is complete.
var kinds = buildKinds(
	"color colour: red blue green yellow black white orange purple pink brown gray grey violet turquoise beige maroon navy",
	"diet dietary: vegan vegetarian pescatarian keto paleo halal kosher gluten-free dairy-free nut-free low-carb",
	"language: english french spanish german italian portuguese dutch russian chinese mandarin japanese korean arabic hindi turkish polish swedish greek latin hebrew",
	"transport transportation mode vehicle: car bus train bike bicycle plane walk walking foot boat ferry subway metro taxi truck motorcycle transit driving cycling",
	"genre: rock pop jazz classical country blues hip-hop folk metal reggae soul techno horror comedy drama thriller romance fantasy mystery sci-fi documentary western science-fiction",
	"gender sex: male female man woman men women boy girl",
	"instrument: guitar piano violin cello drums flute trumpet saxophone bass clarinet ukulele harp",
	"month: january february march april may june july august september october november december",
)

func buildKinds(lines ...string) func() map[string][]choice {
	return sync.OnceValue(func() map[string][]choice {
		r := reader{stem: stemmer{}}
		m := map[string][]choice{}
		for _, line := range lines {
			names, words, _ := strings.Cut(line, ":")
			var list []choice
			for _, w := range strings.Fields(words) {
				list = append(list, r.words(w))
			}
			for _, n := range strings.Fields(names) {
				m[r.stem.stem(n)] = list
			}
		}
		return m
	})
}
