package show

import (
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/onestep-run/onestep/gate/escape"
)

// columns is how many columns of a terminal an escaped text takes. A character of
// ambiguous width (UAX #11) is counted as one: a terminal that is set up to give
// it two is not provided for.
func columns(s string) (n int) {
	for _, r := range plain(s) {
		n += wide(r)
	}
	return n
}

func wide(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) { // a spacing mark, as of Devanagari, has a column
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func pad(s string, to int) string { return s + strings.Repeat(" ", max(0, to-columns(s))) }

// cut ends a text that is too wide in "…".
func cut(s string, to int) string {
	if columns(s) <= to {
		return s
	}
	return s[:fits(s, to-1)] + "…"
}

// fits is how many bytes of a text fit into so many columns, with the marks
// of its last character: at least those of its first.
func fits(s string, to int) int {
	n := 0
	for i, r := range plain(s) {
		n += wide(r)
		if n > to && i > 0 {
			return i
		}
	}
	return len(s)
}

// plain goes through the characters of a text that have a place on a terminal:
// all but those of a style.
func plain(s string) iter.Seq2[int, rune] {
	return func(yield func(int, rune) bool) {
		for i := 0; i < len(s); {
			if n := styled(s[i:]); n > 0 {
				i += n
				continue
			}
			r, n := utf8.DecodeRuneInString(s[i:])
			if !yield(i, r) {
				return
			}
			i += n
		}
	}
}

// styled is how many bytes of a text are a change of style at its beginning.
func styled(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	end := strings.IndexByte(s, 'm')
	if end < 0 || strings.Trim(s[2:end], "0123456789;") != "" {
		return 0
	}
	return end + 1
}

// hang sets lines behind a first word and the further ones under them.
func hang(first string, lines []string) []string {
	under := strings.Repeat(" ", columns(first))
	for i := range lines {
		lines[i] = strings.TrimRight(first+lines[i], " ")
		first = under
	}
	return lines
}

// wrap breaks lines that are too wide, at a space where they have one. Further
// lines keep the indentation of the first.
func wrap(s string, to int) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(strings.TrimRight(s, "\n"), "\t", "    "), "\n") {
		rest := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(rest)]
		if len(indent) > to/2 {
			indent, rest = "", line
		}
		for n := end(rest, to-len(indent), 0); n < len(rest); n = end(rest, to-len(indent), 0) {
			lines = append(lines, indent+strings.TrimRight(rest[:n], " "))
			rest = strings.TrimLeft(rest[n:], " ")
		}
		lines = append(lines, indent+rest)
	}
	return lines
}

// end is where a row ends that begins with rest and has so much room: at the
// last space after byte from, and else wherever the room ends. No word is left
// to the terminal to break: it would put the rest into its first column.
func end(rest string, room, from int) int {
	n := fits(rest, room)
	if n == len(rest) {
		return n
	}
	if space := strings.LastIndexByte(rest[:n+1], ' '); space > from {
		return space
	}
	return n
}

// bar begins each row of a terminal that would else begin with a stranger's
// text.
const bar = "| "

// Marked is a stranger's text with a mark before each of its lines.
func Marked(text string) string {
	return bar + strings.ReplaceAll(text, "\n", "\n"+bar)
}

// Under is a text of which all lines but the first begin with a mark, and are
// below the first where that begins in such a column.
func Under(column int, text string) string {
	under := strings.Repeat(" ", max(0, column-len(bar))) + bar
	return strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+under)
}

// leastRow is how wide the narrowest row is: a mark, and a wide character.
const leastRow = len(bar) + 2

// Rows breaks a line into rows of at most width columns, at a space where there
// is one. Each row but the first begins with a mark, below the beginning of the
// line's text: a terminal that breaks a line by itself puts whatever follows,
// which may be a stranger's text, where a line of ours begins. A line may hold
// changes of style. A terminal that is made narrower later breaks rows again.
func Rows(line string, width int) (rows []string) {
	width = max(width, leastRow)
	rest := strings.ReplaceAll(line, "\t", "    ")
	at := textAt(rest)
	if at < len(bar) {
		at += leastRow // apart from a line that begins with a mark
	}
	if at > 2*width/3 {
		at = 0
	}
	under := strings.Repeat(" ", max(0, at-len(bar))) + bar
	before, from := "", at
	for {
		n := end(rest, width-len(before), from)
		rows = append(rows, strings.TrimRight(before+rest[:n], " "))
		if rest = strings.TrimLeft(rest[n:], " "); rest == "" {
			return rows
		}
		before, from = under, 0
	}
}

// widestLabel is how many columns a label and the space after it take at most.
const widestLabel = 20

// textAt is the column in which the text of a line begins: after its
// indentation, its label, which ends in two spaces, and its mark. It only places
// rows: what a stranger makes of it is marked all the same.
func textAt(line string) int {
	rest := strings.TrimLeft(line, " ")
	at := len(line) - len(rest)
	label := rest[:min(len(rest), max(0, widestLabel-at))]
	for i := range len(label) {
		if label[i] < ' ' || label[i] > '~' {
			label = label[:i] // each of its bytes is a column
			break
		}
	}
	if gap := strings.Index(label, "  "); gap >= 0 {
		text := strings.TrimLeft(rest[gap:], " ")
		at += len(rest) - len(text)
		rest = text
	}
	for _, m := range []string{bar, "- ", "+ "} {
		if strings.HasPrefix(rest, m) {
			return at + len(m)
		}
	}
	return at
}

const (
	gap       = 2       // columns of space between two of a table
	minColumn = 10      // columns that a wider one keeps
	maxCell   = 2 << 10 // bytes of a cell of [Table]
)

// Table aligns rows in lines as long as they are. Each cell is escaped, in a
// line; rows may have fewer cells than others.
func Table(rows [][]string) string {
	for _, row := range rows {
		for i := range row {
			row[i] = escape.Line(row[i], maxCell)
		}
	}
	if even(rows) == 0 {
		return ""
	}
	return strings.Join(table(rows, math.MaxInt), "\n") + "\n"
}

// even gives each row as many cells as the longest has, and says how many.
func even(rows [][]string) (most int) {
	for _, row := range rows {
		most = max(most, len(row))
	}
	for i, row := range rows {
		rows[i] = append(row, make([]string, most-len(row))...)
	}
	return most
}

// table aligns rows, the first of which are the heads, and cuts the widest
// columns until all fit. Where that would leave too little of them it is nil.
func table(rows [][]string, width int) []string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columns(cell))
		}
	}
	if !squeeze(widths, width-gap*(len(widths)-1)) {
		return nil
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for j, cell := range row {
			b.WriteString(pad(cut(cell, widths[j]), widths[j]+gap))
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// squeeze makes the widest columns equally narrow, so that all fit into room.
// It reports whether each keeps enough.
func squeeze(widths []int, room int) bool {
	for most := slices.Max(widths); ; most-- {
		sum := 0
		for _, w := range widths {
			sum += min(w, most)
		}
		if sum <= room {
			for i, w := range widths {
				widths[i] = min(w, most)
			}
			return true
		}
		if most <= minColumn {
			return false
		}
	}
}
