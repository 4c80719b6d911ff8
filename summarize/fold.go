package summarize

import (
	"iter"
	"strings"
	"unicode"
)

// span is a range of a text, in bytes.
type span struct{ from, to int }

// blanks is the white space of JSON. Only this is folded: a no-break space has to be
// selected as one.
const blanks = " \t\n\r"

// blank reports whether c is one of the blanks. It is called for every byte of a result.
func blank(c byte) bool {
	switch c {
	case ' ', '\n', '\t', '\r':
		return true
	}
	return false
}

// parts returns the ranges of s between blanks. It skips the marks of quotation at the
// beginning of a line of mail: a writer joins lines without them.
func parts(s string) iter.Seq[span] {
	return func(yield func(span) bool) {
		begins := true // at the beginning of a line
		for i := 0; i < len(s); {
			if blank(s[i]) {
				begins = begins || s[i] == '\n'
				i++
				continue
			}
			from := i
			for i < len(s) && !blank(s[i]) {
				i++
			}
			if begins && strings.Trim(s[from:i], ">") == "" {
				continue
			}
			if begins = false; !yield(span{from, i}) {
				return
			}
		}
	}
}

// fold replaces each run of white space by one blank, and removes it at the ends.
func fold(s string) string {
	var b strings.Builder // a list of all words would need ten times their bytes
	b.Grow(len(s))
	for p := range parts(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s[p.from:p.to])
	}
	return b.String()
}

// unfolded returns the range of s that folds to the bytes between from and to of its
// folded text.
func unfolded(s string, from, to int) span {
	found := span{-1, len(s)}
	done := 0 // bytes of the folded text before p
	for p := range parts(s) {
		n := p.to - p.from
		if found.from < 0 && from < done+n {
			found.from = p.from + from - done
		}
		if to <= done+n {
			found.to = p.from + to - done
			break
		}
		done += n + 1
	}
	return found
}

// says reports whether s contains a letter or a digit.
func says(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0
}
