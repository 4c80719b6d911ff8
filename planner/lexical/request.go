package lexical

import (
	"slices"
	"strings"
)

// inflected reports whether a verb is not in its plain form.
func inflected(low string) bool {
	stem, ing := strings.CutSuffix(low, "ing")
	return ing && strings.ContainsAny(stem, "aeiouy") || len(low) > 4 && strings.HasSuffix(low, "ed") && !strings.HasSuffix(low, "eed")
}

// acts reports whether word i is the plain form of a verb that the tool's name
// has, so that it can ask for what the tool does.
func (f *filling) acts(i int) bool {
	if i >= len(f.t.words) {
		return false
	}
	w := &f.t.words[i]
	thirdPerson := len(w.low) > 3 && strings.HasSuffix(w.low, "s") && !strings.HasSuffix(w.low, "ss")
	if w.literal || inflected(w.low) || thirdPerson {
		return false
	}
	if !slices.Contains(f.e.name, w.stem) {
		return !f.e.alters && asking()[w.low]
	}
	return verbs(w.low) || !slices.ContainsFunc(splitName(f.e.tool.Name()), verbs)
}

// named reports whether the question has the tool's verb in its plain form, so that
// it is this tool that it speaks of.
func (f *filling) named() bool {
	for i := range f.t.words {
		if f.acts(i) {
			return true
		}
	}
	return false
}

// verbs reports whether a word is a verb that asks for something.
func verbs(low string) bool { return changing()[low] || destroying()[low] || asking()[low] }

// requested reports whether the question is a plain request of what the tool
// does: the imperative, alone or after "please" and "can you". A question mark
// is for the latter alone.
func (f *filling) requested() bool {
	heads, last, polite := 0, -1, false
	for i := range f.t.words {
		if i > 0 && (!f.t.parts(i) && !f.used[i-1] && !(courteous()[f.t.low(i-1)] && !f.t.parts(i-1)) || !slices.Contains(f.used[:i], true)) {
			continue // what comes before an order names its thing, as in "policy-002: delete it", or it is somebody else's
		}
		at, asks := f.t.politeness(i)
		if f.acts(at) && at != last { // "please delete" is one
			heads, last = heads+1, at
			polite = polite || asks
		}
	}
	return heads == 1 && (polite || !strings.Contains(f.t.unquoted(), "?"))
}

// politeness skips what may come before an imperative, and says whether it
// makes a question of the request.
func (t text) politeness(i int) (next int, asks bool) {
	for again := true; again; {
		again = false
		for _, phrase := range courtesies {
			if t.begins(i, phrase) {
				i, again = i+len(phrase), true
				asks = asks || phrase[len(phrase)-1] == "you" && len(phrase) == 2
			}
		}
	}
	return i, asks
}

var courteous = set("please pls kindly")

var courtesies = [][]string{{"please"}, {"pls"}, {"kindly"}, {"now"}, {"can", "you"}, {"could", "you"}, {"i", "want", "you", "to"}, {"i", "need", "you", "to"}, {"i'd", "like", "you", "to"}}

func (t text) begins(i int, phrase []string) bool {
	for k, w := range phrase {
		if t.low(i+k) != w || k > 0 && t.breaks(i+k) {
			return false
		}
	}
	return true
}

// unquoted is the text without what it quotes.
func (t text) unquoted() string {
	var b strings.Builder
	at := 0
	for _, w := range t.words {
		if w.quoted {
			b.WriteString(t.raw[at:w.start])
			at = w.end
		}
	}
	return b.String() + t.raw[at:]
}

// orders reports whether word i asks for a change: a verb that is no noun, or any
// that begins a clause or follows an "and".
func (t text) orders(i int) bool {
	low := t.low(i)
	if orders()[low] || t.heads(i) && articles()[t.low(i+1)] && (making()[low] && t.low(i + 1)[0] == 'a' || !glue()[low] && !asking()[low]) {
		return true
	}
	return (t.heads(i) || t.low(i-1) == "and") && (changing()[low] || destroying()[low])
}

// heads reports whether a clause begins with word i, but for courtesies.
func (t text) heads(i int) bool {
	return i == 0 || t.breaks(i) || courteous()[t.low(i-1)] || t.low(i-1) == "you"
}
