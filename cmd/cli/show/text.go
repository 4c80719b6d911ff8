package show

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/onestep-run/onestep/gate/escape"
)

// columns returns how many columns of a terminal an escaped text takes. A character of
// ambiguous width (UAX #11) counts as one, even if a terminal is set up to give it
// two.
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
	if unicode.In(r, unicode.Mn, unicode.Me) { // a spacing mark, such as in Devanagari, has a column
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func pad(s string, to int) string { return s + strings.Repeat(" ", max(0, to-columns(s))) }

// cut shortens a text that is too wide and ends it in "…".
func cut(s string, to int) string {
	if columns(s) <= to {
		return s
	}
	return s[:fits(s, to-1)] + "…"
}

// fits returns how many bytes of a text fit into so many columns, with the marks of
// the last character. It returns at least the bytes of the first character.
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

// plain iterates over the characters of a text that take place on a terminal, without
// changes of style.
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

// styled returns the length of a change of style at the beginning of a text, in bytes.
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

// hang puts lines after a first word, with the further lines below the first.
func hang(first string, lines []string) []string {
	under := strings.Repeat(" ", columns(first))
	for i := range lines {
		lines[i] = strings.TrimRight(first+lines[i], " ")
		first = under
	}
	return lines
}

// wrap breaks lines that are too wide, at a space if possible. Further lines keep the
// indentation of the first.
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

// end returns where a row that begins with rest ends. It ends at the last space after
// byte from, or else where the room ends. The terminal must not break a word, because
// it would put the rest into its first column.
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

// bar begins each row of a terminal that would otherwise begin with untrusted text.
const bar = "| "

// Marked puts a mark before each line of an untrusted text.
func Marked(text string) string {
	return bar + strings.ReplaceAll(text, "\n", "\n"+bar)
}

// Under puts a mark before all lines of a text but the first. It indents them so that
// their text begins in the column of the first.
func Under(column int, text string) string {
	under := strings.Repeat(" ", max(0, column-len(bar))) + bar
	return strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+under)
}

// leastRow is how wide the narrowest row is: a mark, and a wide character.
const leastRow = len(bar) + 2

// Rows breaks a line into rows of at most width columns, at a space if possible. Each
// row but the first begins with a mark, below the beginning of the line's text. A
// terminal that breaks a line itself would put the rest, which may be untrusted text,
// where a line of the program begins. A line may contain changes of style. If the
// terminal becomes narrower later, it breaks the rows again.
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

// widestLabel bounds the columns of a label and the space after it.
const widestLabel = 20

// textAt returns the column in which the text of a line begins. The text comes after
// the indentation, a label that ends in two spaces, and a mark. The column only places
// rows: untrusted text can change it, but is marked all the same.
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
	gap       = 2       // columns of space between two columns of a table
	minColumn = 10      // columns that a wider column keeps
	maxCell   = 2 << 10 // bytes of a cell of [Table]
)

// Table aligns rows in lines of any length. It escapes each cell into a line; rows may
// have fewer cells than others.
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

// even gives each row as many cells as the longest has, and returns their number.
func even(rows [][]string) (most int) {
	for _, row := range rows {
		most = max(most, len(row))
	}
	for i, row := range rows {
		rows[i] = append(row, make([]string, most-len(row))...)
	}
	return most
}

// table aligns rows, the first of which are the heads, and cuts the widest columns
// until all fit. It returns nil if too little of the columns would be left.
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

// squeeze makes the widest columns equally narrow, so that all fit into room. It
// reports whether each keeps enough.
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

// JSON prepares one line of an escaped document for a terminal of this width, where a
// user can copy it. The terminal breaks it, from column at on. A row that begins
// within a string begins with an escape, so that no row begins with untrusted text.
// The values are the same. A width of 0 means that the output is not a terminal.
func JSON(line string, at, width int) string {
	if width == 0 {
		return line
	}
	var out strings.Builder
	within, first := false, false // first: the next character is the first of its row
	for line != "" {
		token := tokenOf(line, within)
		line = line[len(token):]
		wraps := at+firstWidth(token) > width
		switch {
		case token == `"`:
			within = !within
		case within && (first || wraps):
			token = written(token)
		}
		out.WriteString(token)
		at, first = after(token, at, width)
	}
	return out.String()
}

// tokenOf returns the first character of a line, or the escape at its start if it is
// within a string.
func tokenOf(line string, within bool) string {
	_, n := utf8.DecodeRuneInString(line)
	switch {
	case !within || line[0] != '\\' || len(line) < 2:
		return line[:n]
	case line[1] == 'u':
		return line[:min(len(line), 6)]
	}
	return line[:2]
}

// firstWidth returns how many columns the first character takes.
func firstWidth(token string) int {
	r, _ := utf8.DecodeRuneInString(token)
	return wide(r)
}

// after returns the column after a token, and whether a row began in the middle of the
// token. The rest of an escape is digits.
func after(token string, at, width int) (column int, broken bool) {
	for i, r := range token {
		if at+wide(r) > width {
			at, broken = 0, i > 0
		}
		at += wide(r)
	}
	return at, broken
}

// letters are the escapes with one letter, and their characters.
var letters = map[byte]rune{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

// written returns a token as \uXXXX.
func written(token string) string {
	r, _ := utf8.DecodeRuneInString(token)
	if token[0] == '\\' {
		if token[1] == 'u' {
			return token
		}
		r = rune(token[1])
		if c, is := letters[token[1]]; is {
			r = c
		}
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
