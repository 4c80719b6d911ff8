package intent

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// text is a question, a context or a value, cut once: into tokens, and these
// into pieces, which are what is left between white space, "_" and "-".
type text struct {
	all    string // in NFC
	tokens []token
	pieces []piece

	literals       []int32    // of the tokens
	amounts        []quantity // the numbers, once one is looked for
	moments        []moment   // the dates and times, likewise
	spans          []period   // the weeks, months and quarters, likewise
	counted, dated bool
	parted         bool
	chains         []int32 // the first piece of each, plus 1
	unclosed       []rune  // the closing marks that do not come any more
	work           int     // comparisons that are left
}

// token is a word or a literal: the bytes from start up to end. From outer up
// to outerEnd it is with the punctuation around it.
type token struct {
	start, end, outer, outerEnd int32

	literal bool
	quoted  bool // it stood in quotation marks
	used    bool // a leaf has its place in it
}

// piece is a run of bytes without white space, "_" or "-".
type piece struct {
	start, end  int32
	token       int32
	next        int32 // of its chain, plus 1
	first, last bool  // of its token
}

// maxWork bounds the comparisons that one text costs. What is not found within
// it counts as not there, which is a mark.
const maxWork = 1 << 17

// cut reads a text in place of what t held, whose room it takes.
func (t *text) cut(s string) {
	all := norm.NFC.String(s)
	words := 1 + strings.Count(all, " ")
	*t = text{
		all: all, work: maxWork, literals: t.literals[:0],
		tokens: slices.Grow(t.tokens[:0], words), pieces: slices.Grow(t.pieces[:0], words+4),
	}
	for at := 0; at < len(all); {
		at = t.read(at)
	}
}

func (t *text) of(p piece) string { return t.all[p.start:p.end] }

// Marks that stand around a token and are none of it. Those of a number's or a
// name's front may belong to it all the same.
const (
	front = "([{<\"'“‘«„‚¿¡*`（「『【《#@$€£¥№§"
	back  = ")]}>\"'”’»“*`.,;:!?…）」』】》。、，；：！？।؟۔"
)

// read takes up what begins at at, and says where the next begins.
func (t *text) read(at int) int {
	r, n := utf8.DecodeRuneInString(t.all[at:])
	if unicode.IsSpace(r) {
		return at + n
	}
	if end, quoted := t.quotation(at, r, n); quoted {
		return end
	}
	if unspaced(r) {
		t.add(between(at, at+n))
		return at + n
	}
	end := t.wordEnd(at)
	k := between(at, end)
	if !plain(t.all[at]) {
		k.start = int32(end - len(strings.TrimLeft(t.all[at:end], front)))
	}
	if !plain(t.all[end-1]) {
		k.end = int32(at + len(strings.TrimRight(t.all[at:end], back)))
	}
	if k.start < k.end { // else it is punctuation alone
		k.literal = literal(t.all[k.start:k.end])
		t.add(k)
	}
	return end
}

// between is a token with nothing around it.
func between(start, end int) token {
	return token{start: int32(start), end: int32(end), outer: int32(start), outerEnd: int32(end)}
}

// wordEnd is where white space, a script without it, or a quotation as in
// label="needs triage" ends what begins at at.
func (t *text) wordEnd(at int) int {
	for i, r := range t.all[at:] {
		if r < utf8.RuneSelf && plain(byte(r)) {
			continue
		}
		if unicode.IsSpace(r) || unspaced(r) || i > 0 && closer[r] != 0 && strings.IndexByte(":=,([{", t.all[at+i-1]) >= 0 {
			return at + i
		}
	}
	return len(t.all)
}

// plain reports whether a byte is a letter or digit of ASCII: most are, and are
// no mark that may stand around a token.
func plain(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// unspaced reports whether the script of a character puts no space between
// words: each of its characters is a word.
func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// literal reports whether a token is more than a word: it has a digit, an inner
// mark of identifiers, paths and addresses, or an inner capital.
func literal(s string) bool {
	for i, r := range s {
		inner := i > 0 && i+utf8.RuneLen(r) < len(s)
		switch {
		case unicode.IsDigit(r):
			return true
		case i > 0 && unicode.IsUpper(r):
			return true
		case inner && strings.ContainsRune("_-./:@=", r), i == 0 && len(s) > 1 && strings.ContainsRune("/~.", r):
			return true
		}
	}
	return false
}

// closer is the mark that ends what an opening one quotes.
var closer = map[rune]rune{'"': '"', '\'': '\'', '`': '`', '“': '”', '„': '“', '‘': '’', '‚': '’', '«': '»', '「': '」', '『': '』'}

// quotation takes up a quoted text that the mark at at opens, and says where it
// ends. A mark opens after white space or punctuation and closes before some, so
// that the apostrophe of "don't" does neither. What is quoted is one literal.
func (t *text) quotation(at int, opener rune, size int) (end int, quoted bool) {
	closing := closer[opener]
	if closing == 0 || !t.opens(at) || slices.Contains(t.unclosed, closing) {
		return 0, false
	}
	from := at + size
	for i, r := range t.all[from:] {
		end = from + i + utf8.RuneLen(closing)
		if r == closing && i > 0 && t.closes(end) {
			k := between(from, from+i)
			k.literal, k.quoted = true, true
			t.add(k)
			return end, true
		}
	}
	t.unclosed = append(t.unclosed, closing) // nor will the next mark find it: a text is read through once
	return 0, false
}

// opens reports whether a quotation may begin at at.
func (t *text) opens(at int) bool {
	before, _ := utf8.DecodeLastRuneInString(t.all[:at])
	return at == 0 || unicode.IsSpace(before) || strings.ContainsRune(front+":=,", before) || unspaced(before)
}

// closes reports whether a quotation may have ended before at.
func (t *text) closes(at int) bool {
	after, _ := utf8.DecodeRuneInString(t.all[at:])
	return at == len(t.all) || unicode.IsSpace(after) || strings.ContainsRune(back, after) || unspaced(after)
}

// add takes up a token and its pieces.
func (t *text) add(k token) {
	i, had := int32(len(t.tokens)), len(t.pieces)
	t.tokens = append(t.tokens, k)
	if k.literal {
		t.literals = append(t.literals, i)
	}
	p := piece{start: k.start, token: i}
	for at, r := range t.all[k.start:k.end] {
		if joins(r) {
			p.end = k.start + int32(at)
			t.addPiece(p)
			p.start = p.end + int32(utf8.RuneLen(r))
		}
	}
	p.end = k.end
	t.addPiece(p)
	if len(t.pieces) > had {
		t.pieces[had].first, t.pieces[len(t.pieces)-1].last = true, true
	}
}

func (t *text) addPiece(p piece) {
	if p.start < p.end {
		t.pieces = append(t.pieces, p)
	}
}

// joins reports whether a character is equated with the others that part words.
func joins(r rune) bool { return r == '_' || r == '-' || unicode.IsSpace(r) }

// Token is a word or a literal of a text, from byte Start up to End of the text
// in Unicode's form NFC. Punctuation around it is not part of it.
type Token struct {
	Start, End int
	Literal    bool // it is quoted, or has a digit, an inner mark or an inner capital
	Quoted     bool
}

// Tokens cuts a text as [Compare] does, so that a planner can account for the
// very literals whose absence is marked.
func Tokens(s string) (nfc string, tokens []Token) {
	var t text
	t.cut(s)
	tokens = make([]Token, len(t.tokens))
	for i, k := range t.tokens {
		tokens[i] = Token{int(k.start), int(k.end), k.literal, k.quoted}
	}
	return t.all, tokens
}
