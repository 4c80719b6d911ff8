package summarize

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
)

// Extractive is the embedded writer: no model, no network, the same summary
// for the same source. It selects what shares the most words with the question,
// or what comes first where nothing shares any. It does not understand them,
// and files nothing under risks or recommendations.
type Extractive struct{}

// How much it selects, and the longest piece it likes: a summary that shows
// all is none.
const (
	extracted = 3
	quotable  = 600
)

// candidate is a piece that could be selected.
type candidate struct {
	selected
	place int // in the source
	score int
}

// Write selects pieces in the order of the result. A source with nothing to
// select gives a summary that the lock refuses.
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

// candidates are scored by the kind of their text before the words they share:
// an id in the question is the name of the result, and tells nothing of it.
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

// telling puts sentences before short values, and these before single words.
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

// terms are the words of three letters or more by a rough stem, each once.
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
