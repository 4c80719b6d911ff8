package summarize

import (
	"fmt"
	"strings"
)

// beyondFacts holds the claim's numbers, dates, identifiers, names and
// negations to those of its evidence. What else it says is not looked at.
func beyondFacts(claim string, p passage) string {
	own, evidence := words(claim), words(p.text())
	if !isEnglish(evidence) || !isEnglish(own) {
		return beyondWords(claim, p)
	}
	there := factsOf(evidence)
	said := factsOf(own)
	for _, f := range said.list {
		if !there.has(f) {
			return fmt.Sprintf("says the %s %.40q, which its evidence does not", f.kind, strings.TrimSpace(f.value+" "+f.unit))
		}
	}
	for i, w := range own {
		if (w.odd() || !said.holds[i] && name(w, i)) && !there.words[plain(w)] {
			return fmt.Sprintf("says %.40q, which its evidence does not", w.text)
		}
	}
	return disagrees(own, evidence)
}

// facts are those of one text.
type facts struct {
	list  []fact
	set   map[fact]bool
	words map[string]bool // every word, without 's
	holds map[int]bool    // the words that make up the facts
}

func factsOf(ws []word) facts {
	f := facts{set: map[fact]bool{}, words: map[string]bool{}, holds: map[int]bool{}}
	for _, w := range ws {
		f.words[plain(w)] = true
	}
	for i := 0; i < len(ws); {
		found, n := factAt(ws, i)
		if n > 0 {
			f.list = append(f.list, found)
			f.set[found] = true
			for k := i; k < i+n; k++ {
				f.holds[k] = true
			}
		}
		i += max(n, 1)
	}
	return f
}

// has reports whether f stands there. A date may be given in part, and a year
// alone is a number that a date holds.
func (f facts) has(want fact) bool {
	if f.set[want] {
		return true
	}
	for have := range f.set {
		if have.kind != "date" {
			continue
		}
		if want.kind == "date" && partOf(want.value, have.value) || want.kind == "number" && want.unit == "" && want.value == have.value[:4] {
			return true
		}
	}
	return false
}

// partOf compares yyyy-mm-dd, where zeros stand for what is not said.
func partOf(want, have string) bool {
	year, month, day := want[:4], want[5:7], want[8:]
	return (year == "0000" || year == have[:4]) && month == have[5:7] && (day == "00" || day == have[8:])
}

func factAt(ws []word, i int) (fact, int) {
	if f, n := dateAt(ws, i); n > 0 {
		return f, n
	}
	if f, n := numberAt(ws, i); n > 0 {
		return f, n
	}
	if k := ws[i].key; identifier().MatchString(k) || ws[i].digit() || scales[k] > 0 {
		return fact{"identifier", k, ""}, 1
	}
	return fact{}, 0
}

// identifier finds e-mail addresses, URLs, host and file names, paths and
// snake_case; what holds a digit is one anyway.
var identifier = pattern(`[@_\\]|://|[a-z]\.[a-z]|/.*/|^/`)

// name reports whether a word looks like a proper name: a capital anywhere but
// at the start of a sentence, or there too unless it is a word of every day.
func name(w word, i int) bool {
	if w.text == strings.ToLower(w.text) || w.text == "I" || strings.HasPrefix(w.text, "I'") {
		return false
	}
	return i > 0 || !common(w.key)
}

func common(k string) bool {
	return english()[k] || weak()[k] || negations()[k] || conditions()[k] || timing()[k] || quantifiers()[k] || hedges()[k] || binders()[k] || determiners()[k] || subjects()[k]
}

// plain is a word's key without a genitive's s.
func plain(w word) string { return strings.TrimSuffix(strings.TrimSuffix(w.key, "'s"), "'") }

// disagrees compares negations: there are as many, and each stands before a
// word that one of the evidence's stands close before as well.
func disagrees(claim, evidence []word) string {
	mine, theirs := scopes(claim), scopes(evidence)
	if len(mine) != len(theirs) {
		return fmt.Sprintf("has %d negations (%s), and its evidence %d (%s)", len(mine), negationsOf(claim), len(theirs), negationsOf(evidence))
	}
	for _, m := range mine {
		met := len(m) == 0
		for _, t := range theirs {
			met = met || len(m) > 0 && anyKin(m[0], t)
		}
		if !met {
			return fmt.Sprintf("negates %.40q, which its evidence does not", m[0])
		}
	}
	return ""
}

// reach is how many words a negation is taken to govern.
const reach = 5

// scopes lists, for each negation, the words that follow it and mean something.
// An un-word governs itself.
func scopes(ws []word) [][]string {
	var out [][]string
	for i, w := range ws {
		if !w.negates() {
			continue
		}
		scope := []string{}
		if reversed(w.key) {
			scope = append(scope, w.key[2:])
		}
		for _, next := range ws[i+1 : min(i+1+reach, len(ws))] {
			if !common(next.key) {
				scope = append(scope, next.key)
			}
		}
		out = append(out, scope)
	}
	return out
}

func negationsOf(ws []word) string {
	var out []word
	for _, w := range ws {
		if w.negates() {
			out = append(out, w)
		}
	}
	return text(out)
}

func anyKin(w string, others []string) bool {
	for _, o := range others {
		if kin(w, o) {
			return true
		}
	}
	return false
}

// kin reports whether two words are forms of one: share, shared, sharing.
func kin(a, b string) bool {
	if a == b {
		return true
	}
	n := min(len(a), len(b))
	stem := max(4, n-3)
	return n >= stem && a[:stem] == b[:stem]
}
