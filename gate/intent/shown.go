package intent

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// articles are words between a value and the word before it.
var articles = lex.Words(`the a an my our`)

// maxBefore bounds the text before a value that is shown with it.
const maxBefore = 40

// Shown is the report with the word before each value in the question. It includes the
// article between: `to the` of "to the savings". The record of an approval omits these
// words, because question and place give them.
func (r Report) Shown(question string) Report {
	var t text
	t.cut(question)
	r.Leaves = slices.Clone(r.Leaves)
	for n, l := range r.Leaves {
		if l.Span == nil || l.Origin == Context {
			continue
		}
		i := t.At(l.Span.Start)
		if i == len(t.Tokens) {
			continue
		}
		from := i
		for ; from > 0; from-- {
			if strings.ContainsAny(t.Gap(from), ".;!?\n") {
				break
			}
			if !articles()[t.Label(from-1)] {
				from--
				break
			}
		}
		if from < i && t.Tokens[i].Outer-t.Tokens[from].Start <= maxBefore {
			r.Leaves[n].Before = t.NFC[t.Tokens[from].Start:t.Tokens[i-1].End]
		}
	}
	return r
}
