package summarize

import "strings"

// link says what leaving a word out, or keeping it, does to the next one.
type link struct {
	hard   bool // may not be left out
	binds  bool // left out, the next is too: "of Bob" goes or stays whole
	holds  bool // kept, the next is too: "10 mg"
	joins  bool // joins two parts: what stands on both sides is not one thing
	turns  bool // begins a part with a subject of its own
	opens  bool // what is left out from here on is a part of its own
	parted bool // punctuation stands before it
}

// weigh finds the links of a sentence.
func weigh(ws []word) []link {
	links := make([]link, len(ws))
	for i, w := range ws {
		before := w.sep || i == 0
		links[i] = link{
			hard:   limits(w) || near[w.key] && i+1 < len(ws) && numeric(ws[i+1]),
			binds:  binders[w.key] && !w.ends || regions[w.key] && w.capital() && i+1 < len(ws) && ws[i+1].capital(),
			joins:  joiners[w.key],
			turns:  before && (w.capital() || subjects[w.key]),
			opens:  before || binders[w.key] || w.key == "that",
			parted: before,
		}
	}
	for i, w := range ws {
		if numeric(w) {
			number(ws, links, i)
		}
		for _, p := range phrases {
			if stands(ws[i:], p) {
				for k := range p {
					links[i+k].hard = true
				}
			}
		}
	}
	return links
}

// limits reports whether a word may not be left out wherever it stands.
func limits(w word) bool {
	k := strings.TrimSuffix(w.key, "'s")
	if w.negates() || w.odd() || w.head || conditions[k] || timing[k] || quantifiers[k] || hedges[k] {
		return true
	}
	if k == "?" || k == "…" || strings.ContainsAny(k, "<>=≤≥±~≈+-−") && !says(k) {
		return true
	}
	for part := range strings.SplitSeq(k, "-") {
		if part != k && (negations[part] || conditions[part] || quantifiers[part] || part == "un") {
			return true
		}
	}
	return false
}

func stands(ws []word, phrase []string) bool {
	if len(ws) < len(phrase) {
		return false
	}
	for i, p := range phrase {
		if ws[i].key != p {
			return false
		}
	}
	return true
}

// number ties a number to its unit or noun, and to what it is the number of.
func number(ws []word, links []link, i int) {
	for k := i; k < min(i+4, len(ws)) && !(k > i && ws[k].sep); k++ {
		if k > i && (unitNames[ws[k].key] != "" || numeric(ws[k]) || months[ws[k].key] > 0) {
			for m := i; m < k; m++ {
				links[m].holds, links[m].binds = true, true // "30 business days"
			}
		}
	}
	if !ws[i].ends {
		links[i].binds = true
		if i+1 < len(ws) && !binders[ws[i+1].key] && !determiners[ws[i+1].key] && !joiners[ws[i+1].key] && !ws[i+1].capital() {
			links[i].holds = true
		}
	}
	if i == 0 || ws[i].sep && months[ws[i-1].key] == 0 && !ws[i-1].digit() {
		return
	}
	before := ws[i-1]
	if heads[before.key] || unitNames[before.key] != "" || months[before.key] > 0 || before.capital() || numeric(before) {
		links[i-1].binds = true
	}
}

// states of a sentence that is being cut down, one bit each. The first two
// stand after a kept word, the others inside a gap: which part the gap began
// as, and, in the upper byte, that its last word binds the next.
const (
	kept    = 1 << iota // anything may follow
	holding             // the next word has to be kept
	leading             // nothing was kept yet
	part                // the gap began as a part of its own: a clause, a phrase
	inner               // it began in the middle of a part
	mixed               // and has met a word that joins
	across              // and gone on into the next part: nothing may be kept again
	bound   = 8         // shift
)

// reduces reports whether the claim is the evidence with words left out, by
// some way of leaving them out that breaks no link. It walks the evidence
// once, with the set of states it can be in for every length of claim.
func reduces(claim, evidence []word, links []link) bool {
	now := make([]uint16, len(claim)+1)
	next := make([]uint16, len(claim)+1)
	now[0] = leading
	for i := range evidence {
		clear(next)
		for c, states := range now {
			if states == 0 {
				continue
			}
			next[c] |= leave(states, links[i])
			if c < len(claim) && same(claim, evidence, c, i) {
				next[c+1] |= keep(states, links[i])
			}
		}
		now, next = next, now
	}
	return now[len(claim)] != 0
}

func keep(states uint16, l link) uint16 {
	if states&(kept|holding|leading|part|inner|mixed) == 0 {
		return 0
	}
	if l.holds {
		return holding
	}
	return kept
}

func leave(states uint16, l link) uint16 {
	if l.hard {
		return 0
	}
	states |= states >> bound // a bound gap may go on
	out := states & (leading | part | across)
	if states&kept != 0 {
		if l.opens {
			out |= part
		} else {
			out |= inner
		}
	}
	switch {
	case l.joins:
		out |= (states & inner) << 1
		out |= states & mixed
	case l.turns:
		out |= (states & inner) << 2
		out |= (states & mixed) << 1
	default:
		out |= states & inner
		out |= (states & mixed) << 1
	}
	if !l.binds {
		return out
	}
	var free uint16
	if l.joins && l.parted {
		free = out & leading // "Bob left, and Carol stayed" may begin at Carol
	}
	return free | (out&^free)<<bound
}
