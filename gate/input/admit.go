// Package input admits the user's question or refuses it, before anything is
// opened, dialled or asked.
//
// A [Query] vouches that its text is bounded, valid UTF-8, free of control
// characters, not empty, and that no rule of the operator matched it. The
// rules are a tripwire for obvious misuse. They do not vouch that a question
// is harmless: whoever words it otherwise passes, and what a call may then do
// is for the allowlist and the schema to say (docs/input-rules.md).
//
// The host calls Admit, and config makes the Rules.
package input

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The size limits, in bytes. A question is typed or pasted; a context is a
// file such as a log or a ticket.
const (
	MaxQuestion = 32 << 10
	MaxContext  = 256 << 10
)

// Override is the category of attempts to talk the planner out of its rules.
// It is the only one that the context is searched for: a context is material,
// and incident reports and tickets speak of weapons, malware and stolen
// passwords all day. It chooses no tool, so the one thing it could want by
// its wording is to give orders.
const Override = "override"

// Admit vouches for a question and its optional context. The rules come last,
// so that they only ever read text that is bounded and well formed. Every
// error is a *verdict.Denial; it never quotes the text.
func Admit(text, context string, r Rules) (Query, error) {
	if r.empty() {
		return Query{}, verdict.Deny(verdict.InputRulesMissing, "no input rules were loaded")
	}
	if d := form("the question", text, MaxQuestion); d != nil {
		return Query{}, d
	}
	if d := form("the context", context, MaxContext); d != nil {
		return Query{}, d
	}
	if !strings.ContainsFunc(text, ink) {
		return Query{}, verdict.Deny(verdict.InputEmpty, "the question holds no visible text")
	}
	if hit := r.match(text, ""); hit != nil {
		return Query{}, hit.denial("the question")
	}
	if hit := r.match(context, Override); hit != nil {
		return Query{}, hit.denial("the context")
	}
	return Query{&question{words: strings.TrimSpace(text), context: context}}, nil
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
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return verdict.Deny(verdict.InputControl, "%s holds the control character %U at byte %d", field, r, i)
		}
	}
	return nil
}

func ink(r rune) bool { return guard.Visible(r) && !unicode.IsSpace(r) }
