package speech

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"

	"github.com/onestep-run/onestep/gate/lex"
)

// The table of verbs has a list of each kind, and explains it.
//
//go:embed verbs.txt
var verbTable string

var verbRows = sync.OnceValue(func() map[string]string { return lex.Table(verbTable) })

func kind(name string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool { return lex.Words(verbRows()[name])() })
}

var (
	changing, reading, sending = kind("changes"), kind("reads"), kind("sends")
	things, acts               = kind("things"), kind("acts")

	irregular = map[string]string{"sent": "send", "paid": "pay", "made": "make", "bought": "buy", "wrote": "write", "ran": "run", "took": "take", "gave": "give", "shared": "share"}
)

// Changes reports whether a word is a verb that changes something.
func Changes(word string) bool { return changing()[word] }

// Reads reports whether a word is a verb that only reads.
func Reads(word string) bool { return reading()[word] }

// Sends reports whether a word is a verb that sends something.
func Sends(word string) bool { return sending()[word] }

// Thing reports whether a word of a tool's name is a noun behind its verb.
func Thing(word string) bool { return things()[word] }

// Verb reports whether a word is a verb of the lists.
func Verb(word string) bool { return changing()[word] || reading()[word] || acts()[word] }

// InTexts are the verbs that change something or only read, in no order. Further verbs of
// tools' names, such as star and leave, are mostly nouns in a text.
func InTexts() []string {
	return slices.AppendSeq(slices.Collect(maps.Keys(changing())), maps.Keys(reading()))
}

// Stem is the common stem of the forms of a word in lower case.
func Stem(word string) string { return english.Stem(word, true) }

// Inflected reports whether a word looks like a form of a verb. A verb of the lists, such
// as transition, is not inflected.
func Inflected(low string) bool {
	if Verb(low) {
		return false
	}
	switch {
	case strings.HasSuffix(low, "ing"), strings.HasSuffix(low, "ion"):
		return true
	case strings.HasSuffix(low, "ed"):
		return len(low) > 4 && !strings.HasSuffix(low, "eed")
	}
	return Several(low)
}

// Done is the verb of an inflected word in lower case: the past, the third person or
// another form. It is "" if the word looks like no such form. If no list has the verb, it
// is the word.
func Done(low string) string {
	base := irregular[low]
	if base != "" || !Inflected(low) {
		return base
	}
	for _, ending := range []string{"s", "d", "es", "ed"} {
		if base, is := strings.CutSuffix(low, ending); is && changing()[base] {
			return base
		}
	}
	return low
}

// Several reports whether a word looks like a plural, or a verb of the third person.
func Several(low string) bool {
	return len(low) > 3 && strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss")
}

// Verbs are the verbs of a tool's name. The other words name the object of the verb: pod
// orders nothing in "I deleted pod x". If no word is a known verb, each word except a
// plural may be one.
func Verbs(parts []string) (verbs []string) {
	for i, name := range parts {
		noun := i > 0 && things()[name]
		if sending()[name] || !noun && Verb(name) {
			verbs = append(verbs, name)
		}
	}
	switch {
	case len(verbs) > 0:
		return verbs
	case len(parts) == 1:
		return parts
	}
	return slices.DeleteFunc(slices.Clone(parts), func(name string) bool {
		return strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss")
	})
}
