package summarize

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
)

// maxWhole is the maximal size of a result that is shown whole, in bytes. A selection
// would leave out little, and that may be the important part.
const maxWhole = 600

// Line is a displayed line. Its text is from the result.
type Line struct {
	Word     string // "context", or the kind of selection; "" for a plain one
	Text     string
	Selected bool
}

func (l Line) String() string {
	if l.Word == "" {
		return l.Text
	}
	return l.Word + ": " + l.Text
}

// Passage is the displayed part of one value: the selected text, in its order and in its
// context.
type Passage struct {
	Lines []Line
	Place string // the place of the evidence
}

// Passages returns the claims of a list with their neighbours. shown is the context that
// was shown already. Passages adds to it the context that it shows.
func Passages(items []Item, shown map[string]bool) (all []Passage) {
	for i, it := range items {
		if slices.ContainsFunc(items[:i], it.sibling) {
			continue
		}
		p := Passage{Place: "in the text"}
		if it.Pointer != "" {
			p.Place = "at " + it.Pointer
		}
		p.Lines = passage(slices.DeleteFunc(slices.Clone(items), func(other Item) bool { return !it.sibling(other) }), shown)
		all = append(all, p)
	}
	return all
}

// sibling reports whether two items are from one value.
func (it Item) sibling(other Item) bool { return it.Pointer == other.Pointer }

// stretch is a displayed line and its place in a value.
type stretch struct {
	Line
	at span
}

// passage returns the lines of the selections in one value.
func passage(items []Item, shown map[string]bool) (lines []Line) {
	path := ""
	var all, siblings []stretch
	for _, it := range items {
		outer := len(it.Context) - len(it.under)
		path = strings.Join(it.Context[:outer], "")
		for i, at := range it.under {
			all = append(all, stretch{Line{"context", it.Context[outer+i], false}, at})
		}
		all = append(all, stretch{Line{"", it.Evidence, true}, span{it.Range[0], it.Range[1]}})
		for _, n := range it.Neighbours {
			if line := (stretch{Line{"context", n.Text, false}, n.at}); n.Where == "beside" {
				siblings = append(siblings, line)
			} else {
				all = append(all, line)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b stretch) int {
		return cmp.Or(a.at.from-b.at.from, b.at.to-a.at.to, strings.Compare(a.Word, b.Word))
	})
	end := -1
	for _, s := range append(all, siblings...) {
		key := fmt.Sprintf("%s %v", items[0].Pointer, s.at)
		if s.at == (span{}) { // from another value
			key, s.at.to = s.Text, end+1
		}
		if s.at.to > end && (s.Selected || !shown[key]) {
			lines = append(lines, s.Line)
		}
		end, shown[key] = max(end, s.at.to), true
	}
	if path != "" && lines[0].Selected && !strings.Contains(lines[0].Text, "\n") {
		lines[0].Text = path + ": " + lines[0].Text
	} else if path != "" {
		lines = slices.Insert(lines, 0, Line{Text: path + ":"})
	}
	return split(lines)
}

// split makes a separate Line of each line of a text.
func split(all []Line) (lines []Line) {
	for _, l := range all {
		for text := range strings.SplitSeq(l.Text, "\n") {
			lines = append(lines, Line{l.Word, text, l.Selected})
		}
	}
	return lines
}

// whole writes a short result value by value, and marks the selected pieces.
func (r result) whole(s Summary) (lines []Line) {
	size := len(r.value)
	if len(r.leaves) == 1 && r.leaves[0].Pointer() == "" {
		size = len(r.leaves[0].Text)
	}
	if size > maxWhole {
		return nil
	}
	for l := range schema.Leaves(r.value) {
		if l.Name {
			continue
		}
		path := place(l.Path(), nil)
		path = r.clean(path, path)
		all := piecesOf(l)
		if len(all) == 0 { // no letters or digits
			l.Text = quoted(l.Text)
			all = []piece{{span: span{0, len(l.Text)}}}
		}
		if len(all) == 1 && path != "" {
			path += ": "
		} else if path != "" {
			lines, path = append(lines, Line{Text: path + ":"}), ""
		}
		for _, p := range all {
			text := l.Text[p.from:p.to]
			word := s.how(l.Pointer(), p.span)
			lines = append(lines, split([]Line{{word, path + r.clean(text, text), word != ""}})...)
		}
	}
	return lines
}

// how returns the kind of a writer's selection of a piece, or "".
func (s Summary) how(pointer string, p span) string {
	for _, list := range []struct {
		word  string
		items []Item
	}{{"selected", s.bullets}, {"selected as a risk", s.risks}, {"selected as a recommendation", s.recommendations}} {
		for _, it := range list.items {
			if it.Pointer == pointer && it.Range[0] < p.to && p.from < it.Range[1] {
				return list.word
			}
		}
	}
	return ""
}
