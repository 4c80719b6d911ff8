package summarize

import (
	"slices"
	"strings"
	"unicode"

	"github.com/onestep-run/onestep/gate/schema"
)

// leaf is a leaf of the result in the form that evidence is looked for in.
// What may stand as evidence is known once its words were found in the leaf.
type leaf struct {
	schema.Leaf
	folded string
	units  []span
	starts []edge // of the units, and behind the marker of a list item or heading
	ends   []edge
}

// edge is a place in a leaf's text and in its folded text, at or in a unit.
type edge struct{ text, folded, unit int }

// passage is evidence that was found: consecutive units of one leaf, the first
// perhaps without its marker.
type passage struct {
	leaf *leaf
	span
	units []span
}

func (p passage) text() string { return p.leaf.Text[p.from:p.to] }

func read(found []schema.Leaf) []leaf {
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
		if from, to, ok := l.whole(want); ok {
			units := slices.Clone(l.units[from.unit : to.unit+1])
			units[0].from, units[len(units)-1].to = from.text, to.text
			return passage{l, span{from.text, to.text}, units}, ""
		}
	}
	if inside {
		return passage{}, "is cut out of a longer sentence or line"
	}
	return passage{}, "does not stand in one value of the result"
}

// whole finds want between the start of one unit and the end of another.
func (l *leaf) whole(want string) (from, to edge, ok bool) {
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
		from, starts := at(l.starts, i+1-len(want))
		to, ends := at(l.ends, i+1)
		if starts && ends {
			return from, to, true
		}
	}
	return edge{}, edge{}, false
}

func at(edges []edge, folded int) (edge, bool) {
	i, found := slices.BinarySearchFunc(edges, folded, func(e edge, n int) int { return e.folded - n })
	if !found {
		return edge{}, false
	}
	return edges[i], true
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

// pieces are the units of the leaf. A number or a boolean is one.
func (l *leaf) pieces() []span {
	if l.Kind == '"' {
		return units(l.Text)
	}
	return []span{{0, len(l.Text)}}
}

// split cuts the leaf into its units.
func (l *leaf) split() {
	l.units = l.pieces()
	l.starts, l.ends = make([]edge, 0, len(l.units)), make([]edge, 0, len(l.units)+1)
	done := len(l.Text) - len(strings.TrimLeft(l.Text, blanks))
	folded := 0 // the length of l.Text[:done], folded
	to := func(end, unit int) edge {
		folded += foldedLen(l.Text, done, end)
		done = end
		return edge{end, folded, unit}
	}
	for i, u := range l.units {
		l.starts = append(l.starts, to(u.from, i))
		text := l.Text[u.from:u.to]
		if bare := strings.TrimLeft(text[marker(text):], blanks); len(bare) < len(text) {
			l.starts = append(l.starts, to(u.to-len(bare), i))
		}
		l.ends = append(l.ends, to(u.to, i))
	}
	if end := len(strings.TrimRight(l.Text, blanks)); end > done {
		l.ends = append(l.ends, to(end, len(l.units)-1)) // a whole value is evidence, stray stops at its end included
	}
}

// blanks is the white space of JSON, the only one that is folded: a no-break
// space has to be quoted as one.
const blanks = " \t\n\r"

// blank reports whether c is one of the blanks. It is asked of every byte of a
// result; a search in the string would take half of a lock's time.
func blank[C byte | rune](c C) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// fold writes each run of white space as one blank, and none at the ends.
func fold(s string) string {
	var b strings.Builder // a list of all words would take ten times their bytes
	b.Grow(len(s))
	for word := range strings.FieldsFuncSeq(s, blank[rune]) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
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
		if !truncationWords()[w] {
			return false
		}
		cut = cut || cutWords()[w]
	}
	return cut
}
