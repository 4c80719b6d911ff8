package intent

import (
	"hash/maphash"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold is a character without its case, as strings.EqualFold compares.
func fold(r rune) rune {
	least := r
	if r >= utf8.RuneSelf {
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
	}
	if 'A' <= least && least <= 'Z' {
		return least + 'a' - 'A' // as most text is written, which is then not copied
	}
	return least
}

// seed is this process's own, so that no context can be written to have all of
// its pieces in one chain. No report hangs on it.
var seed = maphash.MakeSeed()

// hash is the same for texts that are the same but for case.
func hash(s string) uint64 {
	var room [64]byte
	folded := room[:0]
	for _, r := range s {
		folded = utf8.AppendRune(folded, fold(r))
	}
	return maphash.Bytes(seed, folded)
}

// joined is a text with its case folded, and with every run of white space,
// "_" and "-" written as one space.
func joined(s string) string {
	return strings.Join(strings.FieldsFunc(strings.Map(fold, s), joins), " ")
}
