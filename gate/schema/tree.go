package schema

import (
	"bytes"
	stdjson "encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is one member of a JSON object, or one element of an array.
type Member struct {
	Name  string // "" of an element
	Value jsontext.Value
	At    int // where the value begins in the text
}

// Members are the members of the JSON object raw, in the order of the
// document. Anything but one well-formed object is an [*Error]. It bounds
// nothing; [Check] does.
func Members(raw jsontext.Value) ([]Member, error) {
	if raw.Kind() != '{' {
		return nil, &Error{Fault: Misfit, Detail: "no object"}
	}
	if !raw.IsValid() {
		return nil, &Error{Fault: Malformed, Detail: "malformed JSON"}
	}
	return parts(raw, func(d *jsontext.Decoder) (string, error) {
		name, err := d.ReadToken()
		if err != nil {
			return "", err
		}
		return name.String(), nil // the token lasts until the next read
	})
}

// Elements are the elements of the JSON array raw, as Members are an object's.
func Elements(raw jsontext.Value) ([]Member, error) {
	if raw.Kind() != '[' || !raw.IsValid() {
		return nil, &Error{Fault: Misfit, Detail: "no array"}
	}
	return parts(raw, func(*jsontext.Decoder) (string, error) { return "", nil })
}

// parts reads what is in an object or an array, each after its name.
func parts(raw jsontext.Value, name func(*jsontext.Decoder) (string, error)) (all []Member, err error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	_, err = d.ReadToken()
	for err == nil && d.PeekKind() != ']' && d.PeekKind() != '}' {
		var m Member
		if m.Name, err = name(d); err != nil {
			break
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

// Any is the JSON value raw as nil, bool, json.Number with its literal, string,
// []any and map[string]any. It bounds nothing; [Check] does.
func Any(raw jsontext.Value) (any, error) {
	if !raw.IsValid() {
		return nil, &Error{Fault: Malformed, Detail: "malformed JSON"}
	}
	return (&tree{}).read(jsontext.NewDecoder(bytes.NewBuffer(raw)))
}

// tree is a document as both validators want it: nil, bool, json.Number,
// string, []any and map[string]any. The numbers keep their literals.
type tree struct{ root any }

func parse(b []byte, lim Limits) (tree, error) {
	if err := Check(b, lim); err != nil {
		return tree{}, err
	}
	t := tree{}
	var err error
	t.root, err = t.read(jsontext.NewDecoder(bytes.NewBuffer(b)))
	return t, err
}

func (t *tree) read(d *jsontext.Decoder) (any, error) {
	tok, err := d.ReadToken()
	if err != nil {
		return nil, malformed(d, err)
	}
	switch tok.Kind() {
	case '{':
		return t.object(d)
	case '[':
		return t.array(d)
	case '"':
		return tok.String(), nil
	case '0':
		return stdjson.Number(tok.String()), nil
	case 't', 'f':
		return tok.Bool(), nil
	}
	return nil, nil
}

func (t *tree) object(d *jsontext.Decoder) (any, error) {
	m := map[string]any{}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, malformed(d, err)
		}
		key := name.String()
		if m[key], err = t.read(d); err != nil {
			return nil, err
		}
	}
	_, err := d.ReadToken()
	return m, err
}

func (t *tree) array(d *jsontext.Decoder) (any, error) {
	a := []any{}
	for d.PeekKind() != ']' {
		v, err := t.read(d)
		if err != nil {
			return nil, err
		}
		a = append(a, v)
	}
	_, err := d.ReadToken()
	return a, err
}
