package grounding_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
)

// editsOf are the claims made of a text, by kind.
func editsOf(t *testing.T, text string) map[string]string {
	t.Helper()
	made := map[string]string{}
	for _, r := range measured(t, row("a", text, "x", "x", true), eval.Options{}).Rows {
		if r.Agent == "strict" && r.Group != "made" {
			made[r.Group] = r.Query
		}
	}
	return made
}

func TestEachRuleEditsASentence(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]struct{ sentence, claim string }{
		"harmless: adverb":           {"They were also told about it.", "They were told about it."},
		"harmless: adjective":        {"They bought a new house in it.", "They bought a house in it."},
		"harmless: article":          {"They went into the big house.", "They went into big house."},
		"harmless: opening":          {"However, they went into it again.", "They went into it again."},
		"harmless: brackets":         {"They went (by car) into it.", "They went into it."},
		"harmless: relative clause":  {"They met her, who is a friend, in it.", "They met her, in it."},
		"harmless: last part":        {"They sold their things, including a car.", "They sold their things."},
		"harmless: that":             {"It shows that the house is old.", "It shows the house is old."},
		"harmful: negation":          {"They have not been told of it.", "They have been told of it."},
		"harmful: contraction":       {"They don't know what it is.", "They do know what it is."},
		"harmful: digit":             {"They were there for 30 days.", "They were there for 37 days."},
		"harmful: condition":         {"They go there if it rains, always.", "They go there, always."},
		"harmful: opening condition": {"If it rains, they go to it.", "They go to it."},
		"harmful: hedge":             {"They may have been there before it.", "They have been there before it."},
		"harmful: quantifier":        {"They met some people of the house.", "They met people of the house."},
		"harmful: bound":             {"They stayed for at least 3 days.", "They stayed for 3 days."},
		"harmful: name":              {"They saw that Alice met Bob there.", "They saw that Bob met Bob there."},
	} {
		if got := editsOf(t, c.sentence)[kind]; got != c.claim {
			t.Errorf("%s of %q: %q", kind, c.sentence, got)
		}
	}
}

func TestWhatIsNotEdited(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ sentence, kind string }{
		"a weighty bracket":         {"They went (not by car) into it.", "harmless: brackets"},
		"a number in a bracket":     {"They went (in 2019) into it.", "harmless: brackets"},
		"a clause with a hedge":     {"They met her, who may be a friend, in it.", "harmless: relative clause"},
		"a word in a word":          {"They bought a newspaper in the house.", "harmless: adjective"},
		"an adverb at the end":      {"They were told about it also.", "harmless: adverb"},
		"another word of not":       {"They have a knot in the rope.", "harmful: negation"},
		"a digit that is it":        {"They were there for 7 days.", "harmful: digit"},
		"one name":                  {"They saw that Alice met her there.", "harmful: name"},
		"a capital at the start":    {"Alice met the friends of Bob there.", "harmful: name"},
		"a sentence of few words":   {"They have not been told.", "harmful: negation"},
		"a bound without a number":  {"They stayed for at least a week.", "harmful: bound"},
		"a condition in the middle": {"They go there if it rains, always.", "harmful: opening condition"},
	} {
		if got, made := editsOf(t, c.sentence)[c.kind]; made {
			t.Errorf("%s: %q of %q", name, got, c.sentence)
		}
	}
}

// The names of a text stand in for one another, those of another text do not.
func TestANameIsSwappedForAnotherOfItsText(t *testing.T) {
	t.Parallel()
	text := "They saw that Alice met her there. They saw that Bob was not there."
	if got := editsOf(t, text)["harmful: name"]; got != "They saw that Alice was not there." {
		t.Errorf("%q", got)
	}
}

// Each edit is locked to the whole text, so a long one would take hours.
func TestOfALongTextTheFirstEditsAreMeasured(t *testing.T) {
	t.Parallel()
	const busy = "However, they also don't show some new vendors (by mail) at most 3 of the keys if Alice may not see Bob again. "
	each := len(editsOf(t, busy))
	r := measured(t, row("a", strings.Repeat(busy, 40), "x", "x", true), eval.Options{})
	if want := fmt.Sprintf("and %d were not", 40*each-400); len(r.Rows) != 3+3*400 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], want) {
		t.Errorf("%d edits each: %d rows, %q", each, len(r.Rows), r.Notes)
	}
	if r := measured(t, row("a", busy, "x", "x", true), eval.Options{}); len(r.Rows) != 3+3*each || len(r.Notes) != 0 {
		t.Errorf("%d edits: %d rows, %q", each, len(r.Rows), r.Notes)
	}
}
