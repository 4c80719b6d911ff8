package lexical

import (
	"slices"
	"strings"
)

// merely reports whether v only says the slot's own words: it names the slot
// and is not its value.
func (m *match) merely(s *slot, v *value) bool {
	for i := v.from; i < v.to; i++ {
		if tok := &m.t.toks[i]; !tok.stop && m.weight(s, tok) == 0 {
			return false
		}
	}
	return true
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
	if v.shape == numeral && (v.to > v.from+1 || strings.Contains(m.t.toks[v.from].word, "-")) {
		inside += m.weight(s, &m.t.toks[v.to-1])
	}
	return max(before, 0.8*after) + 0.3*min(before, 0.8*after) + min(inside, 2) + m.apposed(s, v)
}

// apposed is what it says that the slot's name stands right before v: "branch
// develop", "the word bread".
func (m *match) apposed(s *slot, v *value) float64 {
	at := v.from - 1
	if v.shape == phrase && v.to-v.from > 1 {
		at = v.from
	}
	return pick(at >= 0 && m.t.joined(at+1) && !m.t.toks[at].stop && s.named(m.t.toks[at].stem), 1.5, 0)
}

// reach is how many words away a word can speak for a value.
const reach = 7

// walk sums what the words on one side of v weigh for the slot.
func (m *match) walk(s *slot, v *value, i, step int) float64 {
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
			if d := m.t.apart(v, i); d > m.near[i] {
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
		case step > 0 && prepositions()[tok.word]:
			decay *= 0.5
		}
	}
	return sum
}

// apart is how many meaningful words stand between v and token i.
func (t text) apart(v *value, i int) int {
	from, to := v.to, i
	if i < v.from {
		from, to = i+1, v.from
	}
	n := 0
	for k := from; k < to; k++ {
		if !t.toks[k].stop {
			n++
		}
	}
	return n
}

// nearest is, for every word, how far the nearest value stands that is no
// common phrase and does not hold the word itself.
func (t text) nearest(vs []value) []int {
	near := make([]int, len(t.toks))
	for i := range near {
		near[i] = len(t.toks)
		for k := range vs {
			v := &vs[k]
			if v.shape == phrase && v.to-v.from > 1 && v.of == 0 && i >= v.from && i < v.to {
				near[i] = 0
			}
			if v.shape == phrase || v.shape == listing || i >= v.from && i < v.to || i < v.from-reach || i >= v.to+reach {
				continue
			}
			near[i] = min(near[i], t.apart(v, i))
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
