package summarize

import (
	"context"
	"math"
	"slices"

	"github.com/go-json-experiment/json"
)

// Extractive is the embedded writer. It selects whole sentences of the result,
// so its claims are their own evidence; the same source gives the same
// summary. It does not understand them: what it selects is what shares most
// words with the question and with the rest of the text.
type Extractive struct{}

// The most sentences it selects of each kind: a summary that quotes all is none.
const (
	extractBullets         = 3
	extractRisks           = 2
	extractRecommendations = 2
)

// minWords is what a sentence needs to be worth quoting.
const minWords = 4

// candidate is a sentence that could be quoted.
type candidate struct {
	text  string
	words []word
	place int // in the source
	score float64
}

// Write selects sentences. A source with nothing to quote gives a summary that
// the lock refuses, for there is nothing to say about it.
func (Extractive) Write(_ context.Context, s Source) ([]byte, error) {
	all := candidates(s, func(text string, ws []word) bool { return len(ws) >= minWords && closed(text) })
	if len(all) == 0 { // a list of names or states has no sentences
		all = candidates(s, func(_ string, ws []word) bool { return len(ws) > 0 })
	}
	weighSentences(all, words(s.Question))
	w := written{Type: "summary", Risks: []said{}, Recommendations: []said{}}
	w.Risks, all = take(all, extractRisks, speaksOf(risky))
	w.Recommendations, all = take(all, extractRecommendations, speaksOf(advising))
	w.Bullets, all = take(all, extractBullets, func(candidate) bool { return true })
	if len(w.Bullets) == 0 { // every sentence speaks of a risk or gives advice
		w.Bullets, w.Risks, w.Recommendations = append(w.Risks, w.Recommendations...), []said{}, []said{}
	}
	return json.Marshal(w)
}

func candidates(s Source, worth func(string, []word) bool) []candidate {
	var all []candidate
	seen := map[string]bool{}
	for _, v := range s.Values {
		for _, text := range v.Sentences {
			ws := words(text)
			if place := len(all); worth(text, ws) && len(text) <= maxText && !seen[text] {
				seen[text] = true
				all = append(all, candidate{text, ws, place, 0})
			}
		}
	}
	return all
}

// weighSentences scores each sentence by how common its words are in the whole
// text, once for each sentence that has them, and doubly by the question's.
func weighSentences(all []candidate, question []word) {
	asked := map[string]bool{}
	for _, w := range question {
		asked[w.key] = true
	}
	common := map[string]float64{}
	for _, c := range all {
		for k := range contentOf(c.words) {
			common[k]++
		}
	}
	for i, c := range all {
		for k := range contentOf(c.words) {
			all[i].score += common[k] - 1
			if asked[k] {
				all[i].score += 2
			}
		}
		all[i].score /= math.Sqrt(float64(len(c.words)))
		if c.place == 0 {
			all[i].score++ // a text mostly begins with what it is about
		}
	}
}

// contentOf are the words that carry meaning: those of four letters or more.
func contentOf(ws []word) map[string]bool {
	content := map[string]bool{}
	for _, w := range ws {
		if len(w.key) >= 4 {
			content[w.key] = true
		}
	}
	return content
}

// take moves the n best sentences of a kind out of all, and gives them in the
// order of the text.
func take(all []candidate, n int, kind func(candidate) bool) (taken []said, rest []candidate) {
	best := slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return !kind(c) })
	slices.SortStableFunc(best, func(a, b candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return a.place - b.place
	})
	best = best[:min(n, len(best))]
	slices.SortFunc(best, func(a, b candidate) int { return a.place - b.place })
	taken = []said{}
	for _, c := range best {
		taken = append(taken, said{Claim: c.text, Evidence: c.text})
	}
	rest = slices.DeleteFunc(slices.Clone(all), func(c candidate) bool {
		return slices.ContainsFunc(best, func(b candidate) bool { return b.place == c.place })
	})
	return taken, rest
}

// risky and advising are the words by which a sentence counts as a risk or as
// advice. A heading to file it under, not a judgement.
var (
	risky    = map[string]bool{"risk": true, "risks": true, "breach": true, "exposes": true, "exposure": true, "fine": true, "fines": true, "penalty": true, "penalties": true, "loss": true, "outage": true}
	advising = map[string]bool{"should": true, "recommend": true, "recommends": true, "recommended": true, "advise": true, "consider": true}
)

func speaksOf(list map[string]bool) func(candidate) bool {
	return func(c candidate) bool {
		return slices.ContainsFunc(c.words, func(w word) bool { return list[w.key] })
	}
}
