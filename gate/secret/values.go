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
	// secretMin is the length below which a value hides nothing: removing every
	// "1" and "no" would garble a message and protect nothing.
	secretMin = 4
	// prefixMin is the shortest start of a longer value that is hidden in the
	// middle of a text: less is a word that the text has by chance.
	prefixMin = 8
	// quoteRead is how much of a text [Values.Quote] looks at.
	quoteRead = 16 << 10
)

// Values are values that no message may quote. The zero value holds none.
type Values struct {
	values []string // folded, longest first
	words  []string // too short for that: hidden only as whole words
}

// ValuesOf takes the values as they are configured. Of a value of several
// lines each line is a secret too.
func ValuesOf(values ...string) Values {
	var s Values
	for _, v := range values {
		s.add(v, secretMin)
		if said := string(readingOf(v).plain().bytes); said != v {
			s.add(said, prefixMin) // such as a key in one line, its line breaks written \n
		}
	}
	slices.SortFunc(s.values, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	s.values = slices.Compact(s.values)
	return s
}

// add takes the value and each of its lines, unless they are shorter than min.
func (s *Values) add(value string, min int) {
	for _, part := range append(strings.Split(value, "\n"), value) {
		if part = fold(strings.TrimSpace(part)); len(part) >= min {
			s.values = append(s.values, part)
		}
	}
}

// Words has the values of under four bytes hidden, too, where they are a word: no
// letter or digit is next to them. They are found as they are and escaped.
func (s Values) Words(values ...string) Values {
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" && len(v) < secretMin {
			s.words = append(s.words, v)
		}
	}
	return s
}

// Longest is the number of bytes that the longest value may take in a text,
// escaped once: a text whose beginning was cut off may open with its end.
func (s Values) Longest() int {
	if len(s.values) == 0 {
		return 0
	}
	return len(s.values[0]) * len(`\u0000`)
}

// Redact replaces every value in text, and every start of one that is half of
// it, or that the text breaks off in. It finds a value as it is, and escaped
// for JSON, a URL or HTML, repeatedly too; and in base64 and hexadecimal. A
// server that spells it otherwise (reversed, in pieces, encrypted) gets it
// through.
//
// The work is a multiple of the text's length: see [Values.Quote].
func (s Values) Redact(text string) string {
	if len(s.values)+len(s.words) == 0 {
		return text
	}
	hide := make([]bool, len(text))
	s.markWords(text, hide)
	for _, r := range readings(text) {
		said := fold(string(r.bytes))
		for _, v := range s.values {
			r.mark(said, v, hide)
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

// Quote is the beginning of the redacted text, at most max bytes of valid
// UTF-8. The text is redacted before it is cut, so that no cut leaves half of
// a value; of a huge one only the beginning is looked at.
func (s Values) Quote(text string, max int) string {
	text = s.Redact(text[:min(len(text), quoteRead)])
	end := min(len(text), max)
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.ToValidUTF8(text[:end], "\uFFFD")
}

// mark notes which bytes of the text spell the value, or a start of it that
// tells too much, where this reading of it says them.
func (r reading) mark(said, value string, hide []bool) {
	for i := 0; ; {
		next := strings.Index(said[i:], value[:secretMin])
		if next < 0 {
			return
		}
		i += next
		n := common(said[i:], value)
		if !tells(n, value, said[i+n:]) {
			i++
			continue
		}
		for at := r.from[i]; at < r.to[i+n-1]; at++ {
			hide[at] = true
		}
		i += n
	}
}

// markWords notes which bytes of the text spell one of the short values.
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
		if i > 0 && inWord(r.bytes[i-1]) || end < len(r.bytes) && inWord(r.bytes[end]) {
			continue
		}
		for at := r.from[i]; at < r.to[end-1]; at++ {
			hide[at] = true
		}
	}
}

func inWord(c byte) bool { return lex.Letter(c) || c >= '0' && c <= '9' || c == '_' }

// common is the length of what both begin with.
func common(text, value string) int {
	n := 0
	for n < len(text) && n < len(value) && text[n] == value[n] {
		n++
	}
	return n
}

// tells reports whether the first n bytes of the value are to be hidden where
// rest follows them.
func tells(n int, value, rest string) bool {
	brokenOff := rest == "" || strings.HasPrefix(rest, "…") || strings.HasPrefix(rest, "...")
	return n == len(value) || brokenOff || n >= max(prefixMin, (len(value)+1)/2)
}

// fold equates a space with the plus sign that a form sends for it.
func fold(s string) string { return strings.ReplaceAll(s, "+", " ") }

// blockMax is how much of a text [Values.Strip] looks at closely at a time.
const blockMax = 16 << 10

// Holds reports whether a text of any length has one of the values in it: as
// it is, or escaped as [Values.Redact] knows it, repeatedly too. A start of a
// value is not looked for, nor one in base64 or hexadecimal: the text may be a
// result of megabytes.
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

// Strip is a text of any length without the values that it [Values.Holds]. It
// is redacted block by block; where a value lies across two blocks, nothing is
// left of the text. [Values.Words] are hidden, too.
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
