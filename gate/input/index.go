package input

import (
	"slices"
	"strings"
)

// index finds the strings of all clauses in one pass over a text, by their
// first two to four bytes. A string that stands in many clauses is there once.
type index struct {
	rules   [][]int                // the clauses that each rule needs
	clauses map[string]int         // by their strings, joined
	strings map[string]*entry      // with their boundaries
	starts  [2]map[string][]*entry // strings that may stand anywhere, and those that begin at a boundary
}

const longestStart = 4

type entry struct {
	text          string
	before, after bool // a word boundary has to stand there
	clauses       []int
}

func newIndex() index {
	return index{clauses: map[string]int{}, strings: map[string]*entry{}, starts: [2]map[string][]*entry{{}, {}}}
}

// add takes the clauses of the next rule.
func (x *index) add(needs []clause) {
	ids := make([]int, 0, len(needs))
	for _, c := range needs {
		ids = append(ids, x.clause(c))
	}
	x.rules = append(x.rules, ids)
}

func (x *index) clause(c clause) int {
	key := strings.Join(c, "|")
	id, ok := x.clauses[key]
	if ok {
		return id
	}
	id = len(x.clauses)
	x.clauses[key] = id
	for _, s := range c {
		e := x.entry(s)
		e.clauses = append(e.clauses, id)
	}
	return id
}

func (x *index) entry(s string) *entry {
	if e := x.strings[s]; e != nil {
		return e
	}
	e := &entry{text: middle(s), before: strings.HasPrefix(s, edge), after: strings.HasSuffix(s, edge)}
	starts, start := x.starts[0], e.text[:min(longestStart, len(e.text))]
	if e.before {
		starts = x.starts[1]
	}
	starts[start] = append(starts[start], e)
	x.strings[s] = e
	return e
}

// search tells which clauses the text contains a string of.
func (x *index) search(text string) []bool {
	found := make([]bool, len(x.clauses))
	for i := range len(text) {
		x.mark(x.starts[0], text, i, found)
		if boundary(text, i) {
			x.mark(x.starts[1], text, i, found)
		}
	}
	return found
}

func (x *index) mark(starts map[string][]*entry, text string, i int, found []bool) {
	for n := shortest; n <= longestStart && i+n <= len(text); n++ {
		for _, e := range starts[text[i:i+n]] {
			if strings.HasPrefix(text[i:], e.text) && (!e.after || boundary(text, i+len(e.text))) {
				for _, c := range e.clauses {
					found[c] = true
				}
			}
		}
	}
}

// boundary is \b of the expression syntax: a word character of ASCII on one
// side only.
func boundary(text string, i int) bool {
	return (i > 0 && wordByte(text[i-1])) != (i < len(text) && wordByte(text[i]))
}

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

func (x *index) possible(rule int, found []bool) bool {
	return !slices.ContainsFunc(x.rules[rule], func(c int) bool { return !found[c] })
}
