package offline

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

// way is one in which a claim is made of a result.
type way struct {
	what string
	code verdict.Code      // the refusal, where it is to be refused
	at   []summarize.Level // the levels that it is made for; all if it names none
	to   func(t *rapid.T, r *result) bullet
}

func (w way) level(t *rapid.T) summarize.Level {
	at := w.at
	if at == nil {
		at = levels
	}
	return rapid.SampledFrom(at).Draw(t, "level")
}

// of is a claim that an edit makes of a statement, which is its evidence.
func of(edit func(t *rapid.T, s *statement)) func(*rapid.T, *result) bullet {
	return func(t *rapid.T, r *result) bullet {
		s := r.any(t)
		was := s.String()
		edit(t, &s)
		return bullet{s.String(), was}
	}
}

// with is [of], where the statement has to have something to be edited; it is
// put in where the generator left it out.
func with(set, edit func(t *rapid.T, s *statement)) func(*rapid.T, *result) bullet {
	return func(t *rapid.T, r *result) bullet {
		i := rapid.IntRange(0, len(r.statements)-1).Draw(t, "statement")
		set(t, &r.statements[i])
		s := r.statements[i]
		was := s.String()
		edit(t, &s)
		return bullet{s.String(), was}
	}
}

var strictly = []summarize.Level{summarize.Strict}

var harmless = []way{
	{what: "a sentence as it stands", to: func(t *rapid.T, r *result) bullet { return r.quoted(t) }},
	{what: "two sentences in a row", to: func(t *rapid.T, r *result) bullet {
		i := rapid.IntRange(0, len(r.statements)-2).Draw(t, "first")
		s := r.statements[i].String() + " " + r.statements[i+1].String()
		return bullet{s, s}
	}},
	{what: "a sentence, wrapped", to: func(t *rapid.T, r *result) bullet {
		s := r.any(t).String()
		return bullet{s, "  " + strings.Replace(s, " ", "\n  ", 1) + "\t"}
	}},
	{what: "a value", to: func(t *rapid.T, r *result) bullet {
		s := rapid.SampledFrom([]string{r.id, r.title, r.owner, fmt.Sprint(r.days), "audit"}).Draw(t, "value")
		return bullet{s, s}
	}},
	{what: "a number under its name", at: strictly, to: func(_ *rapid.T, r *result) bullet {
		return bullet{fmt.Sprintf("Retention days: %d", r.days), fmt.Sprint(r.days)}
	}},
	{what: "a value under its name", at: strictly, to: func(_ *rapid.T, r *result) bullet { return bullet{"Owner: " + r.owner, r.owner} }},
	{what: "an opening left out", at: strictly, to: with(func(t *rapid.T, s *statement) { s.opening = sample(t, "in addition, ", "moreover, ") },
		func(_ *rapid.T, s *statement) { s.opening = "" })},
	{what: "an aside left out", at: strictly, to: with(func(t *rapid.T, s *statement) { s.aside = sample(t, " (see the wiki)", ", based in Berlin,") },
		func(_ *rapid.T, s *statement) { s.aside = "" })},
	{what: "the same facts, said of another thing", at: []summarize.Level{summarize.Facts}, to: of(func(_ *rapid.T, s *statement) { s.opening = "" })},
}

func unlike(t *rapid.T, was string, of ...string) string {
	return rapid.SampledFrom(slices.DeleteFunc(of, func(s string) bool { return s == was })).Draw(t, "other")
}

func negated(t *rapid.T, s *statement) { s.negation = sample(t, " not", " never") }

func conditional(t *rapid.T, s *statement) {
	s.condition = sample(t, " if the board agrees", " unless the owner objects")
}

func refusedClaim(what string, at []summarize.Level, to func(*rapid.T, *result) bullet) way {
	return way{what: what, code: verdict.SummaryClaim, at: at, to: to}
}

func refusedEvidence(what string, to func(t *rapid.T, r *result) string) way {
	return way{what: what, code: verdict.SummaryEvidence, to: func(t *rapid.T, r *result) bullet {
		evidence := to(t, r)
		return bullet{evidence, evidence}
	}}
}

var literally = []summarize.Level{summarize.Strict, summarize.Verbatim}

var harmful = []way{
	refusedClaim("a negation left out", nil, with(negated, func(_ *rapid.T, s *statement) { s.negation = "" })),
	refusedClaim("a negation put in", nil, with(func(_ *rapid.T, s *statement) { s.negation = "" }, negated)),
	refusedClaim("one digit changed", nil, of(func(t *rapid.T, s *statement) {
		s.amount += rapid.SampledFrom([]int{-1, 1, 10, -10, 100}).Draw(t, "by")
	})),
	refusedClaim("a decimal point put in", nil, of(func(_ *rapid.T, s *statement) { s.unit = "days"; s.object += " 1.5" })),
	refusedClaim("another unit", nil, of(func(t *rapid.T, s *statement) { s.unit = unlike(t, s.unit, "days", "hours", "minutes", "weeks") })),
	refusedClaim("another name", nil, of(func(t *rapid.T, s *statement) {
		s.whom = unlike(t, s.whom, "to Acme", "to Initech", "to Globex", "to Hooli")
	})),
	refusedClaim("a condition left out", literally, with(conditional, func(_ *rapid.T, s *statement) { s.condition = "" })),
	refusedClaim("a condition turned round", literally, with(func(_ *rapid.T, s *statement) { s.condition = " if the board agrees" },
		func(_ *rapid.T, s *statement) { s.condition = " unless the board agrees" })),
	refusedClaim("a condition put in", literally, with(func(_ *rapid.T, s *statement) { s.condition = "" }, conditional)),
	refusedClaim("another modal", literally, of(func(t *rapid.T, s *statement) { s.modal = unlike(t, s.modal, "must", "may", "should", "can") })),
	refusedClaim("another verb", literally, of(func(t *rapid.T, s *statement) { s.verb = unlike(t, s.verb, "send", "release", "copy", "delete") })),
	refusedClaim("another object", literally, of(func(t *rapid.T, s *statement) {
		s.object = unlike(t, s.object, "the access logs", "the customer records", "the signing keys")
	})),
	refusedClaim("another quantifier", literally, with(func(_ *rapid.T, s *statement) { s.subject = "every administrator" },
		func(t *rapid.T, s *statement) {
			s.subject = sample(t, "some administrator", "any administrator", "no administrator")
		})),
	refusedClaim("a quantifier left out", literally, with(func(_ *rapid.T, s *statement) { s.subject = "every administrator" },
		func(_ *rapid.T, s *statement) { s.subject = "administrator" })),
	refusedClaim("a word in other letters", literally, of(func(_ *rapid.T, s *statement) { s.whom = strings.Replace(s.whom, "o", "\u043e", 1) })),
	refusedClaim("the claim of another sentence", literally, func(_ *rapid.T, r *result) bullet {
		r.statements[0].amount, r.statements[1].amount = 12, 97
		return bullet{r.statements[0].String(), r.statements[1].String()}
	}),
	refusedClaim("sentences turned round", literally, func(_ *rapid.T, r *result) bullet {
		r.statements[0].amount, r.statements[1].amount = 12, 97
		a, b := r.statements[0].String(), r.statements[1].String()
		return bullet{b + " " + a, a + " " + b}
	}),
	refusedClaim("a value under another name", literally, func(_ *rapid.T, r *result) bullet {
		return bullet{fmt.Sprintf("Review days: %d", r.days), fmt.Sprint(r.days)}
	}),
	refusedClaim("a number with a unit that nobody gave", literally, func(_ *rapid.T, r *result) bullet {
		return bullet{fmt.Sprintf("%d hours", r.days), fmt.Sprint(r.days)}
	}),

	refusedEvidence("evidence across two values", func(_ *rapid.T, r *result) string { return r.id + " " + r.title }),
	refusedEvidence("evidence across two items", func(*rapid.T, *result) string { return "audit privacy" }),
	refusedEvidence("a key for evidence", func(t *rapid.T, _ *result) string { return sample(t, "retention_days", "contact", "owner", "text") }),
	refusedEvidence("a key and its value", func(_ *rapid.T, r *result) string { return fmt.Sprintf("%q:%d", "retention_days", r.days) }),
	refusedEvidence("half a sentence, the end missing", func(t *rapid.T, r *result) string { return half(t, r, true) }),
	refusedEvidence("half a sentence, the beginning missing", func(t *rapid.T, r *result) string { return half(t, r, false) }),
	refusedEvidence("part of a word", func(_ *rapid.T, r *result) string { return r.owner[:len(r.owner)-2] }),
	refusedEvidence("part of a number", func(_ *rapid.T, r *result) string { return fmt.Sprint(r.days)[:1] }),
	refusedEvidence("a number in another literal", func(_ *rapid.T, r *result) string { return fmt.Sprint(r.days) + ".0" }),
	refusedEvidence("sentences that do not follow each other", func(_ *rapid.T, r *result) string {
		r.statements[1].amount = 97
		return r.statements[0].String() + " " + r.statements[2].String()
	}),
	refusedEvidence("evidence of another result", func(t *rapid.T, r *result) string {
		s := r.any(t)
		s.amount = rapid.IntRange(200, 900).Draw(t, "amount")
		return s.String()
	}),
	refusedEvidence("a letter of another script", func(t *rapid.T, r *result) string {
		return strings.Replace(r.any(t).String(), "e", "\u0435", 1)
	}),
	refusedEvidence("a character that does not show", func(t *rapid.T, r *result) string {
		return strings.Replace(r.any(t).String(), " ", sample(t, " \u200b", "\u00a0", " \u2060", "\u2009"), 1)
	}),
	refusedEvidence("the whole result", func(_ *rapid.T, r *result) string { return string(r.value()) }),
	{what: "evidence that says nothing", code: verdict.SummaryEvidence, to: func(t *rapid.T, r *result) bullet {
		return bullet{r.title, sample(t, "", " ", "...", "\u2026", "[truncated]", "{", "null")}
	}},
}

// half cuts a statement between two of its words.
func half(t *rapid.T, r *result, head bool) string {
	s := r.any(t).String()
	words := strings.Fields(s)
	i := rapid.IntRange(2, len(words)-2).Draw(t, "cut")
	if head {
		return strings.Join(words[:i], " ")
	}
	return strings.Join(words[i:], " ")
}
