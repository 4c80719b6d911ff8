package intent

import (
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

// hash is the same for texts that are the same but for case.
func hash(s string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a's
	h := uint64(offset)
	for _, r := range s {
		h = (h ^ uint64(fold(r))) * prime
	}
	return h
}

// joined is a text with its case folded, and with every run of white space,
// "_" and "-" written as one space.
func joined(s string) string {
	return strings.Join(strings.FieldsFunc(strings.Map(fold, s), joins), " ")
}
