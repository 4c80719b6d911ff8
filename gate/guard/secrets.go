package guard

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// redacted replaces what must not be quoted.
	redacted = "[redacted]"
	// secretMin is the length below which a value hides nothing: removing every
	// "1" and "no" would garble a message and protect nobody.
	secretMin = 4
	// prefixMin is the shortest start of a longer value that is hidden in the
	// middle of a text: less is a word that the text has by chance.
	prefixMin = 8
	// quoteRead is how much of a text [Secrets.Quote] looks at.
	quoteRead = 16 << 10
)

// Secrets are values that no message may quote. The zero value holds none.
type Secrets struct{ values []string } // folded, longest first

// SecretsOf takes the values as they are configured. Of a value of several
// lines each line is a secret too.
func SecretsOf(values ...string) Secrets {
	var s Secrets
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
func (s *Secrets) add(value string, min int) {
	for _, part := range append(strings.Split(value, "\n"), value) {
		if part = fold(strings.TrimSpace(part)); len(part) >= min {
			s.values = append(s.values, part)
		}
	}
}

// Longest is the number of bytes that the longest value may take in a text,
// escaped once: a text whose beginning was cut off may open with its end.
func (s Secrets) Longest() int {
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
// The work is a multiple of the text's length: see [Secrets.Quote].
func (s Secrets) Redact(text string) string {
	if len(s.values) == 0 {
		return text
	}
	hide := make([]bool, len(text))
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
func (s Secrets) Quote(text string, max int) string {
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
