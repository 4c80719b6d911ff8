package scan

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/onestep-run/onestep/gate/speech"
)

// role is a role of a word in an order. A word may have several.
type role uint32

// The roles.
const (
	drops   role = 1 << iota // the verb of "ignore your instructions", and of "pay no attention to" them
	informs                  // verbs of informing, such as to mention
	model                    // an addressed model: assistant, agent
	acts                     // the verb of an order
	spared                   // verbs of orders that are common on pages: see, contact
	leads                    // words that may precede the verb of an order: now, please, must
	target                   // the object of an order: password, conversation, tool
	place                    // an address, a URL, a phone or account number
	name                     // an identifier: delete_all, getUser
	file                     // a path
)

// roles are the roles of the lexicon; the form of a token gives the others.
var roles = map[string]role{
	"drops": drops, "informs": informs, "model": model, "acts": acts, "spared": spared, "leads": leads, "target": target,
}

var shapes = [...]role{speech.Address: place, speech.Path: file, speech.Identifier: name}

//go:embed words.txt
var wordTable string

// lexicon has the roles of each word, in lower case. It includes the verbs of gate/speech,
// and words of German, French, Spanish, Italian, Portuguese and Russian that the first rule
// needs.
var lexicon = sync.OnceValue(func() map[string]role {
	all := map[string]role{}
	for _, verb := range speech.InTexts() {
		all[verb] = acts
	}
	for line := range strings.Lines(wordTable) {
		row := strings.Fields(line)
		for _, word := range row[1:] {
			all[word] |= roles[row[0]]
		}
	}
	return all
})

// roleOf has the roles of a token.
func roleOf(s string) role {
	low := unmasked(s)
	if r := lexicon()[low]; r != 0 || strings.ContainsFunc(s, beyondASCII) {
		return r
	}
	if first, _, is := strings.Cut(low, "-"); is && len(first) == 2 && lexicon()[first]&model != 0 {
		return model // AI-agents
	}
	r := shapes[speech.ShapeOf(s)]
	if r == file {
		r |= lexicon()[strings.ToLower(s[1:])] & drops // or a command: /ignore
	}
	return r
}

func beyondASCII(r rune) bool { return r >= utf8.RuneSelf }

// unmasked is a word without disguise. It drops invisible characters, and replaces
// look-alikes from other alphabets in a word with Latin letters.
func unmasked(s string) string {
	if !strings.ContainsFunc(s, beyondASCII) {
		return strings.ToLower(s)
	}
	s = norm.NFKC.String(s) // letters of mathematics and of full width
	latin := strings.ContainsFunc(s, func(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) })
	return strings.Map(func(r rune) rune {
		switch like := alike()[r]; {
		case like != 0 && latin:
			return like
		case isInvisible(r):
			return -1
		case r == '’':
			return '\''
		}
		return unicode.ToLower(r)
	}, s)
}

var alike = sync.OnceValue(func() map[rune]rune {
	all := map[rune]rune{}
	latin := []rune("aceopxyijsahbmtkaoeivpuntkicp")
	for i, r := range []rune("асеорхуіјѕаһвмткαοεινρυητκιсΡ") {
		all[r], all[unicode.ToUpper(r)] = latin[i], latin[i]
	}
	return all
})
