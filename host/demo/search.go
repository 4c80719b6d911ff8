package demo

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/onestep-run/onestep/gate/lex"
)

// rank returns the pages that match the query, best first and at most limit of them. It
// is simple on purpose, and the same query always gets the same answer. A word of the
// query counts 4 in the title and 1 in the text or the id. Pages with less than half of
// the best score are left out.
func rank(pages []page, query string, limit int) []Hit {
	type scored struct {
		page
		score int
	}
	var found []scored
	wanted := words(query)
	for _, p := range pages {
		score := 4*common(wanted, words(p.title)) + common(wanted, words(p.id+" "+p.text))
		if score > 0 {
			found = append(found, scored{p, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		return cmp.Or(b.score-a.score, strings.Compare(a.id, b.id))
	})
	hits := []Hit{} // never nil, which would be null in JSON
	for _, f := range found[:min(limit, len(found))] {
		if 2*f.score < found[0].score {
			break
		}
		hits = append(hits, Hit{ID: f.id, Title: f.title, Snippet: snippet(f.text, wanted)})
	}
	return hits
}

// snippet returns the first of the sentences that share the most words with the query. It
// is never cut, so that it can be quoted.
func snippet(text string, wanted map[string]bool) string {
	return slices.MaxFunc(sentences(text), func(a, b string) int {
		return common(wanted, words(a)) - common(wanted, words(b))
	})
}

// sentences splits a text after a full stop that a space follows. The entries are written
// for this rule.
func sentences(text string) []string {
	return strings.Split(strings.ReplaceAll(text, ". ", ".\n"), "\n")
}

// words is the set of the text's words in lower case, without the plural s. Words that do
// not indicate a topic are left out. An id such as policy-001 is one word.
func words(text string) map[string]bool {
	set := map[string]bool{}
	apart := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }
	for _, w := range strings.FieldsFunc(strings.ToLower(text), apart) {
		if w = strings.Trim(w, "-"); w == "" || stopWords()[w] {
			continue
		}
		set[strings.TrimSuffix(w, "s")] = true
	}
	return set
}

func common(a, b map[string]bool) int {
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}

var stopWords = lex.Words(`a an and are as at be by for from how i in is it me my of on or our
	the this that to was we what when where which who with`)
