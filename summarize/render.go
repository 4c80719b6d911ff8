package summarize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// result is the typed result in a form for finding selections.
type result struct {
	value  jsontext.Value
	leaves []schema.Leaf
	folded []string            // the folded texts of the leaves
	cut    map[int][]piece     // the pieces of leaves with a selection
	found  func(string) string // the rule of a scanner's finding in a text, or ""
}

func resultOf(t gate.Typed) result {
	leaves := t.Leaves()
	r := result{t.Value(), leaves, make([]string, len(leaves)), map[int][]piece{}, t.Found}
	for i, l := range leaves {
		r.folded[i] = fold(l.Text)
	}
	return r
}

// clean returns the displayed form of a text. A text in which a scanner found something
// is replaced, because readers trust a summary more than a result.
func (r result) clean(shown, text string) string {
	if rule := r.found(text); rule != "" {
		return "[found: " + verdict.Cut(rule, maxMember) + "]"
	}
	return shown
}

// render is the core of the lock. It finds the selection and widens it to whole pieces.
// It puts the context before it, and the neighbours around it.
func (r result) render(evidence string, pointer *string) (Item, error) {
	i, at, err := r.find(evidence, pointer)
	if err != nil {
		return Item{}, err
	}
	leaf := r.leaves[i]
	whole, under, next := r.widen(i, at)
	it := Item{Evidence: leaf.Text[whole.from:whole.to], Pointer: leaf.Pointer(), Range: [2]int{whole.from, whole.to}, Context: []string{}, Neighbours: next, under: under}
	path := r.path(i)
	var lines []string
	size := len(path) + len(it.Evidence)
	for _, a := range under {
		line := leaf.Text[a.from:a.to]
		lines = append(lines, r.clean(line, line))
		size += a.to - a.from
	}
	if size > maxText || len(under) > maxContext {
		return Item{}, verdict.Deny(verdict.SummaryEvidence, "the evidence %s, whole and with its context, is over %d bytes", lex.Repeat(evidence), maxText)
	}
	if path != "" {
		it.Context = append(it.Context, path)
	}
	it.Context = append(it.Context, lines...)
	it.Claim = claim(path, append(lines, it.Evidence))
	for _, line := range r.siblings(i) {
		it.Neighbours = append(it.Neighbours, Neighbour{Where: "beside", Text: line})
	}
	if r.found(it.Evidence) != "" || r.found(it.Claim) != "" {
		return Item{}, verdict.Deny(verdict.SummaryFlagged, "a scanner found something in it")
	}
	return it, nil
}

// claim writes lines after their path.
func claim(path string, lines []string) string {
	text := strings.Join(lines, "\n")
	switch {
	case path == "":
		return text
	case strings.Contains(text, "\n"):
		return path + ":\n" + text
	}
	return path + ": " + text
}

// find returns the selected leaf and the range in it. A whole value has priority over a
// part of one, then the first in document order. It compares bytes, except that one run
// of white space equals any other.
func (r result) find(evidence string, pointer *string) (int, span, error) {
	want := fold(evidence)
	if !says(want) || len(want) > maxText {
		return 0, span{}, verdict.Deny(verdict.SummaryEvidence, "the evidence %s contains no word and no number, or is over %d bytes", lex.Repeat(evidence), maxText)
	}
	first, at := -1, span{}
	for i, folded := range r.folded {
		if pointer != nil && r.leaves[i].Pointer() != *pointer {
			continue
		}
		if folded == want {
			return i, span{0, len(r.leaves[i].Text)}, nil
		}
		if first >= 0 || r.leaves[i].Kind != '"' {
			continue // a part of a number is not a selection
		}
		if from, found := within(folded, want); found {
			first, at = i, unfolded(r.leaves[i].Text, from, from+len(want))
		}
	}
	if first < 0 {
		return 0, span{}, verdict.Deny(verdict.SummaryEvidence, "no single value of the result contains the evidence %s", lex.Repeat(evidence))
	}
	return first, at, nil
}

// within finds want between the edges of words.
func within(folded, want string) (int, bool) {
	for from := 0; ; {
		i := strings.Index(folded[from:], want)
		if i < 0 {
			return 0, false
		}
		i += from
		if edge(folded, i) && edge(folded, i+len(want)) {
			return i, true
		}
		_, n := utf8.DecodeRuneInString(folded[i:])
		from = i + n
	}
}

// edge reports whether a place is between words. In a script without spaces between words
// every place is.
func edge(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	if !inWord(before) || !inWord(after) {
		return true
	}
	return unparted(before) && unparted(after)
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

func unparted(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// widen makes a range of a leaf whole. It also returns the context that the range does
// not contain itself, in the order of the text, and the neighbours.
func (r result) widen(i int, at span) (span, []span, []Neighbour) {
	text := r.leaves[i].Text
	if r.cut[i] == nil {
		r.cut[i] = piecesOf(r.leaves[i])
	}
	whole, lo, hi := at, -1, 0
	var under []span
	for n, p := range r.cut[i] {
		if p.to <= at.from || p.from >= at.to {
			continue
		}
		if hi = n + 1; lo < 0 {
			lo = n
		}
		whole = span{min(whole.from, p.from), max(whole.to, p.to)}
		for a := p.under; a != nil && len(under) <= maxContext && !slices.Contains(under, a.span); a = a.under {
			under = append(under, a.span)
		}
	}
	for _, a := range outer(text, whole.from) {
		if !slices.Contains(under, a) {
			under = append(under, a)
		}
	}
	under = slices.DeleteFunc(under, func(a span) bool { return a.to > whole.from })
	slices.SortFunc(under, func(a, b span) int { return a.from - b.from })
	return whole, under, r.neighbours(text, r.cut[i], lo, hi)
}

// piecesOf returns the pieces of a text. A number or a boolean is one piece.
func piecesOf(l schema.Leaf) []piece {
	if l.Kind == '"' {
		return pieces(l.Text)
	}
	return []piece{{span: span{0, len(l.Text)}, block: &block{kind: entry}}}
}
