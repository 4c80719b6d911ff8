package secret

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/lex"
)

const (
	// redacted replaces what must not be quoted.
	redacted = "[redacted]"
	// secretMin is the least length of a hidden value, in bytes. Removing every "1"
	// and "no" would garble a message and protect nothing.
	secretMin = 4
	// prefixMin is the shortest beginning of a longer value that is hidden within a
	// text. A shorter one is in the text by chance.
	prefixMin = 8
	// quoteRead bounds how much of a text [Values.Quote] reads.
	quoteRead = 16 << 10
)

// Values are values that no message may quote. The zero value is empty.
type Values struct {
	values []string // folded, longest first
	words  []string // shorter than secretMin: hidden only as whole words
}

// ValuesOf takes the values as configured. Each line of a value of several lines is a
// secret, too.
func ValuesOf(values ...string) Values {
	var s Values
	for _, v := range values {
		s.add(v, secretMin)
		if decoded := string(readingOf(v).plain().bytes); decoded != v {
			s.add(decoded, prefixMin) // such as a key in one line, with its line breaks written \n
		}
	}
	slices.SortFunc(s.values, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	s.values = slices.Compact(s.values)
	return s
}

// add takes the value and each of its lines, except parts shorter than min.
func (s *Values) add(value string, min int) {
	for _, part := range append(strings.Split(value, "\n"), value) {
		if part = fold(strings.TrimSpace(part)); len(part) >= min {
			s.values = append(s.values, part)
		}
	}
}

// Words adds values of under four bytes. They are hidden only as words, without a
// letter or digit next to them. They are found plain and escaped.
func (s Values) Words(values ...string) Values {
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" && len(v) < secretMin {
			s.words = append(s.words, v)
		}
	}
	return s
}

// Longest returns the number of bytes that the longest value may take in a text,
// escaped once. A text without its beginning may open with the end of a value.
func (s Values) Longest() int {
	if len(s.values) == 0 {
		return 0
	}
	return len(s.values[0]) * len(`\u0000`)
}

// Redact replaces every value in text. It also replaces a beginning of a value that is
// half of it, or that ends the text. It finds a value as it is, escaped for JSON, a
// URL or HTML, also repeatedly, and in base64 and hexadecimal. A server that spells a
// value in another way (reversed, in pieces, encrypted) gets it through.
//
// The work is a multiple of the text's length: see [Values.Quote].
func (s Values) Redact(text string) string {
	if len(s.values)+len(s.words) == 0 {
		return text
	}
	hide := make([]bool, len(text))
	s.markWords(text, hide)
	for _, r := range readings(text) {
		decoded := fold(string(r.bytes))
		for _, v := range s.values {
			r.mark(decoded, v, hide)
		}
	}
	var out strings.Builder
	for i := range len(text) {
		switch {
		case !hide[i]:
			out.WriteByte(text[i])
		case i == 0 || !hide[i-1]:
			out.WriteString(redacted)
		}
	}
	return out.String()
}

// Quote returns the beginning of the redacted text, at most max bytes of valid UTF-8.
// It redacts before it cuts, so that no cut leaves half of a value. Of a huge text it
// reads only the beginning.
func (s Values) Quote(text string, max int) string {
	text = s.Redact(text[:min(len(text), quoteRead)])
	end := min(len(text), max)
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.ToValidUTF8(text[:end], "\uFFFD")
}

// mark marks the bytes of the text that spell the value in this reading, or that spell
// too much of its beginning.
func (r reading) mark(decoded, value string, hide []bool) {
	for i := 0; ; {
		next := strings.Index(decoded[i:], value[:secretMin])
		if next < 0 {
			return
		}
		i += next
		n := common(decoded[i:], value)
		if !reveals(n, value, decoded[i+n:]) {
			i++
			continue
		}
		r.hide(i, i+n, hide)
		i += n
	}
}

// markWords marks the bytes of the text that spell one of the short values.
func (s Values) markWords(text string, hide []bool) {
	if len(s.words) == 0 {
		return
	}
	r := readingOf(text)
	for range levels {
		for _, w := range s.words {
			r.markWord(w, hide)
		}
		r = r.unescaped()
	}
}

func (r reading) markWord(word string, hide []bool) {
	for i := 0; ; i++ {
		next := bytes.Index(r.bytes[i:], []byte(word))
		if next < 0 {
			return
		}
		i += next
		end := i + len(word)
		if i > 0 && inWord(r.bytes[i-1]) {
			continue
		}
		if end < len(r.bytes) && inWord(r.bytes[end]) {
			continue
		}
		r.hide(i, end, hide)
	}
}

// hide marks the bytes of the text that spell the bytes from i up to end.
func (r reading) hide(i, end int, hide []bool) {
	for at := r.from[i]; at < r.to[end-1]; at++ {
		hide[at] = true
	}
}

func inWord(c byte) bool { return lex.Letter(c) || word.Has(c) }

// common returns the length of the common beginning.
func common(text, value string) int {
	n := 0
	for n < len(text) && n < len(value) && text[n] == value[n] {
		n++
	}
	return n
}

// reveals reports whether the first n bytes reveal too much of the value if rest follows
// them.
func reveals(n int, value, rest string) bool {
	brokenOff := rest == "" || strings.HasPrefix(rest, "…") || strings.HasPrefix(rest, "...")
	return n == len(value) || brokenOff || n >= max(prefixMin, (len(value)+1)/2)
}

// fold equates a space with the plus sign that a form sends for it.
func fold(s string) string { return strings.ReplaceAll(s, "+", " ") }

// blockMax is the largest part of a text that [Values.Strip] redacts at a time.
const blockMax = 16 << 10

// Holds reports whether a text of any length contains one of the values, plain or
// escaped as [Values.Redact] knows it, also repeatedly. It does not find a beginning
// of a value, nor a value in base64 or hexadecimal, because the text may be a result
// of megabytes.
func (s Values) Holds(text []byte) bool {
	if len(s.values) == 0 {
		return false
	}
	for range levels {
		if s.in(text) {
			return true
		}
		next := lex.Unescape(text)
		if len(next) == len(text) {
			break
		}
		text = next
	}
	return false
}

func (s Values) in(text []byte) bool {
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

// Strip returns a text of any length without the values that it [Values.Holds]. It
// redacts block by block. If a value lies across two blocks, it replaces the whole
// text. It hides [Values.Words], too.
func (s Values) Strip(text string) string {
	if len(s.words) == 0 && !s.Holds([]byte(text)) {
		return text
	}
	var out strings.Builder
	for text != "" {
		block := text[:block(text)]
		text = text[len(block):]
		if len(s.words) > 0 || s.Holds([]byte(block)) {
			block = s.Redact(block)
		}
		out.WriteString(block)
	}
	if s.Holds([]byte(out.String())) {
		return redacted
	}
	return out.String()
}

// block returns the length of a text's first block, which ends with a line or a word
// if possible.
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
