package scan

import (
	_ "embed"
	"strings"
	"sync"
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

//go:embed words.txt
var wordTable string

// lexicon has the roles of each word, in lower case. It includes the words of German,
// French, Spanish, Italian, Portuguese and Russian that the first rule needs.
var lexicon = sync.OnceValue(func() map[string]role {
	all := map[string]role{}
	for line := range strings.Lines(wordTable) {
		row := strings.Fields(line)
		for _, word := range row[1:] {
			all[word] |= roles[row[0]]
		}
	}
	return all
})
