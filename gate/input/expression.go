package input

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// expression is a pattern with its terms put in. It is compiled when a text
// first needs it: the built-in set would take longer to compile than a whole
// question to answer.
type expression struct{ compiled func() *regexp.Regexp }

// in reports whether the expression matches within s; none matches nowhere.
func (e *expression) in(s string) bool { return e != nil && e.compiled().MatchString(s) }

// care says whether patterns still have to be shown to compile.
type care bool

const (
	untested care = false
	trusted  care = true // the built-in set: TestBuiltInRulesCompile shows it
)

// compile makes the expression of a pattern. A trusted one is not even put
// together before it is needed.
func (c care) compile(pattern string, terms *strings.Replacer) (*expression, error) {
	e := &expression{sync.OnceValue(func() *regexp.Regexp {
		full, err := expand(pattern, terms)
		if err != nil {
			panic("gate/input/builtin.json: " + err.Error())
		}
		return regexp.MustCompile(full)
	})}
	if c == trusted {
		return e, nil
	}
	if err := compiles(pattern, terms); err != nil {
		return nil, err
	}
	if e.in("") {
		return nil, errors.New("it matches the empty text, and so every text")
	}
	return e, nil
}

func compiles(pattern string, terms *strings.Replacer) error {
	full, err := expand(pattern, terms)
	if err == nil {
		_, err = regexp.Compile(full)
	}
	return err
}

// expand puts the terms into a pattern. Text is matched in lower case, so a
// pattern with a capital would otherwise never match and never say so.
func expand(pattern string, terms *strings.Replacer) (string, error) {
	full := terms.Replace(pattern)
	switch {
	case pattern == "":
		return "", errors.New("it is empty")
	case len(pattern) > maxPattern, len(full) > maxFull:
		return "", fmt.Errorf("it is longer than %d bytes, or %d with its terms", maxPattern, maxFull)
	case !utf8.ValidString(full):
		return "", errors.New("it is not UTF-8")
	case strings.Contains(full, "{{"):
		return "", errors.New("it names a term, {{…}}, that the file does not define")
	case strings.ToLower(full) != full:
		full = "(?i)" + full
	}
	return full, nil
}
