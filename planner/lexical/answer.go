package lexical

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/input"
)

// answered finds the meaning of a text that ends in an answer. d is the decision from its
// words. They may be too few for a value without a form ("What should it be?" "Vendor
// data"). Then the lines before the answer show what was asked. If one value of a tool that
// changes nothing was missing, the whole answer is that value, as if in quotation marks. If
// it cannot be that value, the same question is asked again. An answer that denies
// something, or withdraws the question, ends it. A quotation that runs from the question
// into the answer counts in neither.
func (p *Proposer) answered(x *index, q input.Query, d decision) decision {
	asked := p.read(x, stemmer{}.read(strings.TrimSuffix(q.Words(), "\n"+q.Answer())), q.Context())
	closed, separate := d.text.closing(asked.text)
	switch {
	case d.why == "" && separate:
		return d
	case d.why == "":
		d.why = noMatch
	}
	if asked.why != missing || withdraws(q.Answer()) {
		return d
	}
	if best := asked.best().f; separate && best.wants(d.text, len(asked.text.words)) {
		whole := p.read(x, closed, q.Context())
		if (whole.why == "" || whole.why == ambiguous) && whole.best().f.e == best.e {
			return whole
		}
	}
	if d.open() != nil {
		return d
	}
	return asked
}

// wants reports whether the words of a text from one on can be the one missing value. They
// cannot if the tool may change something, or if they have the form of another parameter.
func (f *filling) wants(t text, from int) bool {
	if f.e.changes || len(f.missing) != 1 {
		return false
	}
	reads := filling{x: f.x, e: f.e, t: t, now: f.now}
	return !slices.ContainsFunc(t.values(), func(v value) bool {
		for k := range f.e.slots {
			s := &f.e.slots[k]
			if k == f.missing[0] || v.from < from {
				continue
			}
			if _, fits := reads.convert(&v, s); fits && s.tells(&v) {
				return true
			}
		}
		return false
	})
}

// tells reports whether a value has a form that the slot asks for.
func (s *slot) tells(v *value) bool {
	if s.item != nil {
		s = s.item
	}
	return v.shape > quotation && (!s.open() || s.form(v) >= told)
}

// withdraws reports whether an answer denies something or makes an exception. It also
// reports an answer that begins by taking the question back.
func withdraws(answer string) bool {
	t := stemmer{}.read(answer)
	begins := func(phrase []string) bool { return t.begins(0, phrase) }
	return slices.ContainsFunc(withdrawals, begins) || slices.ContainsFunc(t.words, func(w word) bool {
		why := objection(w.low)
		return why == "a negation" || why == "an exception"
	})
}

var withdrawals = [][]string{{"cancel"}, {"stop"}, {"abort"}, {"quit"}, {"exit"}, {"no"}, {"n"}, {"nope"}, {"forget", "it"}, {"forget", "that"}, {"never", "mind"}, {"nevermind"}}

// closing is the text with the rest of its words as one quoted word. It must begin with the
// words of the other text. A quotation that is opened in the question may end in the
// answer.
func (t text) closing(asked text) (text, bool) {
	n, start := len(asked.words), len(asked.raw)+len("\n")
	same := func(a, b word) bool { return a.start == b.start && a.end == b.end }
	if n > len(t.words) || start >= len(t.raw) || !slices.EqualFunc(asked.words, t.words[:n], same) {
		return t, false
	}
	if n < len(t.words) && t.words[n].start < start {
		return t, false
	}
	t.words = append(slices.Clip(t.words[:n]), stemmer{}.word(t.raw, start, len(t.raw), true, true))
	return t, true
}
