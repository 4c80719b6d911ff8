package e2e

import (
	"slices"
	"strings"
	"unicode"

	"github.com/onestep-run/onestep/eval/agents"
)

// grounded reports whether what the servers answered holds a claim: it stands
// there word for word, or each sentence of it is one of theirs with words left
// out, none of which turns the meaning.
//
// This is the judge's own rule and shares nothing with the lock of
// gate/summarize, which would otherwise judge itself. It is made to be fair to
// the loop: what words left out can still turn, it lets pass for both.
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

// turning are words without which a sentence means something else.
var turning = strings.Fields("no not never none nor neither without unless except only until before after cannot nobody nothing if when may")

// leavesOut reports whether said are the words of a whole sentence with some
// left out that do not turn it.
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

// words are those of a sentence in lower case, without what stands around them.
func words(s string) []string {
	var all []string
	for _, w := range strings.Fields(strings.ToLower(s)) {
		if w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); w != "" {
			all = append(all, w)
		}
	}
	return all
}
