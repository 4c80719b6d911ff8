package summarize

import (
	"sort"
	"strings"
	"unicode"

	"github.com/onestep-run/onestep/gate"
)

// leaf is a leaf of the result in the form that evidence is looked for in.
type leaf struct {
	gate.Leaf
	folded string
	units  []unit // nil until the first time the evidence's words stand in it
}

// unit is a stretch that may stand as evidence: where it is in the leaf's
// text, and where in the folded one.
type unit struct {
	span
	folded span
}

// passage is evidence that was found: consecutive units of one leaf.
type passage struct {
	leaf  *leaf
	units []unit
	span
}

func (p passage) text() string { return p.leaf.Text[p.from:p.to] }

func read(found []gate.Leaf) []leaf {
	leaves := make([]leaf, len(found))
	for i, l := range found {
		leaves[i] = leaf{Leaf: l, folded: fold(l.Text)}
	}
	return leaves
}

// find returns the first place, in document order, where the evidence is one
// or more consecutive whole units of one leaf. Bytes are compared, except that
// one run of white space equals any other; the range is that of the leaf's own
// text.
func find(leaves []leaf, evidence string) (passage, string) {
	want := fold(evidence)
	if !says(want) || truncation(want) {
		return passage{}, "says nothing: no word, no number, or only that something was cut off"
	}
	inside := false
	for i := range leaves {
		l := &leaves[i]
		if !strings.Contains(l.folded, want) {
			continue
		}
		inside = true
		if first, last, ok := l.whole(want); ok {
			return passage{l, l.units[first : last+1], span{l.units[first].from, l.units[last].to}}, ""
		}
	}
	if inside {
		return passage{}, "is cut out of a longer sentence or line"
	}
	return passage{}, "does not stand in one value of the result"
}

// whole finds want between the start of one unit and the end of another.
func (l *leaf) whole(want string) (first, last int, ok bool) {
	if l.units == nil {
		l.split()
	}
	next := borders(want)
	matched := 0
	for i := range len(l.folded) {
		for matched > 0 && (matched == len(want) || want[matched] != l.folded[i]) {
			matched = next[matched-1]
		}
		if want[matched] == l.folded[i] {
			matched++
		}
		if matched < len(want) {
			continue
		}
		first, starts := l.at(i + 1 - len(want))
		last, ends := l.until(i + 1)
		if starts && ends {
			return first, last, true
		}
	}
	return 0, 0, false
}

// borders is the failure function of Knuth, Morris and Pratt. It keeps a
// value of one letter a million times over from costing a million comparisons
// of the whole evidence.
func borders(s string) []int {
	next := make([]int, len(s))
	for i, n := 1, 0; i < len(s); i++ {
		for n > 0 && s[i] != s[n] {
			n = next[n-1]
		}
		if s[i] == s[n] {
			n++
		}
		next[i] = n
	}
	return next
}

func (l *leaf) at(folded int) (int, bool) {
	i := sort.Search(len(l.units), func(i int) bool { return l.units[i].folded.from >= folded })
	return i, i < len(l.units) && l.units[i].folded.from == folded
}

func (l *leaf) until(folded int) (int, bool) {
	i := sort.Search(len(l.units), func(i int) bool { return l.units[i].folded.to >= folded })
	return i, i < len(l.units) && l.units[i].folded.to == folded
}

// split cuts the leaf into units. A number or a boolean is one.
func (l *leaf) split() {
	spans := []span{{0, len(l.Text)}}
	if l.Kind == '"' {
		spans = units(l.Text)
	}
	done := len(l.Text) - len(strings.TrimLeft(l.Text, blanks))
	at := 0 // the folded length of l.Text[:done]
	to := func(end int) int {
		at += foldedLen(l.Text, done, end)
		done = end
		return at
	}
	l.units = make([]unit, len(spans))
	for i, s := range spans {
		l.units[i] = unit{s, span{to(s.from), to(s.to)}}
	}
}

// blanks is the white space of JSON, the only one that is folded: a no-break
// space has to be quoted as one.
const blanks = " \t\n\r"

func blank(b byte) bool { return strings.IndexByte(blanks, b) >= 0 }

// fold writes each run of white space as one blank, and none at the ends.
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(blanks, r) }), " ")
}

// foldedLen is how many bytes fold keeps of s[from:to], if it keeps some
// before it.
func foldedLen(s string, from, to int) int {
	n := 0
	for i := from; i < to; i++ {
		if !blank(s[i]) || i+1 < len(s) && !blank(s[i+1]) {
			n++
		}
	}
	return n
}

// says reports whether s holds a letter or a digit.
func says(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0
}

// truncation reports whether s only says that something was cut off.
func truncation(s string) bool {
	cut := false
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if !truncationWords[w] {
			return false
		}
		cut = cut || cutWords[w]
	}
	return cut
}
