// Package summarize renders the claims of a summary from the result itself.
//
// A writer, whether a model or [Extractive], only selects: it names stretches
// of the result. [Lock] finds each stretch, widens it to whole sentences, lines
// or a whole value, and puts before it what it hangs on: the property path, the
// heading, the head of its table, the line above its list. No claim is compared
// with its evidence, for each is made of it.
//
// A [Summary] vouches that every claim is text of the typed result, whole, with
// the context that docs/evidence.md lists. It does not vouch that the result is
// true, that the selection is fair, that what a writer files under risks is a
// risk, nor that nothing further away changes what a sentence means. What a
// writer says in its own words is a [Comment], and no comment is checked.
//
// The writer is never trusted: host gives whatever one returns to [Lock].
// Begin at Lock in lock.go, and at render in render.go; pieces.go says what is
// whole, and context.go what hangs on what.
package summarize

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
)

// Level says whether a writer may say anything of its own.
type Level int

// The levels. The zero value is the default, and any value outside the list
// means the same.
const (
	Rendered Level = iota // what the result says, and nothing else
	Quoted                // besides, comments in the writer's words, marked as not checked
)

// ParseLevel reads a level's name; "" is Rendered.
func ParseLevel(name string) (Level, error) {
	switch {
	case name == "" || name == Rendered.String():
		return Rendered, nil
	case name == Quoted.String():
		return Quoted, nil
	}
	return Rendered, fmt.Errorf("no evidence level %.32q: it is %v or %v", name, Rendered, Quoted)
}

func (l Level) String() string {
	if l == Quoted {
		return "quoted"
	}
	return "rendered"
}

// Summary is what [Lock] renders; nothing else makes one that holds anything.
// It encodes as JSON and nothing decodes into it.
type Summary struct {
	bullets, risks, recommendations []Item
	commentary                      []Comment
	dropped                         []Dropped
	whole                           []Line
}

// Item is one selected stretch of the result.
type Item struct {
	Claim    string   `json:"claim"`    // the context and the evidence, ready to be shown
	Evidence string   `json:"evidence"` // whole sentences, lines or a value, byte for byte
	Pointer  string   `json:"pointer"`  // RFC 6901: the leaf of the typed value
	Range    [2]int   `json:"range"`    // from and to, in bytes of the leaf's decoded string or a number's literal
	Context  []string `json:"context"`  // what the evidence hangs on, outermost first: its path, if it has one, then stretches of the leaf

	// What is next to the evidence, in the order in which it is shown.
	Neighbours []Neighbour `json:"neighbours"`

	under []span // where the context is, but for the path
}

// Comment is what a writer says in its own words beside an item. Checked is
// always false.
type Comment struct {
	Text    string `json:"text"`
	Checked bool   `json:"checked"`
	Item
}

// Dropped is an item of the writer's that is not shown, and why.
type Dropped struct {
	Item   string `json:"item"` // such as bullets[1]
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// Bullets are one to five items, or none of an empty summary.
func (s Summary) Bullets() []Item { return slices.Clone(s.bullets) }

// Risks are at most three items. That they are risks is the writer's word.
func (s Summary) Risks() []Item { return slices.Clone(s.risks) }

// Recommendations are at most three items. What they are is the writer's word.
func (s Summary) Recommendations() []Item { return slices.Clone(s.recommendations) }

// Commentary is at most three comments, at the level [Quoted] alone.
func (s Summary) Commentary() []Comment { return slices.Clone(s.commentary) }

// Dropped are the items that the writer gave and that are not shown.
func (s Summary) Dropped() []Dropped { return slices.Clone(s.dropped) }

// Whole is all of a result of at most 600 bytes; nil of a longer one.
func (s Summary) Whole() []Line { return slices.Clone(s.whole) }

// Empty reports whether the summary says nothing: a locked one never does.
func (s Summary) Empty() bool { return len(s.bullets) == 0 }

// MarshalJSON writes the summary as the outcome carries it.
func (s Summary) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Type            string    `json:"type"`
		Bullets         []Item    `json:"bullets"`
		Risks           []Item    `json:"risks"`
		Recommendations []Item    `json:"recommendations"`
		Commentary      []Comment `json:"commentary"`
		Dropped         []Dropped `json:"dropped"`
	}{"summary", s.bullets, s.risks, s.recommendations, s.commentary, s.dropped})
}
