package summarize

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
)

// Extractive is the embedded writer. It needs no model and no network, and gives the same
// summary for the same source. It selects the pieces that share the most words with the
// question, or the first pieces if none shares a word. It does not understand them, and
// puts nothing under risks or recommendations.
type Extractive struct{}

// The number of selected pieces, and the longest preferred piece. A summary that shows
// everything would be useless.
const (
	extracted = 3
	quotable  = 600
)

// candidate is a selectable piece.
type candidate struct {
	selected
	place int // its position in the source
	score int
}

// Write selects pieces in the order of the result. For a source without selectable pieces
// it returns a summary that the lock refuses.
func (Extractive) Write(_ context.Context, s Source) (Draft, error) {
	all := candidates(s)
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	all = all[:min(extracted, len(all))]
	slices.SortFunc(all, func(a, b candidate) int { return a.place - b.place })
	w := written{Type: "summary", Bullets: []selected{}, Risks: []selected{}, Recommendations: []selected{}}
	for _, c := range all {
		w.Bullets = append(w.Bullets, c.selected)
	}
	b, err := json.Marshal(w)
	return Draft{Said: b}, err
}

// candidates scores the kind of a text before its shared words. An id in the question
// names the result, and says nothing about it.
func candidates(s Source) []candidate {
	asked := terms(s.Question)
	seen := map[string]bool{}
	var all []candidate
	for i, v := range s.Values {
		for _, text := range v.Sentences {
			if !says(text) || len(text) > maxText || seen[text] {
				continue
			}
			seen[text] = true
			c := candidate{selected{Evidence: text, Pointer: &s.Values[i].Pointer}, len(all), telling(text)}
			for term := range terms(text) {
				if asked[term] {
					c.score++
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// telling ranks sentences before short values, and these before single words.
func telling(text string) int {
	words := len(strings.Fields(text))
	switch {
	case len(text) > quotable:
		return 0
	case closed(text) && (words > 3 || words < len(text)/24):
		return 2000
	case words > 1:
		return 1000
	}
	return 0
}

// terms returns the words of three letters or more by a rough stem, each once.
func terms(s string) map[string]bool {
	found := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		for _, end := range []string{"ing", "ies", "ed", "es", "s", "y"} {
			if stem, has := strings.CutSuffix(w, end); has && len(stem) > 3 {
				w = stem
				break
			}
		}
		if len(w) > 2 && !function()[w] {
			found[w] = true
		}
	}
	return found
}
