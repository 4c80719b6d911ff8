package speech

import (
	"iter"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/lex"
)

// Word is a word of prose, or an address, a path or a name in it. It is the bytes from Start
// up to End of the given text.
type Word struct {
	Start, End int
	Begins     Level
}

// Level is what a word of prose begins.
type Level uint8

// The levels. Each includes those before it.
const (
	Inside Level = iota // nothing
	Clause              // words behind a comma, a bracket or a quotation mark
	Part                // a cell of a table, an item of a list, or a string of data
	Stop                // a sentence: words behind a full stop, or on a new line
)

// Words are the words of a text that others wrote. Unlike a [Text], it has no values in
// quotation marks and no normal form: a quoted order is read as well.
func Words(text string) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		p := prose{text: text, begins: Stop}
		for w, more := p.next(); more && yield(w); w, more = p.next() {
		}
	}
}

// Sentences are the sentences of such a text, at least one, each from its first word to its
// last.
func Sentences(text string) (all []string) {
	from, end := 0, 0
	for w := range Words(text) {
		switch {
		case end == 0:
			from = w.Start
		case w.Begins == Stop:
			all, from = append(all, text[from:end]), w.Start
		}
		end = w.End
	}
	return append(all, text[from:end])
}

// prose cuts a text into words, in one pass.
type prose struct {
	text   string
	at     int
	begins Level // of the next word
}

// Signs between words. Those inside an address, a path or a name do not separate words, and
// those in wordEnds are not part of the word that they end.
var (
	gapBytes = lex.ClassOf(" \t\r\n\"'`,;!?|<>(){}[]*\\\x00")
	wordEnds = lex.ClassOf(".:-_")
	stopped  = lex.ClassOf(" \t\r\n\"')]\x00") // behind the ! or ? of a sentence
)

// signs are the levels of words behind a sign that ends a word, or that is not ASCII.
var signs = sync.OnceValue(func() map[rune]Level {
	all := map[rune]Level{}
	for level, of := range map[Level]string{Clause: "“„«‘‚「”»」:-", Part: "…，–—", Stop: "。！？."} {
		for _, r := range of {
			all[r] = level
		}
	}
	return all
})

// next is the next word; false at the end of the text.
func (p *prose) next() (w Word, more bool) {
	for n := 1; n > 0 && p.at < len(p.text); p.at += n {
		n = p.gap()
	}
	if p.at == len(p.text) {
		return w, false
	}
	w = Word{p.at, p.wordEnd(), p.begins}
	p.at, p.begins = w.End, Inside
	for w.End > w.Start+1 && wordEnds.Has(p.text[w.End-1]) {
		w.End--
		p.ends(signs()[rune(p.text[w.End])], 0)
	}
	return w, true
}

// ends notes that the next word begins at least a level, and returns n.
func (p *prose) ends(level Level, n int) int {
	p.begins = max(p.begins, level)
	return n
}

// wordEnd is the end of the word that begins here.
func (p *prose) wordEnd() int {
	end := p.at
	for end < len(p.text) {
		switch c := p.text[end]; {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(p.text[end:])
			if signs()[r] > Inside {
				return end
			}
			end += n - 1
		case c == '\'' && lex.Letter(p.text[end-1]) && p.letter(end+1): // don't
		case gapBytes.Has(c), strings.HasPrefix(p.text[end:], "--"):
			return end
		}
		end++
	}
	return end
}

// letter reports whether a letter is at i.
func (p *prose) letter(i int) bool { return i < len(p.text) && lex.Letter(p.text[i]) }

// gap is the number of bytes here that separate words, 0 if a word begins.
func (p *prose) gap() int {
	c, next := p.text[p.at], byte(0)
	if p.at+1 < len(p.text) {
		next = p.text[p.at+1]
	}
	switch {
	case c == ' ' || c == '\t':
		return 1
	case c == '\n' && p.wrapped():
		return p.ends(Clause, 1)
	case c == '\n', strings.IndexByte("!?", c) >= 0 && stopped.Has(next):
		return p.ends(Stop, 1)
	case strings.IndexByte("!?;|", c) >= 0:
		return p.ends(Part, 1)
	case c == '\\' && strings.IndexByte("nrt\"'", next) >= 0: // an escape of JSON
		return p.ends(Part, 2)
	case strings.IndexByte("\"'`", c) >= 0:
		return p.ends(p.quotes(), 1)
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRuneInString(p.text[p.at:])
		if level := signs()[r]; level > Inside {
			return p.ends(level, n)
		}
	case gapBytes.Has(c) || c == '_': // which emphasizes
		return p.ends(Clause, 1)
	case strings.IndexByte(".:", c) >= 0 && (gapBytes.Has(next) || wordEnds.Has(next)): // after a closing sign
		return p.ends(signs()[rune(c)], 1)
	case c == '-' && strings.IndexByte("- ", next) >= 0, c == '#', strings.HasPrefix(p.text[p.at:], "//"):
		return p.ends(Part, 1)
	}
	return 0
}

// wrapped reports whether the line that ends here goes on in the next one.
func (p *prose) wrapped() bool {
	rest := strings.TrimLeft(p.text[p.at+1:], " \t>")
	return rest != "" && rest[0] >= 'a' && rest[0] <= 'z'
}

// quotes is the level of the words behind the quotation mark here. Words of a sentence,
// as in "Ignore" all of it, begin a clause, and a string of data is a part.
func (p *prose) quotes() Level {
	before := strings.TrimRight(p.text[max(0, p.at-3):p.at], " :,(")
	behind := before != "" && lex.Letter(before[len(before)-1])
	if behind || strings.HasPrefix(p.text[p.at+1:], " ") && p.letter(p.at+2) {
		return Clause
	}
	return Part
}

// quotation matches a quotation in prose: a word precedes its mark.
var quotation = lex.Pattern("[A-Za-z`][ :,(]+(?:\"[^\"]+\"(?:,?(?: and| or)? \"[^\"]+\")*|'(?:[^']|'[a-z])+')|`[^`]+`|“[^”]+”|„[^“”]+[“”]|«[^»]+»|‘[^’]+’|「[^」]+」")

// quoteMax is the longest quotation: no prose quotes a longer phrase.
const quoteMax = 400

// Quotes reports whether prose quotes the words at two places of a text together.
func Quotes(text string, at, next int) bool {
	before, after := text[max(0, at-quoteMax):at], text[at:min(len(text), at+quoteMax)]
	before = before[strings.LastIndex(before, "\n\n")+1:]
	after, _, _ = strings.Cut(after, "\n\n")
	from := at - len(before)
	for _, q := range quotation().FindAllStringIndex(before+after, -1) {
		if from+q[0] < at && next < from+q[1] {
			return true
		}
	}
	return false
}
