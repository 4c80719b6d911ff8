package summarize

import "github.com/onestep-run/onestep/gate"

// defaultBudget is how much of a result a writer is given, in bytes.
const defaultBudget = 32 << 10

// maxLeftOut is how many pieces are looked at in vain: a result that is made of
// them has nothing to tell.
const maxLeftOut = 500

// Source is what a writer is given of a typed result, with the question it
// answers. It is cut for the writer's sake; the lock reads the result uncut.
type Source struct {
	Question string  `json:"question"`
	Values   []Value `json:"values"`
	LeftOut  int     `json:"-"` // pieces in which a scanner found something
}

// Value is one leaf, in the pieces that are shown whole.
type Value struct {
	Pointer   string   `json:"pointer"`
	Sentences []string `json:"sentences"` // sentences or lines; a number or a boolean is one
}

// Prepare gives a writer the leaves of t in document order, up to budget bytes
// of text; 0 means 32 KiB. Where that is not all, cut is true: a long
// text ends at one of its sentences, and what comes after it is given as far
// as it fits. Nothing marks the place that a writer could select. A piece
// in which a scanner found something is not given: a model may be the writer.
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
