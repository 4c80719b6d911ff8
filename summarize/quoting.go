package summarize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// quoting follows brackets and quotation marks: nothing is cut inside them.
type quoting struct {
	depth  int  // of brackets
	mark   rune // the typographic mark that is open, as often as level says
	level  int
	quoted bool // inside straight double quotes
	single bool // inside straight single quotes
	code   bool // inside backticks
	struck bool // inside ~~
}

func (q *quoting) open() bool {
	return q.depth > 0 || q.level > 0 || q.quoted || q.single || q.code || q.struck
}

func (q *quoting) see(r rune, before, after string) {
	if unicode.IsLetter(r) || blank(r) {
		return // most of a text
	}
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case r == '"':
		q.quoted = !q.quoted && !unicode.IsDigit(last) // 5" opens nothing
	case r == '`':
		q.code = !q.code
	case r == '~':
		q.struck = q.struck != (last == '~')
	case r == '\'' && !q.single:
		q.single = !inWord(last) && unicode.IsLetter(next) // not don't, '90s
	case q.single && (r == '\'' || r == '’'):
		q.single = apostrophe(last, next, after)
	case strings.ContainsRune("([{「『（《〈【〔［｛", r) && last != ':': // ":(" opens nothing
		q.depth++
	case strings.ContainsRune(")]}」』）》〉】〕］｝", r) && q.depth > 0:
		q.depth--
	default:
		q.turn(r, last, next, after)
	}
}

// closing are the marks that close what the mark opens. Languages turn them
// about: „German“, »Danish«, ”Swedish”.
func closing(mark rune) string {
	switch mark {
	case '“', '”':
		return "”"
	case '„', '‟':
		return "“”"
	case '«':
		return "»"
	case '»':
		return "»«"
	case '‹':
		return "›"
	case '›':
		return "›‹"
	case '‘', '’', '‛':
		return "’"
	case '‚':
		return "‘’"
	case '〝':
		return "〞〟"
	case '❝':
		return "❞"
	case '″', '＂':
		return string(mark)
	}
	return ""
}

// turn follows a typographic quotation mark. In doubt it opens, and a mark that
// nothing closes keeps the rest together.
func (q *quoting) turn(r, last, next rune, after string) {
	closes := q.closes(r)
	switch {
	case closes && (r == '’' || r == '‘') && apostrophe(last, next, after):
	case closes && (!blank(last) || strings.ContainsRune("«»‹›", r)): // French puts blanks inside
		q.level--
	case closes || q.level > 0 && r == q.mark:
		q.level++
	case q.level == 0 && opens(r, last, next):
		q.mark, q.level = r, 1
	}
}

func (q *quoting) closes(r rune) bool {
	return q.level > 0 && strings.ContainsRune(closing(q.mark), r)
}

// opens reports whether a mark opens a quotation, where none is open.
func opens(r, last, next rune) bool {
	switch r {
	case '‘':
		return !inWord(last) && !blank(next) && !unicode.IsDigit(next) // not ‘90s
	case '’', '‛':
		return !inWord(last) && unicode.IsLetter(next)
	case '”', '»', '›', '″', '＂':
		return !inWord(last) // not 5″, nor what closes a quotation that began elsewhere
	}
	return closing(r) != ""
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// apostrophe reports whether a single mark may be one: don't, the vendors' data.
// A mark behind an s closes if no other is left to close what is open.
func apostrophe(last, next rune, after string) bool {
	if last != 's' && last != 'S' || !blank(next) {
		return unicode.IsLetter(next)
	}
	for i, r := range after {
		if r != '\'' && r != '’' && r != '‘' {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(after[:i])
		behind, _ := utf8.DecodeRuneInString(after[i+utf8.RuneLen(r):])
		if !inWord(before) || !unicode.IsLetter(behind) {
			return r != '‘' && !unicode.IsLetter(behind)
		}
	}
	return false
}

// after passes the stops at i and what closes behind them.
func (q *quoting) after(s string, i, to int) int {
	for i < to {
		r, n := utf8.DecodeRuneInString(s[i:to])
		if !stop(r) && !q.closes(r) && !strings.ContainsRune("\"'”’»)]}*_`」』）", r) || r == '"' && !q.quoted {
			break
		}
		q.see(r, "", s[i+n:to])
		i += n
	}
	return i
}
