package speech

import (
	"cmp"
	"slices"
	"strings"
)

// Word is token i as written, "" if it is quoted or does not exist.
func (t *Text) Word(i int) string {
	if i < 0 || i >= len(t.Tokens) || t.Tokens[i].Quoted {
		return ""
	}
	return t.NFC[t.Tokens[i].Start:t.Tokens[i].End]
}

// Low is token i in lower case.
func (t *Text) Low(i int) string { return strings.ToLower(t.Word(i)) }

// Label is token i in lower case, without a mark that ends a label.
func (t *Text) Label(i int) string { return strings.TrimRight(t.Low(i), ":=") }

// Behind is token i in lower case, if only spaces or a hyphen separate it from the token
// before.
func (t *Text) Behind(i int) string {
	if i <= 0 || i >= len(t.Tokens) || strings.Trim(t.Gap(i), " -") != "" {
		return ""
	}
	return t.Low(i)
}

// Parts reports whether punctuation before token i ends a phrase.
func (t *Text) Parts(i int) bool { return strings.ContainsAny(t.Gap(i), ",.;:!?") }

// Negation is the nearest of some words that negate, at most reach tokens before token i
// and in its phrase. It also finds "instead" of, "rather" and "other" than, and, if the
// words have n't, every don't. A pleonasm negates nothing: don't forget the draft.
func (t *Text) Negation(i, reach int, words map[string]bool) string {
	for k := i - 1; k >= max(0, i-reach) && !t.Parts(k+1); k-- {
		low, before := strings.ReplaceAll(t.Label(k), "’", "'"), t.Label(k-1)
		switch {
		case pleonasms()[low]:
			return ""
		case words[low], words["n't"] && strings.HasSuffix(low, "n't"):
			return low
		case low == "of" && before == "instead", low == "than" && (before == "rather" || before == "other"):
			return before
		case low == "of", low == "than":
			return ""
		}
	}
	return ""
}

// Gap is the text between token i and the one before. It is a line break if one of them
// does not exist.
func (t *Text) Gap(i int) string {
	if i <= 0 || i >= len(t.Tokens) {
		return "\n"
	}
	return t.NFC[t.Tokens[i-1].End:t.Tokens[i].Start]
}

// At is the first token that ends behind a place.
func (t *Text) At(place int) int {
	i, _ := slices.BinarySearchFunc(t.Tokens, place, func(k Token, at int) int { return cmp.Compare(k.OuterEnd, at+1) })
	return i
}
