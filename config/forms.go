package config

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

// asJSON turns a servers file, in the form that its extension names, into JSON
// in which everything stands on the line that it had.
func asJSON(path string, b []byte) ([]byte, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if err := bracketed(b); err != nil {
		return nil, err
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".toml":
		return fromTOML(b)
	case ".yaml", ".yml":
		return fromYAML(b)
	}
	return hujson.Standardize(bytes.Clone(b)) // comments and last commas become white space
}

// bracketed bounds what parsers call themselves for.
func bracketed(b []byte) error {
	if bytes.Count(b, []byte("["))+bytes.Count(b, []byte("{")) > maxNested {
		return errors.New("too many brackets")
	}
	return nil
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
