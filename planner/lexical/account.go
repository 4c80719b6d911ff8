package lexical

import (
	"slices"
	"strings"
)

// account is what a call leaves of a question.
type account struct {
	against string   // what speaks against the call
	words   []string // the words that do, or that no argument holds
	known   int      // words that the tool knows, and arguments whose place is told
	unknown int      // words that hold no sentence together, and that it does not know
	told    int      // arguments whose place is told
	verb    bool     // the question has the verb of the tool's name
	said    float64  // of the tool's name, the part that the question says
}

// objection is what a word speaks of that no argument holds.
func objection(low string) string {
	low = strings.ReplaceAll(low, "’", "'")
	if strings.HasSuffix(low, "n't") {
		return "a negation"
	}
	for why, words := range objections {
		if words()[low] {
			return why
		}
	}
	return ""
}

// What can speak against a call besides the objections of lexicon.go.
const (
	noRequest = "no plain request" // for a change
	another   = "another request"
	elsewhere = "another tool's word"
	noPlace   = "no place"
	tooMuch   = "too much"
	unclear   = "more than one reading"
)

// account goes through the question word by word: each is part of an argument,
// a word of the tool's, or holds the sentence together; or it is left over.
func (x *index) account(f *filling) account {
	a := account{}
	if f.e.changes && !f.requested() {
		a.object(noRequest, "")
	}
	for i := range f.t.words {
		if !f.used[i] {
			x.weigh(&a, f, i)
		}
	}
	if f.t.cut {
		a.object("more text than is read", "")
	}
	for _, v := range f.unclear {
		a.object(unclear, f.t.span(v.from, v.to))
	}
	for i := range f.values {
		if v := &f.values[i]; !f.taken(v) && v.shape != plain && !(v.shape == named && f.spoken(v)) {
			a.object(noPlace, f.t.span(v.from, v.to))
		}
	}
	for _, arg := range f.args {
		if arg.told {
			a.told++
		}
	}
	a.known += a.told
	a.said = x.said(f)
	verb := splitName(f.e.tool.Name())[0]
	a.verb = requestVerbs()[verb] && slices.ContainsFunc(f.t.words, func(w word) bool { return w.low == verb })
	return a
}

// sentenceEnd is where the sentence that word i is in ends.
func (t text) sentenceEnd(i int) int {
	for i++; i < len(t.words); i++ {
		if t.begun(i) {
			return i
		}
	}
	return i
}

// spoken reports whether the tool speaks of all words of a name somewhere.
func (f *filling) spoken(v *value) bool {
	for i := v.from; i < v.to; i++ {
		if w := &f.t.words[i]; f.e.words[w.stem] == 0 && !glue()[w.low] {
			return false
		}
	}
	return true
}

func (a *account) object(why, word string) {
	if a.against == "" {
		a.against = why
	}
	if a.against == why && word != "" {
		a.words = append(a.words, word)
	}
}

// weigh accounts for word i, which is part of no argument.
func (x *index) weigh(a *account, f *filling, i int) {
	w := &f.t.words[i]
	own := f.e.at(f.t, i)
	if f.e.own(w) {
		own |= inName
	}
	why := objection(w.low)
	switch {
	case f.e.changes:
		x.weighStrictly(a, f, i)
	case f.leads(i):
	case why == "a condition" && slices.Contains(f.used[i:f.t.sentenceEnd(i)], true): // "the speed, if it goes 40 km in 2 hours" states arguments
	case why != "" && own&inName == 0:
		a.object(why, w.raw)
	case own&(inName|inTitle) == 0 && f.t.orders(i), own == 0 && f.t.governs(i):
		a.object(another, w.raw)
	case w.literal && own == 0:
		a.object(noPlace, w.raw)
	case (w.low == "first" || w.low == "last" || w.low == "next") && own&(inName|inTitle) == 0 && !inflected(f.t.low(i+1)):
		a.object("a superlative", w.raw)
	case own != 0:
		a.known++
	case f.restricts(i):
		a.object("a restriction", w.raw)
	case x.named[w.stem]:
		a.object(elsewhere, w.raw)
	case !glue()[w.low]:
		a.unknown++
		a.words = append(a.words, w.raw)
	}
}

// restricts reports whether word i, which is nothing to the tool, says which of the
// tool's things are meant: "failing pods", "projects that use …".
func (f *filling) restricts(i int) bool {
	if glue()[f.t.low(i)] {
		return false
	}
	if f.t.low(i-1) == "that" {
		return true
	}
	next := f.t.low(i + 1)
	return f.t.follows(i+1) && !f.used[i+1] && strings.HasSuffix(next, "s") && !strings.HasSuffix(next, "ss") && f.e.at(f.t, i+1)&inName != 0
}

// orders reports whether word i asks for a change: a verb that is no noun, or any
// that begins a clause or follows an "and".
func (t text) orders(i int) bool {
	low := t.low(i)
	if orders()[low] {
		return true
	}
	return (t.heads(i) || t.low(i-1) == "and") && (changing()[low] || destroying()[low])
}

// heads reports whether a clause begins with word i, but for courtesies.
func (t text) heads(i int) bool {
	return i == 0 || t.breaks(i) || courteous()[t.low(i-1)] || t.low(i-1) == "you"
}

// governs reports whether word i is a word that asks for nothing that is known
// here, and has an object: "take the …", "page whoever".
func (t text) governs(i int) bool {
	w := &t.words[i]
	if !t.heads(i) || w.literal || w.quoted || glue()[w.low] || verbs(w.low) || !t.follows(i+1) {
		return false
	}
	next := &t.words[i+1]
	return courteous()[t.low(i-1)] || next.quoted || next.literal || objects()[next.low]
}

var objects = set("a an the this that these those my our your his her their its me us him it them whoever everyone everybody all every up off out down")

// leads reports whether word i belongs to a number that an argument holds: the
// first 10, at most 5.
func (f *filling) leads(i int) bool {
	if i > 0 && f.used[i-1] && numeric(&f.t.words[i-1]) && (bounding()[f.t.low(i)] || f.t.begins(i, []string{"at", "most"})) ||
		i > 1 && f.used[i-2] && f.t.begins(i-1, []string{"at", "most"}) {
		return true
	}
	if i+1 >= len(f.used) || !f.used[i+1] {
		return false
	}
	return numeric(&f.t.words[i+1]) && bounding()[f.t.low(i)] || roles()[f.t.low(i)] != nil && f.t.low(i) != "before" && f.t.low(i) != "after"
}

var bounding = set("first last next past top most least max maximum")

// weighStrictly is for a tool that changes something: a word that is neither
// the tool's nor on a short list is too much, and what speaks against a change
// does so whatever the tool's description says.
func (x *index) weighStrictly(a *account, f *filling, i int) {
	w := &f.t.words[i]
	why := objection(w.low)
	if why == "" && strictObjections()[w.low] {
		why = noRequest
	}
	switch named := f.e.words[w.stem]&inName != 0; {
	case f.leads(i):
	case why != "" && !named:
		a.object(why, w.raw)
	case plainGlue()[w.low]:
	case f.e.own(w) || letters(w.raw) && !w.quoted && f.e.at(f.t, i) != 0 && !inflected(w.low):
		a.known++
	case w.low == "and" && i+1 < len(f.t.words) && (f.used[i+1] || f.e.words[f.t.words[i+1].stem]&(inParameter|inHint) != 0) && !f.acts(i+1):
	default:
		a.object(tooMuch, w.raw)
		if !glue()[w.low] {
			a.unknown++
		}
	}
}

// said is how much of the tool's name the question says, by what its words say.
func (x *index) said(f *filling) float64 {
	all, said := 0.0, 0.0
	for _, st := range f.e.name {
		weight := x.idf(st)
		if weak()[st] {
			weight /= 4
		}
		all += weight
		if f.t.has(st) {
			said += weight
		}
	}
	if all == 0 {
		return 0
	}
	return said / all
}

func (t text) has(stem string) bool {
	return slices.ContainsFunc(t.words, func(w word) bool { return w.stem == stem || w.joint == stem || slices.Contains(w.parts, stem) })
}

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
	if w.quoted || w.literal || inflected(w.low) || thirdPerson {
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
	heads, polite := 0, false
	for i := range f.t.words {
		if i > 0 && (!f.t.parts(i) && !(courteous()[f.t.low(i-1)] && !f.t.parts(i-1)) || !slices.Contains(f.used[:i], true)) {
			continue // what comes before an order names the thing, as in "policy-002: delete it", or is somebody else's
		}
		at, asks := f.t.politeness(i)
		if f.acts(at) {
			heads++
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
