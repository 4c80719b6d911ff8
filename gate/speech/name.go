package speech

import (
	"strings"
	"unicode"

	"github.com/onestep-run/onestep/gate/lex"
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

// Shape is what the form of a word shows.
type Shape uint8

// The shapes.
const (
	Bare       Shape = iota
	Address          // a URL or a mail address, or digits as of a phone or an account
	Path             // of a file
	Identifier       // several words in one, such as delete_all and getUser
)

var smallLetters = lex.ClassOf(lex.WordBytes[:26])

// ShapeOf is the shape of a word.
func ShapeOf(word string) Shape {
	slash, under, inner, digits := strings.Count(word, "/"), strings.Count(word, "_"), false, 0
	for i := range len(word) {
		switch c := word[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z':
			inner = inner || i > 0 && smallLetters.Has(word[i-1])
		}
	}
	switch {
	case strings.Contains(word, "://"), strings.HasPrefix(word, "www."), digits >= 7 && digits*2 >= len(word):
		return Address
	case strings.Count(word, "@") == 1 && strings.IndexByte(word, '.') > 0:
		return Address
	case slash > 0 && strings.IndexByte("/~.", word[0]) >= 0:
		return Path
	case under > 0 && under < len(word), inner && digits+slash == 0:
		return Identifier
	}
	return Bare
}
