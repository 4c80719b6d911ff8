package input

import (
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/gate/guard"
)

// terms are named parts of patterns, such as all the words for a person. A
// term may use others, which then use none: two places to look are enough.
type terms struct {
	full  *strings.Replacer // {{name}} to the term's pattern
	marks *strings.Replacer // {{name}} to one private-use character
	text  map[rune]string   // and from there to the term as written
	known map[rune]words    // what parse found out about them
	cased bool              // one of them has a capital, so case is ignored where it stands
}

func newTerms(written map[string]string, c care) (*terms, error) {
	if len(written) > maxTerms {
		return nil, fmt.Errorf("the rules file has %d terms, over the limit of %d", len(written), maxTerms)
	}
	t := &terms{text: map[rune]string{}, known: map[rune]words{}}
	inner := replacer(written, strings.NewReplacer())
	mark := '\uE000'
	var marks []string
	for name, term := range written {
		if !guard.Name(name) {
			return nil, fmt.Errorf("term %q: the name must be 1 to 128 characters of A-Z a-z 0-9 _ . -", guard.Line(name, 80))
		}
		if c == untested {
			if err := compiles(term, inner); err != nil {
				return nil, fmt.Errorf("term %s: %w", name, err)
			}
		}
		t.cased = t.cased || strings.ToLower(term) != term
		t.text[mark] = term
		marks = append(marks, "{{"+name+"}}", string(mark))
		mark++
	}
	t.full, t.marks = replacer(written, inner), strings.NewReplacer(marks...)
	return t, nil
}

func replacer(terms map[string]string, inner *strings.Replacer) *strings.Replacer {
	var pairs []string
	for name, term := range terms {
		pairs = append(pairs, "{{"+name+"}}", "(?:"+inner.Replace(term)+")")
	}
	return strings.NewReplacer(pairs...)
}
