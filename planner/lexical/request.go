package lexical

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/speech"
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
	return verbs(w.low) || !slices.ContainsFunc(speech.NameParts(f.e.tool.Name()), verbs)
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

// orders reports whether word i asks for a change: a verb that is not a noun, or any
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

// opposed reports whether the question forbids, conditions, reports or asks about
// what a tool does, besides what the arguments hold: no change is suggested for it.
func (f *filling) opposed() bool {
	var held []intent.Span
	for i, w := range f.t.words {
		if f.used[i] && (w.literal || w.capital && !f.t.heads(i)) {
			held = append(held, intent.Span{Start: w.start, End: w.end})
		} else if why := objection(w.low); why == "a negation" || why == "an exception" || why == "a condition" || why == "a comparison" || conditions()[w.low] {
			return true
		}
	}
	return intent.Against(f.t.raw, f.e.tool.Name(), held...) != nil
}

// conditions are besides those of the lexicon, which hold for reading tools too.
var conditions = set("when whenever until after before once")

// wished comes before the verb of a request.
var wished = set("to and me please you")

// asksFor reports whether a text says a word of a changing tool's name, or a value
// that has the form of its thing; and its verb where that destroys, where the text
// has another one, or has it in another form. means are further words that it
// stands for. A listed value that is a verb, as "closed" is of "close", counts as
// the tool's verb; "create" alone says nothing of which tool.
func (t text) asksFor(e *entry, means []string, vs []value) bool {
	at, _ := t.politeness(0)
	begins := at < len(t.words) && !t.words[at].literal && !glue()[t.low(at)]
	noun, verb, bent, other := begins && e.formFor(vs), false, false, false
	for i := range t.words {
		if t.statement(i) {
			break // its words are its own
		}
		w := &t.words[i]
		own, listed := slices.Contains(e.name, w.stem) && !w.quoted && !glue()[w.low], e.words[w.stem]&inEnum != 0
		third := strings.HasSuffix(w.low, "s") && !strings.HasSuffix(w.low, "ss")
		plain := !third && !inflected(w.low)
		acts := changing()[w.low] || destroying()[w.low]
		switch {
		case own && weak()[w.stem]:
		case own && (verbs(w.low) || len(e.name) == 1), listed && acts && plain && !e.destroys():
			verb, bent = verb || plain, bent || !plain
		case own:
			noun = true
		case acts && !w.quoted && (t.heads(i) || wished()[t.low(i-1)]):
			other = true
		}
	}
	for _, st := range means {
		own := slices.Contains(e.name, st)
		noun, verb = noun || own && e.name[0] != st, verb || own && !bent && e.name[0] == st && !weak()[st]
		other = other && !own
	}
	return verb || noun && !bent && !other && !e.destroys()
}

// destroys reports whether a tool's name has a destroying verb.
func (e *entry) destroys() bool {
	return slices.ContainsFunc(speech.NameParts(e.tool.Name()), func(w string) bool { return destroying()[w] })
}
