// Package summarize locks what a writer says about a result to the result.
//
// A [Summary] vouches that every claim's evidence stands, whole sentences or
// lines or a whole value, in one leaf of the typed result, and that the claim
// keeps within that evidence as far as its [Level] can see. It does not vouch
// that the result is true, that the claims are the important ones, that what
// is called a risk is one, nor that a heading or a neighbouring sentence does
// not change what a sentence means: docs/evidence.md lists what each level
// lets through, with figures.
//
// The writer is never trusted, whether a model wrote the bytes or [Extract]
// did: host gives whatever a writer returns to [Lock].
package summarize

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
)

// Level says how far a claim may be from its evidence.
type Level int

// The levels. The zero value is the default; a value outside the list is held
// to Verbatim.
const (
	Strict   Level = iota // the evidence with words left out, in order
	Verbatim              // the evidence, word for word
	Facts                 // other words, but the same numbers, dates, identifiers, names and negations
)

var levels = []string{Strict: "strict", Verbatim: "verbatim", Facts: "facts"}

// ParseLevel reads a level's name; "" is Strict.
func ParseLevel(name string) (Level, error) {
	if name == "" {
		return Strict, nil
	}
	if i := slices.Index(levels, name); i >= 0 {
		return Level(i), nil
	}
	return Verbatim, fmt.Errorf("no evidence level %.32q: it is strict, verbatim or facts", name)
}

func (l Level) String() string {
	if l < 0 || int(l) >= len(levels) {
		return levels[Verbatim]
	}
	return levels[l]
}

// Summary is a locked summary. Only [Lock] makes one that holds anything; it
// encodes as JSON and nothing decodes into it.
type Summary struct{ bullets, risks, recommendations []Item }

// Item is one claim and where its evidence stands.
type Item struct {
	Claim    string `json:"claim"`
	Evidence string `json:"evidence"` // as it stands in the result, its own white space included
	Pointer  string `json:"pointer"`  // RFC 6901: the leaf of the typed value
	Range    [2]int `json:"range"`    // from and to, in bytes of the leaf's decoded string or a number's literal
}

// Bullets are one to five items, or none of an empty summary.
func (s Summary) Bullets() []Item { return slices.Clone(s.bullets) }

// Risks are at most three items.
func (s Summary) Risks() []Item { return slices.Clone(s.risks) }

// Recommendations are at most three items.
func (s Summary) Recommendations() []Item { return slices.Clone(s.recommendations) }

// Empty reports whether the summary says nothing: a locked one never does.
func (s Summary) Empty() bool { return len(s.bullets) == 0 }

// MarshalJSON writes the summary as the outcome carries it.
func (s Summary) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type            string `json:"type"`
		Bullets         []Item `json:"bullets"`
		Risks           []Item `json:"risks"`
		Recommendations []Item `json:"recommendations"`
	}{"summary", s.bullets, s.risks, s.recommendations})
}
