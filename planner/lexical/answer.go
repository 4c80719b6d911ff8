package lexical

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/input"
)

// answered decides where an answer says too little by its words, as a value
// does that has no form: "What should it be?" "Vendor data". What was asked is
// found out again from the lines before. Where that is one value, the answer is
// that value, whole, as if in quotation marks, unless it denies something. d is
// what there is without that.
func (p *Proposer) answered(x *index, q input.Query, d decision) decision {
	asked := p.read(x, stemmer{}.read(strings.TrimSuffix(q.Words(), "\n"+q.Answer())), q.Context())
	if asked.why != missing || len(asked.best().f.missing) != 1 {
		return d
	}
	denied := func(w word) bool { why := objection(w.low); return why == "a negation" || why == "an exception" }
	if slices.ContainsFunc(stemmer{}.read(q.Answer()).words, denied) {
		return d
	}
	whole := p.read(x, d.text.closing(len(asked.text.raw)+len("\n")), q.Context())
	if whole.why != "" && whole.why != ambiguous || whole.best().f.e != asked.best().f.e {
		return d
	}
	return whole
}

// closing is the text with all from a byte on as one quoted word.
func (t text) closing(start int) text {
	n, _ := slices.BinarySearchFunc(t.words, start, func(w word, at int) int { return w.start - at })
	t.words = append(slices.Clip(t.words[:n]), stemmer{}.word(t.raw, start, len(t.raw), true, true))
	return t
}
