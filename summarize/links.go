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
	alone  bool // the same, unless it alone is left out: "of the CEO", "he said that …"
	relate bool // it leads into what is said about the word before
	leads  bool // a preposition: what stands behind it belongs to the word before
	begins bool // a clause may begin here without punctuation: we, they
	noun   bool // it may be what a noun before it only describes: "contract termination letter"
	halts  bool // the phrase before it is at its end
	tag    bool // a sentence may not begin behind it: "Fiction – …", "[draft] …"
}

// weigh finds the links of a sentence.
func weigh(ws []word) []link {
	links := make([]link, len(ws))
	for i, w := range ws {
		before := w.sep || i == 0
		links[i] = link{
			hard:   limits(w) || near()[w.key] && i+1 < len(ws) && numeric(ws[i+1]),
			binds:  binders()[w.key] && !w.ends || regions()[w.key] && w.capital() && i+1 < len(ws) && ws[i+1].capital(),
			joins:  joiners()[w.key],
			turns:  before && (w.capital() || subjects()[w.key] || determiners()[w.key]) || relatives()[w.key],
			opens:  before || binders()[w.key] || w.key == "that",
			parted: before,
			counts: numeric(w),
			alone:  w.key == "that" || determiners()[w.key] && i > 0 && binders()[ws[i-1].key],
			relate: relatives()[w.key] && !before,
			leads:  binders()[w.key] && !joiners()[w.key],
			begins: before || subjects()[w.key],
			noun:   mayHead(ws, i),
			halts:  before || binders()[w.key] || auxiliaries()[w.key],
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

// mayHead reports whether the word could be a noun that goes on with a noun
// phrase: it stands behind a determiner and one or two words of content.
func mayHead(ws []word, i int) bool {
	if i < 2 || ws[i].sep || ws[i-1].sep || !content(ws[i]) || !content(ws[i-1]) || strings.HasSuffix(ws[i].key, "ly") {
		return false
	}
	return determiners()[ws[i-2].key] || i > 2 && content(ws[i-2]) && determiners()[ws[i-3].key]
}

func content(w word) bool {
	return says(w.key) && !w.digit() && !common(w.key) && !auxiliaries()[w.key] && !joiners()[w.key]
}

// code reports whether a word may be a unit or a currency that no list has: IU, NOK.
func code(w word) bool { return len(w.text) <= 4 && nameParts(w.text) != nil && !w.digit() }

// limits reports whether a word may not be left out wherever it stands.
func limits(w word) bool {
	k := strings.TrimSuffix(w.key, "'s")
	if w.negates() || w.odd() || w.head || conditions()[k] || timing()[k] || quantifiers()[k] || hedges()[k] || k == "or" {
		return true
	}
	if !says(k) { // a cross, an empty box, "≠", "?"
		return k != "&" && unitNames()[k] == ""
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
		if negations()[part] || conditions()[part] || part == "un" || part == "non" || part != w.key && quantifiers()[part] {
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
		if k > i && (unitNames()[ws[k].key] != "" || numeric(ws[k]) || months[ws[k].key] > 0) {
			for m := i; m < k; m++ {
				links[m].holds, links[m].binds = true, true // "30 business days"
			}
		}
	}
	if !ws[i].ends {
		links[i].binds = true
		if i+1 < len(ws) && !binders()[ws[i+1].key] && !determiners()[ws[i+1].key] && !joiners()[ws[i+1].key] && (!ws[i+1].capital() || code(ws[i+1])) {
			links[i].holds = true
		}
		if i+1 < len(ws) && ws[i+1].key == "times" {
			links[i].hard, links[i+1].hard = true, true // "5 times the size"
		}
	}
	if i == 0 || ws[i].sep && months[ws[i-1].key] == 0 && !ws[i-1].digit() {
		return
	}
	before := ws[i-1]
	if heads()[before.key] || unitNames()[before.key] != "" || months[before.key] > 0 || before.capital() || numeric(before) {
		links[i-1].binds = true
	}
	if months[before.key] > 0 && before.capital() || i > 1 && numeric(before) && months[ws[i-2].key] > 0 {
		links[i-1].holds = true // neither "March" nor "March 5" of "March 5, 2026"
	}
}
