package input

import "sync/atomic"

// Query is an admitted question, with its context where one was given. Only
// [Admit] makes one; the zero value is refused wherever a question is needed.
type Query struct{ q *question }

type question struct {
	words, context, answer string

	spent atomic.Bool
}

// Words are the user's question.
func (q Query) Words() string {
	if q.q == nil {
		return ""
	}
	return q.q.words
}

// Context is the labelled text that came with the question, or "". It is never
// searched for the choice of a tool.
func (q Query) Context() string {
	if q.q == nil {
		return ""
	}
	return q.q.context
}

// Answer is the end of the words that answers what a run before this one asked,
// or "". A line break parts it from what it answers.
func (q Query) Answer() string {
	if q.q == nil {
		return ""
	}
	return q.q.answer
}

// Spend reports whether the question may still have its call, and is true once
// only: one question, one approval.
func (q Query) Spend() bool {
	return q.q != nil && q.q.spent.CompareAndSwap(false, true)
}
