package e2e

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
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
		for _, s := range sentences(a) {
			whole = append(whole, words(s))
		}
	}
	for _, s := range sentences(claim) {
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

// sentences splits a text after what ends a sentence or a line.
func sentences(text string) []string {
	var all []string
	from := 0
	for i, r := range text {
		next := strings.HasPrefix(text[i+1:], " ") || strings.HasPrefix(text[i+1:], "\n")
		if r == '\n' || next && strings.ContainsRune(".!?", r) {
			all = append(all, strings.TrimSpace(text[from:i+1]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" {
		all = append(all, rest)
	}
	return all
}

// texts are the strings and the numbers of a JSON value, wherever they stand,
// and of JSON within a string; of what is no JSON the whole.
func texts(b []byte) []string {
	if schema.Check(b, answerLimits) != nil {
		return []string{string(b)}
	}
	return leaves(b)
}

// answerLimits are wider than what onestep takes of a server.
var answerLimits = schema.Limits{Bytes: 64 << 20, Depth: 512, Exponent: 308, Digits: 1024}

func leaves(v jsontext.Value) []string {
	var all []string
	for l := range schema.Leaves(v) {
		switch {
		case l.Name:
		case l.Kind == '"':
			all = append(all, l.Text)
			if t := strings.TrimSpace(l.Text); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
				all = append(all, inner(t)...)
			}
		case l.Kind == '0':
			f, _ := strconv.ParseFloat(l.Text, 64)
			all = append(all, strconv.FormatFloat(f, 'f', -1, 64))
		}
	}
	return all
}

// inner are the leaves of JSON that stands in a string, if it is any.
func inner(text string) []string {
	if schema.Check([]byte(text), answerLimits) != nil {
		return nil
	}
	return leaves(jsontext.Value(text))
}
