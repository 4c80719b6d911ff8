package input

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// A clause is a set of strings of which any matching text contains one.
type clause []string

const (
	maxSet   = 700    // strings in one clause
	shortest = 2      // bytes of a string worth looking for
	edge     = "\x00" // a word boundary, \b, in a string; no text holds a NUL
)

// needs are clauses that all hold of any text that the pattern matches. No
// clause means that nothing is known and the pattern has to be tried; too few
// clauses cost time, a wrong one would lose a match, so whatever is not
// plainly understood adds none. FuzzNeedsLoseNoMatch compares the two.
func (t *terms) needs(pattern string) []clause {
	var out []clause
	for _, c := range t.parse(pattern).all() {
		if c.least() >= shortest {
			c = slices.Sorted(slices.Values(c))
			out = append(out, slices.Compact(c))
		}
	}
	return out
}

// parse describes a pattern. Its terms stand in it as one private-use
// character each, so that a long term is analysed once and not once a rule.
func (t *terms) parse(pattern string) words {
	if t.cased || strings.ToLower(pattern) != pattern || strings.ContainsFunc(pattern, private) {
		return words{} // rare, and case makes it subtle: such a rule is always tried
	}
	re, err := syntax.Parse(t.marks.Replace(pattern), syntax.Perl)
	if err != nil {
		return words{}
	}
	return t.language(re.Simplify())
}

func private(r rune) bool { return unicode.Is(unicode.Co, r) }

// term describes the term behind a private-use character.
func (t *terms) term(mark rune) words {
	w, ok := t.known[mark]
	if !ok {
		w = t.parse(t.text[mark])
		t.known[mark] = w
	}
	return w
}

// least is the length of the clause's shortest string. Only the boundaries at
// either end are looked at later, so a string counts as what lies between two.
func (c clause) least() int {
	n := maxFull
	for _, s := range c {
		n = min(n, len(middle(s)))
	}
	return n
}

// middle is s without the boundaries at its ends; "" if one is inside, which
// no search understands.
func middle(s string) string {
	s = strings.Trim(s, edge)
	if strings.Contains(s, edge) {
		return ""
	}
	return s
}

// words describes what an expression can match: exactly the strings of exact,
// or, where exact is nil, something unknown; and either way only text that
// contains one string of each clause of needs.
type words struct {
	exact clause
	needs []clause
}

var nothing = clause{""}

func (t *terms) language(re *syntax.Regexp) words {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText,
		syntax.OpEndText, syntax.OpNoWordBoundary:
		return words{exact: nothing}
	case syntax.OpWordBoundary:
		return words{exact: clause{edge}}
	case syntax.OpLiteral:
		return t.literal(re)
	case syntax.OpCharClass:
		return class(re)
	case syntax.OpCapture:
		return t.language(re.Sub[0])
	case syntax.OpPlus:
		return words{needs: t.language(re.Sub[0]).all()}
	case syntax.OpQuest:
		if l := t.language(re.Sub[0]); l.exact != nil {
			return words{exact: append(slices.Clone(nothing), l.exact...)}
		}
	case syntax.OpConcat:
		return concat(t.each(re.Sub))
	case syntax.OpAlternate:
		return alternate(t.each(re.Sub))
	}
	return words{}
}

func (t *terms) each(subs []*syntax.Regexp) []words {
	out := make([]words, len(subs))
	for i, sub := range subs {
		out[i] = t.language(sub)
	}
	return out
}

// all is everything that is known, as clauses.
func (w words) all() []clause {
	if w.exact == nil {
		return w.needs
	}
	return append(slices.Clone(w.needs), w.exact)
}

// literal takes the text as it is, and what stands for a term as the term.
// Text whose case is ignored is left: it folds in more ways than one.
func (t *terms) literal(re *syntax.Regexp) words {
	if re.Flags&syntax.FoldCase != 0 {
		return words{}
	}
	var parts []words
	rest := re.Rune
	for {
		i := slices.IndexFunc(rest, private)
		if i < 0 {
			return concat(append(parts, words{exact: clause{string(rest)}}))
		}
		parts = append(parts, words{exact: clause{string(rest[:i])}}, t.term(rest[i]))
		rest = rest[i+1:]
	}
}

// class spells out a character class of a few characters.
func class(re *syntax.Regexp) words {
	var exact clause
	for i := 0; i < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if len(exact) == 8 || private(r) {
				return words{}
			}
			exact = append(exact, string(r))
		}
	}
	return words{exact: exact}
}

// concat strings exact neighbours together for as long as the set stays
// small, and starts a new one behind whatever is not exact.
func concat(parts []words) words {
	out := words{exact: nothing}
	run := nothing
	for _, l := range parts {
		out.needs = append(out.needs, l.needs...)
		if l.exact != nil && len(run)*len(l.exact) <= maxSet {
			run = cross(run, l.exact)
			continue
		}
		out.exact = nil
		out.needs = append(out.needs, run)
		if run = nothing; l.exact != nil {
			run = l.exact
		}
	}
	if out.exact != nil {
		return words{exact: run, needs: out.needs}
	}
	return words{needs: append(out.needs, run)}
}

func cross(a, b clause) clause {
	out := make(clause, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, settle(x+y, len(x)))
		}
	}
	return out
}

// settle takes out the boundary beside the joint, where both its neighbours
// are known by now and it does stand between a word and something else.
func settle(s string, joint int) string {
	for _, i := range []int{joint - 1, joint} {
		if 0 < i && i+1 < len(s) && s[i:i+1] == edge && s[i-1:i] != edge && s[i+1:i+2] != edge && boundary(s[:i]+s[i+1:], i) {
			return s[:i] + s[i+1:]
		}
	}
	return s
}

// alternate joins its branches: all exact, or the best clause of each.
func alternate(branches []words) words {
	var joined clause
	exact := true
	for _, l := range branches {
		exact = exact && l.exact != nil
		best := longest(l.all())
		if joined = append(joined, best...); best == nil || len(joined) > maxSet {
			return words{}
		}
	}
	if exact {
		return words{exact: joined}
	}
	return words{needs: []clause{joined}}
}

// longest is the clause whose shortest string is longest.
func longest(cs []clause) clause {
	var best clause
	for _, c := range cs {
		if best == nil || c.least() > best.least() {
			best = c
		}
	}
	return best
}
