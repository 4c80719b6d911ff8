package intent

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// text is a question or a context, cut once: into tokens, and these into
// pieces, which are what is left between white space, "_" and "-".
type text struct {
	all    string // in NFC
	tokens []token
	pieces []piece

	literals []int32            // of the tokens
	numerals []numeral          // the literals read as numbers, once one is looked for
	index    map[string][]int32 // the pieces that begin a token, by what they fold to; nil while they are few
	work     int                // comparisons that are left
}

// token is a word or a literal: the bytes from start up to end. From outer up
// to outerEnd it is with the punctuation around it.
type token struct {
	start, end, outer, outerEnd int

	literal bool
	quoted  bool // it stood in quotation marks
	used    bool // a leaf has its place in it
}

// piece is a run of bytes without white space, "_" or "-".
type piece struct {
	text        string
	start, end  int
	token       int32
	first, last bool // of its token
}

// maxWork bounds the comparisons that one text costs. What is not found within
// it counts as not there, which is a mark.
const maxWork = 1 << 17

// indexFrom is how many pieces are found faster by an index than by a look at each.
const indexFrom = 48

func cut(s string) *text {
	t := &text{all: norm.NFC.String(s), work: maxWork}
	t.tokens = make([]token, 0, 1+strings.Count(t.all, " "))
	before := ' '
	for at := 0; at < len(t.all); {
		end := t.quotation(at, before)
		if end < 0 {
			end = t.token(at)
		}
		before, _ = utf8.DecodeLastRuneInString(t.all[:end])
		at = end
	}
	t.pieces = make([]piece, 0, len(t.tokens)+4)
	for i := range t.tokens {
		t.cutToken(i)
		if t.tokens[i].literal {
			t.literals = append(t.literals, int32(i))
		}
	}
	if len(t.pieces) >= indexFrom {
		t.index = make(map[string][]int32, len(t.pieces))
		for i, p := range t.pieces {
			if p.first {
				folded := fold(p.text)
				t.index[folded] = append(t.index[folded], int32(i))
			}
		}
	}
	return t
}

// Marks that stand around a token and are none of it. Those of a number's or a
// name's front may belong to it all the same.
const (
	front = "([{<\"'“‘«„‚¿¡*`（「『【《#@$€£¥№§"
	back  = ")]}>\"'”’»“*`.,;:!?…）」』】》。、，；：！？।؟۔"
)

// token reads from at to the end of one token, and says where the next begins.
func (t *text) token(at int) int {
	r, n := utf8.DecodeRuneInString(t.all[at:])
	switch {
	case unicode.IsSpace(r):
		return at + n
	case unspaced(r):
		t.tokens = append(t.tokens, token{start: at, end: at + n, outer: at, outerEnd: at + n})
		return at + n
	}
	before := ' '
	end := at + t.until(at, func(r rune) bool {
		_, opens := closer(r)
		stop := unicode.IsSpace(r) || unspaced(r) || opens && strings.ContainsRune(":=,([{", before) // as in label="needs triage"
		before = r
		return stop
	})
	k := token{outer: at, outerEnd: end}
	k.start, k.end = at, end
	if !plain(t.all[at]) {
		k.start = end - len(strings.TrimLeft(t.all[at:end], front))
	}
	if !plain(t.all[end-1]) {
		k.end = at + len(strings.TrimRight(t.all[at:end], back))
	}
	if k.start < k.end { // else it is punctuation alone
		k.literal = literal(t.all[k.start:k.end])
		t.tokens = append(t.tokens, k)
	}
	return end
}

// plain reports whether a byte is a letter or digit of ASCII: most are, and are
// no mark that may stand around a token.
func plain(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// until is how many bytes from at on are before the first that stops.
func (t *text) until(at int, stops func(rune) bool) int {
	if n := strings.IndexFunc(t.all[at:], stops); n >= 0 {
		return n
	}
	return len(t.all) - at
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
func closer(opener rune) (rune, bool) {
	switch opener {
	case '"', '\'', '`':
		return opener, true
	case '“':
		return '”', true
	case '„':
		return '“', true
	case '‘', '‚':
		return '’', true
	case '«':
		return '»', true
	case '「':
		return '」', true
	case '『':
		return '』', true
	}
	return 0, false
}

// quotation reads a quoted text that begins at at, and says where it ends, or
// -1. A mark opens after white space or punctuation and closes before some, so that
// the apostrophe of "don't" does neither. What is quoted is one literal.
func (t *text) quotation(at int, before rune) int {
	opener, n := utf8.DecodeRuneInString(t.all[at:])
	closing, opens := closer(opener)
	if !opens || !unicode.IsSpace(before) && !strings.ContainsRune(front+":=,", before) && !unspaced(before) {
		return -1
	}
	for from := at + n; from < len(t.all); {
		r, size := utf8.DecodeRuneInString(t.all[from:])
		if r == closing && from > at+n && t.closes(from+size) {
			t.tokens = append(t.tokens, token{start: at + n, end: from, outer: at + n, outerEnd: from, literal: true, quoted: true})
			return from + size
		}
		from += size
	}
	return -1
}

// closes reports whether a quotation may have ended before at.
func (t *text) closes(at int) bool {
	after, _ := utf8.DecodeRuneInString(t.all[at:])
	return at == len(t.all) || unicode.IsSpace(after) || strings.ContainsRune(back, after) || unspaced(after)
}

// cutToken cuts one token into its pieces.
func (t *text) cutToken(i int) {
	k, had := t.tokens[i], len(t.pieces)
	for at := k.start; at < k.end; {
		stop := min(k.end, at+t.until(at, joins))
		if stop > at {
			t.pieces = append(t.pieces, piece{text: t.all[at:stop], start: at, end: stop, token: int32(i)})
		}
		_, n := utf8.DecodeRuneInString(t.all[stop:])
		at = stop + n
	}
	if len(t.pieces) > had {
		t.pieces[had].first, t.pieces[len(t.pieces)-1].last = true, true
	}
}

// joins reports whether a character is equated with the others that part words.
func joins(r rune) bool { return r == '_' || r == '-' || unicode.IsSpace(r) }

// fold is s without its case, as strings.EqualFold compares.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		if r >= utf8.RuneSelf {
			for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
				least = min(least, next)
			}
		}
		if least < utf8.RuneSelf {
			return unicode.ToLower(least) // as most text is written, which is then not copied
		}
		return least
	}, s)
}
