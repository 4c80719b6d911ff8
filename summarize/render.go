package summarize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// result is the typed result, as selections are looked for in it.
type result struct {
	leaves  []schema.Leaf
	folded  []string          // the leaves' texts
	cut     map[int][]piece   // of those that something was selected of
	flagged func(string) bool // what a scanner found something in
}

func read(t gate.Typed) result {
	leaves := t.Leaves()
	r := result{leaves, make([]string, len(leaves)), map[int][]piece{}, t.Flagged}
	for i, l := range leaves {
		r.folded[i] = fold(l.Text)
	}
	return r
}

// render is the whole of the lock: find what was selected, widen it to what is
// whole, and put before it what it hangs on. It leaves out what reads as if it
// were meant for a model, the lines that it hangs on included: whoever reads a
// summary trusts it more than a result.
func (r result) render(evidence string, pointer *string) (Item, error) {
	i, at, err := r.find(evidence, pointer)
	if err != nil {
		return Item{}, err
	}
	leaf := r.leaves[i]
	whole, under := r.widen(i, at)
	it := Item{Evidence: leaf.Text[whole.from:whole.to], Pointer: leaf.Pointer(), Range: [2]int{whole.from, whole.to}, Context: []string{}}
	path := r.path(i)
	var lines []string
	size := len(path) + len(it.Evidence)
	for _, a := range under {
		lines = append(lines, leaf.Text[a.from:a.to])
		size += a.to - a.from
	}
	if size > maxText || len(under) > maxContext {
		return Item{}, verdict.Deny(verdict.SummaryEvidence, "the evidence %.80q is, whole and with what it hangs on, over %d bytes", evidence, maxText)
	}
	if path != "" {
		it.Context = append(it.Context, path)
	}
	it.Context = append(it.Context, lines...)
	told := append(lines, it.Evidence)
	it.Claim = claim(path, told)
	if slices.ContainsFunc(append(told, it.Claim), r.flagged) {
		return Item{}, verdict.Deny(verdict.SummaryFlagged, "a scanner found something in it")
	}
	return it, nil
}

// claim writes lines under the path that they stand at.
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

// find gives the leaf and the stretch of it that were selected: a whole value
// before a part of one, then the first in document order. Bytes are compared,
// except that one run of white space equals any other.
func (r result) find(evidence string, pointer *string) (int, span, error) {
	want := fold(evidence)
	if !says(want) || len(want) > maxText {
		return 0, span{}, verdict.Deny(verdict.SummaryEvidence, "the evidence %.80q holds no word and no number, or is over %d bytes", evidence, maxText)
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
			continue // of a number there is no part
		}
		if from, found := within(folded, want); found {
			first, at = i, unfolded(r.leaves[i].Text, from, from+len(want))
		}
	}
	if first < 0 {
		return 0, span{}, verdict.Deny(verdict.SummaryEvidence, "the evidence %.80q does not stand in one value of the result", evidence)
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

// edge reports whether no word goes on across a place. Of a script that parts
// no words that is not asked.
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

// widen makes a stretch of a leaf whole, and gives what it hangs on that it
// does not hold itself, in the order of the text.
func (r result) widen(i int, at span) (span, []span) {
	if r.cut[i] == nil {
		r.cut[i] = piecesOf(r.leaves[i])
	}
	whole := at
	var under []span
	for _, p := range r.cut[i] {
		if p.to <= at.from || p.from >= at.to {
			continue
		}
		whole = span{min(whole.from, p.from), max(whole.to, p.to)}
		for a := p.under; a != nil && len(under) <= maxContext && !slices.Contains(under, a.span); a = a.under {
			under = append(under, a.span)
		}
	}
	under = slices.DeleteFunc(under, func(a span) bool { return a.from >= whole.from })
	slices.SortFunc(under, func(a, b span) int { return a.from - b.from })
	return whole, under
}

// piecesOf are those of a text; a number or a boolean is one.
func piecesOf(l schema.Leaf) []piece {
	if l.Kind == '"' {
		return pieces(l.Text)
	}
	return []piece{{span: span{0, len(l.Text)}}}
}
