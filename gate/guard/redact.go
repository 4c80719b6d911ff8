package guard

import (
	"cmp"
	"slices"
	"strings"
)

// RulesVersion is of the rules of [Redact] and of [Rules.Scan]. A trace keeps
// it, so that a reader knows by which rules a text was found clean.
const RulesVersion = "2"

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

// Redact is the text with [redacted:kind] in place of everything that has the
// published shape of a secret: keys and tokens of services, private keys,
// JSON Web Tokens, passwords in URLs, and values that are assigned to a name
// such as password or api_key. Of its own output it changes nothing.
//
// It knows shapes and no values: a password in the middle of a sentence, a
// key without a prefix or a name, and one that is encoded or cut in two stay.
// [Secrets] hides values that are known.
func Redact(text string) (string, []Redaction) {
	found := secretsIn(text)
	if len(found) == 0 {
		return text, nil
	}
	var out strings.Builder
	at := 0
	for _, s := range found {
		out.WriteString(text[at:s.start])
		out.WriteString("[redacted:" + s.kind + "]")
		at = s.end
	}
	out.WriteString(text[at:])
	return out.String(), counted(found)
}

// secretsIn are the secrets of a text in their order; none overlaps another. What
// is behind one is read as if the text began there, for that is how it is read
// when the one before it is redacted.
func secretsIn(text string) []span {
	var found []span
	from := 0 // where the last one ends
	secretFinder().each(text, func(i, rule int) int {
		if i < from {
			return 0
		}
		s, ok := secretAt(text[from:], i-from, rule)
		if !ok {
			return 0
		}
		s.start, s.end = from+s.start, from+s.end
		found, from = append(found, s), s.end
		return s.end
	})
	return found
}

func secretAt(text string, i, rule int) (span, bool) {
	if rule == len(secretRules) {
		return assignedAt(text, i)
	}
	s, ok := secretRules[rule].at(text, i)
	if s.kind == authorization && !mixed(text[s.start:s.end]) {
		return span{}, false // "Basic understanding"
	}
	return s, ok
}

func counted(found []span) []Redaction {
	var all []Redaction
	for _, s := range found {
		all = append(all, Redaction{s.kind, 1})
	}
	return Counted(all)
}

// Counted adds up the counts of each kind, sorted by kind.
func Counted(all []Redaction) []Redaction {
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
