package lexical

import (
	"slices"
	"strings"
	"sync"
)

// currencyStem is what a word such as "dollars" speaks of.
var currencyStem = sync.OnceValue(func() string { return canonical("currency") })

// formBonus is what an identifier of the right form adds to a tool's score:
// as much as a rare word of its name.
const formBonus = 4

// talk is what a tool's own prose is worth beyond what its name is worth: a
// description that says every word there is counts like one or two of them.
const talk = 3.5

// farBehind is the part of the best score below which a tool is not looked at:
// no fit could bring it to the front.
const farBehind = 0.25

// rank returns the best few tools, best first.
func (x *index) rank(q reading) []candidate {
	scores := x.scores(q)
	var cs []candidate
	for _, t := range topOf(scores) {
		k := candidate{e: &x.tools[t], score: scores[t], formed: x.formed(q, t)}
		if len(cs) == 0 || k.score >= farBehind*cs[0].score {
			cs = append(cs, k)
		}
	}
	return cs
}

// scores are the tools' scores: BM25 over names, BM25 over all the rest as far
// as talk allows, and a bonus for an identifier of the right form.
func (x *index) scores(q reading) []float64 {
	scores, rest := make([]float64, len(x.tools)), make([]float64, len(x.tools))
	for _, st := range q.stems() {
		idf := x.idf(st)
		for _, p := range x.postings[st] {
			scores[p.tool] += idf * float64(p.name)
			rest[p.tool] += idf * float64(p.rest)
		}
	}
	for _, f := range x.forms {
		if q.holds(f) {
			for _, t := range f.tools {
				scores[t] += formBonus
			}
		}
	}
	for t := range scores {
		scores[t] += min(rest[t], talk+scores[t])
	}
	return scores
}

// formed reports whether the question holds an identifier of a form that tool
// t asks for.
func (x *index) formed(q reading, t int32) bool {
	return slices.ContainsFunc(x.forms, func(f form) bool { return slices.Contains(f.tools, t) && q.holds(f) })
}

// holds reports whether one of the first values has the form.
func (r reading) holds(f form) bool {
	return slices.ContainsFunc(r.values[:min(len(r.values), 24)], func(v value) bool {
		return (v.shape == identifier || v.shape == quoted) && f.pattern.MatchString(v.text)
	})
}

// topOf are the best of the tools that score at all, equal ones in the
// catalog's order.
func topOf(scores []float64) []int32 {
	var best []int32
	for t, score := range scores {
		at := len(best)
		for at > 0 && score > scores[best[at-1]] {
			at--
		}
		if score > 0 && at < maxCandidates {
			best = slices.Insert(best, at, int32(t))
			best = best[:min(len(best), maxCandidates)]
		}
	}
	return best
}

// stems are the different stems of a text's meaningful words, in its order.
func (t text) stems() []string {
	var list []string
	seen := map[string]bool{}
	for _, tok := range t.toks {
		for _, st := range tok.stems {
			if !tok.stop && !seen[st] {
				seen[st] = true
				list = append(list, st)
			}
		}
		if _, money := currencies[strings.TrimSuffix(tok.word, "s")]; money && !seen[currencyStem()] {
			seen[currencyStem()] = true
			list = append(list, currencyStem())
		}
	}
	return list
}

// fit says how well a question and a tool belong together.
type fit struct {
	covered   float64 // of the question: the part that the tool's words or its arguments explain
	topic     float64 // of the words that are no argument: the part that the tool knows
	name      float64 // of the tool's name: the part that the question says
	complete  float64 // of the required slots: the part that is filled
	placed    bool    // every value of the question that has a form became an argument
	forbidden bool    // one of the two speaks of an action that the other does not
}

// fitOf compares a question with a tool and what was filled for it.
func (x *index) fitOf(q reading, e *entry, f filling) fit {
	var total, explained, topic, known float64
	for i, tok := range q.toks {
		if tok.stop || tok.digit && !f.used[i] {
			continue
		}
		w := x.idf(tok.stem)
		total += w
		hit := e.knows(tok)
		if hit || f.used[i] {
			explained += w
		}
		if !f.used[i] {
			topic += w
			if hit {
				known += w
			}
		}
	}
	said := map[string]bool{}
	for _, st := range q.stems() {
		said[st] = true
	}
	var name, heard float64
	for _, st := range e.name {
		w := x.idf(st)
		name += w
		if said[st] {
			heard += w
		}
	}
	required := 0
	for _, s := range e.slots {
		if s.required && len(s.path) == 1 {
			required++
		}
	}
	return fit{
		covered: ratio(explained, total), topic: ratio(known, topic), name: ratio(heard, name),
		placed:    f.placed(q.values),
		complete:  1 - ratio(float64(len(f.missing)), float64(max(required, len(f.missing)))),
		forbidden: forbidden(q.text, e),
	}
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func (e *entry) knows(tok token) bool {
	for _, st := range tok.stems {
		if e.words[st] != 0 {
			return true
		}
	}
	return false
}

// weight scales a score: a tool that cannot be filled seldom is the one meant.
func (f fit) weight() float64 {
	if f.forbidden {
		return 0.1
	}
	return (0.5 + 0.5*f.complete) * (0.6 + 0.4*f.topic)
}

// enough reports whether tool and question belong together at all: the
// question says part of the tool's name, or speaks of what the tool does, in
// words that are rare enough to mean something. Where all that the tool must
// have was found, less of it will do; and little where nothing that has a form
// is left over. The weights were fitted on one half of the corpus of
// docs/planner.md.
func (k candidate) enough() bool {
	f := k.fit
	said := f.name + f.topic/2 + min(k.score, 15)/20
	if f.complete < 1 || len(k.filling.args) == 0 {
		return said >= 0.45
	}
	return k.formed || f.placed && k.score >= 1 || said >= 0.25
}

// placed reports whether the question holds values with a form of their own
// and each became an argument: a tool that has a place for all of them is
// meant more often than its words say. Free text takes anything and shows
// nothing.
func (f *filling) placed(vs []value) bool {
	for _, a := range f.args {
		if a.origin == fromContent {
			return false
		}
	}
	formed := 0
	for _, v := range vs {
		if v.shape == phrase || v.shape == listing {
			continue
		}
		if formed++; !f.covers(v) {
			return false
		}
	}
	return formed > 0
}

// forbidden compares actions: "delete policy-002" is not for a tool that
// fetches, and a tool that deletes is not for a question that does not say so.
func forbidden(q text, e *entry) bool {
	for _, st := range e.verbs {
		if !slices.ContainsFunc(q.toks, func(t token) bool { return slices.Contains(t.stems, st) }) {
			return true
		}
	}
	verb, ok := q.verb()
	return ok && actions()[verb] && e.words[verb] == 0
}

// verb is the word that the question begins with, politeness left out.
func (t text) verb() (string, bool) {
	for i, tok := range t.toks {
		if i > 6 || i > 0 && t.breaks(i) {
			return "", false
		}
		if tok.stop || tok.word == "want" || tok.word == "like" {
			continue
		}
		return tok.stem, true
	}
	return "", false
}
