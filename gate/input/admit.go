// Package input admits the user's question or refuses it, before anything is
// opened, dialled or asked.
//
// A [Query] vouches that its text is bounded, valid UTF-8, free of control
// characters but line ends and tabs, not empty, and that no rule of the operator matched it. The
// rules are a tripwire for obvious misuse. They do not vouch that a question
// is harmless: a user who words it otherwise passes, and what a call may then do
// is for the allowlist and the schema to say (docs/input-rules.md).
//
// The host calls Admit, and config makes the Rules.
package input

import (
	"cmp"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The size limits, in bytes. A question is typed or pasted; a context is a
// file such as a log or a ticket; arguments are those of one plan.
const (
	MaxQuestion  = 32 << 10
	MaxContext   = 256 << 10
	maxArguments = 64 << 10
)

// override is the category of attempts to talk the planner out of its rules.
// It is the only one that the context is searched for: a context is material,
// and incident reports and tickets speak of weapons, malware and stolen
// passwords all day. It chooses no tool, so the one thing it could want by
// its wording is to give orders.
const override = "override"

// Asked is what somebody asks, as it came. It vouches for nothing.
type Asked struct {
	Words     string   // the question; may be empty where a plan came with it
	Context   string   // a second, labelled text, or ""
	Answer    string   // the last lines of the words, where they answer what a run before this one asked
	Arguments []string // every text in the arguments of a plan that came with the question; nil where none did
	// Bounded is set where the plan is a client's, and was bounded as it was read.
	// No rule reads the arguments then: they are a model's, about whatever its user
	// works on, and what they may do is for the schema and a person.
	Bounded bool
}

// Admit vouches for a question, its optional context, and the text of the
// arguments where the question brought its own plan. The rules come last, so
// that they only ever read text that is bounded and well formed. Every error
// is a *verdict.Denial; it never quotes the text.
func Admit(a Asked, r Rules) (Query, error) {
	if r.empty() {
		return Query{}, verdict.Deny(verdict.InputRulesMissing, "no input rules were loaded")
	}
	if r.fixed != nil && r.fixed.no != nil {
		return Query{}, r.fixed.no
	}
	if d := cmp.Or(form("the question", a.Words, MaxQuestion), form("the context", a.Context, MaxContext), a.tooMuch()); d != nil {
		return Query{}, d
	}
	if !strings.ContainsFunc(a.Words, ink) && a.Arguments == nil {
		return Query{}, verdict.Deny(verdict.InputEmpty, "the question contains no visible text")
	}
	if hit := r.match(a.Words, ""); hit != nil {
		return Query{}, hit.denial("the question")
	}
	for _, text := range a.worded() {
		if hit := r.match(text, ""); hit != nil {
			return Query{}, hit.denial("a text of the arguments")
		}
	}
	if hit := r.match(a.Context, override); hit != nil {
		return Query{}, hit.denial("the context")
	}
	return a.query(), nil
}

// worded are the arguments that the rules read.
func (a Asked) worded() []string {
	if a.Bounded {
		return nil
	}
	return a.Arguments
}

// query keeps an answer only where the words end in it: what is not part of them
// has met no rule.
func (a Asked) query() Query {
	q := &question{words: strings.TrimSpace(a.Words), context: a.Context}
	if strings.HasSuffix(q.words, "\n"+a.Answer) {
		q.answer = a.Answer
	}
	return Query{q}
}

// tooMuch bounds the arguments. A control character is none of the gate's
// business there: a text file that a tool is to write may hold some.
func (a Asked) tooMuch() *verdict.Denial {
	n := 0
	for _, text := range a.Arguments {
		n += len(text)
	}
	if n > maxArguments && !a.Bounded {
		return verdict.Deny(verdict.InputTooLong, "the arguments contain %d bytes of text, over the limit of %d", n, maxArguments)
	}
	return nil
}

// form checks what needs no rules. The length is first: nothing else is
// spent on a text that is too long.
func form(field, s string, max int) *verdict.Denial {
	switch {
	case len(s) > max:
		return verdict.Deny(verdict.InputTooLong, "%s is %d bytes long, over the limit of %d", field, len(s), max)
	case !utf8.ValidString(s):
		return verdict.Deny(verdict.InputEncoding, "%s is not valid UTF-8", field)
	}
	for i, r := range s {
		if unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' {
			return verdict.Deny(verdict.InputControl, "%s contains the control character %U at byte %d", field, r, i)
		}
	}
	return nil
}

func ink(r rune) bool { return escape.Visible(r) && !unicode.IsSpace(r) }

// Query is an admitted question, with its context where one was given. Only
// [Admit] makes one; the zero value is refused wherever a question is needed.
type Query struct{ q *question }

type question struct {
	words, context, answer string

	spent atomic.Bool
}

// noQuestion is what a query has that was not admitted. Nothing spends it.
var noQuestion question

// Words are the user's question.
func (q Query) Words() string { return cmp.Or(q.q, &noQuestion).words }

// Context is the labelled text that came with the question, or "". It is never
// searched for the choice of a tool.
func (q Query) Context() string { return cmp.Or(q.q, &noQuestion).context }

// Answer is the end of the words that answers what a run before this one asked,
// or "". A line break parts it from what it answers.
func (q Query) Answer() string { return cmp.Or(q.q, &noQuestion).answer }

// Spend reports whether the question may still have its call, and is true once
// only: one question, one approval.
func (q Query) Spend() bool {
	return q.q != nil && q.q.spent.CompareAndSwap(false, true)
}
