// Package input admits the user's question or refuses it, before the program opens,
// dials or asks anything.
//
// A [Query] vouches for its text: it is bounded, valid UTF-8, not empty, without
// control characters except line ends and tabs, and no rule of the operator matched
// it. The rules are a tripwire for obvious misuse. They do not vouch that a question
// is harmless: other wording passes, and then the allowlist and the schema decide what
// a call may do (docs/input-rules.md).
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

// The size limits, in bytes. A question is typed or pasted; a context is a file such
// as a log or a ticket; arguments belong to one plan.
const (
	MaxQuestion  = 32 << 10
	MaxContext   = 256 << 10
	maxArguments = 64 << 10
)

// override is the category of attempts to talk the planner out of its rules. Only its
// rules read the context. A context is material, and incident reports and tickets
// often mention weapons, malware and stolen passwords. It chooses no tool, so its
// wording can do harm only by giving orders.
const override = "override"

// Asked is a question as it came. It vouches for nothing.
type Asked struct {
	Words     string   // the question; may be empty if a plan came with it
	Context   string   // a second, labelled text, or ""
	Answer    string   // the last lines of the words, if they answer a question of an earlier run
	Arguments []string // every text in the arguments of a plan that came with the question; nil without such a plan
	// Bounded is set if the plan is a client's, and was bounded when it was read. Then
	// no rule reads the arguments: a model wrote them, about the user's work, and the
	// schema and a person decide what they may do.
	Bounded bool
}

// Admit vouches for a question, its optional context, and the arguments of a plan that
// came with the question. The rules come last, so that they only read bounded,
// well-formed text. Every error is a *verdict.Denial; it never quotes the text.
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
	for _, text := range a.Arguments {
		if a.Bounded {
			break
		}
		if hit := r.match(text, ""); hit != nil {
			return Query{}, hit.denial("a text of the arguments")
		}
	}
	if hit := r.match(a.Context, override); hit != nil {
		return Query{}, hit.denial("the context")
	}
	q := &question{words: strings.TrimSpace(a.Words), context: a.Context}
	if strings.HasSuffix(q.words, "\n"+a.Answer) { // no rule has read an answer outside the words
		q.answer = a.Answer
	}
	return Query{q}, nil
}

// tooMuch bounds the arguments. Control characters are allowed there: a tool may write
// a text file with some.
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

// form makes the checks that need no rules. The length is first: nothing else is spent
// on a text that is too long.
func form(field, s string, max int) *verdict.Denial {
	switch {
	case len(s) > max:
		return verdict.Deny(verdict.InputTooLong, "%s is %d bytes long, over the limit of %d", field, len(s), max)
	case !utf8.ValidString(s):
		return verdict.Deny(verdict.InputEncoding, "%s is not valid UTF-8", field)
	}
	for i, r := range s {
		if unicode.IsControl(r) && !strings.ContainsRune("\n\t\r", r) {
			return verdict.Deny(verdict.InputControl, "%s contains the control character %U at byte %d", field, r, i)
		}
	}
	return nil
}

func ink(r rune) bool { return escape.Visible(r) && !unicode.IsSpace(r) }

// Query is an admitted question and its optional context. Only [Admit] makes one; the
// zero value is refused where a question is needed.
type Query struct{ q *question }

type question struct {
	words, context, answer string

	spent atomic.Bool
}

// noQuestion is the content of a query that was not admitted. It is never spent.
var noQuestion question

// Words returns the user's question.
func (q Query) Words() string { return cmp.Or(q.q, &noQuestion).words }

// Context returns the labelled text that came with the question, or "". The choice of
// a tool never depends on it.
func (q Query) Context() string { return cmp.Or(q.q, &noQuestion).context }

// Answer returns the end of the words, which answers a question of an earlier run, or
// "". A line break separates it from the other words.
func (q Query) Answer() string { return cmp.Or(q.q, &noQuestion).answer }

// Spend reports whether the question may still have its call. It is true only once:
// one question, one approval.
func (q Query) Spend() bool {
	return q.q != nil && q.q.spent.CompareAndSwap(false, true)
}
