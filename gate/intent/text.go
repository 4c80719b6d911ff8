package intent

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/speech"
)

// text is a question, a context or a value, cut once. It is cut into tokens, and these into
// pieces, the runs between white space, "_" and "-".
type text struct {
	speech.Text
	pieces []piece
	begins map[string][]int // the pieces that begin a token, by their folded text
	taken  []bool           // the tokens in which a leaf has its place
	work   int              // comparisons that are left
}

// piece is a run of bytes without white space, "_" or "-".
type piece struct {
	start, end  int32
	token       int32
	first, last bool // of its token
}

// maxWork bounds the comparisons for one text. A value that is not found within it counts
// as absent, which is a mark.
const maxWork = 1 << 17

// cut reads a text into t in place of the old one, and reuses its memory.
func (t *text) cut(s string) {
	t.Cut(s)
	t.pieces = slices.Grow(t.pieces[:0], len(t.Tokens)+4)
	t.begins, t.taken, t.work = nil, nil, maxWork
	for i, k := range t.Tokens {
		t.part(int32(i), k)
	}
}

func (t *text) of(p piece) string { return t.NFC[p.start:p.end] }

// part adds the pieces of a token.
func (t *text) part(i int32, k speech.Token) {
	had, p := len(t.pieces), piece{start: int32(k.Start), token: i}
	for at, r := range t.NFC[k.Start:k.End] {
		if joins(r) {
			p.end = int32(k.Start + at)
			t.addPiece(p)
			p.start = p.end + int32(utf8.RuneLen(r))
		}
	}
	p.end = int32(k.End)
	t.addPiece(p)
	if len(t.pieces) > had {
		t.pieces[had].first, t.pieces[len(t.pieces)-1].last = true, true
	}
}

func (t *text) addPiece(p piece) {
	if p.start < p.end {
		t.pieces = append(t.pieces, p)
	}
}

// joins reports whether a character is one of the equivalent separators of words.
func joins(r rune) bool { return r == '_' || r == '-' || unicode.IsSpace(r) }

// spend reports whether the budget of comparisons allows for n more.
func (t *text) spend(n int) bool {
	t.work -= n
	return t.work > 0
}

// used reports whether a leaf has its place in one of the tokens from first to last.
func (t *text) used(first, last int) bool {
	return t.taken != nil && slices.Contains(t.taken[first:last+1], true)
}

// take marks every token of a place as used.
func (t *text) take(start, end int) {
	if t.taken == nil {
		t.taken = make([]bool, len(t.Tokens))
	}
	for i := t.At(start); i < len(t.Tokens) && t.Tokens[i].Outer < end; i++ {
		t.taken[i] = true
	}
}

func (t *text) span(start, end int) Span {
	return Span{Start: start, End: end, Text: t.NFC[start:end]}
}

// tokens is the place of the tokens from first to last, derived in some way.
func (t *text) tokens(first, last int, by string) match {
	return match{start: t.Tokens[first].Start, end: t.Tokens[last].End, by: by}
}
