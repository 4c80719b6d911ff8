package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/pelletier/go-toml/v2"

	"github.com/onestep-run/onestep/config/edit"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

// decodeTOML reads a file whole. An error names the place and quotes no value, which may be a
// secret.
func decodeTOML(b []byte) (t map[string]any, err error) {
	if err := bracketed(b); err != nil {
		return nil, err
	}
	err = toml.Unmarshal(b, &t)
	if at := new(toml.DecodeError); errors.As(err, &at) {
		row, column := at.Position()
		if key := at.Key(); len(key) > 0 { // the library names the key only if the key is wrong, not the value
			return nil, fmt.Errorf("line %d: %s is set twice", row, escape.Line(strings.Join(key, "."), 128))
		}
		return nil, fmt.Errorf("line %d, column %d: not valid TOML", row, column)
	}
	return t, err
}

// linesOf finds the line of each key, by its parts. The library reports the places only of
// keys that its target lacks, so the targets are one without fields, and others with named
// tables without fields.
func linesOf(b []byte) func(keys ...string) int {
	lines := map[string]int{}
	type none map[string]struct{}
	for _, target := range []any{
		&struct{}{},
		&struct {
			Server, Scanner none
			Decision        struct{}
			MCP             none `toml:"mcp_servers"`
		}{},
	} {
		lacking := new(toml.StrictMissingError)
		_ = errors.As(toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(target), &lacking)
		for _, e := range lacking.Errors {
			row, _ := e.Position()
			for n := range e.Key() {
				name := strings.Join(e.Key()[:n+1], "\x00")
				if at, known := lines[name]; !known || row < at {
					lines[name] = row
				}
			}
		}
	}
	return func(keys ...string) (line int) {
		for ; len(keys) > 0 && line == 0; keys = keys[:len(keys)-1] {
			line = lines[strings.Join(keys, "\x00")]
		}
		return max(line, 1)
	}
}

// read applies a config.toml. The first line that is not understood is an error; a value may
// be a secret and is not quoted.
func (s *Settings) read(path string, b []byte) error {
	t, err := decodeTOML(b)
	if err != nil {
		return verdict.Fail(verdict.ConfigInvalid, err, "%s: %v", path, err)
	}
	first, reason := 0, ""
	lineOf := linesOf(b)
	note := func(wrong string, keys ...string) {
		if line := lineOf(keys...); wrong != "" && (first == 0 || line < first) {
			first, reason = line, wrong
		}
	}
	from := Origin{FromFile, path}
	for _, key := range slices.Sorted(maps.Keys(t)) {
		if key == decisionTable {
			wrong, in := s.assignDecision(t[key], from)
			note(wrong, key, in)
			continue
		}
		named, is := t[key].(map[string]any)
		tables := key == serverTable || key == scannerTable
		if !is || !tables || len(named) == 0 {
			note(s.assign(key, t[key], from), key)
			continue
		}
		for name, value := range named {
			table, is := value.(map[string]any)
			switch {
			case !is:
				note("no such setting: "+key, key, name)
			case !escape.Name(name):
				note("no "+key+" can be called that", key, name)
			}
			for in, value := range table {
				if key == scannerTable {
					note(assignIn(&s.Scanners, scannerRows, key, name, in, value, from), key, name, in)
				} else {
					note(assignIn(&s.Of, serverRows, key, name, in, value, from), key, name, in)
				}
			}
		}
	}
	if reason != "" {
		return verdict.Fail(verdict.ConfigInvalid, nil, "%s: line %d: %s", path, first, reason)
	}
	return nil
}

// assign gives a key of a file its value, or describes the mistake. A value must also have
// its own type in the file: 3 is not a duration, and 1 is not true.
func (s *Settings) assign(key string, value any, from Origin) (wrong string) {
	i := slices.IndexFunc(table, func(r Setting) bool { return r.Key == key })
	if i < 0 {
		return "no such setting: " + escape.Line(key, 128)
	}
	r := table[i]
	if f := r.at(s); reflect.TypeOf(value) != f.toml || !r.set(s, textOf(value), from) {
		wrong = key + " takes " + f.takes
		switch {
		case f.toml == aList:
			wrong += fmt.Sprintf(", each in quotes: %s = [%q]", key, r.Default)
		case f.toml == aText && r.Default != "":
			wrong += fmt.Sprintf(", in quotes: %s = %q", key, r.Default)
		}
	}
	return wrong
}

// The types of values in a file.
var (
	aText   = reflect.TypeFor[string]()
	aTruth  = reflect.TypeFor[bool]()
	aNumber = reflect.TypeFor[int64]()
	aList   = reflect.TypeFor[[]any]()
)

// textOf is a value in the form of a variable: a list becomes texts with commas between. A
// value of any other type becomes a text that no setting takes.
func textOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case []any:
		var all []string
		for _, each := range v {
			one, _ := each.(string)
			if one == "" || strings.ContainsAny(one, ", ") {
				one = "\x00"
			}
			all = append(all, one)
		}
		return strings.Join(all, ",")
	}
	return ""
}

// assignIn gives a key of a named table its value, or describes the mistake.
func assignIn[T any](all *map[string]T, rows []row[T], what, name, key string, value any, from Origin) (wrong string) {
	i := slices.IndexFunc(rows, func(r row[T]) bool { return r.key == key })
	if i < 0 {
		return "no such setting of a " + what + ": " + escape.Line(key, 64)
	}
	of := (*all)[name]
	f := rows[i].at(&of)
	text, _ := value.(string)
	if f.isPath(text) {
		text = resolve(filepath.Dir(from.Name), text)
	}
	if text == "" || !f.set(text, from) {
		return key + " takes " + f.takes
	}
	if *all == nil {
		*all = map[string]T{}
	}
	(*all)[name] = of
	return ""
}

// fromTOML keeps the tables under mcp_servers, each on its line. Dates become texts.
func fromTOML(b []byte) ([]byte, error) {
	t, err := decodeTOML(b)
	if err != nil {
		return nil, err
	}
	servers, is := t["mcp_servers"].(map[string]any)
	if !is {
		return []byte("{}"), nil
	}
	line := linesOf(b)
	at := func(name string) int { return line("mcp_servers", name) }
	l := &lined{line: 1}
	l.WriteString(`{"mcp_servers":{`)
	for i, name := range slices.SortedFunc(maps.Keys(servers), func(a, b string) int { return cmp.Or(at(a)-at(b), strings.Compare(a, b)) }) {
		if i > 0 {
			l.WriteByte(',')
		}
		l.to(at(name))
		l.text(name)
		l.WriteByte(':')
		b, err := json.Marshal(servers[name], json.Deterministic(true))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", at(name), err)
		}
		l.Write(b)
	}
	l.WriteString("}}")
	return l.Bytes(), nil
}

// SetModel writes the setting "model" as [Set] does.
func SetModel(path, name string) (changed bool, err error) {
	if !plainName(name) {
		return false, verdict.Fail(verdict.UsageArgument, nil, "%.128q is not the name of a model: it takes 1 to 256 letters, digits and marks, without quotes and spaces", name)
	}
	return Set(path, "model", name)
}

// plainName reports whether a TOML string shows a name unchanged.
func plainName(name string) bool {
	for _, c := range []byte(name) {
		switch {
		case c <= ' ', c > '~':
			return false
		case c == '"', c == '\\', c == '\'':
			return false
		}
	}
	return name != "" && len(name) <= 256
}

// Set writes a setting into a config.toml and keeps every other byte. [Load] must accept the
// value; a path is relative to the working directory, and is written as an absolute path. The
// file is replaced whole or not at all. A missing file is made, for its user alone; a file
// that [Load] would refuse is left. Set reports whether it wrote anything.
func Set(path, key, value string) (changed bool, err error) {
	r, err := Find(key)
	if err != nil {
		return false, err
	}
	if r.at(new(Settings)).isPath(value) {
		if value, err = filepath.Abs(value); err != nil {
			return false, verdict.Fail(verdict.UsageArgument, err, "%s: the working directory is not known: %v", key, err)
		}
	}
	written, ok := r.literal(value)
	var read map[string]any
	if ok {
		read, err = decodeTOML([]byte(key + " = " + written))
	}
	if !ok || err != nil || new(Settings).assign(key, read[key], Origin{FromFile, path}) != "" {
		return false, verdict.Fail(verdict.UsageArgument, nil, "%s takes %s, not %s", key, r.Takes(), strconv.Quote(escape.Line(value, 64)))
	}
	return edit.Rewrite(path, false, func(path string, text []byte) ([]byte, error) {
		return editSetting(path, text, key, written, read[key])
	})
}

// Find returns the setting of a key.
func Find(key string) (Setting, error) {
	i := slices.IndexFunc(table, func(r Setting) bool { return r.Key == key })
	if i >= 0 {
		return table[i], nil
	}
	var keys []string
	for _, r := range table {
		keys = append(keys, r.Key)
	}
	what, _, isIn := strings.Cut(key, ".")
	f := verdict.Fail(verdict.UsageArgument, nil, "no such setting: %s%s", escape.Line(key, 128), verdict.Near(key, keys))
	f.Hint = "`ask config show` lists the settings"
	if isIn && slices.Contains([]string{serverTable, scannerTable, decisionTable}, what) {
		f.Reason = escape.Line(key, 128) + " is not set, and is one of a table that no command writes"
		f.Hint = "write it under [" + strings.Replace(what+".NAME", decisionTable+".NAME", decisionTable, 1) + "] in config.toml"
	}
	return Setting{}, f
}

// literal is a value as TOML writes it; ok is false if the value has no such form.
func (r Setting) literal(value string) (string, bool) {
	switch r.at(new(Settings)).toml {
	case aTruth:
		return value, value == "true" || value == "false"
	case aNumber:
		n, err := strconv.Atoi(value)
		return strconv.Itoa(n), err == nil
	case aList:
		var all []string
		for _, name := range namesOf(value) {
			all = append(all, string(edit.Literal(name)))
		}
		return "[" + strings.Join(all, ", ") + "]", plain(value)
	}
	return string(edit.Literal(value)), plain(value) // a string of JSON is one of TOML
}

// plain reports whether a text is valid UTF-8 without control characters.
func plain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// editSetting is the text with one setting changed. The result is parsed again: only the
// setting may differ, whatever the layout of the file.
func editSetting(path string, text []byte, key, written string, value any) ([]byte, error) {
	if err := new(Settings).read(path, text); err != nil {
		return nil, err
	}
	want, err := decodeTOML(text)
	if err != nil || reflect.DeepEqual(want[key], value) {
		return text, err
	}
	if want == nil {
		want = map[string]any{}
	}
	want[key] = value
	edited := edit.SetTOML(text, key, written)
	got, err := decodeTOML(edited)
	if err == nil {
		err = new(Settings).read(path, edited)
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		return nil, verdict.Fail(verdict.ConfigInvalid, err, "%s: %s cannot be changed without changing more; set it by hand", path, key)
	}
	return edited, nil
}
