package eval

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// extra is a member that the document's shape lacks.
type extra struct {
	at    string // its place, as a JSON pointer
	value jsontext.Value
}

// maxNoted bounds how many members are removed from one document, because each removal
// reads it again.
const maxNoted = 64

// decodeNoting is [schema.Decode] for rows that contain notes: members that T
// does not have, at any depth, are taken out and returned. Nothing that a gate
// decides on may be read so, because a misspelt member counts as absent.
func decodeNoting[T any](b []byte, lim schema.Limits) (v T, unknown []extra, err error) {
	for {
		var read T
		err := schema.Decode(b, &read, lim)
		if err == nil {
			return read, unknown, nil
		}
		var e *schema.Error
		if !errors.As(err, &e) || e.Unknown == "" || len(unknown) == maxNoted {
			return v, unknown, err
		}
		rest, value := without(b, e.Unknown)
		if value == nil {
			return v, unknown, err
		}
		b, unknown = rest, append(unknown, extra{string(e.Unknown), value})
	}
}

// without returns a checked document without one member, and the value of that member.
// The value is nil if the document has no such member.
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
