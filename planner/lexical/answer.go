package lexical

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/input"
)

// answered decides where an answer says too little by its words, as a value
// does that has no form: "What should it be?" "Vendor data". d is what there is
// by its words. What was asked is found out again from the lines before. Where
// that is one value, the answer is that value, whole, as if in quotation marks;
// where it cannot be, the same is asked again. An answer that denies something
// ends it.
func (p *Proposer) answered(x *index, q input.Query, d decision) decision {
	asked := p.read(x, stemmer{}.read(strings.TrimSuffix(q.Words(), "\n"+q.Answer())), q.Context())
	if asked.why != missing || negates(q.Answer()) {
		return d
	}
	if best := asked.best(); len(best.f.missing) == 1 {
		whole := p.read(x, d.text.closing(len(asked.text.raw)+len("\n")), q.Context())
		if (whole.why == "" || whole.why == ambiguous) && whole.best().f.e == best.f.e {
			return whole
		}
	}
	if d.open() != nil {
		return d
	}
	return asked
}

// negates reports whether a text says of anything that it is not so, or not to be.
func negates(s string) bool {
	return slices.ContainsFunc(stemmer{}.read(s).words, func(w word) bool {
		why := objection(w.low)
		return why == "a negation" || why == "an exception"
	})
}

// closing is the text with all from a byte on as one quoted word.
func (t text) closing(start int) text {
	n, _ := slices.BinarySearchFunc(t.words, start, func(w word, at int) int { return w.start - at })
	t.words = append(slices.Clip(t.words[:n]), stemmer{}.word(t.raw, start, len(t.raw), true, true))
	return t
}
