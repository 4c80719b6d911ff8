package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxTokens bounds what is read of one text: what a person means stands in the
// first words of a question, and a context is searched for a few values only.
const maxTokens = 2048

// text is a question or its context, cut into words.
type text struct {
	raw  string
	toks []token
}

// token is one word of a text.
type token struct {
	start, end int      // where it stands, in bytes
	raw        string   // as written
	word       string   // folded: NFKC, lower case
	stem       string   // canonical stem of the whole word
	stems      []string // stems of its parts: "two-sample" has three, itself included
	stop       bool     // carries no meaning of its own
	upper      bool     // begins with a capital letter
	digit      bool     // holds a digit
}

// read cuts s into words.
func (m stemmer) read(s string) text {
	t := text{raw: s}
	for i := 0; i < len(s) && len(t.toks) < maxTokens; {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !begins(s, i, r) {
			i += n
			continue
		}
		end := wordEnd(s, i)
		t.toks = append(t.toks, m.token(s, i, end))
		i = end
	}
	if n := len(t.toks); n == maxTokens {
		t.raw = s[:t.toks[n-1].end] // what is not read costs nothing
	}
	return t
}

func (m stemmer) token(s string, start, end int) token {
	raw := s[start:end]
	word := fold(raw)
	r, _ := utf8.DecodeRuneInString(raw)
	tok := token{
		start: start, end: end, raw: raw, word: word,
		stop: stopWords()[word], upper: unicode.IsUpper(r), digit: strings.ContainsAny(raw, "0123456789"),
	}
	tok.stem = m.stem(word)
	tok.stems = []string{tok.stem}
	if parts := splitName(raw); len(parts) > 1 {
		for _, p := range parts {
			tok.stems = append(tok.stems, m.stem(p))
		}
		tok.stems = append(tok.stems, m.stem(strings.Join(parts, "")))
	}
	return tok
}

// begins reports whether a word begins at i. A sign or a currency belongs to
// the number that it stands before.
func begins(s string, i int, r rune) bool {
	if wordRune(r) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	return lead(s[i:]) > 0 && !wordRune(before) && before != '.'
}

// lead is the length of the signs and currencies before a number.
func lead(s string) int {
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			return i
		case i > 6 || !strings.ContainsRune("+-−.", r) && !unicode.Is(unicode.Sc, r):
			return 0
		}
	}
	return 0
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || unicode.Is(unicode.Mn, r) ||
		unicode.Is(unicode.So, r) && r > 0x7f && r != utf8.RuneError || unicode.Is(unicode.No, r)
}

// wordEnd is where the word that begins at i ends.
func wordEnd(s string, i int) int {
	for j := i + lead(s[i:]); j < len(s); {
		r, n := utf8.DecodeRuneInString(s[j:])
		switch {
		case wordRune(r), joins(s, j, r):
			j += n
		case j > i && (r == '%' || r == '#' || r == '+' && !spaced(s, j+1)):
			return j + n
		default:
			return j
		}
	}
	return len(s)
}

// joins reports whether the mark r at j stands inside a word: 1,000 and
// km/h and S&P and don't and 9.8 and two-sample.
func joins(s string, j int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:j])
	after, _ := utf8.DecodeRuneInString(s[min(j+utf8.RuneLen(r), len(s)):])
	digits := unicode.IsDigit(before) && unicode.IsDigit(after)
	switch r {
	case '.', '-', '/', '\\', '&', '^', '+':
		return wordRune(before) && wordRune(after)
	case '\'', '’':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	case ':', '*':
		return digits
	case ',':
		return digits && thousands(s, j)
	}
	return false
}

// thousands reports whether the comma at j groups digits: exactly three
// follow, and one to three stand before.
func thousands(s string, j int) bool {
	digits := func(b byte) bool { return b >= '0' && b <= '9' }
	after, before := 0, 0
	for k := j + 1; k < len(s) && digits(s[k]); k++ {
		after++
	}
	for k := j - 1; k >= 0 && digits(s[k]); k-- {
		before++
	}
	return after == 3 && before >= 1 && before <= 3
}

// spaced reports whether a word goes on at j.
func spaced(s string, j int) bool {
	r, _ := utf8.DecodeRuneInString(s[min(j, len(s)):])
	return wordRune(r)
}

// fold brings different writings of a word together.
func fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.ReplaceAll(cases.Fold().String(norm.NFKC.String(s)), "’", "'")
		}
	}
	return strings.ToLower(s)
}

// splitName cuts a name at its case, digits' edges excepted: getHTTPStatus,
// snake_case, dotted.name and two-sample each become words.
func splitName(s string) []string {
	var words []string
	runes := []rune(s)
	begin := 0
	cut := func(end int) {
		if end > begin {
			words = append(words, fold(string(runes[begin:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			begin = i + 1
		case i > begin && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) ||
			i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])):
			cut(i)
			begin = i
		}
	}
	cut(len(runes))
	return words
}

// stemmer remembers stems: a catalog says the same words over and over.
type stemmer map[string]string

// stem is the canonical stem of a folded word: that of its group where words
// stand for one another, else that of Porter's second algorithm.
func (m stemmer) stem(word string) string {
	if s, ok := m[word]; ok {
		return s
	}
	s := english.Stem(strings.TrimSuffix(word, "'s"), true)
	if g, ok := groups()[s]; ok {
		s = g
	}
	if m != nil && len(word) <= 64 {
		m[word] = s
	}
	return s
}

// gap is what stands between token i-1 and token i.
func (t text) gap(i int) string {
	if i <= 0 || i >= len(t.toks) {
		return "\n"
	}
	return t.raw[t.toks[i-1].end:t.toks[i].start]
}

// breaks reports whether a clause ends before token i. The point of an
// abbreviation ends none.
func (t text) breaks(i int) bool {
	return strings.ContainsAny(t.gap(i), ";!?:()[]{}\n") || t.stops(i)
}

// stops reports whether a sentence ends before token i.
func (t text) stops(i int) bool {
	g := t.gap(i)
	return strings.ContainsAny(g, ";!?\n") || strings.Contains(g, ".") && !strings.Contains(t.toks[i-1].raw, ".")
}

// span is the text of tokens [from, to) as written.
func (t text) span(from, to int) string {
	if from >= to {
		return ""
	}
	return t.raw[t.toks[from].start:t.toks[to-1].end]
}
