package summarize

import "github.com/onestep-run/onestep/gate"

// defaultBudget is the size of a result's text for a writer, in bytes.
const defaultBudget = 32 << 10

// maxLeftOut bounds the number of skipped pieces. A result with more contains nothing to
// summarize.
const maxLeftOut = 500

// Source is a typed result for a writer, with the question that it answers. It is
// shortened for the writer; the lock reads the whole result.
type Source struct {
	Question string  `json:"question"`
	Values   []Value `json:"values"`
	LeftOut  int     `json:"-"` // pieces in which a scanner found something
}

// Value is one leaf, cut into pieces.
type Value struct {
	Pointer   string   `json:"pointer"`
	Sentences []string `json:"sentences"` // sentences or lines; a number or a boolean is one
}

// Prepare gives a writer the leaves of t in document order, up to budget bytes of text.
// Without a budget the bound is 32 KiB. cut reports whether something is left out: a long text ends after one of
// its sentences, and later leaves are given as far as they fit. No mark shows the cut,
// because a writer could select it. A piece in which a scanner found something is left
// out: the writer may be a model.
func Prepare(t gate.Typed, question string, budget int) (s Source, cut bool) {
	if budget <= 0 {
		budget = defaultBudget
	}
	s.Question = question
	for _, l := range t.Leaves() {
		v := Value{Pointer: l.Pointer()}
		for _, p := range piecesOf(l) {
			if p.to-p.from > budget {
				cut = true
				break
			}
			if t.Found(l.Text[p.from:p.to]) != "" {
				if s.LeftOut++; s.LeftOut == maxLeftOut {
					return s, true
				}
				continue
			}
			budget -= p.to - p.from
			v.Sentences = append(v.Sentences, l.Text[p.from:p.to])
		}
		if len(v.Sentences) > 0 {
			s.Values = append(s.Values, v)
		}
	}
	return s, cut
}
