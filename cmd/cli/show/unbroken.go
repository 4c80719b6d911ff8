package show

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

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
		wraps := at+leads(token) > width
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

// leads returns how many columns the first character takes.
func leads(token string) int {
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
