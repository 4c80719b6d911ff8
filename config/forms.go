package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

// asJSON turns a servers file, in the form that its extension names, into JSON
// in which everything stands on the line that it had.
func asJSON(path string, b []byte) ([]byte, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if bytes.Count(b, []byte("["))+bytes.Count(b, []byte("{")) > maxNested { // parsers call themselves for each
		return nil, errors.New("too many brackets")
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".toml":
		return fromTOML(b)
	case ".yaml", ".yml":
		return fromYAML(b)
	}
	return hujson.Standardize(bytes.Clone(b)) // comments and last commas become white space
}

// Bounds of what is read, beside those of [schema.Limits] that hold for all.
const (
	maxNested = 100_000
	maxLevels = 32
)

// lined writes JSON, and knows its line.
type lined struct {
	bytes.Buffer
	line int
}

// to begins a line, unless it is past.
func (l *lined) to(line int) {
	for l.line < line {
		l.WriteByte('\n')
		l.line++
	}
}

func (l *lined) text(s string) {
	b, _ := jsontext.AppendQuote(nil, s) // what is not UTF-8 is refused later, as a replaced character is not
	l.Write(b)
}

// fromYAML keeps repeated names, which are refused where JSON's are.
func fromYAML(b []byte) ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return nil, err
	}
	l := &lined{line: 1}
	err := l.yaml(&doc, 0)
	return l.Bytes(), err
}

func (l *lined) yaml(n *yaml.Node, level int) error {
	l.to(n.Line)
	switch {
	case level > maxLevels, l.Len() > maxFile: // an alias may refer to what it is part of, or be used without end
		return errors.New("aliases or values within values that have no end")
	case n.Kind == yaml.DocumentNode:
		return l.yaml(n.Content[0], level+1)
	case n.Kind == yaml.AliasNode:
		return l.yaml(n.Alias, level+1)
	case n.Kind == yaml.SequenceNode:
		return l.yamlList(n, level)
	case n.Kind == yaml.MappingNode:
		return l.yamlTable(n, level)
	case n.Kind != yaml.ScalarNode:
		return errors.New("no document")
	}
	l.scalar(n)
	return nil
}

func (l *lined) yamlList(n *yaml.Node, level int) error {
	l.WriteByte('[')
	for i, one := range n.Content {
		if i > 0 {
			l.WriteByte(',')
		}
		if err := l.yaml(one, level+1); err != nil {
			return err
		}
	}
	l.WriteByte(']')
	return nil
}

func (l *lined) yamlTable(n *yaml.Node, level int) error {
	l.WriteByte('{')
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			return fmt.Errorf("line %d: a name that is not a plain text", key.Line)
		}
		if i > 0 {
			l.WriteByte(',')
		}
		l.to(key.Line)
		l.text(key.Value)
		l.WriteByte(':')
		if err := l.yaml(n.Content[i+1], level+1); err != nil {
			return err
		}
	}
	l.WriteByte('}')
	return nil
}

// scalar writes as YAML 1.2 reads: a truth, nothing, a number, or else a text.
func (l *lined) scalar(n *yaml.Node) {
	switch number := jsontext.Value(n.Value); {
	case n.Tag == "!!null":
		l.WriteString("null")
	case n.Tag == "!!bool":
		l.WriteString(strings.ToLower(n.Value))
	case n.Tag != "!!str" && number.IsValid() && number.Kind() == '0':
		l.Write(number)
	default:
		l.text(n.Value)
	}
}

// fromTOML keeps the tables under mcp_servers. Its parser knows TOML's syntax;
// what is set twice is found here.
func fromTOML(b []byte) ([]byte, error) {
	t := toml{root: map[string]any{}, lines: map[string]int{}, opened: map[string]bool{}}
	t.Reset(b)
	for t.NextExpression() {
		if err := t.expression(t.Expression()); err != nil {
			return nil, err
		}
	}
	if err := t.Error(); err != nil {
		return nil, err
	}
	return t.json()
}

type toml struct {
	unstable.Parser
	table []string
	root  map[string]any
	lines map[string]int // of the tables under mcp_servers

	opened map[string]bool
}

func (t *toml) expression(e *unstable.Node) error {
	keys := keysOf(e)
	first := e.Key()
	first.Next()
	line := t.Shape(first.Node().Raw).Start.Line
	if e.Kind == unstable.Table || e.Kind == unstable.ArrayTable {
		t.table = keys
	} else {
		keys = append(slices.Clone(t.table), keys...)
	}
	if keys[0] != "mcp_servers" || e.Kind == unstable.ArrayTable {
		return nil
	}
	if len(keys) > 1 && t.lines[keys[1]] == 0 {
		t.lines[keys[1]] = line
	}
	if e.Kind == unstable.Table {
		name := strings.Join(keys, "\x00")
		if t.opened[name] {
			return fmt.Errorf("line %d: the table is there twice", line)
		}
		t.opened[name] = true
		return put(t.root, append(keys, ""), nil)
	}
	v, err := value(e.Value())
	if err == nil {
		err = put(t.root, keys, v)
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", line, err)
	}
	return nil
}

// put sets a value at the end of its tables, which it makes. The name "" is of
// a table that is only opened.
func put(in map[string]any, keys []string, v any) error {
	for _, key := range keys[:len(keys)-1] {
		inner, ok := in[key].(map[string]any)
		if in[key] == nil {
			inner, ok = map[string]any{}, true
			in[key] = inner
		}
		if !ok {
			return fmt.Errorf("%s is not a table", key)
		}
		in = inner
	}
	last := keys[len(keys)-1]
	if last == "" {
		return nil
	}
	if _, twice := in[last]; twice {
		return fmt.Errorf("%s is set twice", last)
	}
	in[last] = v
	return nil
}

// value is a TOML value as JSON has it; dates and what JSON has no number for
// are texts.
func value(n *unstable.Node) (v any, err error) {
	text := string(n.Data)
	switch n.Kind {
	case unstable.Bool:
		return text == "true", nil
	case unstable.Integer:
		if i, ok := new(big.Int).SetString(text, 0); ok {
			return jsontext.Value(i.String()), nil
		}
	case unstable.Float:
		if f := jsontext.Value(strings.ReplaceAll(text, "_", "")); f.IsValid() {
			return f, nil
		}
	case unstable.Array:
		all := []any{}
		for c := n.Children(); c.Next() && err == nil; {
			v, err = value(c.Node())
			all = append(all, v)
		}
		return all, err
	case unstable.InlineTable:
		all := map[string]any{}
		for c := n.Children(); c.Next() && err == nil; {
			v, err = value(c.Node().Value())
			err = cmp.Or(err, put(all, keysOf(c.Node()), v))
		}
		return all, err
	}
	return text, nil
}

func keysOf(n *unstable.Node) (keys []string) {
	for k := n.Key(); k.Next(); {
		keys = append(keys, string(k.Node().Data))
	}
	return keys
}

// json writes each server's table on its line.
func (t *toml) json() ([]byte, error) {
	servers, ok := t.root["mcp_servers"].(map[string]any)
	if !ok {
		return []byte("{}"), nil
	}
	l := &lined{line: 1}
	l.WriteString(`{"mcp_servers":{`)
	names := slices.SortedFunc(maps.Keys(servers), func(a, b string) int { return t.lines[a] - t.lines[b] })
	for i, name := range names {
		if i > 0 {
			l.WriteByte(',')
		}
		l.to(t.lines[name])
		l.text(name)
		l.WriteByte(':')
		b, err := json.Marshal(servers[name], json.Deterministic(true))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", t.lines[name], err)
		}
		l.Write(b)
	}
	l.WriteString("}}")
	return l.Bytes(), nil
}
