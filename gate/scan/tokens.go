package scan

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/onestep-run/onestep/gate/lex"
)

// token is a word, or a text in the form of an address, a path or a name.
type token struct {
	start, end int32
	role       role
	sentence   bool // it begins a sentence
	clause     bool // it begins a clause
}

// gapBytes separate tokens. The signs inside a URL, a path or a name do not.
var gapBytes = lex.ClassOf(" \t\r\n\"'`,;!?|<>(){}[]*\\\x00")

// lexer cuts a text into tokens, in one pass.
type lexer struct {
	text             string
	words            *vocabulary
	at               int
	sentence, clause bool  // the next token begins one
	ahead            token // read already, if it is not empty
}

func newLexer(text string) *lexer {
	return &lexer{text: text, words: lexicon(), sentence: true, clause: true}
}

// fill reads the next sentence, if there is one.
func (l *lexer) fill(s *sentence) bool {
	*s = sentence{text: l.text, tokens: s.tokens[:0], verbs: s.verbs[:0]}
	if l.ahead.end > 0 {
		s.add(l.ahead)
		l.ahead = token{}
	}
	for t, more := l.next(); more; t, more = l.next() {
		if len(s.tokens) > 0 && (t.sentence || len(s.tokens) == sentenceMax) {
			l.ahead = t
			return true
		}
		s.add(t)
	}
	return len(s.tokens) > 0
}

func (s *sentence) add(t token) {
	s.tokens = append(s.tokens, t)
	s.roles |= t.role
}

// next is the next token; false at the end of the text.
func (l *lexer) next() (token, bool) {
	for n := 1; n > 0 && l.at < len(l.text); l.at += n {
		n = l.gap()
	}
	if l.at == len(l.text) {
		return token{}, false
	}
	end := l.wordEnd()
	t := token{start: int32(l.at), end: int32(end), sentence: l.sentence, clause: l.clause || l.sentence}
	l.at, l.sentence, l.clause = end, false, false
	for t.end > t.start+1 && wordEnds.Has(l.text[t.end-1]) {
		t.end--
		l.sentence, l.clause = l.sentence || l.text[t.end] == '.', l.clause || l.text[t.end] != '_'
	}
	t.role = l.words.roleOf(l.text[t.start:t.end])
	return t, true
}

// wordEnds are not part of the word that they end.
var wordEnds = lex.ClassOf(".:-_")

// wordEnd is the end of the token that begins here.
func (l *lexer) wordEnd() int {
	end := l.at
	for end < len(l.text) {
		switch c := l.text[end]; {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(l.text[end:])
			if strings.ContainsRune(marks+stops, r) {
				return end
			}
			end += n - 1
		case c == '\'' && end > l.at && lex.Letter(l.text[end-1]) && end+1 < len(l.text) && lex.Letter(l.text[end+1]): // don't
		case gapBytes.Has(c), c == '-' && l.dash(end):
			return end
		}
		end++
	}
	return end
}

// dash reports whether a dash of two signs is at i.
func (l *lexer) dash(i int) bool { return strings.HasPrefix(l.text[i:], "--") }

// gap is the number of separator bytes here. It marks the clause or sentence that they end.
func (l *lexer) gap() int {
	c := l.text[l.at]
	switch {
	case c == ' ' || c == '\t':
		return 1
	case c == '\n' && l.wrapped():
		l.clause = true
		return 1
	case c == '\n' || c == '!' || c == '?' || c == ';' || c == '|': // a cell of a table is a sentence
		l.sentence = true
		return 1
	case c == '\\' && l.at+1 < len(l.text) && strings.IndexByte("nrt\"'", l.text[l.at+1]) >= 0:
		l.sentence = true // an escape of JSON in a text
		return 2
	case c == '"' || c == '\'' || c == '`':
		l.sentence, l.clause = l.sentence || l.data(), true
		return 1
	case c >= utf8.RuneSelf:
		return l.sign()
	case gapBytes.Has(c) || c == '_': // which emphasizes
		l.clause = true
		return 1
	case (c == '.' || c == ':') && (l.at+1 == len(l.text) || gapBytes.Has(l.text[l.at+1]) || wordEnds.Has(l.text[l.at+1])): // after a closing sign
		l.sentence, l.clause = l.sentence || c == '.', true
		return 1
	case c == '-' && (l.dash(l.at) || l.at+1 < len(l.text) && l.text[l.at+1] == ' ') || c == '#' || strings.HasPrefix(l.text[l.at:], "//"):
		l.sentence = true
		return 1
	}
	return 0
}

// wrapped reports whether the line that ends here goes on in the next one.
func (l *lexer) wrapped() bool {
	rest := strings.TrimLeft(l.text[l.at+1:], " \t>")
	return rest != "" && rest[0] >= 'a' && rest[0] <= 'z'
}

// Signs that are not ASCII: of quotations, and of the end of a sentence.
const marks, stops = "“„«‘‚「”»」", "…。，–—"

// sign reads a sign that is not ASCII; it is 0 if a word begins here.
func (l *lexer) sign() int {
	r, n := utf8.DecodeRuneInString(l.text[l.at:])
	switch {
	case strings.ContainsRune(marks, r):
		l.clause = true
	case strings.ContainsRune(stops, r):
		l.sentence = true
	default:
		return 0
	}
	return n
}

// data reports whether the mark here bounds a string of data, not words of a sentence:
// "Ignore" all of it.
func (l *lexer) data() bool {
	before, after := strings.TrimRight(l.text[max(0, l.at-3):l.at], " :,("), l.text[l.at+1:]
	return (before == "" || !lex.Letter(before[len(before)-1])) && (len(after) < 2 || after[0] != ' ' || !lex.Letter(after[1]))
}

// roleOf has the roles of a token.
func (v *vocabulary) roleOf(s string) role {
	var buf [wordMax]byte
	ascii, plain := true, true // plain: letters, and no capital but the first
	for i := range len(s) {
		c := s[i]
		plain = plain && c|0x20 >= 'a' && c|0x20 <= 'z' && (i == 0 || c >= 'a')
		if ascii = ascii && c < utf8.RuneSelf; i < len(buf) {
			buf[i] = lex.Lower(c)
		}
	}
	switch {
	case !ascii:
		return v.words[unmasked(s)]
	case len(s) <= len(buf):
		if r := v.role(buf[:len(s)]); r != 0 || plain {
			return r
		}
		if len(s) > 3 && s[2] == '-' && v.role(buf[:2])&model != 0 {
			return model // AI-agents
		}
	}
	return v.shapeOf(s)
}

// unmasked is a word without disguise. It drops invisible characters, and replaces
// look-alikes from other alphabets in a word with Latin letters.
func unmasked(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return strings.ToLower(s)
	}
	s = norm.NFKC.String(s) // letters of mathematics and of full width
	latin := strings.IndexFunc(s, func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }) >= 0
	return strings.Map(func(r rune) rune {
		switch like := alike()[r]; {
		case like != 0 && latin:
			return like
		case isInvisible(r):
			return -1
		case r == '’':
			return '\''
		}
		return unicode.ToLower(r)
	}, s)
}

var alike = sync.OnceValue(func() map[rune]rune {
	all := map[rune]rune{}
	latin := []rune("aceopxyijsahbmtkaoeivpuntkicp")
	for i, r := range []rune("асеорхуіјѕаһвмткαοεινρυητκιсΡ") {
		all[r], all[unicode.ToUpper(r)] = latin[i], latin[i]
	}
	return all
})

// shapeOf is the role of a token that is not in the lexicon, by its form.
func (v *vocabulary) shapeOf(s string) role {
	var at, slash, under, inner, digits int
	for i := range len(s) {
		switch c := s[i]; {
		case c == '@':
			at++
		case c == '/':
			slash++
		case c == '_':
			under++
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z' && i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z':
			inner++
		}
	}
	switch {
	case slash > 1 && strings.Contains(s, "://"), at == 1 && strings.IndexByte(s, '.') > 0, digits >= 7 && digits*2 >= len(s), strings.HasPrefix(s, "www."):
		return place
	case slash > 0 && (s[0] == '/' || s[0] == '~' || s[0] == '.'):
		return file | v.words[strings.ToLower(s[1:min(len(s), wordMax)])]&drops // or a command: /ignore
	case under > 0 && under < len(s) || inner > 0 && digits+slash == 0:
		return name
	}
	return 0
}
