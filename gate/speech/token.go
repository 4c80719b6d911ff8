package speech

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/onestep-run/onestep/gate/lex"
)

// Text is a text cut into tokens. Its numbers and times are read once, at their first use.
type Text struct {
	NFC      string // in Unicode's form NFC; all places are offsets in it
	Tokens   []Token
	Literals []int // indexes of the literal tokens

	quantities []Quantity
	moments    []Moment
	periods    []Period
	read       struct{ quantities, moments, periods bool }
	unclosed   []rune // closing marks that do not come any more
}

// Token is a word or a literal: the bytes from Start up to End. From Outer up to
// OuterEnd it is with the punctuation around it.
type Token struct {
	Start, End, Outer, OuterEnd int

	Literal bool // it is quoted, or has a digit, an inner mark or an inner capital
	Quoted  bool // it was in quotation marks
}

// Cut reads a text into t in place of the old one, and reuses its memory.
func (t *Text) Cut(s string) {
	all := norm.NFC.String(s)
	*t = Text{NFC: all, Literals: t.Literals[:0], Tokens: slices.Grow(t.Tokens[:0], 1+strings.Count(all, " "))}
	for at := 0; at < len(all); {
		at = t.next(at)
	}
}

// Tokens cuts a text.
func Tokens(s string) Text {
	var t Text
	t.Cut(s)
	return t
}

// Marks that may surround a token without being part of it. Those at the front of a number
// or a name may still belong to it.
const (
	front = "([{<\"'“‘«„‚¿¡*`（「『【《#@$€£¥№§"
	back  = ")]}>\"'”’»“*`.,;:!?…）」』】》。、，；：！？।؟۔"
)

// next reads the token at a place, and returns the place of the next one.
func (t *Text) next(at int) int {
	r, n := utf8.DecodeRuneInString(t.NFC[at:])
	if unicode.IsSpace(r) {
		return at + n
	}
	if end, quoted := t.quotation(at, r, n); quoted {
		return end
	}
	if Unspaced(r) {
		t.add(between(at, at+n))
		return at + n
	}
	end := t.wordEnd(at)
	k := between(at, end)
	if !Alphanumeric(t.NFC[at]) {
		k.Start = end - len(strings.TrimLeft(t.NFC[at:end], front))
	}
	if !Alphanumeric(t.NFC[end-1]) {
		k.End = at + len(strings.TrimRight(t.NFC[at:end], back))
	}
	if k.Start < k.End { // else it is punctuation alone
		k.Literal = literal(t.NFC[k.Start:k.End])
		t.add(k)
	}
	return end
}

// between is a token without punctuation around it.
func between(start, end int) Token {
	return Token{Start: start, End: end, Outer: start, OuterEnd: end}
}

func (t *Text) add(k Token) {
	if k.Literal {
		t.Literals = append(t.Literals, len(t.Tokens))
	}
	t.Tokens = append(t.Tokens, k)
}

// wordEnd is the end of the word at a place. It ends at white space, at a script without
// spaces, or at a quotation as in label="needs triage".
func (t *Text) wordEnd(at int) int {
	for i, r := range t.NFC[at:] {
		if r < utf8.RuneSelf && Alphanumeric(byte(r)) {
			continue
		}
		switch {
		case unicode.IsSpace(r), Unspaced(r), i > 0 && t.quotesAt(at+i, r):
			return at + i
		}
	}
	return len(t.NFC)
}

// quotesAt reports whether a mark inside a word opens a quotation.
func (t *Text) quotesAt(at int, mark rune) bool {
	return closer[mark] != 0 && strings.IndexByte(":=,([{", t.NFC[at-1]) >= 0
}

// Alphanumeric reports whether a byte is a letter or digit of ASCII. Most bytes are, and no
// such byte is a mark around a token.
func Alphanumeric(c byte) bool {
	if c >= '0' && c <= '9' {
		return true
	}
	c = lex.Lower(c)
	return c >= 'a' && c <= 'z'
}

// Unspaced reports whether the script of a character puts no space between words. Each of
// its characters is a token.
func Unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}

// literal reports whether a token is more than a word. It has a digit, an inner mark of
// identifiers, paths and addresses, or an inner capital.
func literal(s string) bool {
	for i, r := range s {
		last := i+utf8.RuneLen(r) >= len(s)
		switch {
		case unicode.IsDigit(r):
			return true
		case i > 0 && unicode.IsUpper(r):
			return true
		case i > 0 && !last && strings.ContainsRune("_-./:@=", r):
			return true
		case i == 0 && !last && strings.ContainsRune("/~.", r):
			return true
		}
	}
	return false
}

// closer maps an opening quotation mark to its closing mark.
var closer = map[rune]rune{'"': '"', '\'': '\'', '`': '`', '“': '”', '„': '“', '‘': '’', '‚': '’', '«': '»', '「': '」', '『': '』'}

// quotation reads a quoted text that the mark at a place opens, and returns its end. A mark
// opens after white space or punctuation and closes before some, so the apostrophe of
// "don't" does neither. A quoted text is one literal.
func (t *Text) quotation(at int, opener rune, size int) (end int, quoted bool) {
	closing := closer[opener]
	if closing == 0 || !t.opens(at) || slices.Contains(t.unclosed, closing) {
		return 0, false
	}
	from := at + size
	for i, r := range t.NFC[from:] {
		end = from + i + utf8.RuneLen(closing)
		if r == closing && i > 0 && t.closes(end) {
			k := between(from, from+i)
			k.Literal, k.Quoted = true, true
			t.add(k)
			return end, true
		}
	}
	t.unclosed = append(t.unclosed, closing) // nor will the next mark find it: a text is read through once
	return 0, false
}

// opens reports whether a quotation may begin at a place.
func (t *Text) opens(at int) bool {
	before, _ := utf8.DecodeLastRuneInString(t.NFC[:at])
	switch {
	case at == 0, unicode.IsSpace(before), Unspaced(before), strings.ContainsRune(front+":=,", before):
		return true
	}
	return false
}

// closes reports whether a quotation may have ended before a place.
func (t *Text) closes(at int) bool {
	after, _ := utf8.DecodeRuneInString(t.NFC[at:])
	switch {
	case at == len(t.NFC), unicode.IsSpace(after), Unspaced(after), strings.ContainsRune(back, after):
		return true
	}
	return false
}
