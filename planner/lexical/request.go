package lexical

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/speech"
)

// inflected reports whether a verb is a participle or in the past.
func inflected(low string) bool {
	return speech.Inflected(low) && !speech.Several(low)
}

// acts reports whether word i is the plain form of a verb in the tool's name. Such a word
// can ask for the tool's action.
func (f *filling) acts(i int) bool {
	if i >= len(f.t.words) {
		return false
	}
	w := &f.t.words[i]
	if w.literal || speech.Inflected(w.low) {
		return false
	}
	if !slices.Contains(f.e.name, w.stem) {
		return !f.e.alters && asking()[w.low]
	}
	return verbs(w.low) || !slices.ContainsFunc(speech.NameParts(f.e.tool.Name()), verbs)
}

// named reports whether the question has the tool's verb in its plain form, which makes it
// a question about this tool.
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

// requested reports whether the question is a plain request for the tool's action. That is
// the imperative, alone or after "please" and "can you". Only the latter may have a
// question mark.
func (f *filling) requested() bool {
	heads, last, polite := 0, -1, false
	for i := range f.t.words {
		if i > 0 && !f.mayBegin(i) {
			continue
		}
		at, asks := f.t.politeness(i)
		if f.acts(at) && at != last { // "please delete" is one
			heads, last = heads+1, at
			polite = polite || asks
		}
	}
	return heads == 1 && (polite || !strings.Contains(f.t.unquoted(), "?"))
}

// mayBegin reports whether an order may begin at word i. The words before it name its
// object, as in "policy-002: delete it".
func (f *filling) mayBegin(i int) bool {
	polite := courteous()[f.t.low(i-1)] && !f.t.parts(i-1)
	if !polite && !f.t.parts(i) && !f.used[i-1] {
		return false
	}
	return slices.Contains(f.used[:i], true)
}

// politeness skips the courtesies before an imperative, and reports whether they make a
// question of the request.
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

// unquoted is the text without its quotations.
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

// orders reports whether word i asks for a change. It is a verb that is not a noun, or any
// verb that begins a clause or follows an "and".
func (t text) orders(i int) bool {
	low := t.low(i)
	changes, begins := changing()[low] || destroying()[low], t.heads(i)
	switch {
	case orders()[low]:
		return true
	case changes && (begins || t.low(i-1) == "and"):
		return true
	case !begins || !articles()[t.low(i+1)]:
		return false
	}
	if making()[low] && t.low(i + 1)[0] == 'a' {
		return true
	}
	return !glue()[low] && !asking()[low]
}

// heads reports whether a clause begins with word i, ignoring courtesies.
func (t text) heads(i int) bool {
	before := t.low(i - 1)
	return before == "you" || courteous()[before] || t.breaks(i)
}

// hasObjection reports whether the question forbids, conditions, reports or asks about the
// tool's action. Words in arguments do not count. No change is suggested for such a
// question.
func (f *filling) hasObjection() bool {
	var held []intent.Span
	for i, w := range f.t.words {
		value := w.literal || w.capital && !f.t.heads(i)
		if f.used[i] && value {
			held = append(held, intent.Span{Start: w.start, End: w.end})
			continue
		}
		switch objection(w.low) {
		case "a negation", "an exception", "a condition", "a comparison":
			return true
		}
		if conditions()[w.low] {
			return true
		}
	}
	return intent.Against(f.t.raw, f.e.tool.Name(), held...) != nil
}

// conditions are words besides those of the lexicon, which count for reading tools too.
var conditions = set("when whenever until after before once")

// wished are words before the verb of a request.
var wished = set("to and me please you")

// asksFor reports whether a text asks for a changing tool. It has a word of the tool's
// name, or a value with the form of its object. It must have the verb of the tool if the
// verb destroys, if the text has another verb, or if it has the verb in another form. means
// are further words that the text means. A listed value that is a verb, as "closed" is of
// "close", counts as the tool's verb; "create" alone does not identify a tool.
func (t text) asksFor(e *entry, means []string, vs []value) bool {
	at, _ := t.politeness(0)
	begins := at < len(t.words) && !t.words[at].literal && !glue()[t.low(at)]
	noun, verb, bent, other := begins && e.formFor(vs), false, false, false
	for i := range t.words {
		if t.statement(i) {
			break // its words are its own
		}
		w := &t.words[i]
		own := slices.Contains(e.name, w.stem) && !w.quoted && !glue()[w.low]
		plain := !speech.Inflected(w.low)
		acts := changing()[w.low] || destroying()[w.low]
		listed := acts && plain && e.words[w.stem]&inEnum != 0
		switch {
		case own && weak()[w.stem]:
		case own && (verbs(w.low) || len(e.name) == 1),
			listed && !e.destroys():
			verb, bent = verb || plain, bent || !plain
		case own:
			noun = true
		case acts && t.wishes(i):
			other = true
		}
	}
	for _, st := range means {
		switch slices.Index(e.name, st) {
		case -1:
			continue
		case 0:
			verb = verb || !bent && !weak()[st]
		default:
			noun = true
		}
		other = false
	}
	if bent || other || e.destroys() {
		return verb
	}
	return verb || noun
}

// wishes reports whether word i, a verb, is at the place of a request's verb.
func (t text) wishes(i int) bool {
	return !t.words[i].quoted && (t.heads(i) || wished()[t.low(i-1)])
}

// destroys reports whether a tool's name has a destroying verb.
func (e *entry) destroys() bool {
	return slices.ContainsFunc(speech.NameParts(e.tool.Name()), func(w string) bool { return destroying()[w] })
}
