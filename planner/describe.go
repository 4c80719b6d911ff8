package planner

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
)

// The limits of one tool in a prompt, in bytes. Of 630 tools of public servers the median
// description is 164 characters long and the longest input schema 12 050 bytes; longer texts
// are cut or left out.
const (
	maxTitle       = 128
	maxDescription = 2 << 10
	maxSchemaText  = 512 // each string of a schema
	maxEntry       = 24 << 10
)

// describe writes a tool's entry: strangers' text, made visible and bounded. It omits the
// annotations, and a title among them: they move no call.
func describe(t catalog.Tool) (jsontext.Value, error) {
	schema, err := visible(t.Input().Raw())
	if err != nil {
		return nil, err
	}
	f := t.Fields()
	return encodeData(struct {
		Server      string         `json:"server"`
		Tool        string         `json:"tool"`
		Title       string         `json:"title,omitempty"`
		Description string         `json:"description,omitempty"`
		InputSchema jsontext.Value `json:"input_schema"`
	}{
		t.Server(), t.Name(),
		escape.Line(f.Title, maxTitle),
		escape.Text(f.Description, maxDescription),
		schema,
	})
}

// visible copies JSON with each of its strings, keys too, bounded and escaped. A model can no
// longer answer with a key or an enum value that this changes, and then the gate's schema
// refuses the answer: the safe side. Two keys that become one are an error.
func visible(raw jsontext.Value) (jsontext.Value, error) {
	var out bytes.Buffer
	d, e := jsontext.NewDecoder(bytes.NewReader(raw)), jsontext.NewEncoder(&out)
	for {
		tok, err := d.ReadToken()
		if errors.Is(err, io.EOF) {
			return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
		}
		if err != nil {
			return nil, err
		}
		if tok.Kind() == '"' {
			tok = jsontext.String(escape.Text(tok.String(), maxSchemaText))
		}
		if err := e.WriteToken(tok); err != nil {
			return nil, err
		}
	}
}
