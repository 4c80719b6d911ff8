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
	share map[string]int // how many slots a stem belongs to
	edge  map[string]bool
	near  []int // see nearest
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
	if v.shape != numeral {
		return none
	}
	n := v.num
	if _, ok := s.number(n); !ok {
		return none
	}
	b := 1.0
	year := n.plain && !n.unit.known() && yearLike(v.text)
	recent := year && (v.text[0] == '2' || v.text[1] >= '8')
	switch {
	case s.wants.year && !year:
		return none
	case s.wants.year:
		b += 2.5
	case recent && (v.prep == "in" || v.prep == "since"):
		b -= 2
	}
	if n.percent {
		b += pick(s.holds("rate", "percent", "percentage", "discount", "tax", "interest", "probability", "level", "confidence", "yield", "return", "growth") || s.wants.percentage, 2, -1)
	}
	if n.money {
		b += pick(s.holds("price", "cost", "budget", "amount", "investment", "principal", "salary", "income", "value", "fee", "payment", "loan", "principle", "revenue", "dividend", "debt", "wage", "balance"), 1, -0.8)
	}
	if n.ordinal {
		b -= 0.5
	}
	if n.spelled {
		b -= pick(s.wants.nth > 0, 4, 0.8) // "two numbers, 36 and 48": it counts what follows
	}
	if s.wants.count && v.from > 0 && leads[m.t.toks[v.from-1].word] {
		b += 2
	}
	return b + m.units(s, n) + bounds(s, v)
}

// leads stand before how many results are wanted: top 3, limit 10.
var leads = set("top first limit max maximum up")

func pick(cond bool, yes, no float64) float64 {
	if cond {
		return yes
	}
	return no
}

func (s *slot) holds(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		st := canonical(w)
		return slices.Contains(s.name, st) || slices.Contains(s.cues, st)
	})
}

// units compares the unit of a number with that of the slot.
func (m *match) units(s *slot, n number) float64 {
	switch {
	case !n.unit.known() || n.money:
		return 0
	case s.unit.known() && s.unit.dim == n.unit.dim:
		return 3
	case s.unit.known() && !alike(s.unit.dim, n.unit.dim):
		return -4
	}
	return 0
}

// alike reports dimensions that words mix: months and days are both times.
func alike(a, b string) bool {
	return (a == "time" || a == "years") && (b == "time" || b == "years")
}

// bounds is what "under 400" and "at least 3" say of the slot.
func bounds(s *slot, v *value) float64 {
	switch v.prep {
	case "under", "below", "within", "than":
		return pick(s.wants.maximum, 1, 0)
	case "above", "over":
		return pick(s.wants.minimum, 1, 0)
	}
	return 0
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

// cue weighs the words around v that belong to the slot: "height of 5",
// "5 restaurants". A word that many slots share says little; a word beyond
// another value of the same sort, or in another clause, says less still.
func (m *match) cue(s *slot, v *value) float64 {
	before := m.walk(s, v, v.from-1, -1)
	after := m.walk(s, v, v.to, 1)
	inside := 0.0
	if v.shape != numeral && v.shape != quoted && v.shape != listing {
		for i := v.from; i < v.to; i++ {
			inside += 0.8 * m.weight(s, &m.t.toks[i])
		}
	}
	if v.shape == numeral && v.to > v.from+1 {
		inside += m.weight(s, &m.t.toks[v.to-1])
	}
	return max(before, 0.8*after) + 0.3*min(before, 0.8*after) + min(inside, 2)
}

// walk sums what the words on one side of v weigh for the slot.
func (m *match) walk(s *slot, v *value, i, step int) float64 {
	const reach = 7
	sum, decay := 0.0, 1.0
	var seen []string
	for n := 0; n < reach && i >= 0 && i < len(m.t.toks); n, i = n+1, i+step {
		edge := i
		if step < 0 {
			edge = i + 1
		}
		if m.t.stops(edge) {
			break
		}
		if strings.Contains(m.t.gap(edge), ",") {
			decay *= pick(step < 0, 0.6, 0.25)
		}
		tok := &m.t.toks[i]
		if w := m.weight(s, tok); w > 0 && !slices.Contains(seen, tok.stem) {
			if d := apart(v, i); d > m.near[i] {
				w *= 0.45 // the word stands closer to another value
			}
			sum += w * decay
			seen = append(seen, tok.stem)
		}
		switch {
		case tok.digit && v.shape == numeral, tok.word == "and", tok.word == "or":
			decay *= 0.45
		case !tok.stop:
			decay *= 0.85
		case step > 0 && prepositions[tok.word]:
			decay *= 0.5
		}
	}
	return sum
}

// apart is how many words stand between v and token i.
func apart(v *value, i int) int {
	if i < v.from {
		return v.from - i - 1
	}
	return i - v.to
}

// nearest is, for every word, how far the nearest value stands that is no
// common phrase and does not hold the word itself.
func (t text) nearest(vs []value) []int {
	near := make([]int, len(t.toks))
	for i := range near {
		near[i] = len(t.toks)
		for k := range vs {
			if v := &vs[k]; v.shape != phrase && v.shape != listing && (i < v.from || i >= v.to) {
				near[i] = min(near[i], apart(v, i))
			}
		}
	}
	return near
}

// weight is what one word says for the slot.
func (m *match) weight(s *slot, tok *token) float64 {
	if name := s.path[len(s.path)-1]; len(name) > 1 && tok.word == fold(name) {
		return 4
	}
	best := 0.0
	for _, st := range tok.stems {
		if tok.stop && tok.word != s.path[len(s.path)-1] {
			continue
		}
		n := float64(max(1, m.share[st]))
		switch {
		case s.named(st):
			best = max(best, 3/n)
		case slices.Contains(s.cues, st):
			best = max(best, pick(s.required || s.kind != "string", 1.3, 0.6)/n)
		}
	}
	return best
}

// named reports whether a stem is one of the slot's name, or begins one:
// user, username.
func (s *slot) named(st string) bool {
	return slices.ContainsFunc(s.name, func(n string) bool {
		return n == st || len(st) >= 4 && strings.HasPrefix(n, st) || len(n) >= 4 && strings.HasPrefix(st, n)
	})
}
