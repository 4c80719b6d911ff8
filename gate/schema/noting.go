package schema

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// Extra is a member of a document that its shape does not have.
type Extra struct {
	At    string // its place, as a JSON pointer
	Value jsontext.Value
}

// maxNoted bounds how many members are taken out of one document: each takes
// another reading of it.
const maxNoted = 64

// DecodeNoting is [Decode] for rows that people keep notes of their own in:
// members that T does not have, at any depth, are taken out and given back.
// Nothing that a gate decides on may be read so: a member that is misspelt
// counts as one that is not there.
func DecodeNoting[T any](b []byte, lim Limits) (v T, unknown []Extra, err error) {
	for {
		var read T
		err := Decode(b, &read, lim)
		if err == nil {
			return read, unknown, nil
		}
		var e *Error
		if !errors.As(err, &e) || e.unknown == "" || len(unknown) == maxNoted {
			return v, unknown, err
		}
		rest, value := without(b, e.unknown)
		if value == nil {
			return v, unknown, err
		}
		b, unknown = rest, append(unknown, Extra{string(e.unknown), value})
	}
}

// without is a document that was checked, less one member, and the value of
// that member; nil if it has no such member.
func without(b []byte, at jsontext.Pointer) (rest []byte, value jsontext.Value) {
	var out bytes.Buffer
	d, e := jsontext.NewDecoder(bytes.NewBuffer(b)), jsontext.NewEncoder(&out)
	for {
		token, err := d.ReadToken()
		if err != nil { // the end: nothing else can be wrong with it
			return out.Bytes(), value
		}
		if value == nil && d.StackPointer() == at {
			value, err = d.ReadValue()
			value = bytes.Clone(value)
		} else {
			err = e.WriteToken(token)
		}
		if err != nil {
			return b, nil
		}
	}
}
