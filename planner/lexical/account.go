package lexical

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/speech"
)

// account says which words of a question a call explains.
type account struct {
	against string   // the objection to the call
	words   []string // the words of the objection, or words that no argument has
	known   int      // words that the tool knows, and arguments with a certain place
	unknown int      // words that are neither grammar nor known to the tool
	told    int      // arguments with a certain place
	said    float64  // the part of the tool's name that the question has
}

// objection is the kind of objection that a word makes if no argument has it, or "".
func objection(low string) string {
	low = strings.ReplaceAll(low, "’", "'")
	if strings.HasSuffix(low, "n't") {
		return "a negation"
	}
	return objections()[low]
}

// Objections to a call besides those of lexicon.go.
const (
	noRequest = "no plain request" // for a change
	another   = "another request"
	noPlace   = "no place"
	tooMuch   = "too much"
	unclear   = "more than one reading"
	empty     = "a parameter without a value"
	condition = "a condition"
	bothEnds  = "both ends of a list"
	oneThing  = "one thing"
)

// account goes through the question word by word. Each word is part of an argument, is a
// word of the tool's, or is grammar. Other words are left over.
func (f *filling) account() account {
	a := account{}
	if f.e.changes && !f.requested() {
		a.object(noRequest, "")
	}
	for i := range f.t.words {
		if !f.used[i] {
			f.weigh(&a, i)
		}
	}
	if sql := f.t.sql(); sql != "" && sql != "SELECT" && !f.e.changes {
		a.object(another, sql)
	}
	if f.ends() != nil {
		a.object(bothEnds, "first")
		a.object(bothEnds, "last")
	}
	if f.t.cut {
		a.object("more text than is read", "")
	}
	for _, v := range f.unclear {
		a.object(unclear, f.t.span(v.from, v.to))
	}
	for i := range f.values {
		v := &f.values[i]
		if f.taken(v) || v.shape == plain {
			continue
		}
		if v.shape != named || !f.mentions(v) {
			a.object(noPlace, f.t.span(v.from, v.to))
		}
	}
	for _, arg := range f.args {
		if arg.told {
			a.told++
		}
	}
	a.known += a.told
	a.said = f.said()
	return a
}

// mentions reports whether the tool mentions all words of a name.
func (f *filling) mentions(v *value) bool {
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
func (f *filling) weigh(a *account, i int) {
	w := &f.t.words[i]
	own := f.e.at(f.t, i)
	if f.e.own(w) {
		own |= inTitle
	}
	why, named := objection(w.low), inName|inTitle
	if f.e.changes {
		named = inName // a title takes nothing back
		if why == "" && (strictObjections()[w.low] || f.t.approximates(i)) {
			why = noRequest
		}
		if own&^(inDescription|inHint) == 0 && inflected(w.low) {
			own = 0 // a description's word asks for nothing in another form
		}
	}
	switch {
	case f.belongsToValue(i):
	case !f.e.changes && f.asksOtherwise(i):
		if why = another; !f.t.heads(i) {
			why = oneThing
		}
		a.object(why, w.raw)
	case !f.e.changes && f.limitsThings(i):
		a.object(condition, w.raw)
	case why != "" && own&named == 0:
		a.object(why, w.raw)
	case f.relates(i):
		a.object(condition, w.raw)
	case own&(inName|inTitle|inParameter) == 0 && f.t.orders(i):
		a.object(another, w.raw)
	case w.literal && own == 0:
		a.object(noPlace, w.raw)
	case f.namesOpenSlot(i), own == inEnum && f.t.commands(i):
		a.object(empty, w.raw)
	case own != 0:
		a.known++
	case !f.e.changes && (glue()[w.low] || f.attribute(i)):
	case f.e.changes && plainGlue()[w.low]:
	case f.e.changes:
		a.unknown++
		a.object(tooMuch, w.raw)
	case f.t.ledTo(i), len(f.args) == 0 && f.t.low(i-1) == "of", f.hinted(i - 1):
		a.object(noPlace, w.raw)
	default:
		a.unknown++
		a.words = append(a.words, w.raw)
	}
}

// attribute reports whether word i is an attribute of the thing that an argument
// identifies. Examples are "the owner of policy-002", "who owns policy-002" and "what does
// policy-002 say about gifts". The thing itself has the answer.
func (f *filling) attribute(i int) bool {
	thing := func(k int) bool { return f.held(k) && f.t.words[k].literal }
	switch before := f.t.low(i - 1); {
	case articles()[before]:
		return f.t.low(i+1) == "of" && thing(i+2)
	case before == "about":
		return f.t.low(i-2) == "say" && thing(i-3)
	case before == "who" && strings.HasSuffix(f.t.low(i), "s"):
		return thing(i+1) || glue()[f.t.low(i+1)] && thing(i+2)
	}
	return false
}

// asksOtherwise reports whether word i asks for something else than this reading tool does. It may
// be a verb that the tool's name has only as a participle ("unstage", of diff_unstaged). It
// may be one thing if the tool gives many ("the pull request", of list_pull_requests; a
// search finds the one). Or it is a new thing to make ("a directory /data/new").
func (f *filling) asksOtherwise(i int) bool {
	w, name := &f.t.words[i], f.e.named[f.t.words[i].stem]
	switch {
	case w.literal || w.quoted || name == "":
		return false
	case f.t.heads(i) && inflected(name) && !inflected(w.low):
		return true
	case !slices.Contains(f.e.nouns, w.stem):
		return false
	}
	switch f.t.low(i - 1) {
	case "the", "this", "that":
		finds := slices.Contains(speech.NameParts(f.e.tool.Name()), "search")
		return !finds && speech.Several(name) && !speech.Several(w.low)
	case "a", "an":
		return f.held(i+1) && f.t.words[i+1].literal && !f.t.parts(i+1)
	}
	return false
}

// relates reports whether word i begins a clause about the thing before it.
func (f *filling) relates(i int) bool {
	if i == 0 || !relative()[f.t.low(i)] || f.t.breaks(i) {
		return false
	}
	if f.t.words[i-1].literal {
		return true
	}
	return f.e.at(f.t, i-1)&(inName|inTitle) != 0 && !verbs(f.t.low(i-1))
}

// commands reports whether a clause begins with word i, a verb that asks for something.
func (t text) commands(i int) bool {
	return t.heads(i) && asking()[t.low(i)] && !articles()[t.low(i+1)]
}

// ledTo reports whether a preposition leads to word i, which is then a value.
func (t text) ledTo(i int) bool {
	for i--; articles()[t.low(i)]; i-- {
	}
	return roles()[t.low(i)] != nil || about()[t.low(i)]
}

// hinted reports whether word i occurs only in descriptions of parameters without a value.
// The next word is then a value without a place: "on branch main".
func (f *filling) hinted(i int) bool {
	if i < 0 || f.used[i] || f.t.parts(i+1) {
		return false
	}
	w := &f.t.words[i]
	return !f.e.own(w) && !glue()[w.low] && slices.ContainsFunc(f.e.slots, func(s slot) bool { return slices.Contains(s.cues, w.stem) })
}

// limitsThings reports whether word i limits the things in a way that the call does not express.
// Examples are my tickets, assigned to me, the first line, a ticket and its comments.
func (f *filling) limitsThings(i int) bool {
	before, next := f.t.low(i-1), f.t.low(i+1)
	switch f.t.low(i) {
	case "my", "mine":
		return len(f.args) > 0 && !f.held(i+1)
	case "me", "us":
		return before == "to" || before == "by" || before == "from"
	case "its", "their":
		return before == "and" || before == "with" || before == "also"
	case "first", "last":
		return next != "" && !f.held(i+1) && before != "at"
	}
	return false
}

// approximates reports whether "sort of" or "kind of" begins at word i.
func (t text) approximates(i int) bool {
	return (t.low(i) == "sort" || t.low(i) == "kind") && t.low(i+1) == "of"
}

// belongsToValue reports whether word i belongs to the value of an argument: the first 10, 10 at
// most, since March.
func (f *filling) belongsToValue(i int) bool {
	number := func(k int) bool { return f.held(k) && numeric(&f.t.words[k]) }
	low, before := f.t.low(i), f.t.low(i-1)
	switch {
	case bounding()[low] && (number(i+1) || number(i-1)):
		return true
	case bounding()[low] && before == "at" && number(i-2):
		return true
	case low == "them" && before == "of" && number(i-2):
		return true
	case low == "before" || low == "after":
		return false
	}
	return f.held(i+1) && roles()[low] != nil
}

var bounding = set("first last next past top most least max maximum")

// said is how much of the tool's name the question has, weighted by how rare its words are.
// A weak word counts for a quarter. A word that the question only means counts like the
// others.
func (f *filling) said(means ...string) float64 {
	all, said := 0.0, 0.0
	for _, st := range f.e.name {
		weight := f.x.idf(st)
		if weak()[st] {
			weight /= 4
		}
		all += weight
		if f.t.has(st) || slices.Contains(means, st) {
			said += weight
		}
	}
	if all == 0 {
		return 0
	}
	return said / all
}

func (t text) has(stem string) bool {
	return slices.ContainsFunc(t.words, func(w word) bool { return w.stem == stem || slices.Contains(w.parts, stem) })
}

// namesOpenSlot reports whether word i names only parameters without a value. The question then
// asks for something that this call does not express.
func (f *filling) namesOpenSlot(i int) bool {
	w := &f.t.words[i]
	if f.e.own(w) || glue()[w.low] || f.e.at(f.t, i)&(inName|inTitle) != 0 {
		return false
	}
	some := false
	for k := range f.e.slots {
		s := &f.e.slots[k]
		named := !s.nameless && slices.Contains(s.name, w.stem)
		hinted := f.e.words[w.stem] == inHint && slices.Contains(s.cues, w.stem)
		if !named && !hinted {
			continue
		}
		if !f.open(k) && f.args[k].origin != fromSchema {
			return false
		}
		some = true
	}
	return some
}
