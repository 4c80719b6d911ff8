package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/gate/verdict"
)

// variable is ${NAME} or ${NAME:-default}. A bare $NAME is text.
var variable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)
})

// expander replaces variables in one server's fields. It keeps the first
// mistake, by the field that has it, and every text that a variable stood
// for.
type expander struct {
	env    Environ
	values map[string]string
	err    error
}

func (x *expander) expand(field, text string) string {
	if strings.Count(text, "${") != len(variable().FindAllString(text, -1)) {
		x.fail(verdict.ConfigInvalid, field+" has a ${ that is neither ${NAME} nor ${NAME:-default}")
		return ""
	}
	return variable().ReplaceAllStringFunc(text, func(ref string) string {
		m := variable().FindStringSubmatch(ref)
		v, set := x.env(m[1])
		if m[2] != "" && v == "" { // as a shell reads :-
			return m[3]
		}
		if !set {
			x.fail(verdict.ConfigVariable, fmt.Sprintf("%s names the variable %s, which is not set", field, m[1]))
		}
		x.values[m[1]] = v
		return v
	})
}

func (x *expander) fail(code verdict.Code, reason string) {
	if x.err == nil {
		x.err = verdict.Fail(code, nil, "%s", reason)
	}
}

func (x *expander) list(field string, texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = x.expand(fmt.Sprintf("%s[%d]", field, i), t)
	}
	return out
}

func (x *expander) table(field string, texts map[string]string) map[string]string {
	out := make(map[string]string, len(texts))
	for _, k := range slices.Sorted(maps.Keys(texts)) {
		out[k] = x.expand(field+"."+k, texts[k])
	}
	return out
}
