package schema

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Numeral is a number, spelled as sent.
type Numeral = stdjson.Number

// Member is one member of a JSON object, or one element of an array.
type Member struct {
	Name  string // "" for an element
	Value jsontext.Value
	At    int // offset of the value in the text
}

// Members returns the members of the JSON object raw, in the order of the document.
// Anything but one well-formed object is an [*Error]. It bounds nothing; [Check] does.
func Members(raw jsontext.Value) ([]Member, error) {
	if raw.Kind() != '{' {
		return nil, &Error{Fault: Misfit, Detail: "no object"}
	}
	if !raw.IsValid() {
		return nil, &Error{Fault: Malformed, Detail: "malformed JSON"}
	}
	return parts(raw)
}

// Object returns the JSON object of these members.
func Object(members []Member) jsontext.Value {
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		name, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(m.Name, "\ufffd"))
		out = append(append(append(out, name...), ':'), m.Value...)
	}
	return append(out, '}')
}

// Without returns the JSON object raw without one of its members; the bytes of the
// others stay. It returns anything but an object unchanged.
func Without(raw jsontext.Value, name string) jsontext.Value {
	is := func(m Member) bool { return m.Name == name }
	members, err := Members(raw)
	if err != nil || !slices.ContainsFunc(members, is) {
		return raw
	}
	return Object(slices.DeleteFunc(members, is))
}

// Elements returns the elements of the JSON array raw, as Members returns an object's
// members.
func Elements(raw jsontext.Value) ([]Member, error) {
	if raw.Kind() != '[' || !raw.IsValid() {
		return nil, &Error{Fault: Misfit, Detail: "no array"}
	}
	return parts(raw)
}

// parts reads the members of an object or the elements of an array.
func parts(raw jsontext.Value) (all []Member, err error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	_, err = d.ReadToken()
	for err == nil && d.PeekKind() != ']' && d.PeekKind() != '}' {
		var m Member
		if raw.Kind() == '{' {
			name, err := d.ReadToken()
			if err != nil {
				return nil, malformed(d, err)
			}
			m.Name = name.String()
		}
		var value jsontext.Value
		value, err = d.ReadValue()
		m.Value, m.At = value.Clone(), int(d.InputOffset())-len(value)
		all = append(all, m)
	}
	if err != nil {
		return nil, malformed(d, err)
	}
	return all, nil
}

// Any returns the JSON value raw as nil, bool, json.Number with its literal, string,
// []any and map[string]any. It bounds nothing; [Check] does.
func Any(raw jsontext.Value) (any, error) {
	if !raw.IsValid() {
		return nil, &Error{Fault: Malformed, Detail: "malformed JSON"}
	}
	return read(raw)
}

// Literal writes a value from [Any] or [Node.Value]. It sorts members by their bytes,
// keeps the literals of numbers, and writes anything else as null.
func Literal(v any) jsontext.Value { return appendValue(nil, v) }

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(b, v)
	case stdjson.Number:
		return append(b, v...)
	case string:
		b, _ = jsontext.AppendQuote(b, v) // a value that was read is valid UTF-8
		return b
	case []any:
		return appendList(b, v)
	case map[string]any:
		return appendObject(b, v)
	}
	return append(b, "null"...)
}

func appendList(b []byte, list []any) []byte {
	b = append(b, '[')
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, e)
	}
	return append(b, ']')
}

func appendObject(b []byte, m map[string]any) []byte {
	b = append(b, '{')
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendValue(b, name), ':')
		b = appendValue(b, m[name])
	}
	return append(b, '}')
}

// parse is [Any] within limits. Both validators take its result.
func parse(b []byte, lim Limits) (any, error) {
	if err := Check(b, lim); err != nil {
		return nil, err
	}
	return read(b)
}

// read decodes one valid JSON value.
func read(b []byte) (v any, err error) {
	d := stdjson.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// Place is the place of a string, a member's name or a number in a document.
type Place struct {
	Path   []string // the names of members and the indices of items that lead there
	Name   bool     // it is the name that Path ends with
	Number bool     // it is a number: its literal
}

// Rewrite returns a document with every string and member name replaced by the result
// of say; say's first error ends it. Numbers do not change, whatever say returns for
// their literals. Nothing else changes but white space. It is an error if the document
// is not strict JSON, or if a name would occur twice.
func Rewrite(b []byte, say func(at Place, text string) (string, error)) ([]byte, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(b))
	var out bytes.Buffer
	e := jsontext.NewEncoder(&out)
	for {
		tok, err := d.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return bytes.TrimSuffix(out.Bytes(), []byte{'\n'}), nil
		case err != nil:
			return nil, malformed(d, err)
		}
		if k := tok.Kind(); k == '"' || k == '0' {
			text := tok.String()
			replaced, err := say(placeOf(d, k), text)
			if err != nil {
				return nil, err
			}
			if k == '"' && replaced != text {
				tok = jsontext.String(replaced)
			}
		}
		if err := e.WriteToken(tok); err != nil {
			return nil, &Error{Fault: Malformed, Detail: "malformed JSON"}
		}
	}
}

// placeOf returns the place of the token that was read last.
func placeOf(d *jsontext.Decoder, kind jsontext.Kind) Place {
	within, length := d.StackIndex(d.StackDepth())
	return Place{
		Path:   slices.Collect(d.StackPointer().Tokens()),
		Name:   within == '{' && length%2 == 1,
		Number: kind == '0',
	}
}
