package summarize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	openers = "([{\"'“‘«‹„‚「『（《〈【"
	closers = ")]}\"'”’»›“‘」』）》〉】"
)

// quoting follows brackets and quotation marks: nothing is cut inside them. One
// that is never closed keeps the rest of its block together.
type quoting []string // what closes those that are open

func (q quoting) open() bool { return len(q) > 0 }

// closing are the marks that close what a mark opens. Languages turn them
// about: „German“, »Danish«, ”Swedish”.
var closing = map[rune]string{
	'(': ")", '[': "]", '{': "}", '（': "）", '「': "」", '『': "』", '《': "》", '〈': "〉", '【': "】",
	'"': "\"", '`': "`", '~': "~", '\'': "'’", '‘': "’'", '’': "’", '“': "”", '”': "”", '„': "“”", '‚': "‘’", '«': "»", '»': "«»", '‹': "›", '›': "‹",
}

// see takes the rune r between the one before it and the rest.
func (q *quoting) see(before, r rune, rest string) {
	if inWord(r) || unicode.IsSpace(r) {
		return // most of a text
	}
	after, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == '~' && after != '~': // only ~~ strikes out
	case q.shuts(r):
		if !apostrophe(r) || !inWord(after) {
			*q = (*q)[:len(*q)-1]
		}
	case opens(before, r, after):
		*q = append(*q, closing[r])
	}
}

// shuts reports whether a mark closes the innermost one that is open.
func (q quoting) shuts(r rune) bool { return q.open() && strings.ContainsRune(q[len(q)-1], r) }

// opens reports whether a mark opens a quotation: one that could as well close
// it stands before a word and behind none.
func opens(before, r, after rune) bool {
	switch {
	case closing[r] == "", apostrophe(r) && unicode.IsDigit(after):
		return false
	case strings.ContainsRune("\"'’”»›", r):
		return !inWord(before) && !unicode.IsSpace(after)
	}
	return true
}

func apostrophe(r rune) bool { return r == '\'' || r == '’' }

// after passes the stops at i and what closes behind them.
func (q *quoting) after(s string, i, end int) int {
	for before := '.'; i < end; {
		r, n := utf8.DecodeRuneInString(s[i:end])
		shuts := q.shuts(r)
		if !stop(r) && !shuts && !strings.ContainsRune("*_)]}", r) {
			break
		}
		if shuts {
			q.see(before, r, s[i+n:end])
		}
		before, i = r, i+n
	}
	return i
}
