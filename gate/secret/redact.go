// Package secret finds secrets and takes them out of text, in three ways. [Redact] and
// [RedactJSON] know the forms of secrets: the published shapes of tokens, and values
// after a name such as api_key. [Values] hides the values that a server was given and
// may repeat. [Named] decides for the whole program whether a variable, an option, a
// header or a member of this name contains a secret.
//
// It vouches for no text. A secret without a shape or a name stays, unless it is one
// of the Values. So does an encrypted secret, or one in pieces. The host redacts
// results and errors before anything reads them, sessions and launched servers redact
// what servers print, config hides the settings of a server, and the scan (gate/scan)
// reports what Redact would take out.
package secret

import (
	"cmp"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// Redaction counts the secrets of one kind that [Redact] took out of a text. It never
// contains the value.
type Redaction struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// span is the place of a secret in a text, and the secret's kind.
type span struct {
	start, end int
	kind       string
}

// Redact replaces every text with the published shape of a secret by [redacted:kind].
// It knows keys and tokens of services, private keys, JSON Web Tokens, hashes of
// passwords, passwords in URLs and files of programs, cookies of sessions, and the
// values of names such as password or api_key. It changes nothing in its own output,
// and its time is a multiple of the text's length.
//
// It knows shapes and no values. It misses a password in the middle of a sentence, a
// key without a prefix or a name, and a secret that is encoded or cut in two. [Values]
// hides known values.
func Redact(text string) (string, []Redaction) {
	return without(text, secretsIn(text))
}

// without returns the text with every span replaced by its kind.
func without(text string, found []span) (string, []Redaction) {
	if len(found) == 0 {
		return text, nil
	}
	var out strings.Builder
	var kinds []Redaction
	at := 0
	for _, s := range found {
		out.WriteString(text[at:s.start])
		out.WriteString(mark + s.kind + "]")
		kinds = append(kinds, Redaction{s.kind, 1})
		at = s.end
	}
	out.WriteString(text[at:])
	return out.String(), counted(kinds)
}

// Find returns the places of the secrets that [Redact] takes out, from and to, in
// their order.
func Find(text string) [][2]int {
	var all [][2]int
	for _, s := range secretsIn(text) {
		all = append(all, [2]int{s.start, s.end})
	}
	return all
}

// secretsIn returns the secrets of a text in order, without overlaps. The text after a
// secret is read as if it began there, because it is read so once the secret is
// redacted.
func secretsIn(text string) []span { return secretsBy(secretFinder(), text) }

func secretsBy(f *lex.Finder, text string) []span {
	var found []span
	from := 0 // the end of the last secret
	f.Each(text, func(i, rule int) int {
		if i < from {
			return 0
		}
		base := from
		for n, s := range secretRules[rule].all(text[base:], i-base) {
			s.start, s.end = base+s.start, base+s.end
			if n > 0 { // the finder does not return to the text between two secrets
				found = append(found, shifted(secretsBy(f, text[from:s.start]), from)...)
			}
			found, from = append(found, s), s.end
		}
		if from == base {
			return 0
		}
		return from
	})
	return found
}

// shifted moves spans by i.
func shifted(all []span, i int) []span {
	for n := range all {
		all[n].start, all[n].end = all[n].start+i, all[n].end+i
	}
	return all
}

// counted adds up the counts of each kind, sorted by kind.
func counted(all []Redaction) []Redaction {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b Redaction) int { return cmp.Compare(a.Kind, b.Kind) })
	var out []Redaction
	for _, r := range sorted {
		if n := len(out); n > 0 && out[n-1].Kind == r.Kind {
			out[n-1].Count += r.Count
		} else {
			out = append(out, r)
		}
	}
	return out
}
