package lexical

import (
	"cmp"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/planner"
)

// maxRanked bounds the tools with the best scores that are filled and ranked.
const maxRanked = 8

// tooFar is the part of the best rank below which a tool is not suggested. A wrong third
// choice makes the first two harder to read.
const tooFar = 0.3

// askedVerb is the weight of a question with the verb of the tool's name, for suggestions.
// It is less than sameVerb, because the words do not account for the question.
const askedVerb = 1.25

// suggestions are up to three calls for a question that no call accounts for. They are the
// tools that share most words with it, filled as far as possible.
func (d decision) suggestions() []planner.Suggestion {
	var list []planner.Suggestion
	top := 0.0
	for _, k := range d.nearest {
		top = max(top, k.rank)
	}
	for i, k := range d.nearest {
		if i > 0 && k.rank < tooFar*top {
			continue
		}
		for _, s := range k.f.offers(i == 0) {
			if len(list) < planner.MaxSuggestions {
				list = append(list, s)
			}
		}
	}
	return list
}

// ranked are the tools that may be suggested, best first. A tool that may change something
// is among them only if the question asks for it and says nothing against a change. A
// SELECT statement in SQL goes to reading tools, any other to changing ones.
func (p *Proposer) ranked(x *index, t text) []candidate {
	values, now, sql := t.values(), p.now(), t.sql()
	means := t.means()
	said := func(st string) bool { return t.has(st) || slices.Contains(means, st) }
	var all []candidate
	for i, score := range x.scores(append(t.topics(), means...)) {
		e := &x.tools[i]
		if e.formFor(values) || e.holds(values) {
			score += tellingWord
		}
		if score <= 0 || sql != "" && e.changes != (sql != "SELECT") {
			continue
		}
		if !e.changes || t.asksFor(e, means, values) {
			all = append(all, candidate{tool: i, score: score})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var best []candidate
	for _, k := range all {
		if k.f = fill(x, &x.tools[k.tool], t, values, now, true); k.f.e.changes && k.f.hasObjection() {
			continue
		}
		if k.account.said = k.f.said(means...); !slices.ContainsFunc(k.f.e.nouns, said) {
			k.account.said /= 2 // a verb alone says little
		}
		k.rank = (k.score + tellingWord*k.f.placed()) * (0.5 + k.account.said/2)
		if len(k.f.missing) > 0 {
			k.rank *= 0.8
		}
		if k.f.verb() {
			k.rank *= askedVerb
		}
		if best = append(best, k); len(best) == maxRanked {
			break
		}
	}
	slices.SortStableFunc(best, func(a, b candidate) int { return cmp.Compare(b.rank, a.rank) })
	return best
}

// surpassed reports whether the first suggestion is ready to run, and of another tool than
// the best candidate. That candidate has no place for a value, so asking about the value
// does not help.
func (d *decision) surpassed() bool {
	switch d.best().account.against {
	case noPlace, tooMuch, unclear:
		return len(d.nearest) > 0 && d.nearest[0].tool != d.best().tool && len(d.nearest[0].f.missing) == 0
	}
	return false
}

// holds reports whether a tool has a place for a path.
func (e *entry) holds(vs []value) bool {
	return slices.ContainsFunc(vs, func(v value) bool { return v.shape == pathname }) &&
		slices.ContainsFunc(e.slots, func(s slot) bool { return s.required && s.file() })
}

// placed is the number of the question's literals that became arguments. Each argument in
// its parameter's form adds a half.
func (f *filling) placed() (n float64) {
	for i := range f.values {
		if v := &f.values[i]; v.shape > named && f.taken(v) {
			n += float64(max(1, len(v.items)))
		}
	}
	for _, a := range f.args {
		if a.form >= told || a.origin == fromEnum {
			n += 0.5
		}
	}
	return n
}

// offers are the tool's call and, for the first tool, calls with another value of the same
// parameter: "issues 12 and 13". If the question names both ends of a list, each end has
// its own call.
func (f *filling) offers(several bool) []planner.Suggestion {
	if ends := f.ends(); ends != nil {
		return []planner.Suggestion{f.without(ends[1]), f.without(ends[0])}
	}
	list := []planner.Suggestion{f.suggestion()}
	for i := range f.e.slots {
		kept, filled := f.args[i]
		if !several || !filled || kept.origin != fromQuestion {
			continue
		}
		for n := range f.values {
			if v := &f.values[n]; !f.taken(v) && v.shape != plain && f.t.follows(kept.words, v) {
				if a, ok := f.convert(v, &f.e.slots[i]); ok {
					f.args[i] = a
					list = append(list, f.suggestion())
				}
			}
		}
		f.args[i] = kept
	}
	return list
}

// ends are the two optional parameters for "the first 10" and "the last 10", or nil. Some
// tools refuse one call with both, and others return less.
func (f *filling) ends() (slots []int) {
	asked := map[string]int{}
	for i := range f.values {
		if v := &f.values[i]; v.shape == numeral && f.taken(v) {
			asked[f.t.low(v.from-1)]++
		}
	}
	for k := range f.e.slots {
		s := &f.e.slots[k]
		if s.required || s.kind != "integer" && s.kind != "number" {
			continue
		}
		if a, filled := f.args[k]; filled && a.origin == fromQuestion {
			slots = append(slots, k)
		}
	}
	if asked["first"] != 1 || asked["last"] != 1 || len(slots) != 2 {
		return nil
	}
	said := func(k int) int { // where the question has the slot's end
		return slices.IndexFunc(f.t.words, func(w word) bool {
			return (w.low == "first" || w.low == "last") && strings.Contains(f.e.slots[k].hint, w.low)
		})
	}
	slices.SortStableFunc(slots, func(a, b int) int { return cmp.Compare(said(a), said(b)) })
	return slots
}

func (f *filling) suggestion() planner.Suggestion {
	s := planner.Suggestion{Tool: f.e.tool.Server() + "/" + f.e.tool.Name(), Args: f.encode()}
	for _, i := range f.missing {
		s.Missing = append(s.Missing, f.e.slots[i].label)
	}
	return s
}

// without is the call without one of its arguments.
func (f *filling) without(k int) planner.Suggestion {
	kept := f.args[k]
	delete(f.args, k)
	s := f.suggestion()
	f.args[k] = kept
	return s
}

// follows reports whether "and", "or" or a comma leads from some words to a value.
func (t text) follows(words string, v *value) bool {
	before := strings.TrimRight(t.raw[:t.words[v.from].start], ` "'`)
	rest := before
	for _, w := range []string{"then", "the", "and", "or", "&", ","} {
		rest = strings.TrimRight(strings.TrimSuffix(rest, w), " ")
	}
	return rest != before && strings.HasSuffix(strings.TrimRight(rest, `"'`), words)
}

// fillLoosely gives the remaining words to required parameters that are still empty. A parameter
// takes the word after its preposition. The only empty one takes the rest.
func (f *filling) fillLoosely() {
	give := func(k, from, to int) {
		words := f.t.span(from, to)
		f.set(k, argument{literal: schema.Literal(words), origin: fromQuestion, words: words}, from, to)
	}
	for k := range f.e.slots {
		s := &f.e.slots[k]
		if !f.open(k) || !s.open() || s.examples().shows != "" {
			continue
		}
		at := slices.IndexFunc(f.freeWords(), func(i int) bool { return s.says(roles()[f.t.low(i-1)]) && f.fits(s, i) })
		if at >= 0 {
			i := f.freeWords()[at]
			give(k, i, i+1)
		}
	}
	f.fillOnlyPlace()
	slots, left := f.vacant(), f.freeWords()
	if len(slots) != 1 || len(left) == 0 {
		return
	}
	k, from, to := slots[0], left[0], left[len(left)-1]+1
	switch s := &f.e.slots[k]; {
	case s.takesText():
		if i := slices.IndexFunc(f.values, func(v value) bool { return v.shape == identifier && !f.taken(&v) }); i >= 0 {
			give(k, f.values[i].from, f.values[i].to)
			return
		}
		for _, i := range left { // words up to the tool's own lead to it: "how many tickets does Ada have"
			if i > from && slices.ContainsFunc(f.t.words[from:i], func(w word) bool { return f.e.own(&w) }) {
				from = i
			}
		}
		for from > 0 && !f.used[from-1] && wondering()[f.t.low(from-1)] {
			from--
		}
		give(k, from, to)
	case len(left) == 1 && !s.identifies && f.fits(s, from):
		give(k, from, to)
	}
}

// fits reports whether word i can be a value of a slot.
func (f *filling) fits(s *slot, i int) bool {
	w := f.t.words[i]
	if !w.literal && s.says(pathNames()) {
		return false
	}
	return s.shaped(&value{shape: literalShape(w), text: w.raw}) && !f.e.refuses(w.raw)
}

// fillOnlyPlace gives the only value without a place to the only empty parameter that takes it.
func (f *filling) fillOnlyPlace() {
	var free []place
	for i := range f.values {
		v := &f.values[i]
		if v.shape == plain || f.taken(v) {
			continue
		}
		for k := range f.e.slots {
			if a, ok := f.convert(v, &f.e.slots[k]); ok && f.open(k) && !f.e.slots[k].takesText() {
				free = append(free, place{value: i, slot: k, arg: a})
			}
		}
	}
	if len(free) == 1 {
		v := &f.values[free[0].value]
		f.set(free[0].slot, free[0].arg, v.from, v.to)
	}
}

// vacant are the required parameters without a value that take any text.
func (f *filling) vacant() (list []int) {
	for k := range f.e.slots {
		s := &f.e.slots[k]
		if !s.required || s.examples().shows != "" || s.preset != nil {
			continue
		}
		if f.open(k) && s.open() {
			list = append(list, k)
		}
	}
	return list
}

// freeWords are the words that are not used yet, and have a meaning that the tool does not
// mention.
func (f *filling) freeWords() (list []int) {
	for i := range f.t.words {
		w := &f.t.words[i]
		switch {
		case f.used[i], f.e.words[w.stem]&(inName|inTitle|inParameter) != 0:
		case glue()[w.low], objection(w.low) != "", verbs(w.low), everydayWords()[w.low] != nil:
		default:
			list = append(list, i)
		}
	}
	return list
}

var wondering = set("how to what why when where who is are")
