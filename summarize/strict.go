package summarize

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/schema"
)

// beyondWords holds a claim to the words of its evidence: each sentence of the
// claim is one unit of the evidence, later than the one before, with words
// left out. The first may begin with property names of the leaf's path.
func beyondWords(claim string, p passage) string {
	parts := each(claim, units(claim))
	evidence := each(p.leaf.Text, p.units)
	for i, part := range parts {
		starts := []int{0}
		if i == 0 {
			starts = named(part, p.leaf.Leaf)
		}
		found := -1
		for k, e := range evidence {
			if cutDown(part, starts, e) {
				found = k
				break
			}
		}
		if found < 0 {
			return complaint(part, starts, evidence)
		}
		evidence = evidence[found+1:]
	}
	return ""
}

func each(s string, spans []span) [][]word {
	out := make([][]word, len(spans))
	for i, u := range spans {
		out[i] = words(s[u.from:u.to])
	}
	return out
}

// cutDown reports whether the claim, from one of the starts on, is the
// evidence with words left out. Text that is not plainly English keeps all.
func cutDown(claim []word, starts []int, evidence []word) bool {
	prose := isEnglish(evidence)
	var links []link
	if prose {
		links = weigh(evidence)
	}
	for _, from := range starts {
		rest := claim[from:]
		if sameWords(rest, evidence) || prose && len(rest) > 0 && reduces(rest, evidence, links) {
			return true
		}
	}
	return false
}

func sameWords(a, b []word) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !same(a, b, i, i) || pauses(a, b, i, i) {
			return false
		}
	}
	return len(a) > 0
}

// same compares two words byte for byte. Only the first letter's case may
// differ, and only where one of them begins its sentence.
func same(claim, evidence []word, c, e int) bool {
	a, b := claim[c].text, evidence[e].text
	if claim[c].quoted != evidence[e].quoted {
		return false // the vendor's "secure" server is another than the secure one
	}
	return a == b || (c == 0 || e == 0) && lowerFirst(a) == lowerFirst(b)
}

// pauses reports whether the claim parts two words that its evidence does not:
// "the vendor says the auditor lost it" is not "the vendor, says the auditor, lost it".
func pauses(claim, evidence []word, c, e int) bool {
	return c > 0 && claim[c].pause && !evidence[e].pause
}

func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}

// nearest is how many of a leaf's property names a claim may begin with. It
// bounds how often the claim is compared.
const nearest = 4

// named lists the places where a claim's own words may begin: at 0, or after
// property names that stand nearest to the leaf, whole and without a gap. Half
// a name is none, and a name farther out that limits has to be said as well:
// neither "not_allowed" nor {"not":{"allowed":…}} is to become "allowed".
func named(claim []word, l schema.Leaf) []int {
	starts, names := []int{0}, l.Names()
	for k := len(names) - 1; k >= max(0, len(names)-nearest); k-- {
		if n := spellsAll(claim, names[k:]); n > 0 && n < len(claim) && !slices.ContainsFunc(names[:k], limiting) {
			starts = append(starts, n)
		}
	}
	return starts
}

func limiting(name string) bool {
	for _, part := range nameParts(name) {
		if limits(word{text: part, key: part}) {
			return true
		}
	}
	return limits(word{text: name, key: key(name)})
}

// spellsAll is how many words of the claim spell out the names, one after another.
func spellsAll(claim []word, names []string) int {
	at := 0
	for _, name := range names {
		n := spells(claim[at:], nameParts(name))
		if n == 0 {
			return 0
		}
		at += n
	}
	return at
}

// spelling is a name as a claim may write it: "!allowed" is another.
var spelling = pattern(`^[\pL\pN]+(?:[_.-][\pL\pN]+)*$`)

// spells is how many words of the claim spell out a property name.
func spells(claim []word, parts []string) int {
	n := 0
	for len(parts) > 0 {
		if n == len(claim) || !spelling().MatchString(claim[n].text) {
			return 0
		}
		own := nameParts(claim[n].text)
		if len(own) == 0 || len(own) > len(parts) {
			return 0
		}
		for i, p := range own {
			if p != parts[i] {
				return 0
			}
		}
		parts, n = parts[len(own):], n+1
	}
	return n
}

// nameParts splits a property name at its case and at what is no letter or
// digit: retentionDays and retention_days are both retention, days.
func nameParts(name string) []string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			b.WriteByte(' ')
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
			fallthrough
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
	}
	return strings.Fields(b.String())
}

// complaint names what is wrong, in a bounded number of words.
func complaint(claim []word, starts []int, evidence [][]word) string {
	claim = claim[slices.Max(starts):]
	best, left := 0, []word(nil)
	for _, e := range evidence {
		n, out := greedy(claim, e)
		if n == len(claim) && !isEnglish(e) {
			return fmt.Sprintf("leaves out %.120q of a text that is not plainly English sentences, which is quoted whole", text(out))
		}
		if n == len(claim) {
			left = out
			best = n
			break
		}
		best = max(best, n)
	}
	switch {
	case len(claim) == 0:
		return "says only the name of its value"
	case best < len(claim):
		if odd := strange(claim, evidence); len(odd) > 0 {
			return fmt.Sprintf("says %.120q, which its evidence does not", text(odd))
		}
		return fmt.Sprintf("says %.40q, which does not stand there in one sentence of its evidence", claim[best].text)
	}
	return fmt.Sprintf("leaves out %.120q, which may not go without the rest", text(left))
}

// strange are the words of the claim that stand nowhere in the evidence.
func strange(claim []word, evidence [][]word) []word {
	stands := map[string]bool{}
	for _, e := range evidence {
		for _, w := range e {
			stands[w.key] = true
		}
	}
	var odd []word
	for _, w := range claim {
		if !stands[w.key] {
			odd = append(odd, w)
		}
	}
	return odd
}

// greedy is how many words of the claim stand in the evidence in order, and
// the words between them that may not go, or else all that went.
func greedy(claim, evidence []word) (int, []word) {
	n := 0
	var hard, gone []word
	links := weigh(evidence)
	for i := range evidence {
		if n < len(claim) && same(claim, evidence, n, i) {
			n++
			continue
		}
		gone = append(gone, evidence[i])
		if links[i].hard {
			hard = append(hard, evidence[i])
		}
	}
	if len(hard) > 0 {
		return n, hard
	}
	return n, gone
}

func text(ws []word) string {
	var out []string
	for _, w := range ws[:min(len(ws), 12)] {
		out = append(out, w.text)
	}
	return strings.Join(out, " ")
}
