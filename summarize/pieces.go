package summarize

import "strings"

// piece is the smallest part of a text that is shown. It is a sentence, a line, or lines
// that cannot be separated with certainty. In doubt nothing is cut: too large a piece
// costs space, and too small a piece could lose its "never".
type piece struct {
	span
	under *anchor
	block *block
	group int // the same for all pieces of a paragraph, list or table
}

// anchor is the context of later pieces, with its own context.
type anchor struct {
	span
	under *anchor
}

// kind is the way in which a block's lines are read.
type kind int

const (
	prose  kind = iota // wrapped lines: cut into sentences
	entry              // a labelled line or a record: whole, with its continuation lines
	logged             // a log line: whole, with any continuation lines
	item               // an item of a list: whole, with its continuation lines
	row                // a row of a table: one line
	head               // a heading: one line
	fenced             // code: whole
)

// block is the lines that are read together. Its last piece may lead the next block.
type block struct {
	kind   kind
	depth  int // number of marks of quotation
	indent int
	self   *anchor
	text   string // text of its last line
}

// reader takes a text line by line.
type reader struct {
	text string
	out  []piece
	open *block
	last *block // the previous block with letters or digits
	scope
	group int
}

// pieces cuts a text. The pieces are in the text's order, do not overlap, and contain
// every letter and digit of it.
func pieces(text string) []piece {
	r := reader{text: text}
	for from := 0; from < len(text); {
		l := lineAt(text, from)
		if from = l.next; l.text != "" {
			r.addLine(l)
		} else {
			r.blank = true
		}
	}
	r.close()
	return r.out
}

// addLine adds a line to the open block, or begins a new block.
func (r *reader) addLine(l line) {
	k := r.kindOf(l)
	if r.goesOn(k, l) {
		r.open.self.to, r.open.text = l.to, l.text
		if r.open.kind == fenced && l.fence() {
			r.close()
		}
	} else {
		r.close()
		under := r.above(k, l, r.last)
		if !r.joins(k) {
			r.group++
		}
		at := l.span
		if (k == row || k == entry) && l.depth == 0 {
			at.from -= l.indent // keeps its column, or the key that it is under
		}
		r.open = &block{k, l.depth, l.indent, &anchor{at, under}, l.text}
		r.enter(k, l, r.open.self)
	}
	r.blank = false
}

// goesOn reports whether a line belongs to the open block.
func (r *reader) goesOn(k kind, l line) bool {
	b := r.open
	switch {
	case b == nil:
		return false
	case b.kind == fenced:
		return true
	case r.blank, b.depth != l.depth, k != prose, b.kind == head, b.kind == row:
		return false
	case b.kind == item && leads(l.text) && l.indent <= b.indent:
		return false // it leads to the next list
	}
	return b.kind != prose || !leads(b.text)
}

// close cuts the open block into pieces.
func (r *reader) close() {
	b := r.open
	if b == nil {
		return
	}
	r.open = nil
	if !says(r.text[b.self.from:b.self.to]) {
		return
	}
	r.last = b
	if b.kind != prose {
		r.out = append(r.out, piece{b.self.span, b.self.under, b, r.group})
		return
	}
	r.out = sentences(r.out, r.text, b, r.group)
	last := r.out[len(r.out)-1]
	b.self = &anchor{last.span, last.under}
}

// line is one line of a text without the white space around it.
type line struct {
	span
	text   string // the line without marks of quotation
	depth  int    // number of marks of quotation
	indent int
	next   int // the beginning of the next line
}

func lineAt(s string, from int) line {
	end := from + strings.IndexByte(s[from:], '\n')
	next := end + 1
	if end < from {
		end, next = len(s), len(s)
	}
	text := strings.Trim(s[from:end], blanks)
	begin := from + strings.Index(s[from:end], text)
	bare := strings.TrimLeft(text, "> \t")
	if marks := text[:len(text)-len(bare)]; marks != "" && !strings.HasSuffix(marks, " ") && strings.ContainsAny(bare[:min(1, len(bare))], "0123456789") {
		bare = text // a comparison, not a quotation
	}
	depth := strings.Count(text[:len(text)-len(bare)], ">")
	return line{span{begin, begin + len(text)}, bare, depth, begin - from + len(text) - len(bare), next}
}
