package offline

import (
	"bytes"
	"encoding/hex"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/schema"
)

// maxSpelt bounds the bytes that a row can spell with a few characters. It is more
// than any gate reads.
const maxSpelt = 64 << 20

// spell returns the bytes that a row spells, in one of three ways. An object is its
// own JSON, and a string is its text. A list joins strings, {"of":"[","times":40} and
// {"hex":"ff"}. A row is one line of valid UTF-8; the gates' input need not be.
func spell(raw jsontext.Value) ([]byte, error) {
	if raw.Kind() == '{' {
		return raw, nil
	}
	pieces := []jsontext.Value{raw}
	if raw.Kind() == '[' {
		if err := schema.Decode(raw, &pieces, eval.RowLimits()); err != nil {
			return nil, err
		}
	}
	b := []byte{}
	for _, p := range pieces {
		more, err := piece(p)
		if err != nil {
			return nil, err
		}
		b = append(b, more...)
	}
	return b, nil
}

func piece(raw jsontext.Value) ([]byte, error) {
	if raw.Kind() == '"' {
		var s string
		err := schema.Decode(raw, &s, eval.RowLimits())
		return []byte(s), err
	}
	var p struct {
		Of    string `json:"of"`
		Times int    `json:"times"`
		Hex   string `json:"hex"`
	}
	if err := schema.Decode(raw, &p, eval.RowLimits()); err != nil {
		return nil, err
	}
	switch {
	case (p.Hex == "") == (p.Of == ""), p.Of == "" && p.Times != 0, p.Of != "" && p.Times < 1:
		return nil, errors.New(`a piece of text that is neither {"of","times"} nor {"hex"}`)
	case p.Times > maxSpelt/max(1, len(p.Of)):
		return nil, errors.New("a piece of text that is too long")
	case p.Hex != "":
		return hex.DecodeString(p.Hex)
	}
	return bytes.Repeat([]byte(p.Of), p.Times), nil
}
