package schema

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Envelope are the members of the one JSON object that b is, in the order of
// the document, with nothing but white space around it: no name stands twice,
// and every name is valid UTF-8. Their values are well formed and no more: a
// number may be 1e400 and a key stand twice inside, for who opens a value
// reports that with a code of its own, by [Check] or a Decode. So do the
// limits: of the values inside only the bytes are bounded here. They are parts
// of b, not copies.
func Envelope(b []byte, lim Limits) ([]Member, error) {
	if len(b) > lim.Bytes {
		return nil, Check(b, lim)
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(b), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if d.PeekKind() != '{' {
		return nil, &Error{Fault: Misfit, Detail: "no object"}
	}
	_, err := d.ReadToken()
	var all []Member
	seen := map[string]bool{}
	for err == nil && d.PeekKind() == '"' {
		var m Member
		if m, err = strictMember(d, b); err != nil {
			break
		}
		if seen[m.Name] {
			return nil, malformed(d, jsontext.ErrDuplicateName)
		}
		seen[m.Name] = true
		if all = append(all, m); 2*len(all) >= lim.Values {
			return nil, lim.many(d)
		}
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	if err != nil {
		return nil, malformed(d, err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, &Error{Fault: Malformed, Offset: d.InputOffset(), Detail: "something after its JSON value"}
	}
	return all, nil
}

// strictMember reads one of b whose name is strict and whose value need not be.
func strictMember(d *jsontext.Decoder, b []byte) (Member, error) {
	name, err := d.ReadValue()
	if err != nil {
		return Member{}, err
	}
	key, err := jsontext.AppendUnquote(nil, name) // refuses invalid UTF-8
	if err != nil {
		return Member{}, err
	}
	value, err := d.ReadValue() // is good until the next reading
	end := int(d.InputOffset())
	return Member{Name: string(key), Value: b[end-len(value) : end : end]}, err
}
