package config

import (
	"fmt"
	"regexp"

	"github.com/onestep-run/onestep/gate/verdict"
)

// variable is ${NAME} or ${NAME:-default}. A bare $NAME is text.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// expander replaces variables in one server's fields. It keeps the first
// variable that is not set, by the field that names it; values stay unsaid.
type expander struct {
	env Environ
	err error
}

func (x *expander) expand(field, text string) string {
	return variable.ReplaceAllStringFunc(text, func(ref string) string {
		m := variable.FindStringSubmatch(ref)
		if v, ok := x.env(m[1]); ok && v != "" {
			return v
		}
		if m[2] == "" && x.err == nil {
			x.err = verdict.Fail(verdict.ConfigVariable, nil, "%s names the variable %s, which is not set", field, m[1])
		}
		return m[3]
	})
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
	for k, t := range texts {
		out[k] = x.expand(field+"."+k, t)
	}
	return out
}
