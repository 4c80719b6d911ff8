package edit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"

	"github.com/onestep-run/onestep/gate/escape"
)

// JSON is a text of JSON with comments. Every byte that no edit changes stays.
type JSON struct {
	mark    string // the byte order mark, "" without one
	newline string
	root    hujson.Value
}

// ParseJSON reads a text.
func ParseJSON(text []byte) (*JSON, error) {
	t := &JSON{newline: Newline(text)}
	if body, marked := bytes.CutPrefix(text, []byte("\ufeff")); marked {
		t.mark, text = "\ufeff", body
	}
	var err error
	t.root, err = hujson.Parse(LineEnded(text))
	return t, err
}

// Object is the object at a JSON Pointer, nil if there is no object.
func (t *JSON) Object(pointer string) *hujson.Object {
	v := t.root.Find(pointer)
	if v == nil {
		return nil
	}
	o, _ := v.Value.(*hujson.Object)
	return o
}

// Text is the text after the edits.
func (t *JSON) Text() []byte {
	return append([]byte(t.mark), bytes.TrimSuffix(t.root.Pack(), []byte("\n"))...)
}

// LineEnded is a copy of a text with one more end of line. Without it hujson rejects a "//
// comment" at the end of a file.
func LineEnded(b []byte) []byte { return append(bytes.Clone(b), '\n') }

// Index is the index of an object's member, or -1 without a member of that name.
func Index(in *hujson.Object, name string) int {
	return slices.IndexFunc(in.Members, func(m hujson.ObjectMember) bool {
		l, is := m.Name.Value.(hujson.Literal)
		return is && l.String() == name
	})
}

// Insert adds a member after the others, on separate lines. It has the margin of the first
// member, unless that is on the line of its brace.
func (t *JSON) Insert(in *hujson.Object, name string, of any) error {
	before, after := t.newline+"    ", t.newline+"  "
	margin, lines, comma := "    ", true, false
	if n := len(in.Members); n > 0 {
		first, last := string(in.Members[0].Name.BeforeExtra), string(in.AfterExtra)
		i := strings.LastIndexByte(first, '\n')
		margin, lines, comma = first[i+1:], i >= 0, in.Members[n-1].Value.AfterExtra != nil
		before, after = last, ""
		if lines { // a comment stays with the entry before it, and the brace on its line
			before = strings.TrimRight(last, " \t\r\n")
			after = last[len(before):]
			before += t.newline + margin
		}
	}
	value, err := t.value(of, margin, lines)
	if err != nil {
		return err
	}
	if comma { // also after the last member
		value.AfterExtra = hujson.Extra{}
	}
	key := hujson.Value{BeforeExtra: hujson.Extra(before), Value: hujson.String(name)}
	in.Members = append(in.Members, hujson.ObjectMember{Name: key, Value: value})
	in.AfterExtra = hujson.Extra(after)
	return nil
}

func (t *JSON) value(of any, margin string, lines bool) (hujson.Value, error) {
	how := []json.Options{json.Deterministic(true)}
	if lines {
		how = append(how, jsontext.WithIndentPrefix(margin), jsontext.WithIndent("  "))
	}
	b, err := json.Marshal(of, how...)
	if err != nil {
		return hujson.Value{}, err
	}
	value, err := hujson.Parse(bytes.ReplaceAll(b, []byte("\n"), []byte(t.newline)))
	value.AfterExtra = nil
	if lines {
		value.BeforeExtra = hujson.Extra(" ")
	}
	return value, err
}

// Remove removes a member, with the comments above it and next to it. The rest of the line
// before stays, and so does the choice of a comma after the last member.
func (t *JSON) Remove(in *hujson.Object, name string) {
	i := Index(in, name)
	gone := in.Members[i]
	rest := slices.Delete(in.Members, i, i+1)
	in.Members = rest
	next := &in.AfterExtra
	if i < len(rest) {
		next = &rest[i].Name.BeforeExtra
	} else if i > 0 {
		rest[i-1].Value.AfterExtra = gone.Value.AfterExtra // the comma, if any
	}
	end := bytes.IndexByte(*next, '\n')
	switch before, _, lines := bytes.Cut(gone.Name.BeforeExtra, []byte("\n")); {
	case end >= 0 && lines:
		*next = slices.Concat(bytes.TrimRight(before, "\r"), []byte(t.newline), (*next)[end+1:])
	case end < 0 && i < len(rest):
		*next = gone.Name.BeforeExtra
	}
}

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
