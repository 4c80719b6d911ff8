package escape

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/lex"
)

// Controls writes out every control character in the strings of a JSON document, as
// \u{1B}. These are the characters for terminals and for the order of text. Unlike
// [JSON] it changes the decoded text, but only at those characters, because a client
// may print the text to a terminal. Newline, tab and a carriage return before a
// newline stay. A document without such characters comes back unchanged.
func Controls(document []byte) []byte {
	var out []byte // nil until the first such character
	done := 0      // how much of the document is in out
	for at := 0; at < len(document); {
		n := bytes.IndexByte(document[at:], '"')
		if n < 0 {
			break
		}
		at += n
		end := at + max(1, lex.StringLen(document[at:]))
		for at < end {
			r, size := literal(document[at:end])
			if control(r) && !(r == '\r' && newline(document[at+size:end])) {
				out = append(out, document[done:at]...)
				out = fmt.Appendf(out, `\\u{%X}`, r)
				done = at + size
			}
			at += size
		}
	}
	if out == nil {
		return document
	}
	return append(out, document[done:]...)
}

// literal returns the first character of a part of a string literal, and how many
// bytes spell it.
func literal(b []byte) (r rune, size int) {
	if b[0] < utf8.RuneSelf && b[0] != '\\' {
		return rune(b[0]), 1
	}
	if b[0] != '\\' || len(b) < 2 {
		return utf8.DecodeRune(b)
	}
	switch b[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'r':
		return '\r', 2
	case 'u':
		if len(b) >= 6 {
			if n, err := strconv.ParseUint(string(b[2:6]), 16, 16); err == nil {
				return rune(n), 6
			}
		}
	}
	return ' ', 2 // a newline, a tab, a quote or a slash is not written out
}

// newline reports whether the rest of a literal begins with one.
func newline(b []byte) bool {
	escaped := len(b) >= 6 && bytes.HasPrefix(b, []byte(`\u`))
	return bytes.HasPrefix(b, []byte(`\n`)) || escaped && bytes.EqualFold(b[2:6], []byte("000a"))
}

// control reports whether a terminal or a reader may take a character for a command.
func control(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
