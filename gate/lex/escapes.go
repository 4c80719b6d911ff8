package lex

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape returns the meaning of the escape at the start of b, and its length; 0 if b
// starts without one.
func Escape(b []byte) (string, int) {
	switch b[0] {
	case '\\':
		return backslash(b)
	case '%':
		if n, ok := hexadecimal(b, 1, 2); ok {
			return string([]byte{byte(n)}), 3
		}
	case '&':
		if end := bytes.IndexByte(b[:min(len(b), 12)], ';'); end > 0 {
			name := string(b[:end+1])
			if said := html.UnescapeString(name); said != name {
				return said, len(name)
			}
		}
	}
	return "", 0
}

func backslash(b []byte) (string, int) {
	if len(b) < 2 {
		return "", 0
	}
	switch c := b[1]; {
	case c == 'u':
		return utf16Escape(b)
	case c == 'U':
		if n, ok := hexadecimal(b, 2, 8); ok {
			return string(n), 10
		}
	case c == 'x':
		if n, ok := hexadecimal(b, 2, 2); ok {
			return string([]byte{byte(n)}), 4
		}
	case strings.IndexByte("bfnrt", c) >= 0:
		i := strings.IndexByte("bfnrt", c)
		return "\b\f\n\r\t"[i : i+1], 2
	case c < utf8.RuneSelf && (unicode.IsPunct(rune(c)) || unicode.IsSymbol(rune(c))):
		return string(rune(c)), 2
	}
	return "", 0
}

// escapeMax is the length of the longest escape of JSON, a character in two halves.
const escapeMax = 12

// UnescapeJSON returns the text of parts of a JSON document, each from and to, with
// escapes undone. An escape that a part cuts into belongs to the part. The parts are
// sorted and do not overlap.
func UnescapeJSON(text string, stretches [][2]int) []string {
	var all []string
	at, last := 0, ""
	for _, s := range stretches {
		var out strings.Builder
		if at > s[0] {
			out.WriteString(last)
		}
		var n int
		for ; at < s[1]; at += n {
			if last, n = backslashAt(text[at:]); at+n > s[0] {
				out.WriteString(last)
			}
		}
		all = append(all, out.String())
	}
	return all
}

// backslashAt returns the meaning of the first escape of JSON or the first byte of the
// text, and its length.
func backslashAt(text string) (string, int) {
	if text[0] == '\\' {
		if stands, n := backslash([]byte(text[:min(len(text), escapeMax)])); n > 0 {
			return stands, n
		}
	}
	return text[:1], 1
}

// utf16Escape reads \u and four digits, or two of them that form one character.
func utf16Escape(b []byte) (string, int) {
	first, ok := hexadecimal(b, 2, 4)
	if !ok {
		return "", 0
	}
	if second, ok := hexadecimal(b, 8, 4); ok && utf16.IsSurrogate(first) && bytes.HasPrefix(b[6:], []byte(`\u`)) {
		return string(utf16.DecodeRune(first, second)), 12
	}
	return string(first), 6
}

// hexadecimal reads n digits from b[at:].
func hexadecimal(b []byte, at, n int) (rune, bool) {
	if len(b) < at+n {
		return 0, false
	}
	v, err := strconv.ParseUint(string(b[at:at+n]), 16, 32)
	return rune(v), err == nil
}

// Unescape returns the text with its escapes undone once.
func Unescape(text []byte) []byte {
	var out []byte
	kept := 0 // how much of the text is in out
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '\\' && c != '%' && c != '&' {
			continue
		}
		if escaped, n := Escape(text[i:]); n > 0 {
			if out == nil {
				out = make([]byte, 0, len(text))
			}
			out = append(append(out, text[kept:i]...), escaped...)
			kept = i + n
			i = kept - 1
		}
	}
	if kept == 0 {
		return text
	}
	return append(out, text[kept:]...)
}

// StringLen returns the length of the JSON string at the start of the text, including
// both quotation marks.
func StringLen(text []byte) int {
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
