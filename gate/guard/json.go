package guard

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// JSON is a JSON document in which every character that [Line] would write out
// is escaped: \n and its like, \uXXXX, and two of these beyond the basic plane.
// It decodes to the same values. A reader of JSON decodes; a terminal does not.
func JSON(document []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(document))
	for len(document) > 0 {
		n := bytes.IndexByte(document, '"')
		if n < 0 {
			n = len(document)
		}
		out.Write(document[:n]) // between strings there is ASCII alone
		document = document[n:]
		if n = literal(document); n > 0 {
			requote(&out, document[:n])
			document = document[n:]
		}
	}
	return out.Bytes()
}

// literal is how long the string is that the text begins with.
func literal(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// shorthand are the escapes of JSON that are a letter.
var shorthand = map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

func requote(out *bytes.Buffer, literal []byte) {
	s, err := jsontext.AppendUnquote(nil, literal)
	if err != nil {
		s = literal // of no document: shown as what it is
	}
	out.WriteByte('"')
	stack := marksMax
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		var shown bool
		shown, stack = shows(r, stack, "")
		switch short := shorthand[r]; {
		case short != "":
			out.WriteString(short)
		case shown && (r != utf8.RuneError || n > 1):
			out.Write(s[:n])
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(out, `\u%04x`, r)
		}
		s = s[n:]
	}
	out.WriteByte('"')
}
