package edit

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
)

// Member is a member of an object; its value is written as JSON.
type Member struct {
	Name  string
	Value any
}

// Object is an object that keeps the order of its members.
type Object []Member

// And is the object with one more member.
func (o Object) And(name string, value any) Object { return append(o, Member{name, value}) }

// With is the object with a table as one more member. An empty table adds no member.
func (o Object) With(name string, table map[string]string) Object {
	if len(table) == 0 {
		return o
	}
	return o.And(name, table)
}

// JSON is the object on one line.
func (o Object) JSON() jsontext.Value {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, m.Name)
		b = append(append(b, ':'), Literal(m.Value)...)
	}
	return append(b, '}')
}

// Literal encodes a trusted value as JSON.
func Literal(v any) jsontext.Value {
	if o, is := v.(Object); is {
		return o.JSON()
	}
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return jsontext.Value("null")
	}
	return b
}

// LaidOut is the object in the layout of the entry that it replaces. It is on one line, or on
// several with the same margin.
func (o Object) LaidOut(text []byte, from int, was []byte) ([]byte, error) {
	v := o.JSON()
	if !bytes.Contains(was, []byte("\n")) {
		return v, nil
	}
	row := text[1+bytes.LastIndexByte(text[:from], '\n') : from]
	margin := string(row[:len(row)-len(bytes.TrimLeft(row, " \t"))])
	indent := "  "
	if strings.Contains(margin, "\t") {
		indent = "\t"
	}
	if err := v.Indent(jsontext.WithIndentPrefix(margin), jsontext.WithIndent(indent)); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(v, []byte("\n"), []byte(Newline(text))), nil
}

// YAML is the object with one member on each line, and each value in JSON, which YAML
// accepts.
func (o Object) YAML(margin, newline string) []byte {
	var rows []string
	for _, m := range o {
		key := m.Name
		if !escape.Name(key) {
			b, _ := jsontext.AppendQuote(nil, key)
			key = string(b)
		}
		rows = append(rows, key+": "+string(Literal(m.Value)))
	}
	return []byte(strings.Join(rows, newline+margin))
}

// Newline is the line ending of a text.
func Newline(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
