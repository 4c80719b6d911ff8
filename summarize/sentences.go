package summarize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/lex"
)

// sentences cuts a block after each stop that certainly ends a sentence. It joins pieces
// that only make sense together: a sentence of one or two words with both its neighbours,
// and a question with its answer. A long chain of such pieces is still cut.
func sentences(out []piece, text string, b *block, group int) []piece {
	first := len(out)
	tight := false // the next piece belongs to the last
	for from := b.self.from; from < b.self.to; {
		to, next := sentence(text, from, b.self.to)
		said := text[from:to]
		brief := short(said)
		joins := len(out) > first && (tight || brief)
		if n := len(out); joins && out[n-1].to-out[n-1].from < goesOn {
			out[len(out)-1].to = to
		} else {
			out = append(out, piece{span{from, to}, b.self.under, b, group})
		}
		tight = brief || strings.ContainsAny(said[max(0, len(said)-12):], "?？؟")
		from = next
	}
	return out
}

// goesOn is the size, in bytes, from which on a piece is not extended.
const goesOn = 1 << 10

// sentence returns the end of the sentence that begins at from, and the beginning of the
// next one.
func sentence(text string, from, end int) (to, next int) {
	var q quoting
	before := ' '
	word := from
	for i := from; i < end; {
		r, n := utf8.DecodeRuneInString(text[i:end])
		if !stop(r) {
			q.see(before, r, text[i+n:end])
			if i += n; unicode.IsSpace(r) {
				word = i
			}
			before = r
			continue
		}
		to := q.after(text, i, end)
		next := begin(text, to, end)
		if !q.open() && ends(text[word:i], text[i:to], next > to, text[next:end]) {
			return to, next
		}
		before, i = r, to
	}
	return end, end
}

// begin skips white space, and the marks of quotation at the beginning of a line.
func begin(text string, from, end int) int {
	for from < end {
		rest := strings.TrimLeft(text[from:end], blanks)
		if at := end - len(rest); strings.Contains(text[from:at], "\n") {
			rest = strings.TrimLeft(rest, "> ")
		}
		if end-len(rest) == from {
			break
		}
		from = end - len(rest)
	}
	return from
}

// short reports whether a sentence has at most two words, and does not lead to the next
// one.
func short(s string) bool {
	s = strings.TrimLeft(s, "> ")
	return !leads(s) && len(s) <= 24 && len(strings.FieldsFunc(s, unicode.IsSpace)) <= 2
}

func stop(r rune) bool { return strings.ContainsRune(".!?…。！？｡।؟", r) }

// ends decides whether a sentence ends with the word before a stop. marks are the stop
// and the closing marks after it.
func ends(word, marks string, gap bool, rest string) bool {
	switch {
	case strings.ContainsAny(marks, "。｡！？।"):
		return true
	case !gap, strings.Contains(marks, "…"), strings.Contains(marks, ".."), !starts(rest):
		return false
	}
	word = strings.TrimRight(strings.TrimLeft(word, openers+"*_`~>"), closers+"*_`~")
	if sure(word, marks[0] == '.') {
		return true
	}
	return function()[firstWord(rest)] && !abbreviations()[strings.ToLower(word)] && utf8.RuneCountInString(word) > 1
}

// starts reports whether a sentence can begin with s.
func starts(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, openers+"*_"))
	return unicode.IsUpper(r) || unicode.IsTitle(r) || unicode.Is(unicode.Lo, r)
}

// sure reports whether a stop after the word ends a sentence before any text. Then the
// word is not an abbreviation, an initial, the number of an item or a short name.
func sure(word string, full bool) bool {
	if word == "" {
		return true // after a bracket or a quotation mark
	}
	first, _ := utf8.DecodeRuneInString(word)
	letters := utf8.RuneCountInString(word)
	switch {
	case full && abbreviations()[strings.ToLower(word)]:
		return false
	case strings.Trim(word, "0123456789") == "":
		return len(word) > 2
	case strings.Contains(word, "."):
		return len(word)-strings.LastIndexByte(word, '.') > 3 // example.com, but not U.S
	case strings.ContainsAny(word, "0123456789"):
		return true // no abbreviation has a digit
	case unicode.IsUpper(first) && word != strings.ToUpper(word):
		return letters > 6
	case unicode.IsUpper(first):
		return letters > 3
	}
	return letters > 2
}

func firstWord(s string) string {
	s = strings.TrimLeft(s, openers+"*_")
	return strings.ToLower(s[:len(s)-len(strings.TrimLeftFunc(s, unicode.IsLetter))])
}

var (
	// abbreviations have a full stop that may not end a sentence.
	abbreviations = lex.Words(`dr mr mrs ms prof sr jr st no nos nr art arts fig figs sec secs vol pp vs etc e.g i.e eg ie cf al
		approx inc ltd co corp llc plc gmbh dept est jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu
		thur thurs fri sat sun a.m p.m am pm ph.d m.d b.a m.a gen col sgt capt lt rep sen gov pres hon rev ave blvd rd mt
		min max hr hrs ca ed eds resp incl excl tel ext ref refs para paras ch app assn bldg cont def dist div intl misc mgr
		univ messrs admin tech supp cl cls ver bzw ggf evtl usw inkl abs str sig sra srta mme mlle av`)

	// function words begin sentences and are not names.
	function = lex.Words(`a all also an and any are as at be because before but by can do does each every for from has have he her
		his how however i if in is it its may most must my never no none not nothing of on once only or our please she
		should since so some such that the their then there these they this those to unless until use we what when where
		which while who will with without you your`)
)

const (
	openers = "([{\"'“‘«‹„‚「『（《〈【"
	closers = ")]}\"'”’»›“‘」』）》〉】"
)

// quoting follows brackets and quotation marks: nothing is cut inside them. A mark that
// is never closed keeps the rest of its block together.
type quoting []string // the closing marks of the open ones

func (q quoting) open() bool { return len(q) > 0 }

// closing are the marks that close a mark. Some languages reverse them: „German“,
// »Danish«, ”Swedish”.
var closing = map[rune]string{
	'(': ")", '[': "]", '{': "}", '（': "）", '「': "」", '『': "』", '《': "》", '〈': "〉", '【': "】",
	'"': "\"", '`': "`", '~': "~", '\'': "'’", '‘': "’'", '’': "’", '“': "”", '”': "”", '„': "“”", '‚': "‘’", '«': "»", '»': "«»", '‹': "›", '›': "‹",
}

// see reads the rune r between the rune before it and the rest.
func (q *quoting) see(before, r rune, rest string) {
	if inWord(r) || unicode.IsSpace(r) {
		return // the common case
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

// shuts reports whether a mark closes the innermost open one.
func (q quoting) shuts(r rune) bool { return q.open() && strings.ContainsRune(q[len(q)-1], r) }

// opens reports whether a mark opens a quotation. A mark that could also close one must
// be before a word and not after one.
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

// after skips the stops at i and the closing marks after them.
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
