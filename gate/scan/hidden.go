package scan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/speech"
)

const (
	// strayMax is how many unexplained invisible characters a text may have before they may
	// be a message. A page that was copied has one or two.
	strayMax = 3
	// periodMax is how many of them a mail repeats, over and over, as the padding behind
	// its first line. A message does not repeat.
	periodMax = 6
	// spelledMax bounds how many invisible characters are read.
	spelledMax = 1 << 10
)

// hiddenText are stretches of invisible characters.
type hiddenText struct {
	tags, reordering, invisible []hit
}

// hiddenIn is one pass over the characters that are not ASCII.
func hiddenIn(text string) hiddenText {
	var h hiddenText
	rightToLeft := false // decided at the first character that needs it
	known := false
	before := rune(0)
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			before = rune(text[i])
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case isTag(r):
			if flag := flagTags().FindString(text[i:]); flag != "" && before == '\U0001F3F4' {
				n = len(flag)
			} else {
				join(&h.tags, i, n)
			}
		case isReordering(r):
			if !known {
				known, rightToLeft = true, hasRightToLeft(text)
			}
			if !rightToLeft || r == '\u202D' || r == '\u202E' {
				join(&h.reordering, i, n)
			}
		case isInvisible(r):
			after, _ := utf8.DecodeRuneInString(text[i+n:])
			if !accounted(r, before, after) {
				join(&h.invisible, i, n)
			}
		}
		before = r
		i += n
	}
	return h
}

// join adds a stretch to the list, or to the end of its last one.
func join(all *[]hit, at, n int) {
	if last := len(*all) - 1; last >= 0 && (*all)[last].end == at {
		(*all)[last].end += n
	} else {
		*all = append(*all, hit{at, at + n})
	}
}

// weigh reports whether the invisible characters are a finding. They are hard if they can
// be a message. Padding cannot be one, nor can a few inside a word: these are soft. A few
// strays elsewhere are not a finding, because copied pages have them.
func (h hiddenText) weigh(text string) (tier Tier, found bool) {
	var all []rune
	inside := 0
	for _, at := range h.invisible {
		all = append(all, []rune(text[at.start:min(at.end, at.start+spelledMax)])...)
		if latin(text, at.start-1) && latin(text, at.end) {
			inside++
		}
		if len(all) > spelledMax {
			break
		}
	}
	switch {
	case len(all) > strayMax && (inside > 1 || !repeats(all)):
		return Hard, true
	case len(all) > strayMax || inside > 0:
		return Soft, true
	}
	return Soft, false
}

var latinLetters = lex.ClassOf(lex.WordBytes[:52])

func latin(text string, i int) bool { return i >= 0 && i < len(text) && latinLetters.Has(text[i]) }

// repeats reports whether the same few characters come over and over.
func repeats(all []rune) bool {
	for period := 1; period <= periodMax; period++ {
		if slices.Equal(all[min(period, len(all)):], all[:max(0, len(all)-period)]) {
			return true
		}
	}
	return false
}

func isTag(r rune) bool { return r >= 0xE0000 && r <= 0xE007F }

// flagTags matches the tags of a region's flag, after a black flag, as in Unicode TR 51. They
// are letters and digits, then the end tag.
var flagTags = lex.Pattern(`^[\x{E0030}-\x{E007A}]{3,6}\x{E007F}`)

// isReordering reports whether r is a control that shows text in another order than it has.
func isReordering(r rune) bool {
	return strings.ContainsRune("\u202A\u202B\u202D\u202E\u2066\u2067\u2068", r)
}

func hasRightToLeft(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam)
	})
}

// isInvisible reports whether r is drawn as nothing and is not white space.
func isInvisible(r rune) bool {
	if r <= 0x9F || r == utf8.RuneError {
		return false
	}
	return !escape.Visible(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Co, r)
}

// accounted reports whether honest text has the invisible character between such
// neighbours.
func accounted(r, before, after rune) bool {
	sign := before > 0xFF && !isInvisible(before)
	switch {
	case r == '\ufeff':
		return before == 0 // a byte order mark
	case r == '\u00AD':
		return unicode.IsLetter(before) && unicode.IsLetter(after) // a soft hyphen
	case r == '\u200B':
		return speech.Unspaced(before) || speech.Unspaced(after)
	case r == '\u200C', r == '\u200D':
		return before == '\uFE0F' || sign && !unicode.In(before, unicode.Latin, unicode.Greek, unicode.Cyrillic)
	case r >= 0xFE00 && r <= 0xFE0F:
		return sign || strings.ContainsRune("0123456789#*\u00A9\u00AE", before)
	case r >= 0xE0100 && r <= 0xE01EF:
		return unicode.Is(unicode.Han, before)
	case r == '\u200E', r == '\u200F', r == '\u061C', r == '\u202C', r == '\u2069':
		return true // they reorder nothing by themselves
	}
	return r >= 0x2061 && r <= 0x2064 // in formulas
}
