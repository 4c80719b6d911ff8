package e2e

import (
	"slices"
	"strings"
	"unicode"

	"github.com/onestep-run/onestep/eval/agents"
)

// grounded reports whether the servers' answers contain a claim. They must contain it
// word for word, or each sentence of the claim must be one of theirs with some words
// left out that do not change its meaning.
//
// This is the judge's own rule. It shares nothing with the lock of gate/summarize,
// which would otherwise judge itself. It is meant to be fair to the loop: if other
// omitted words change the meaning, it passes the claim for both agents.
func grounded(claim string, answers []string) bool {
	claim = strings.TrimSpace(claim)
	if claim == "" {
		return true
	}
	for _, a := range answers {
		if a == claim {
			return true
		}
	}
	var whole [][]string
	for _, a := range answers {
		for _, s := range agents.Sentences(a) {
			whole = append(whole, words(s))
		}
	}
	for _, s := range agents.Sentences(claim) {
		said := words(s)
		if !slices.ContainsFunc(whole, func(w []string) bool { return leavesOut(w, said) }) {
			return false
		}
	}
	return true
}

// turning are words that change a sentence's meaning if they are left out.
var turning = strings.Fields("no not never none nor neither without unless except only until before after cannot nobody nothing if when may")

// leavesOut reports whether said is a whole sentence without some words, none of them
// a turning word.
func leavesOut(whole, said []string) bool {
	if len(said) == 0 {
		return true
	}
	for _, w := range whole {
		switch {
		case len(said) > 0 && w == said[0]:
			said = said[1:]
		case slices.Contains(turning, w) || strings.HasSuffix(w, "n't"):
			return false
		}
	}
	return len(said) == 0
}

// words returns the words of a sentence in lower case, without the characters around
// them.
func words(s string) []string {
	var all []string
	for _, w := range strings.Fields(strings.ToLower(s)) {
		if w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); w != "" {
			all = append(all, w)
		}
	}
	return all
}
