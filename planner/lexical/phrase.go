package lexical

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
)

// plainValues are words that are values only by their place: "namespace payments", "the
// invoices table", "translate it to french".
func (f *filling) plainValues() []value {
	var list []value
	for k := range f.e.slots {
		s := &f.e.slots[k]
		items := s.item != nil && s.item.open()
		if f.open(k) && (s.open() || items) {
			list = append(list, f.plainOf(s, k)...)
		}
	}
	slices.SortStableFunc(list, func(a, b value) int { return a.from - b.from })
	// "project named x" has one value twice.
	return slices.CompactFunc(list, func(a, b value) bool { return a.from == b.from && a.only == b.only })
}

func (f *filling) plainOf(s *slot, k int) (list []value) {
	for i := range f.t.words {
		w := &f.t.words[i]
		if !s.named(w) {
			continue
		}
		next := i + 1
		for link()[f.t.low(next)] && !f.t.parts(next) {
			next++
		}
		if f.plain(next) && f.closes(next+1) {
			list = append(list, f.plainAt(next, k))
		} else if (f.loose || !f.e.changes) && f.precedes(i) {
			list = append(list, f.plainAt(i-1, k))
		}
	}
	return list
}

// precedes reports whether the word before word i is a value by its place: the invoices
// table.
func (f *filling) precedes(i int) bool {
	if f.t.parts(i) || !determiners()[f.t.low(i-2)] {
		return false
	}
	return f.plain(i-1) && f.e.at(f.t, i-1) == 0
}

var determiners = set("the a an in of on from this our my")

func (f *filling) plainAt(i, slot int) value {
	return value{shape: plain, only: slot, from: i, to: i + 1, text: f.t.words[i].raw}
}

// plain reports whether word i may be a value by its place. It is a word of letters that is
// neither grammar nor the tool's own.
func (f *filling) plain(i int) bool {
	if i < 0 || i >= len(f.t.words) || f.used[i] {
		return false
	}
	w := &f.t.words[i]
	_, _, number := f.t.numberAt(i)
	colon := strings.HasPrefix(f.t.raw[w.end:], ":") // of "prefix session:" it is part, after any other word it begins something
	switch {
	case i > 0 && f.t.parts(i) && f.t.gap(i) != ": ":
		return false
	case w.quoted, w.capital && i > 0, number:
		return false
	case colon && !w.literal, w.literal && !wordForm().MatchString(w.low):
		return false
	case glue()[w.low], objection(w.low) != "", changing()[w.low], destroying()[w.low]:
		return false
	}
	return f.e.words[w.stem]&(inName|inTitle|inParameter|inHint) == 0
}

// closes reports whether no part of a value is at word i.
func (f *filling) closes(i int) bool {
	if i >= len(f.t.words) || f.t.parts(i) || glue()[f.t.low(i)] {
		return true
	}
	return f.e.own(&f.t.words[i]) || f.e.at(f.t, i)&inParameter != 0
}

// subject gives the parameter for a person's own words the span that the question marks as
// its topic. For a tool that changes something, only quotation marks do that.
func (f *filling) subject() {
	k := slices.IndexFunc(f.e.slots, func(s slot) bool { return s.takesText() && s.required })
	if k < 0 {
		k = slices.IndexFunc(f.e.slots, func(s slot) bool { return s.takesText() })
	}
	if k < 0 || !f.open(k) || f.e.alters {
		return
	}
	if lead, from, to := f.marked(); from < to && !f.denies(from, to) {
		words := f.t.span(from, to)
		f.set(k, argument{literal: schema.Literal(words), origin: fromQuestion, words: words}, lead, to)
	}
}

// denies reports whether a span says more than a search for its words would. It may have a
// negation, an exception, a parameter's name, a separate clause, or another thing to do.
func (f *filling) denies(from, to int) bool {
	for i := from; i < to; i++ {
		low, next := f.t.low(i), f.t.low(i+1)
		switch {
		case objection(low) != "", pronouns()[low], low == "or":
			return true
		case f.e.at(f.t, i)&inParameter != 0:
			return true
		case i > from && (relative()[low] || f.t.parts(i)):
			return true
		case low == "and" && (verbs(next) || articles()[next]):
			return true
		case i+1 < to && f.e.own(&f.t.words[i]) && !weak()[f.t.words[i].stem]:
			return true
		}
	}
	return false
}

var (
	relative = set("that which who whose")
	pronouns = set("something anything someone anyone one ones it them this these those")
)

// marked is the topic of the question. It is the span after "about" and the like, after the
// verb of a search, or before the tool's noun, as in "the PII logging policy". The span may
// begin the question: kubelet logs from …. lead is the word that marks it.
func (f *filling) marked() (lead, from, to int) {
	for i := range f.t.words {
		if !f.leadsOn(i) {
			continue
		}
		if from, to = f.span(i + 1); from < to {
			return i, from, to
		}
	}
	for i := len(f.t.words) - 1; i > 0; i-- {
		if f.e.words[f.t.words[i].stem]&inName == 0 || f.used[i] || weak()[f.t.words[i].stem] {
			continue
		}
		from = i
		for from > 0 && f.t.joined(from) && f.content(from-1) {
			if objection(f.t.low(from-1)) != "" {
				break
			}
			from--
		}
		begins := determiners()[f.t.low(from-1)] || from == 0 && !f.held(i+1)
		if begins && from < i {
			return from, from, i
		}
	}
	return 0, 0, 0
}

// leadsOn reports whether the topic begins behind word i. It follows "about", or directly
// follows the verb of a search.
func (f *filling) leadsOn(i int) bool {
	w := &f.t.words[i]
	if f.used[i] || i > 0 && about()[w.low] {
		return !f.used[i]
	}
	next := i + 1
	for articles()[f.t.low(next)] {
		next++
	}
	if w.stem != "find" || next >= len(f.t.words) || !f.content(next) {
		return false
	}
	for next++; next < len(f.t.words) && !f.t.breaks(next); next++ {
		if about()[f.t.low(next)] {
			return false // in "search the web for x", the web is the place
		}
	}
	return true
}

// content reports whether word i is free and meaningful, and is not the tool's own name.
func (f *filling) content(i int) bool {
	w := &f.t.words[i]
	if f.used[i] || numeric(w) {
		return false
	}
	return !glue()[w.low] && !f.e.own(w)
}

func numeric(w *word) bool { return w.low != "" && w.low[0] >= '0' && w.low[0] <= '9' }

// span goes from word i to the end of the clause. It omits other arguments and the words
// that lead to them. It also omits "in SharePoint", which names the tool.
func (f *filling) span(i int) (from, to int) {
	from, to = i, i
	for to < len(f.t.words) && !f.used[to] {
		number := f.t.parts(to) && numeric(&f.t.words[to])
		if to > i && (number || f.t.breaks(to)) {
			break
		}
		to++
	}
	if to < len(f.t.words) && f.used[to] && !f.t.parts(to) {
		for to > from { // an argument is behind the words that lead to it
			low := f.t.low(to - 1)
			if !glue()[low] && !limitLeads()[low] && f.e.at(f.t, to-1)&^(inDescription|inEnum) == 0 {
				break
			}
			to--
		}
	}
	for to > from && whenever()[f.t.low(to-1)] {
		to--
	}
	for from < to && articles()[f.t.low(from)] {
		if from > 0 && f.t.words[from].capital {
			break
		}
		from++
	}
	for to > from && f.e.own(&f.t.words[to-1]) && glue()[f.t.low(to-2)] {
		to -= 2
	}
	if from >= to || f.e.own(&f.t.words[from]) || f.e.own(&f.t.words[to-1]) {
		return from, from // neither "closed tickets" nor "tickets that were closed" is a topic
	}
	return from, to
}

// whenever are words at the end of a question that are not part of its topic.
var whenever = set("before already recently lately")

var articles = set("the a an any our my its their")
