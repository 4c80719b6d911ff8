package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
)

// read applies a config.toml: keys and their values, each once. What is not
// understood is an error that names the line; a value may be a secret and is
// not quoted.
func (s *Settings) read(path string, b []byte) error {
	var p unstable.Parser
	p.Reset(b)
	seen := map[string]bool{}
	table, name := "", "" // whose it is
	for p.NextExpression() {
		e := p.Expression()
		keys, first := keysOf(e), e.Key()
		first.Next()
		key, wrong := keys[0], ""
		switch {
		case e.Kind == unstable.Table && len(keys) == 2 && (keys[0] == serverTable || keys[0] == scannerTable):
			table, name, key = keys[0], keys[1], keys[0]+"."+keys[1]
			if !guard.Name(name) {
				wrong = "no " + table + " can be called that"
			}
		case table != "" && e.Kind == unstable.KeyValue:
			wrong = s.assignTo(table, name, key, given(e), Origin{FromFile, path})
			key = table + "." + name + "." + key
		default:
			wrong = s.assign(key, given(e), Origin{FromFile, path})
		}
		if seen[key] {
			wrong = key + " is set twice"
		}
		if wrong != "" {
			return verdict.Fail(verdict.ConfigInvalid, nil, "%s: line %d: %s", path, p.Shape(first.Node().Raw).Start.Line, wrong)
		}
		seen[key] = true
	}
	if err := p.Error(); err != nil {
		detail := "it is not valid TOML"
		if at := new(unstable.ParserError); errors.As(err, &at) {
			start := p.Shape(p.Range(at.Highlight)).Start
			detail = fmt.Sprintf("line %d, column %d: not valid TOML", start.Line, start.Column)
		}
		return verdict.Fail(verdict.ConfigInvalid, err, "%s: %s", path, detail)
	}
	return nil
}

// given is what a line of the file gives its key: nothing that any setting
// takes where the line is a table's, or its key has several parts.
func given(line *unstable.Node) unstable.Node {
	keys := line.Key()
	keys.Next()
	if line.Kind != unstable.KeyValue || keys.Next() {
		return unstable.Node{Kind: unstable.Table}
	}
	return *line.Value()
}

// renamed says what a setting of an earlier version is called now.
var renamed = map[string]string{"read_timeout": ", which is called call_timeout"}

// assign gives a key of a file its value, or says what is wrong. A value has to
// have its own type in the file as well: 3 is not a duration, nor 1 a yes.
func (s *Settings) assign(key string, value unstable.Node, from Origin) (wrong string) {
	i := slices.IndexFunc(table, func(r Setting) bool { return r.Key == key })
	if i < 0 {
		return "no such setting: " + key + renamed[key]
	}
	r, text := table[i], textOf(value)
	if n, err := strconv.ParseInt(text, 0, 64); err == nil && value.Kind == unstable.Integer {
		text = strconv.FormatInt(n, 10) // which may have been 0x400, or 1_024
	}
	if f := r.at(s); value.Kind != f.toml || !r.set(s, text, from) {
		wrong = key + " takes " + f.takes
		switch {
		case f.toml == unstable.Array:
			wrong += fmt.Sprintf(", each in quotes: %s = [%q]", key, r.Default)
		case f.toml == unstable.String && r.Default != "":
			wrong += fmt.Sprintf(", in quotes: %s = %q", key, r.Default)
		}
	}
	return wrong
}

// textOf is a value as a variable would say it: the texts of a list with commas
// between. What is no text stands in it as what no setting takes.
func textOf(value unstable.Node) string {
	if value.Kind != unstable.Array {
		return string(value.Data)
	}
	var all []string
	for each := value.Children(); each.Next(); {
		one := string(each.Node().Data)
		if each.Node().Kind != unstable.String || one == "" || strings.ContainsAny(one, ", ") {
			one = "\x00"
		}
		all = append(all, one)
	}
	return strings.Join(all, ",")
}
