package lexical

import (
	"slices"
	"strings"
)

// plainValues are words that only their place makes values: "namespace
// payments", "the invoices table", "translate it to french".
func (f *filling) plainValues() []value {
	var list []value
	for k := range f.e.slots {
		if s := &f.e.slots[k]; f.open(k) && (s.open() || s.kind == "array" && s.item != nil && s.item.open()) {
			list = append(list, f.plainOf(s, k)...)
		}
	}
	slices.SortStableFunc(list, func(a, b value) int { return a.from - b.from })
	return slices.CompactFunc(list, func(a, b value) bool { return a.from == b.from && a.only == b.only }) // "project named x" says it twice
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
		} else if (f.loose || !f.e.changes) && f.plain(i-1) && !f.t.parts(i) && determiners()[f.t.low(i-2)] && f.e.words[f.t.words[i-1].stem] == 0 {
			list = append(list, f.plainAt(i-1, k))
		}
	}
	return list
}

var determiners = set("the a an in of on from this our my")

func (f *filling) plainAt(i, slot int) value {
	return value{shape: plain, only: slot, from: i, to: i + 1, text: f.t.words[i].raw}
}

// plain reports whether word i may be a value by its place: it is a word of
// letters that holds no sentence together and is none of the tool's own.
func (f *filling) plain(i int) bool {
	if i < 0 || i >= len(f.t.words) || f.used[i] || i > 0 && (f.t.parts(i) && f.t.gap(i) != ": ") {
		return false
	}
	w := &f.t.words[i]
	colon := strings.HasPrefix(f.t.raw[w.end:], ":") // of "prefix session:" it is part, after any other word it begins something
	if w.quoted || colon && !w.literal || w.literal && !wordForm().MatchString(w.low) || w.capital && i > 0 || numberWords[w.low] > 0 {
		return false
	}
	return !glue()[w.low] && objection(w.low) == "" && f.e.words[w.stem]&(inName|inTitle|inParameter|inHint) == 0 && !changing()[w.low] && !destroying()[w.low]
}

// closes reports whether nothing that could belong to a value is at word i.
func (f *filling) closes(i int) bool {
	return i >= len(f.t.words) || f.t.parts(i) || glue()[f.t.low(i)] || f.e.own(&f.t.words[i]) || f.e.words[f.t.words[i].stem]&inParameter != 0
}

// subject gives the parameter that takes a person's own words the span that
// the question marks as what it is about. Of a tool that changes something, only
// quotation marks do that.
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
		f.set(k, argument{literal: quote(words), origin: fromQuestion, words: words}, lead, to)
	}
}

// denies reports whether a span says more than a search for its words would: a
// negation, an exception, a parameter by its name, a clause of its own, another
// thing to do.
func (f *filling) denies(from, to int) bool {
	for i := from; i < to; i++ {
		clause := i > from && (relative()[f.t.low(i)] || f.t.parts(i)) || f.t.low(i) == "and" && (verbs(f.t.low(i+1)) || articles()[f.t.low(i+1)]) || f.t.low(i) == "or"
		if objection(f.t.low(i)) != "" || clause || pronouns()[f.t.low(i)] || f.e.at(f.t, i)&inParameter != 0 || i+1 < to && f.e.own(&f.t.words[i]) && !weak()[f.t.words[i].stem] {
			return true
		}
	}
	return false
}

var (
	relative = set("that which who whose")
	pronouns = set("something anything someone anyone one ones it them this these those")
)

// marked is the span after "about" and the like, after the verb of a search,
// or before the tool's noun: the PII logging policy, and where the question begins
// so: kubelet logs from …. The word that marks it is at lead.
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
		for from > 0 && f.t.joined(from) && f.content(from-1) && objection(f.t.low(from-1)) == "" {
			from--
		}
		if from < i && (determiners()[f.t.low(from-1)] || from == 0 && !f.held(i+1)) {
			return from, from, i
		}
	}
	return 0, 0, 0
}

// leadsOn reports whether what is sought begins behind word i: after "about", or
// after the verb of a search that says at once what for.
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
			return false // of "search the web for x", the web is where
		}
	}
	return true
}

// content reports whether word i is free and means something that is not the
// tool's own name.
func (f *filling) content(i int) bool {
	w := &f.t.words[i]
	return !f.used[i] && !glue()[w.low] && !f.e.own(w) && !numeric(w)
}

func numeric(w *word) bool { return w.low != "" && w.low[0] >= '0' && w.low[0] <= '9' }

// span goes from word i to the end of the clause, without what became another
// argument and the words that lead to it, and without "in SharePoint", which
// names the tool.
func (f *filling) span(i int) (from, to int) {
	from, to = i, i
	for to < len(f.t.words) && !f.used[to] && (to == i || !f.t.breaks(to) && !(f.t.parts(to) && numeric(&f.t.words[to]))) {
		to++
	}
	if to < len(f.t.words) && f.used[to] && !f.t.parts(to) {
		for to > from && (glue()[f.t.low(to-1)] || limitLeads()[f.t.low(to-1)] || f.e.at(f.t, to-1)&^(inDescription|inEnum) != 0) {
			to--
		}
	}
	for to > from && whenever()[f.t.low(to-1)] {
		to--
	}
	for from < to && articles()[f.t.low(from)] && !(f.t.words[from].capital && from > i-1 && from > 0) {
		from++
	}
	for to > from && f.e.own(&f.t.words[to-1]) && glue()[f.t.low(to-2)] && f.t.low(to-2) != "were" && f.t.low(to-2) != "are" {
		to -= 2
	}
	if from >= to || f.e.own(&f.t.words[from]) || f.e.own(&f.t.words[to-1]) {
		return from, from // "closed tickets" is not a topic, and "tickets that were closed" neither
	}
	return from, to
}

// whenever are words at the end of a question that are no part of what it is about.
var whenever = set("before already recently lately")

var articles = set("the a an any our my its their")
