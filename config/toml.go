package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/onestep-run/onestep/gate/verdict"
)

// read applies a config.toml. What is not understood is an error that names
// the line; a value may be a secret and is not quoted.
func (s *Settings) read(path string, b []byte) error {
	var values map[string]any
	if err := toml.Unmarshal(b, &values); err != nil {
		detail := "it is not valid TOML"
		if at := new(toml.DecodeError); errors.As(err, &at) {
			row, column := at.Position()
			detail = fmt.Sprintf("line %d, column %d: not valid TOML", row, column)
		}
		return verdict.Fail(verdict.ConfigInvalid, err, "%s: %s", path, detail)
	}
	var p unstable.Parser // says on which line a key is
	p.Reset(b)
	for p.NextExpression() {
		keys := p.Expression().Key()
		keys.Next()
		key := keys.Node()
		if wrong := s.assign(string(key.Data), values[string(key.Data)], Origin{FromFile, path}); wrong != "" {
			line := 1 + bytes.Count(b[:key.Raw.Offset], []byte("\n"))
			return verdict.Fail(verdict.ConfigInvalid, nil, "%s: line %d: %s", path, line, wrong)
		}
	}
	return nil
}

// assign gives a key of a file its value, or says what is wrong. A value has to
// have its own type in the file as well: 3 is not a duration, nor 1 a yes.
func (s *Settings) assign(key string, value any, from Origin) (wrong string) {
	i := slices.IndexFunc(table, func(r Setting) bool { return r.Key == key })
	if i < 0 {
		return "no such setting: " + key
	}
	r := table[i]
	if f := r.at(s); fmt.Sprintf("%T", value) != f.toml || !r.set(s, fmt.Sprint(value), from) {
		wrong = key + " takes " + f.takes
		if f.toml == "string" && r.Default != "" {
			wrong += fmt.Sprintf(", in quotes: %s = %q", key, r.Default)
		}
	}
	return wrong
}
