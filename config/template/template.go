// Package template has servers that lack only some values of a user.
//
// They are those that most people try first, and those that a registry describes.
// It vouches that a server from a template names no variable that is not an input of the
// template, and contains no secret. Nothing is started, dialled or fetched here. It does not
// vouch for a server: a person reviews it like any other.
//
// config/desk/servers adds servers from templates. A service lists and fills them.
package template

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Template is a server with the inputs that it wants.
type Template struct {
	Name      string      `json:"name"`
	Meaning   string      `json:"meaning"`
	Inputs    []Input     `json:"inputs,omitempty"`
	Arguments []string    `json:"arguments,omitempty"` // the last ones of its command; they name inputs
	Server    config.Spec `json:"server"`              // it names inputs as ${NAME}
}

// Input is a value that a user gives.
type Input struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Format      string   `json:"format,omitempty"` // number, boolean or filepath; "" is any text
	Secret      bool     `json:"secret,omitzero"`  // it stays a variable of the server's entry
	Required    bool     `json:"required,omitzero"`
	Repeated    bool     `json:"repeated,omitzero"` // an argument for each value
	Default     string   `json:"default,omitempty"`
	Choices     []string `json:"choices,omitempty"`
}

//go:embed templates.json
var file []byte

var limits = schema.Limits{Bytes: 256 << 10, Depth: 16, Values: 20_000, Exponent: 9, Digits: 20}

// All are the servers that most people try first. `make interop` runs their versions.
func All() []Template {
	var all struct {
		Templates []Template `json:"templates"`
	}
	if err := schema.Decode(file, &all, limits); err != nil {
		panic("templates.json: " + err.Error()) // a test reads it
	}
	return all.Templates
}

// Fill is the server for the values of the inputs by their names. Secrets are the names of
// those that the server's environment will have. A header, variable or argument with an
// optional input that was not given is left out.
func (t Template) Fill(values map[string][]string, secrets ...string) (config.Spec, error) {
	f := filling{of: map[string][]string{}}
	for _, in := range t.Inputs {
		given, err := in.value(values[in.Name], slices.Contains(secrets, in.Name))
		if err != nil {
			return config.Spec{}, err
		}
		f.of[in.Name] = given
	}
	for name := range values {
		if !slices.ContainsFunc(t.Inputs, func(in Input) bool { return in.Name == name }) {
			return config.Spec{}, wrong("the template %s has no input %s", t.Name, name)
		}
	}
	s := t.Server
	s.Args = f.args(slices.Concat(s.Args, t.Arguments))
	s.Env, s.Headers = f.table(s.Env), f.table(s.Headers)
	url := f.texts(s.URL)
	if len(url) == 0 {
		return config.Spec{}, wrong("the address of %s needs every input that it names", t.Name)
	}
	s.URL = url[0]
	return s, nil
}

func wrong(format string, args ...any) error {
	for i, arg := range args {
		if text, is := arg.(string); is {
			args[i] = escape.Line(text, 200)
		}
	}
	return verdict.Fail(verdict.UsageArgument, nil, format, args...)
}

// value is the input's value, as a text of the server's entry. It is empty for an optional
// input that was not given.
func (in Input) value(given []string, set bool) ([]string, error) {
	switch {
	case in.Secret && len(given) > 0:
		return nil, wrong("the input %s is a secret: the server's environment has it, and its entry only the name", in.Name)
	case in.Secret && (set || in.Required):
		return []string{"${" + in.Name + "}"}, nil
	case in.Secret:
		return nil, nil
	case len(given) == 0 && in.Default != "":
		given = []string{in.Default}
	case len(given) == 0 && in.Required:
		return nil, wrong("the input %s is missing: %s", in.Name, in.Description)
	case len(given) > 1 && !in.Repeated:
		return nil, wrong("the input %s takes one value", in.Name)
	}
	for _, text := range given {
		if !in.takes(text) {
			return nil, wrong("%q is not a value of the input %s", text, in.Name)
		}
	}
	return given, nil
}

// takes reports whether a text is a value of the input. Such a text names no variable.
func (in Input) takes(text string) bool {
	if strings.Contains(text, "${") || escape.Line(text, len(text)+1) != text {
		return false
	}
	switch {
	case len(in.Choices) > 0:
		return slices.Contains(in.Choices, text)
	case in.Format == "boolean":
		return text == "true" || text == "false"
	case in.Format == "number":
		_, err := strconv.ParseFloat(text, 64)
		return err == nil
	}
	return true
}

// filling is the values of all inputs, by their names.
type filling struct{ of map[string][]string }

var reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`) })

// texts are a text with its inputs replaced: one for each value of a repeated input, and
// none without a value.
func (f filling) texts(text string) []string {
	all := []string{""}
	rest := text
	for _, at := range reference().FindAllStringSubmatchIndex(text, -1) {
		before, name := text[len(text)-len(rest):at[0]], text[at[2]:at[3]]
		var next []string
		for _, begun := range all {
			for _, value := range f.of[name] {
				next = append(next, begun+before+value)
			}
		}
		all, rest = next, text[at[1]:]
	}
	for i := range all {
		all[i] += rest
	}
	return all
}

func (f filling) args(in []string) (out []string) {
	for _, arg := range in {
		out = append(out, f.texts(arg)...)
	}
	return out
}

func (f filling) table(in map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range in {
		if given := f.texts(text); len(given) > 0 {
			out[name] = given[0]
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
