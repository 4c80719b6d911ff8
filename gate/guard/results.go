package guard

import (
	"bytes"
	"strings"
)

// blockMax is how much of a text [Secrets.Strip] looks at closely at a time.
const blockMax = 16 << 10

// Holds reports whether a text of any length has one of the values in it: as
// it is, or escaped as [Secrets.Redact] knows it, repeatedly too. A start of a
// value is not looked for, nor one in base64 or hexadecimal: the text may be a
// result of megabytes.
func (s Secrets) Holds(text []byte) bool {
	if len(s.values) == 0 {
		return false
	}
	for range levels {
		if s.in(text) {
			return true
		}
		next := said(text)
		if len(next) == len(text) {
			break
		}
		text = next
	}
	return false
}

func (s Secrets) in(text []byte) bool {
	if bytes.IndexByte(text, '+') >= 0 {
		text = bytes.ReplaceAll(text, []byte{'+'}, []byte{' '}) // as fold does
	}
	for _, v := range s.values {
		if bytes.Contains(text, []byte(v)) {
			return true
		}
	}
	return false
}

// said is the text with its escapes undone once.
func said(text []byte) []byte {
	var out []byte
	kept := 0 // how much of the text is in out
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '\\' && c != '%' && c != '&' {
			continue
		}
		if escaped, n := escape(text[i:]); n > 0 {
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

// Strip is a text of any length without the values that it [Secrets.Holds]. It
// is redacted block by block; where a value lies across two blocks, nothing is
// left of the text.
func (s Secrets) Strip(text string) string {
	if !s.Holds([]byte(text)) {
		return text
	}
	var out strings.Builder
	for text != "" {
		block := text[:block(text)]
		text = text[len(block):]
		if s.Holds([]byte(block)) {
			block = s.Redact(block)
		}
		out.WriteString(block)
	}
	if s.Holds([]byte(out.String())) {
		return redacted
	}
	return out.String()
}

// block is the length of a text's first block, which ends with a line or a word
// where it can.
func block(text string) int {
	if len(text) <= blockMax {
		return len(text)
	}
	for _, end := range "\n " {
		if i := strings.LastIndexByte(text[:blockMax], byte(end)); i >= 0 {
			return i + 1
		}
	}
	return blockMax
}
