// Package secret finds secrets and takes them out of text, in three ways. [Redact]
// and [RedactJSON] know what secrets look like: the published shapes of tokens,
// and values that a name such as api_key announces. [Values] hides the values
// that a server was given and may repeat. [Named] answers for the whole program
// whether a variable, an option, a header or a member of this name holds a secret.
//
// It vouches for no text: a secret without a shape or a name stays, unless it is
// one of the Values, and so does one that is encrypted or in pieces. The host
// redacts results and errors before anything reads them, sessions and launched
// servers redact what servers print, config hides the settings of a server, and
// the scan (gate/scan) reports what Redact would take out.
package secret

import (
	"cmp"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
)

// Redaction counts what [Redact] took out of one text: never the value.
type Redaction struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// span is a stretch of a text, and the kind of secret that it holds.
type span struct {
	start, end int
	kind       string
}

// Redact replaces everything in a text that has the published shape of a secret
// by [redacted:kind]: keys and tokens of services, private keys, JSON Web Tokens,
// hashes of passwords, passwords in URLs and files of programs, cookies of
// sessions, and the values of names such as password or api_key. It changes
// nothing in its own output, and its time is a multiple of the text's length.
//
// It knows shapes and no values: a password in the middle of a sentence, a
// key without a prefix or a name, and one that is encoded or cut in two stay.
// [Values] hides values that are known.
func Redact(text string) (string, []Redaction) {
	return without(text, secretsIn(text))
}

// without is the text with the kind of each span in its place.
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

// Find returns where the secrets of a text are that [Redact] takes out, each from
// and to, in their order.
func Find(text string) [][2]int {
	var all [][2]int
	for _, s := range secretsIn(text) {
		all = append(all, [2]int{s.start, s.end})
	}
	return all
}

// secretsIn are the secrets of a text in their order; none overlaps another. What
// is behind one is read as if the text began there, for that is how it is read
// when the one before it is redacted.
func secretsIn(text string) []span { return secretsBy(secretFinder(), text) }

func secretsBy(f *lex.Finder, text string) []span {
	var found []span
	from := 0 // where the last one ends
	f.Each(text, func(i, rule int) int {
		if i < from {
			return 0
		}
		base := from
		for n, s := range secretsAt(text[base:], i-base, rule) {
			s.start, s.end = base+s.start, base+s.end
			if n > 0 { // the finder does not come back to what is between two of them
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

// shifted are the spans of a text that begins at i of another.
func shifted(all []span, i int) []span {
	for n := range all {
		all[n].start, all[n].end = all[n].start+i, all[n].end+i
	}
	return all
}

// secretsAt are the secrets of which a literal of the rule begins at i.
func secretsAt(text string, i, rule int) []span {
	var s span
	var ok bool
	switch rule {
	case cookieRule():
		return cookiesAt(text, i)
	case assignedRule():
		s, ok = assignedAt(text, i)
	default:
		s, ok = secretRules[rule].at(text, i)
	}
	if !ok {
		return nil
	}
	return []span{s}
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
