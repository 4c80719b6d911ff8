// Package summarize renders the claims of a summary from the result itself.
//
// A writer, whether a model or [Extractive], only selects: it names ranges of the result.
// [Lock] finds each range and widens it to whole sentences, lines or a whole value. It
// puts the context before it: the property path, the heading, the head of its table, the
// line above its list. No claim has to be compared with its evidence, because it is made
// from the evidence.
//
// A [Summary] vouches that every claim is text of the typed result, whole, with the
// context that docs/evidence.md lists. It does not vouch that the result is true, that
// the selection is fair, that an item under risks is a risk, or that no text further away
// changes the meaning of a sentence. A writer's own words are a [Comment], and no comment
// is checked.
//
// The writer is never trusted: host passes its output to [Lock]. Start reading at Lock in
// lock.go and at render in render.go. pieces.go defines whole pieces, and context.go
// defines context.
package summarize

import (
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
)

// Level decides whether a writer may use its own words.
type Level int

// The levels. The zero value is the default, and any unknown value means the same.
const (
	Rendered Level = iota // only text of the result
	Quoted                // also comments in the writer's words, marked as not checked
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

// Summary is the result of [Lock], which alone makes a summary with content. It encodes
// as JSON, and nothing decodes into it.
type Summary struct {
	bullets, risks, recommendations []Item
	commentary                      []Comment
	dropped                         []Dropped
	whole                           []Line
}

// Item is one selected range of the result.
type Item struct {
	Claim    string   `json:"claim"`    // the context and the evidence, for display
	Evidence string   `json:"evidence"` // whole sentences, lines or a value, byte for byte
	Pointer  string   `json:"pointer"`  // RFC 6901: the leaf of the typed value
	Range    [2]int   `json:"range"`    // from and to, in bytes of the decoded string or the number's literal
	Context  []string `json:"context"`  // outermost first: the path, if any, then ranges of the leaf

	// Neighbours are next to the evidence, in display order.
	Neighbours []Neighbour `json:"neighbours"`

	under []span // places of the context, without the path
}

// Comment is a remark in the writer's own words, with an item as evidence. Checked is
// always false.
type Comment struct {
	Text    string `json:"text"`
	Checked bool   `json:"checked"`
	Item
}

// Dropped is an item of the writer that is not shown, and the reason.
type Dropped struct {
	Item   string `json:"item"` // such as bullets[1]
	Code   string `json:"code"`
	Reason string `json:"reason"`
}

// Bullets returns one to five items, or none for an empty summary.
func (s Summary) Bullets() []Item { return slices.Clone(s.bullets) }

// Risks returns at most three items. Only the writer calls them risks.
func (s Summary) Risks() []Item { return slices.Clone(s.risks) }

// Recommendations returns at most three items. Only the writer calls them
// recommendations.
func (s Summary) Recommendations() []Item { return slices.Clone(s.recommendations) }

// Commentary returns at most three comments, only at the level [Quoted].
func (s Summary) Commentary() []Comment { return slices.Clone(s.commentary) }

// Dropped returns the writer's items that are not shown.
func (s Summary) Dropped() []Dropped { return slices.Clone(s.dropped) }

// Whole returns a result of at most 600 bytes, or nil for a longer one.
func (s Summary) Whole() []Line { return slices.Clone(s.whole) }

// Empty reports whether the summary has no bullets. A summary from Lock is never empty.
func (s Summary) Empty() bool { return len(s.bullets) == 0 }

// MarshalJSON writes the summary in the form of the outcome.
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
