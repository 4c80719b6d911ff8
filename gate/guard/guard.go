// Package guard makes strangers' text fit to be shown as text: bounded, free of
// the operator's secrets, and with everything that does not show as itself
// written out visibly.
//
// [Secrets] hides the values that a stranger was given and may repeat. What
// [Text] and [Line] return is valid UTF-8, at most as long as asked, and made only of
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
// It does not vouch for what the text says, and it promises nothing about
// look-alike letters or about the right-to-left order that Hebrew and Arabic
// letters bring by themselves. Whatever prints strangers' text for a person calls it.
package guard

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nameMax is twice the longest name among 630 tools of public servers.
const nameMax = 128

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

// Name reports whether s can stand as a name wherever names are compared,
// shown or stored: 1 to 128 bytes of A-Z a-z 0-9 _ . and -. It does not make
// s a safe file name: "." and ".." are names.
func Name(s string) bool {
	if s == "" || len(s) > nameMax {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '.' || c == '-') {
			return false
		}
	}
	return true
}

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
