package show

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// columns is how many columns of a terminal an escaped text takes.
func columns(s string) (n int) {
	for _, r := range s {
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

// pad fills a text up with spaces.
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
	for i, r := range s {
		n += wide(r)
		if n > to && i > 0 {
			return i
		}
	}
	return len(s)
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

// wrap breaks lines that are too wide, at a space or next to a wide character,
// as those of Chinese and Japanese, which need none. A longer word is left to
// the terminal, which breaks it too, and from which it can be copied whole.
// Further lines keep the indentation of the first.
func wrap(s string, to int) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(strings.TrimRight(s, "\n"), "\t", "    "), "\n") {
		rest := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(rest)]
		if len(indent) > to/2 {
			indent, rest = "", line
		}
		for n := end(rest, to-len(indent)); n < len(rest); n = end(rest, to-len(indent)) {
			lines = append(lines, indent+strings.TrimRight(rest[:n], " "))
			rest = strings.TrimLeft(rest[n:], " ")
		}
		lines = append(lines, indent+rest)
	}
	return lines
}

// end is where a line ends that goes on with rest and has so much room.
func end(rest string, room int) int {
	n := fits(rest, room)
	if n == len(rest) {
		return n
	}
	if space := strings.LastIndexByte(rest[:n+1], ' '); space > 0 {
		return space
	}
	return wordEnd(rest, n)
}

// wordEnd is where the word ends that goes on at n.
func wordEnd(line string, n int) int {
	before, _ := utf8.DecodeLastRuneInString(line[:n])
	for i, r := range line[n:] {
		if r == ' ' || wide(r) == 2 || wide(before) == 2 {
			return n + i
		}
		before = r
	}
	return len(line)
}
