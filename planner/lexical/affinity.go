package lexical

import (
	"slices"
	"strings"
)

// none is the affinity of a value that a slot cannot take.
const none = -100.0

// match weighs the values of one text against the slots of one tool.
type match struct {
	t     text
	e     *entry
	share map[string]int  // how many slots a stem belongs to
	edge  map[string]bool // stems of the tool's name, which end no value
	near  []int           // see nearest
	used  []bool          // words that became arguments; nil where none can
}

func newMatch(t text, near []int, e *entry) *match {
	m := &match{t: t, near: near, e: e, share: map[string]int{}, edge: map[string]bool{}}
	for _, s := range e.slots {
		for _, w := range s.name {
			m.share[w]++
		}
		for _, w := range s.cues {
			m.share[w]++
		}
	}
	for _, w := range e.name {
		m.edge[w] = true
	}
	return m
}

// affinity is how well v fits s: what its writing says, and the words around
// it. evidence is the part that the question gave for this very slot; an
// optional slot is filled by nothing less.
func (m *match) affinity(s *slot, v *value) (total, evidence float64) {
	var base float64
	switch s.kind {
	case "integer", "number":
		base = m.numeric(s, v)
	case "string", "":
		base = m.textual(s, v)
	case "array":
		base = m.collection(s, v)
	case "object":
		if v.shape == literal && strings.HasPrefix(v.text, "{") {
			base = 2
		} else {
			base = none
		}
	default:
		base = none
	}
	if base <= none {
		return none, none
	}
	evidence = m.cue(s, v)
	return base + evidence, evidence + max(0, base-1)
}

// numeric is how well v fits a number slot by itself.
func (m *match) numeric(s *slot, v *value) float64 {
	if v.shape == dated && s.wants.year && v.date.year > 0 {
		return 2
	}
	if v.shape != numeral && !s.lasts(v) {
		return none
	}
	n := v.num
	if _, ok := s.number(n); !ok {
		return none
	}
	b := 1 + s.nature(n) + s.units(n) + bounds(s, v)
	year := n.plain && !n.unit.known() && yearLike(v.text)
	switch {
	case s.wants.year && !year:
		return none
	case s.wants.year:
		b += 2.5
	}
	if s.wants.count && m.counts(v) {
		b += 3.2
	}
	return b
}

// counts reports whether v says how many results are wanted: top 3, or the
// five latest commits of a tool that speaks of commits.
func (m *match) counts(v *value) bool {
	if v.from > 0 && leads()[m.t.toks[v.from-1].word] {
		return true
	}
	for i := v.to; i < min(v.to+4, len(m.t.toks)) && m.t.joined(i) && !v.num.unit.known() && !prepositions()[m.t.toks[i].word]; i++ {
		if tok := m.t.toks[i]; strings.HasSuffix(tok.word, "s") && m.e.words[tok.stem]&(inName|inTitle|inDescription) != 0 {
			return true
		}
	}
	return false
}

// lasts reports whether v is a time such as "next week" and s asks for its
// length.
func (s *slot) lasts(v *value) bool {
	return v.shape == dated && v.num.rat != nil && s.unit.known() && s.unit.dim == v.num.unit.dim
}

var (
	rateWords  = stems("rate percent percentage discount tax interest probability level confidence yield return growth share")
	moneyWords = stems("price cost budget amount investment principal salary income value fee payment loan principle revenue dividend debt wage balance money")
)

// nature is what the writing of a number says: 5 %, $5, 5th, five.
func (s *slot) nature(n number) float64 {
	b := 0.0
	if n.percent {
		b += pick(s.wants.percentage || s.holds(rateWords()), 2, -1)
	}
	if n.money {
		b += pick(s.holds(moneyWords()), 1, -0.8)
	}
	if n.ordinal {
		b -= 0.5
	}
	if n.spelled {
		b -= pick(s.wants.nth > 0, 4, 0.8) // "two numbers, 36 and 48": it counts what follows
	}
	return b
}

func (s *slot) holds(list map[string]bool) bool {
	in := func(st string) bool { return list[st] }
	return slices.ContainsFunc(s.words, in) || slices.ContainsFunc(s.cues, in)
}

func pick(cond bool, yes, no float64) float64 {
	if cond {
		return yes
	}
	return no
}

// collection is how well v fits an array slot by itself.
func (m *match) collection(s *slot, v *value) float64 {
	switch v.shape {
	case literal:
		return pick(strings.HasPrefix(v.text, "["), 4, none)
	case listing:
		return m.listed(s, v)
	}
	if s.item == nil || len(s.item.enum) > 0 {
		return none
	}
	switch s.item.kind {
	case "integer", "number":
		return m.numeric(s.item, v) - 2
	case "string":
		return m.textual(s.item, v) - 1
	}
	return none
}

func (m *match) listed(s *slot, v *value) float64 {
	if s.item == nil {
		return none
	}
	sum := 0.0
	for i := range v.items {
		one := none
		switch s.item.kind {
		case "integer", "number":
			one = m.numeric(s.item, &v.items[i])
		case "string":
			one = m.textual(s.item, &v.items[i])
		}
		if one <= none {
			return none
		}
		sum += one
	}
	return 2 + sum/float64(len(v.items))
}
