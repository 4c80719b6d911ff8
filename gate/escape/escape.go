// Package escape makes strangers' text harmless where a person reads it: on a
// terminal, in a log, on a page of a trace. Whatever prints strangers' text calls it.
//
// What [Text] and [Line] return is valid UTF-8, at most as long as asked, and made only of
// characters that [Visible] allows and of newline and tab where they are
// wanted. So a terminal meets no control sequence in it, a reader no hidden or
// reordering character, and a log no second line that poses as its own.
//
// A character that does not show is written \u{202E}, its code point in
// hexadecimal; a byte that is not UTF-8 is written \xFF. The backslash itself
// is left alone. Text that spells out \u{202E} therefore looks as if it held
// that character: it can pose as more suspicious than it is, never as less.
// Doubling every backslash would buy the difference at the price of unreadable
// paths and of text that changes each time it passes through another layer.
// The output is for reading; nothing decodes it. Of a JSON document [JSON]
// escapes the same characters as JSON does, so that it decodes as before.
//
// It does not vouch for what the text says (gate/scan reads that) nor that no
// secret is in it (gate/secret), and it promises nothing about look-alike letters
// or about the right-to-left order that Hebrew and Arabic letters bring by
// themselves.
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

// marksMax is how many combining marks one character keeps: enough for
// Vietnamese, Hebrew with cantillation and most of Tibetan; a stack that runs
// over the lines above and below is written out from its fifth mark on.
const marksMax = 4

// Text is s for a place of several lines: newline and tab stay. It is at most
// max bytes long, a mark that says how many bytes of s were left out
// included; when max is too small even for the mark, the mark is all there is.
//
// Text of its own output is that output, for any max that held it uncut or
// had room for the mark.
func Text(s string, max int) string { return show(s, max, "\n\t") }

// Line is Text for a place of one line: newline and tab are written out too.
func Line(s string, max int) string { return show(s, max, "") }

// Name reports whether s can be a name wherever names are compared,
// shown or stored: 1 to 128 bytes of A-Z a-z 0-9 _ . and -. It does not make
// s a safe file name: "." and ".." are names.
func Name(s string) bool { return lex.Name(s) }

// show escapes s and stops as soon as max is passed, so a huge s costs no more
// than a long one. It cuts between escaped characters, never inside one.
func show(s string, max int, spaces string) string {
	var out strings.Builder
	room := max - len(cut(len(s))) // the mark is longest when everything is left out
	var fits, read int             // the longest start of out that leaves it room, and the bytes of s it stands for
	stack := marksMax              // marks on the last base; there is none yet
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

// plainRun is how many of the first max bytes are ASCII that shows as itself.
func plainRun(s string, max int, spaces string) int {
	n := 0
	for n < min(len(s), max) && (s[n] >= ' ' && s[n] < 0x7F || spaces != "" && (s[n] == '\n' || s[n] == '\t')) {
		n++
	}
	return n
}

// write appends one character and returns how many marks its base carries
// now; marksMax when there is no base for a mark to stand on.
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

// shows reports whether r shows as itself after a base with so many marks, and
// how many marks the base carries then.
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

// Visible reports whether r shows as itself: a letter, mark, number,
// punctuation, symbol or one of four spaces, of the Unicode version that this
// program was built with, and not one that fonts draw as nothing. It is an
// allow-list: controls, format characters (bidirectional overrides, joiners,
// soft hyphen, tags), line and paragraph separators, surrogates, private use
// and unassigned code points are not on it. Neither are newline and tab: who
// wants them says so.
func Visible(r rune) bool {
	if r < 0x7F {
		return r >= ' '
	}
	if unicode.Is(unicode.Zs, r) {
		// The spaces of French, of typography and of Japanese. The others are
		// hair-thin or stand for nothing that people write.
		return r == '\u00A0' || r == '\u202F' || r == '\u3000'
	}
	return unicode.IsOneOf(shown, r) && !unicode.IsOneOf(hidden, r)
}

var shown = []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.P, unicode.S}

var hidden = []*unicode.RangeTable{
	unicode.Variation_Selector,                 // they carry hidden bytes behind any letter
	unicode.Other_Default_Ignorable_Code_Point, // U+3164 and the other Hangul fillers, U+034F, U+17B4
	blank,
}

// blank holds what has a category of the visible and no ink.
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

// Composed reports whether a name is in Unicode's normal form C, as nearly all
// text is. One that is not can look exactly as another one that is.
func Composed(name string) bool { return norm.NFC.IsNormalString(name) }

// Spelled is a name in quotes. Where it is not [Composed] all that is not ASCII
// is written out: of two names that differ in their form alone, a person sees
// which is which.
func Spelled(name string) string {
	if Composed(name) {
		return strconv.Quote(name)
	}
	return strconv.QuoteToASCII(name)
}

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
		if n = lex.StringLen(document); n > 0 {
			requote(&out, document[:n])
			document = document[n:]
		}
	}
	return out.Bytes()
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
