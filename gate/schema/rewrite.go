package schema

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Rewrite is a document with what say makes of each of its strings and member
// names. A number whose literal say changes becomes a string. All else stays,
// but for white space. A document that is not strict JSON is an error, and so
// is one that would have a name twice.
func Rewrite(b []byte, say func(string) string) ([]byte, error) {
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
			if text := tok.String(); say(text) != text {
				tok = jsontext.String(say(text))
			}
		}
		if err := e.WriteToken(tok); err != nil {
			return nil, &Error{Fault: Malformed, Detail: "malformed JSON"}
		}
	}
}
