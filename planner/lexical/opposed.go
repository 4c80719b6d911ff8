package lexical

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/intent"
)

// opposed reports whether the question forbids, conditions, reports or asks about
// what a tool does, besides what the arguments hold: no change is suggested for it.
func (f *filling) opposed() bool {
	var held []intent.Span
	for i, w := range f.t.words {
		if f.used[i] && (w.literal || w.capital) {
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
	return slices.ContainsFunc(splitName(e.tool.Name()), func(w string) bool { return destroying()[w] })
}
