package offline

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// way is one way to select a part of a result.
type way struct {
	what string
	to   func(t *rapid.T, r *result) bullet
}

// harmless selections are valid, and are shown whole.
var harmless = []way{
	{"a sentence, unchanged", func(t *rapid.T, r *result) bullet { return r.quoted(t) }},
	{"a part of a sentence", func(t *rapid.T, r *result) bullet {
		i := rapid.IntRange(0, len(r.statements)-1).Draw(t, "statement")
		r.statements[i].amount = 97 // and no other statement's
		whole := r.statements[i].String()
		words := strings.Fields(whole)
		at := 0
		for words[at] != "97" {
			at++
		}
		from, to := rapid.IntRange(0, at).Draw(t, "from"), rapid.IntRange(at+1, len(words)).Draw(t, "to")
		return bullet{evidence: strings.Join(words[from:to], " "), visible: whole}
	}},
	{"two sentences in a row", func(t *rapid.T, r *result) bullet {
		i := rapid.IntRange(0, len(r.statements)-2).Draw(t, "first")
		s := r.statements[i].String() + " " + r.statements[i+1].String()
		return bullet{evidence: s, visible: s}
	}},
	{"a sentence, wrapped", func(t *rapid.T, r *result) bullet {
		s := r.any(t).String()
		return bullet{evidence: "  " + strings.Replace(s, " ", "\n  ", 1) + "\t", visible: s}
	}},
	{"a claim that is its evidence", func(t *rapid.T, r *result) bullet {
		s := r.any(t).String()
		return bullet{claim: strings.Replace(s, " ", "\n", 1), evidence: s, visible: s}
	}},
	{"a value", func(t *rapid.T, r *result) bullet {
		path := rapid.SampledFrom([]string{"id", "title"}).Draw(t, "path")
		s := map[string]string{"id": r.id, "title": r.title}[path]
		return bullet{evidence: s, visible: path + ": " + s}
	}},
	{"a number", func(_ *rapid.T, r *result) bullet {
		return bullet{evidence: fmt.Sprint(r.days), visible: fmt.Sprintf("retention_days: %d", r.days)}
	}},
	{"a value below another", func(_ *rapid.T, r *result) bullet {
		return bullet{evidence: r.owner, visible: "contact.owner: " + r.owner}
	}},
	{"an item of a list", func(*rapid.T, *result) bullet {
		return bullet{evidence: "privacy", visible: "contact.lists[1]: privacy"}
	}},
}

// reworded returns a claim that edits a statement; the original statement is its
// evidence.
func reworded(what string, edit func(t *rapid.T, s *statement)) way {
	return way{what, func(t *rapid.T, r *result) bullet {
		s := r.any(t)
		was := s.String()
		edit(t, &s)
		if s.String() == was {
			s.object += " and the backups"
		}
		return bullet{claim: s.String(), evidence: was}
	}}
}

func absent(what string, to func(t *rapid.T, r *result) string) way {
	return way{what, func(t *rapid.T, r *result) bullet { return bullet{evidence: to(t, r)} }}
}

// harmful selections are not in the result, or have words of the writer's.
var harmful = []way{
	reworded("a claim without its negation", func(_ *rapid.T, s *statement) { s.negation = "" }),
	reworded("a claim without its condition", func(_ *rapid.T, s *statement) { s.condition = "" }),
	reworded("a claim without its aside", func(_ *rapid.T, s *statement) { s.aside = "" }),
	reworded("a claim with one digit changed", func(t *rapid.T, s *statement) {
		s.amount += rapid.SampledFrom([]int{-1, 1, 10, -10, 100}).Draw(t, "by")
	}),
	reworded("a claim with another modal", func(t *rapid.T, s *statement) { s.modal = sample(t, "must", "may", "should", "can") }),
	reworded("a claim with a letter of another script", func(_ *rapid.T, s *statement) { s.whom = strings.Replace(s.whom, "o", "\u043e", 1) }),
	{"a value under another name", func(_ *rapid.T, r *result) bullet {
		return bullet{claim: fmt.Sprintf("Review days: %d", r.days), evidence: fmt.Sprint(r.days)}
	}},

	absent("evidence across two values", func(_ *rapid.T, r *result) string { return r.id + " " + r.title }),
	absent("evidence across two items", func(*rapid.T, *result) string { return "audit privacy" }),
	absent("a key for evidence", func(t *rapid.T, _ *result) string { return sample(t, "retention_days", "contact", "text") }),
	absent("a key and its value", func(_ *rapid.T, r *result) string { return fmt.Sprintf("%q:%d", "retention_days", r.days) }),
	absent("a sentence with a word left out", func(t *rapid.T, r *result) string {
		words := strings.Fields(r.any(t).String())
		i := rapid.IntRange(1, len(words)-2).Draw(t, "word")
		return strings.Join(words[:i], " ") + " " + strings.Join(words[i+1:], " ")
	}),
	absent("a sentence with a word more", func(t *rapid.T, r *result) string {
		return strings.Replace(r.any(t).String(), " within ", " always within ", 1)
	}),
	absent("part of a word", func(_ *rapid.T, r *result) string { return r.owner[:len(r.owner)-2] }),
	absent("part of a number", func(_ *rapid.T, r *result) string { return fmt.Sprint(r.days)[:1] + "x" }),
	absent("a number in another literal", func(_ *rapid.T, r *result) string { return fmt.Sprint(r.days) + ".0" }),
	absent("sentences that do not follow each other", func(_ *rapid.T, r *result) string {
		r.statements[1].amount = 97
		return r.statements[0].String() + " " + r.statements[2].String()
	}),
	absent("evidence of another result", func(t *rapid.T, r *result) string {
		s := r.any(t)
		s.amount = rapid.IntRange(200, 900).Draw(t, "amount")
		return s.String()
	}),
	absent("a letter of another script", func(t *rapid.T, r *result) string {
		return strings.Replace(r.any(t).String(), "e", "\u0435", 1)
	}),
	absent("a character that does not show", func(t *rapid.T, r *result) string {
		return strings.Replace(r.any(t).String(), " ", sample(t, " \u200b", "\u00a0", " \u2060", "\u2009"), 1)
	}),
	absent("the whole result", func(_ *rapid.T, r *result) string { return string(r.value()) }),
	absent("evidence that says nothing", func(t *rapid.T, _ *result) string { return sample(t, "", " ", "...", "\u2026", "[…]", "{") }),
}
