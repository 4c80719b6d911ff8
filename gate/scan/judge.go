package scan

import (
	"slices"

	"github.com/onestep-run/onestep/gate/speech"
)

// judge finds what is wrong with a sentence, by itself and after the one before it. Orders
// that prose quotes do not count: a page about attacks quotes them, and no injection of the
// test sets is found only by a quoted order.
func (s *sentence) judge(p Part, last *sentence, found finding) {
	purpose := p.Kind == "description" && s.tokens[0].Start < undueMin // the purpose of the tool, as an order
	if at := s.overrides(); at >= 0 && !s.quoted(at) {
		found("override", soft(described(p.Kind) && matches("led", s.around(at, 1, 0)) || matches("mild", s.around(at, 0, sentenceMax))), s.hit())
	}
	quoted := s.allQuoted
	if s.conceals() && !quoted() {
		found("secrecy", Hard, s.hit())
	}
	if described(p.Kind) && s.poisons(p, purpose) {
		found("poisoning", Soft, s.hit())
	}
	speaks := s.addressed || last.addressed && len(last.verbs) == 0
	tasks := !described(p.Kind) && s.interrupts(last)
	ordered := len(s.verbs) > 0
	if !ordered && !speaks && !tasks {
		return
	}
	text := s.whole()
	rule, is := "", Hard
	switch {
	case !ordered && s.abroad,
		!ordered && speaks && matches("bidden", text):
		rule, is = "model-order", Soft
	case !ordered && tasks:
		rule, is = "request", Soft
	case !ordered:
	case s.forged:
		rule, is = "forged-role", soft(!matches("reaches", text))
	case speaks:
		rule, is = "model-order", soft(!s.any(place|name|file|target))
	case matches("leaks", text):
		rule = "leak"
	case s.decoded && matches("wanted", text):
		rule = "request"
	case described(p.Kind) && matches("brings", text), !described(p.Kind) && matches("requests", text), tasks:
		rule, is = "request", Soft
	}
	if rule != "" && !quoted() {
		found(rule, is, s.hit())
	}
}

// interrupts reports whether the sentence and the one before it give an order and speak of
// the reader's own task. Either may come first.
func (s *sentence) interrupts(last *sentence) bool {
	if s.tasked && len(last.verbs) > 0 {
		return true
	}
	return (s.tasked || last.tasked) && len(s.verbs) > 0
}

// allQuoted reports whether all of the orders are in quotations.
func (s *sentence) allQuoted() bool {
	if len(s.verbs) == 0 {
		return s.quoted(0)
	}
	return !slices.ContainsFunc(s.verbs, func(i int) bool { return !s.quoted(i) })
}

// quoted reports whether prose quotes the word at i and the word after it. It must quote
// more than the verb of an order.
func (s *sentence) quoted(i int) bool {
	return speech.Quotes(s.text, s.tokens[i].Start, s.tokens[min(i+1, len(s.tokens)-1)].Start)
}

// described reports whether texts of the kind teach a model how to use a tool, which is
// their purpose.
func described(kind string) bool {
	return kind == "description" || kind == "instructions" || kind == "schema"
}

func soft(is bool) Tier {
	if is {
		return Soft
	}
	return Hard
}
