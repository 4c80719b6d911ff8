package summarize

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// link says what leaving a word out, or keeping it, does to the next one.
type link struct {
	hard   bool // may not be left out
	binds  bool // left out, the next is too: "of Bob" goes or stays whole
	holds  bool // kept, the next is too: "10 mg"
	joins  bool // joins two parts: what stands on both sides is not one thing
	turns  bool // begins a part with a subject of its own
	opens  bool // what is left out from here on is a part of its own
	parted bool // punctuation stands before it, or nothing
	counts bool // it is a number
	that   bool
	relate bool // it leads into what is said about the word before
	tag    bool // a sentence may not begin behind it: "Fiction – …", "[draft] …"
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
			turns:  before && (w.capital() || subjects[w.key] || determiners[w.key]) || relatives[w.key],
			opens:  before || binders[w.key] || w.key == "that",
			parted: before,
			counts: numeric(w),
			that:   w.key == "that",
			relate: relatives[w.key] && !before,
			tag:    w.tag,
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
	if !says(k) { // a cross, an empty box, "≠", "?"
		return k != "&" && unitNames[k] == ""
	}
	if strings.Contains(k, "~~") || strings.Contains(k, "w/o") {
		return true
	}
	return hides(w)
}

// hides reports whether a word holds a negation or the like: do_not_share,
// doNotShare, (non)public, is/not, and one with an accent that it does not have.
func hides(w word) bool {
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(w.text))
	for _, part := range nameParts(bare) {
		if negations[part] || conditions[part] || part == "un" || part == "non" || part != w.key && quantifiers[part] {
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
// stand after a kept word, the others inside a gap; shifted by bound, they say
// that the gap's last word takes the next one with it.
const (
	kept    uint32 = 1 << iota // anything may follow
	holding                    // the next word has to be kept
	leading                    // nothing was kept yet
	part                       // the gap began as a part of its own, such as "of Bob" or ", who left"
	joined                     // and has met a word that joins
	passed                     // and gone on behind it: the sentence goes on after a comma, or with no "of" or number
	inner                      // the gap began in the middle of a part
	mixed                      // and has met a word that joins
	across                     // and gone on into the next part: nothing may be kept again
	bound   = 16
)

// reduces reports whether the claim is the evidence with words left out, by
// some way of leaving them out that breaks no link. It walks the evidence
// once, with the set of states it can be in for every length of claim.
func reduces(claim, evidence []word, links []link) bool {
	now := make([]uint32, len(claim)+1)
	next := make([]uint32, len(claim)+1)
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

func keep(states uint32, l link) uint32 {
	open := kept | holding | leading | part | joined | inner | mixed
	if l.parted || !l.opens && !l.counts {
		open |= passed
	}
	switch {
	case states&open == 0:
		return 0
	case l.holds:
		return holding
	}
	return kept
}

func leave(states uint32, l link) uint32 {
	if l.hard {
		return 0
	}
	in := states | states>>bound // a bound gap may go on
	if l.tag {
		in &^= leading
		states &^= leading
	}
	out := in&(leading|passed|across) | further(in, l)
	if l.relate && in&leading != 0 {
		out = out&^leading | across // "the team that leaked the keys": not "the keys"
	}
	if !l.binds && !l.that {
		return out | begin(states, l)
	}
	if l.that { // alone it may go: "he confirmed that the data is safe"
		return begin(states, l) | out<<bound
	}
	var free uint32
	if l.joins && l.parted {
		free = out & leading // "Bob left, and Carol stayed" may begin at Carol
	}
	out |= begin(states, l)
	return free | (out&^free)<<bound
}

// begin is the gap that a word left out begins.
func begin(states uint32, l link) uint32 {
	switch {
	case states&kept == 0:
		return 0
	case l.opens:
		return part
	}
	return inner
}

// further is where a gap has come to with one more word.
func further(in uint32, l link) uint32 {
	const next, second = 1, 2 // the states of a kind stand in a row
	switch {
	case l.joins:
		return (in&(part|inner))<<next | in&(joined|mixed)
	case l.turns:
		return in&part<<second | (in&inner)<<second | (in&(joined|mixed))<<next
	case l.parted:
		return in&part<<second | in&inner | (in&(joined|mixed))<<next
	}
	return in&(part|inner) | (in&(joined|mixed))<<next
}
