package summarize

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
)

// Extractive is the embedded writer: no model, no network, the same summary
// for the same source. It quotes the whole sentences and values that are
// nearest to the question and most central to the result, so its claims are
// their own evidence. It does not understand them.
type Extractive struct{}

// The most it quotes of each kind, and the longest quotation it likes: a
// summary that quotes all is none.
const (
	extractBullets         = 3
	extractRisks           = 2
	extractRecommendations = 2
	quotable               = 600
)

// candidate is a sentence or value that could be quoted.
type candidate struct {
	text  string
	words []word
	terms []string // each once
	place int      // in the source
	score float64
}

// Write selects quotations, each kind in the order of the result. A source
// with nothing to quote gives a summary that the lock refuses, for there is
// nothing to say about it.
func (Extractive) Write(_ context.Context, s Source) (Draft, error) {
	all := candidates(s)
	score(all, terms(words(s.Question)))
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	w := written{Type: "summary"}
	w.Risks, all = take(all, extractRisks, risky)
	w.Recommendations, all = take(all, extractRecommendations, advising)
	w.Bullets, _ = take(all, extractBullets, func(candidate) bool { return true })
	if len(w.Bullets) == 0 { // every sentence speaks of a risk or gives advice
		w.Bullets, w.Risks, w.Recommendations = append(w.Risks, w.Recommendations...), []said{}, []said{}
	}
	b, err := json.Marshal(w)
	return Draft{Said: b}, err
}

func candidates(s Source) []candidate {
	var all []candidate
	for _, v := range s.Values {
		weight := telling(v)
		for i, text := range v.Sentences {
			if !says(text) || truncation(fold(text)) || len(text) > maxText {
				continue
			}
			ws := words(text)
			c := candidate{text, ws, terms(ws), len(all), weight}
			if i == 0 {
				c.score *= 1.2 // a text mostly begins with what it is about
			}
			if len(text) > quotable {
				c.score /= 8
			}
			if len(v.Sentences) > 1 && (len(c.terms) < 3 || !closed(text)) {
				c.score /= 4 // a heading, or a fragment of a longer text
			}
			all = append(all, c)
		}
	}
	return all
}

var (
	idNames   = set(`id ids uid uuid guid key keys sys etag hash digest url uri href link links path ref token cursor version type kind`)
	textNames = set(`title name summary subject headline description content body text abstract statement message note notes details snippet answer`)
)

// telling weighs a value by its name and look: an id alone tells nothing.
func telling(v Value) float64 {
	name := ""
	if parts := nameParts(v.Pointer[strings.LastIndexByte(v.Pointer, '/')+1:]); len(parts) > 0 {
		name = parts[len(parts)-1]
	}
	whole := strings.Join(v.Sentences, " ")
	spaced := strings.ContainsAny(whole, blanks)
	switch {
	case !strings.ContainsFunc(whole, unicode.IsLetter), idNames()[name] && !spaced:
		return 0.01
	case !spaced && (strings.ContainsFunc(whole, unicode.IsDigit) || identifier().MatchString(strings.ToLower(whole))):
		return 0.01
	case !spaced:
		return 0.1
	case textNames()[name]:
		return 1.5
	}
	return 1
}

// terms are the words that mean something, by a rough stem and each once.
func terms(ws []word) []string {
	var out []string
	for _, w := range ws {
		if !common(w.key) && says(w.key) {
			out = append(out, stem(w.key))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func stem(k string) string {
	for _, end := range []string{"'s", "ing", "ies", "ed", "es", "s", "y"} {
		if s, found := strings.CutSuffix(k, end); found && len(s) >= 4 {
			return s
		}
	}
	return k
}

// score multiplies each candidate's weight by how much of the question it
// holds, rare words counting more, and by how much of the rest of the result.
func score(all []candidate, question []string) {
	in := map[string]float64{}
	for _, c := range all {
		for _, t := range c.terms {
			in[t]++
		}
	}
	for i := range all {
		asked, central := 0.2, 1.0
		for _, t := range all[i].terms {
			if _, found := slices.BinarySearch(question, t); found {
				asked += math.Log(1 + float64(len(all))/in[t])
			}
			central += math.Log(in[t])
		}
		all[i].score *= asked * central / math.Sqrt(4+float64(len(all[i].words)))
	}
}

// take moves the n best of a kind out of all, which is in the order of the
// score, and gives them in the order of the text. What repeats a better one is
// passed over, and so is what tells next to nothing beside it.
func take(all []candidate, n int, kind func(candidate) bool) (taken []said, rest []candidate) {
	var best []candidate
	for _, c := range all {
		again := slices.ContainsFunc(best, func(b candidate) bool { return repeats(c, b) })
		if len(best) < n && kind(c) && !again && (len(best) == 0 || c.score > best[0].score/20) {
			best = append(best, c)
		} else if !again {
			rest = append(rest, c)
		}
	}
	slices.SortStableFunc(best, func(a, b candidate) int { return cmp.Compare(a.place, b.place) })
	taken = []said{}
	for _, c := range best {
		taken = append(taken, said{Claim: c.text, Evidence: c.text})
	}
	return taken, rest
}

// repeats reports whether most of a's words stand in b.
func repeats(a, b candidate) bool {
	n := 0
	for _, t := range a.terms {
		if _, found := slices.BinarySearch(b.terms, t); found {
			n++
		}
	}
	return fold(a.text) == fold(b.text) || n*10 > len(a.terms)*7
}

// risky and advising say under which heading a sentence is filed. By a word,
// not by a judgement; one that negates is no sentence about a risk.
func risky(c candidate) bool    { return speaksOf(c, riskWords()) && !speaksOf(c, negations()) }
func advising(c candidate) bool { return speaksOf(c, adviceWords()) }

var (
	riskWords   = set(`risk risks breach exposes exposure fine fines penalty penalties loss outage`)
	adviceWords = set(`should recommend recommends recommended advise consider`)
)

func speaksOf(c candidate, list map[string]bool) bool {
	return len(c.words) > 3 && slices.ContainsFunc(c.words, func(w word) bool { return list[w.key] })
}
