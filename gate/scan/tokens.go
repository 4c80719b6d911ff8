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
	at               int
	sentence, clause bool  // the next token begins one
	ahead            token // read already, if it is not empty
}

func newLexer(text string) *lexer {
	return &lexer{text: text, sentence: true, clause: true}
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
	t.role = roleOf(l.text[t.start:t.end])
	return t, true
}

// wordEnds are not part of the word that they end.
var wordEnds = lex.ClassOf(".:-_")

var smallLetters = lex.ClassOf(lex.WordBytes[:26])

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
		case c == '\'' && lex.Letter(l.text[end-1]) && l.letter(end+1): // don't
		case gapBytes.Has(c), strings.HasPrefix(l.text[end:], "--"):
			return end
		}
		end++
	}
	return end
}

// letter reports whether a letter is at i.
func (l *lexer) letter(i int) bool { return i < len(l.text) && lex.Letter(l.text[i]) }

// gap is the number of separator bytes here. It marks the clause or sentence that they end.
func (l *lexer) gap() int {
	c, next := l.text[l.at], byte(0)
	if l.at+1 < len(l.text) {
		next = l.text[l.at+1]
	}
	switch {
	case c == ' ' || c == '\t':
		return 1
	case c == '\n' && l.wrapped():
		l.clause = true
		return 1
	case strings.IndexByte("\n!?;|", c) >= 0: // a cell of a table is a sentence
		l.sentence = true
		return 1
	case c == '\\' && strings.IndexByte("nrt\"'", next) >= 0:
		l.sentence = true // an escape of JSON in a text
		return 2
	case strings.IndexByte("\"'`", c) >= 0:
		l.sentence, l.clause = l.sentence || l.data(), true
		return 1
	case c >= utf8.RuneSelf:
		return l.sign()
	case gapBytes.Has(c) || c == '_': // which emphasizes
		l.clause = true
		return 1
	case strings.IndexByte(".:", c) >= 0 && (gapBytes.Has(next) || wordEnds.Has(next)): // after a closing sign
		l.sentence, l.clause = l.sentence || c == '.', true
		return 1
	case c == '-' && strings.IndexByte("- ", next) >= 0, c == '#', strings.HasPrefix(l.text[l.at:], "//"):
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
	before := strings.TrimRight(l.text[max(0, l.at-3):l.at], " :,(")
	behind := before != "" && lex.Letter(before[len(before)-1])
	return !behind && !(strings.HasPrefix(l.text[l.at+1:], " ") && l.letter(l.at+2))
}

// roleOf has the roles of a token.
func roleOf(s string) role {
	low := unmasked(s)
	if r := lexicon()[low]; r != 0 || strings.ContainsFunc(s, beyondASCII) {
		return r
	}
	if first, _, is := strings.Cut(low, "-"); is && len(first) == 2 && lexicon()[first]&model != 0 {
		return model // AI-agents
	}
	return shapeOf(s)
}

func beyondASCII(r rune) bool { return r >= utf8.RuneSelf }

// unmasked is a word without disguise. It drops invisible characters, and replaces
// look-alikes from other alphabets in a word with Latin letters.
func unmasked(s string) string {
	if !strings.ContainsFunc(s, beyondASCII) {
		return strings.ToLower(s)
	}
	s = norm.NFKC.String(s) // letters of mathematics and of full width
	latin := strings.ContainsFunc(s, func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) })
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
func shapeOf(s string) role {
	slash, under, inner, digits := strings.Count(s, "/"), strings.Count(s, "_"), false, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z':
			inner = inner || i > 0 && smallLetters.Has(s[i-1])
		}
	}
	switch {
	case strings.Contains(s, "://"), strings.HasPrefix(s, "www."), digits >= 7 && digits*2 >= len(s):
		return place
	case strings.Count(s, "@") == 1 && strings.IndexByte(s, '.') > 0:
		return place
	case slash > 0 && strings.IndexByte("/~.", s[0]) >= 0:
		return file | lexicon()[strings.ToLower(s[1:])]&drops // or a command: /ignore
	case under > 0 && under < len(s), inner && digits+slash == 0:
		return name
	}
	return 0
}
