package speech

import (
	"strings"
	"unicode"
)

// NameParts are the words of a name, in lower case. getHTTPStatus, snake_case, dotted.name
// and two-sample each become words.
func NameParts(name string) (parts []string) {
	runes, begin := []rune(name), 0
	for i := range runes {
		mark := !unicode.IsLetter(runes[i]) && !unicode.IsDigit(runes[i])
		if !mark && (i == begin || !humps(runes, i)) {
			continue
		}
		parts = appendPart(parts, runes[begin:i])
		if begin = i; mark {
			begin++
		}
	}
	return appendPart(parts, runes[min(begin, len(runes)):])
}

func appendPart(parts []string, word []rune) []string {
	if len(word) == 0 {
		return parts
	}
	return append(parts, strings.ToLower(string(word)))
}

// humps reports whether a word begins with the capital at i. It is behind a small letter,
// or the last of several capitals.
func humps(name []rune, i int) bool {
	switch {
	case !unicode.IsUpper(name[i]):
		return false
	case unicode.IsLower(name[i-1]):
		return true
	}
	return unicode.IsUpper(name[i-1]) && i+1 < len(name) && unicode.IsLower(name[i+1])
}

// Snake is a name's words with "_" between them.
func Snake(name string) string { return strings.Join(NameParts(name), "_") }
