// Package escape makes untrusted text harmless where a person reads it: on a terminal,
// in a log or on a page. All code that prints untrusted text calls it.
//
// The results of [Text] and [Line] are valid UTF-8 and at most as long as asked. They
// contain only characters that [Visible] allows, and newline and tab if wanted. So a
// terminal meets no control sequence in them, a reader no hidden or reordering
// character, and a log no second line that poses as its own.
//
// An invisible character is written as its code point in hexadecimal, \u{202E}; a byte
// that is not UTF-8 is written \xFF. The backslash itself stays. Text that spells out
// \u{202E} therefore looks as if it contained that character: it can seem more
// suspicious than it is, never less. Doubling every backslash would avoid this, but
// would make paths unreadable and change a text in every layer that it passes. The
// output is for reading; nothing decodes it. In a JSON document, [JSON] escapes the
// same characters as JSON does, so that it decodes as before.
//
// It does not vouch for the meaning of the text (gate/scan reads that) nor for the
// absence of secrets (gate/secret). It promises nothing about look-alike letters or
// about the right-to-left order of Hebrew and Arabic letters.
package escape

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"

	"github.com/onestep-run/onestep/gate/lex"
)

// marksMax is how many combining marks one character keeps. Vietnamese, Hebrew with
// cantillation and most of Tibetan need no more. In a longer stack, which would cover
// the lines around it, the marks from the fifth on are written out.
const marksMax = 4

// Text escapes s for a place of several lines: newline and tab stay. The result is at
// most max bytes long, including a mark with the number of omitted bytes of s. If max
// is too small for the mark, the result is the mark alone.
//
// Text of its own output is that output, for any max that fits the output or the mark.
func Text(s string, max int) string { return show(s, max, "\n\t") }

// Line is Text for a place of one line: it writes out newline and tab, too.
func Line(s string, max int) string { return show(s, max, "") }

// Name reports whether s can be a name where the program compares, shows or stores
// names. A name is 1 to 128 bytes of A-Z a-z 0-9 _ . and -. It need not be a safe file
// name: "." and ".." are names.
func Name(s string) bool { return lex.Name(s) }

// show escapes s and stops as soon as it passes max, so a huge s costs no more than a
// long one. It cuts between escaped characters, never inside one.
func show(s string, max int, spaces string) string {
	var out strings.Builder
	room := max - len(cut(len(s))) // the mark is longest when everything is omitted
	var fits, read int             // the longest start of out with room for the mark, and its bytes of s
	stack := marksMax              // marks on the last base; at first without a base
	for i := 0; i < len(s); {
		if n := plainRun(s[i:], room-out.Len(), spaces); n > 0 {
			out.WriteString(s[i : i+n])
			i += n
			fits, read, stack = out.Len(), i, 0
			if s[i-1] <= ' ' {
				stack = marksMax
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		stack = write(&out, s[i:i+n], r, stack, spaces)
		i += n
		if out.Len() <= room {
			fits, read = out.Len(), i
		}
		if out.Len() > max {
			return out.String()[:fits] + cut(len(s)-read)
		}
	}
	return out.String()
}

// plainRun counts the first bytes that are ASCII and show as themselves, at most max.
func plainRun(s string, max int, spaces string) int {
	n := 0
	for n < min(len(s), max) && plainByte(s[n], spaces != "") {
		n++
	}
	return n
}

func plainByte(c byte, lines bool) bool {
	if c == '\n' || c == '\t' {
		return lines
	}
	return c >= ' ' && c < 0x7F
}

// write appends one character and returns how many marks its base has now. Without a
// base for a mark it returns marksMax.
func write(out *strings.Builder, raw string, r rune, stack int, spaces string) int {
	shown, stack := shows(r, stack, spaces)
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		fmt.Fprintf(out, `\x%02X`, raw[0])
		return marksMax
	case shown:
		out.WriteString(raw)
	default:
		fmt.Fprintf(out, `\u{%X}`, r)
	}
	return stack
}

// shows reports whether r shows as itself after a base with so many marks, and how
// many marks the base has then.
func shows(r rune, stack int, spaces string) (bool, int) {
	switch {
	case ' ' < r && r < 0x7F:
		return true, 0
	case unicode.Is(unicode.M, r):
		if Visible(r) && stack < marksMax {
			return true, stack + 1
		}
		return false, marksMax
	case strings.ContainsRune(spaces, r), unicode.Is(unicode.Zs, r) && Visible(r):
		return true, marksMax
	case Visible(r):
		return true, 0
	}
	return false, marksMax
}

func cut(left int) string { return fmt.Sprintf("… [%d bytes left out]", left) }

// Visible reports whether r shows as itself: a letter, mark, number, punctuation,
// symbol or one of four spaces. It uses the Unicode version of this program's build,
// and excludes characters that fonts draw as nothing. It is an allow-list. Controls,
// format characters (bidirectional overrides, joiners, soft hyphen, tags), line and
// paragraph separators, surrogates, private use and unassigned code points are not on
// it. Neither are newline and tab; callers that want them allow them.
func Visible(r rune) bool {
	if r < 0x7F {
		return r >= ' '
	}
	if unicode.Is(unicode.Zs, r) {
		// The spaces of French, of typography and of Japanese. The others are
		// hair-thin or have no use in writing.
		return r == '\u00A0' || r == '\u202F' || r == '\u3000'
	}
	return unicode.IsOneOf(shown, r) && !unicode.IsOneOf(hidden, r)
}

var shown = []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S}

var hidden = []*unicode.RangeTable{
	unicode.Variation_Selector,                 // they can carry hidden bytes after any letter
	unicode.Other_Default_Ignorable_Code_Point, // U+3164 and the other Hangul fillers, U+034F, U+17B4
	blank,
}

// blank are characters without ink in visible categories.
var blank = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // braille pattern blank
		{Lo: 0xFFFC, Hi: 0xFFFC, Stride: 1}, // object replacement character
	},
	R32: []unicode.Range32{
		{Lo: 0x13441, Hi: 0x13442, Stride: 1}, // Egyptian blanks
		{Lo: 0x16FE4, Hi: 0x16FE4, Stride: 1}, // Khitan small script filler
		{Lo: 0x1D159, Hi: 0x1D159, Stride: 1}, // musical null notehead
	},
}

// Composed reports whether a name is in Unicode's normal form C, like nearly all text.
// A name in another form can look exactly like a composed one.
func Composed(name string) bool { return norm.NFC.IsNormalString(name) }

// Spelled returns a name in quotes. If the name is not [Composed], all characters
// outside ASCII are written out, so that a person can distinguish two names that
// differ in their form alone.
func Spelled(name string) string {
	if Composed(name) {
		return strconv.Quote(name)
	}
	return strconv.QuoteToASCII(name)
}

// JSON escapes every character in a JSON document that [Line] would write out. It
// writes \n and the like, \uXXXX, or two of these beyond the basic plane. The document
// decodes to the same values. A reader of JSON decodes it; a terminal does not.
func JSON(document []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(document))
	for len(document) > 0 {
		n := bytes.IndexByte(document, '"')
		if n < 0 {
			n = len(document)
		}
		out.Write(document[:n]) // outside strings all is ASCII
		document = document[n:]
		if n = lex.StringLen(document); n > 0 {
			requote(&out, document[:n])
			document = document[n:]
		}
	}
	return out.Bytes()
}

// shorthand are the escapes of JSON with one letter.
var shorthand = map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

func requote(out *bytes.Buffer, literal []byte) {
	s, err := jsontext.AppendUnquote(nil, literal)
	if err != nil {
		s = literal // not a valid document: shown as it is
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
