package input

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/onestep-run/onestep/gate/guard"
)

// expression is a pattern with its terms put in. It is compiled when a text
// first needs it.
type expression struct {
	compiled func() (*regexp.Regexp, error)
}

func (t *terms) expression(pattern string) *expression {
	return &expression{sync.OnceValues(func() (*regexp.Regexp, error) { return compile(pattern, t.put().full) })}
}

// in reports whether the expression matches within s; none matches nowhere.
func (e *expression) in(s string) bool {
	if e == nil {
		return false
	}
	re, err := e.compiled()
	if err != nil { // an operator's were compiled when they were read
		panic("gate/input/builtin.json: " + err.Error())
	}
	return re.MatchString(s)
}

// check compiles the expression, and refuses what would match every text.
func (e *expression) check() error {
	if e == nil {
		return nil
	}
	re, err := e.compiled()
	if err == nil && re.MatchString("") {
		err = errors.New("it matches the empty text, and so every text")
	}
	return err
}

// compile puts the terms into a pattern. Text is matched in lower case, so a
// pattern with a capital would otherwise never match and never say so.
func compile(pattern string, terms *strings.Replacer) (*regexp.Regexp, error) {
	full := terms.Replace(pattern)
	switch {
	case pattern == "":
		return nil, errors.New("it is empty")
	case len(pattern) > maxPattern, len(full) > maxFull:
		return nil, fmt.Errorf("it is longer than %d bytes, or %d with its terms", maxPattern, maxFull)
	case !utf8.ValidString(full):
		return nil, errors.New("it is not UTF-8")
	case strings.Contains(full, "{{"):
		return nil, errors.New("it names a term, {{…}}, that the file does not define")
	case strings.ToLower(full) != full:
		full = "(?i)" + full
	}
	return regexp.Compile(full)
}

// terms are the named parts of a file's patterns: lists of words, and terms
// proper, which are patterns themselves. A term may use lists, and terms that
// use no further terms: two places to look are enough.
type terms struct {
	lists map[string][]string
	put   func() replacers // made when the first expression is compiled
}

// replacers put parts in, for terms and for rules.
type replacers struct{ inner, full *strings.Replacer }

func newTerms(f *file) *terms {
	lists := make(map[string][]string, len(f.Words))
	for name, lines := range f.Words {
		lists[name] = strings.Split(strings.Join(lines, ", "), ", ")
	}
	return &terms{lists, sync.OnceValue(f.replacers)}
}

func (f *file) replacers() replacers {
	var parts []string
	for name, lines := range f.Words {
		parts = append(parts, "{{"+name+"}}", listPattern(strings.Join(lines, ", ")))
	}
	lists := strings.NewReplacer(parts...)
	inner := strings.NewReplacer(append(f.with(lists), parts...)...)
	return replacers{inner, strings.NewReplacer(append(f.with(inner), parts...)...)}
}

// with are the terms, with other parts put in by r.
func (f *file) with(r *strings.Replacer) (parts []string) {
	for name, term := range f.Terms {
		parts = append(parts, "{{"+name+"}}", "(?:"+r.Replace(term)+")")
	}
	return parts
}

// listPattern matches a word of the list, whole: "kill(ing), lad(y|ies)".
func listPattern(list string) string {
	return `\b(?:` + strings.NewReplacer(", ", "|", "(", "(?:", ")", ")?", ".", `\.`).Replace(list) + `)\b`
}

// listed is a word of a list. Its ends are ASCII, for \b knows no other, and
// its first two characters stand in every form of it, for the index.
var listed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z0-9][^\p{Lu}(){}\[\]|,+*?^$\\](?:[^\p{Lu}(){}\[\]|,+*?^$\\]*(?:\([a-z]+(?:\|[a-z]+)*\))?)*$`)
})

func listEnd(word string) bool {
	last := word[len(word)-1]
	return last == ')' || wordByte(last)
}

// checkTerms shows that all lists are lists, and that all terms compile, also
// those that no rule uses.
func (f *file) checkTerms() error {
	t := newTerms(f)
	for _, name := range slices.Sorted(maps.Keys(f.Words)) {
		for _, word := range t.lists[name] {
			if !listed().MatchString(word) || !listEnd(word) {
				return fmt.Errorf("words %s: %q is not a word or a phrase in lower case, with endings in brackets: kill(ing), lad(y|ies)",
					guard.Line(name, 80), guard.Line(word, 80))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Terms)) {
		if _, both := f.Words[name]; both || !guard.Name(name) {
			return fmt.Errorf("term %q: the name must be 1 to 128 characters of A-Z a-z 0-9 _ . -, and not that of a list", guard.Line(name, 80))
		}
		if _, err := compile(f.Terms[name], t.put().inner); err != nil {
			return fmt.Errorf("term %s: %w", name, err)
		}
	}
	return nil
}
