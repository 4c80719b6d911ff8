package planner

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/plan"
)

// The limits of one tool in a prompt, in bytes. Of 630 tools of public
// servers the median description is 164 characters long and the longest input
// schema 12 050 bytes; what is longer than these limits is cut or left out.
const (
	maxTitle       = 128
	maxDescription = 2 << 10
	maxSchemaText  = 512 // each string of a schema
	maxEntry       = 24 << 10
)

// describe writes a tool's entry: strangers' text, made visible and bounded. Its
// annotations are not in it, nor is a title that stands there: they move no call.
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
		guard.Line(f.Title, maxTitle),
		guard.Text(f.Description, maxDescription),
		schema,
	})
}

// visible copies JSON with each of its strings, keys too, bounded and
// escaped. A key or an enum value that this changes can no longer be answered
// with, and then the gate's schema refuses: the safe side. Two keys that
// become one are an error.
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
			tok = jsontext.String(guard.Text(tok.String(), maxSchemaText))
		}
		if err := e.WriteToken(tok); err != nil {
			return nil, err
		}
	}
}

func order(a, b catalog.Tool) int {
	return cmp.Or(cmp.Compare(a.Server(), b.Server()), cmp.Compare(a.Name(), b.Name()))
}

// maxEnum is how many names a schema enumerates; endpoints refuse much more.
const maxEnum = 250

// object is a JSON Schema of a closed object. Members are in the order in
// which a constrained decoder is to write them: a tool before its arguments.
type object struct {
	Type       string   `json:"type"`
	Properties any      `json:"properties"`
	Required   []string `json:"required"`
	Closed     bool     `json:"additionalProperties"` // always false
}

type constant struct {
	Type  string `json:"type"`
	Const any    `json:"const"`
}

type text struct {
	Type      string   `json:"type"`
	Enum      []string `json:"enum,omitempty"`
	MaxLength int      `json:"maxLength,omitzero"`
}

type callProperties struct {
	Type   constant `json:"type"`
	Server text     `json:"server"`
	Tool   text     `json:"tool"`
	Args   struct {
		Type string `json:"type"`
	} `json:"args"`
}

type declineProperties struct {
	Type   constant `json:"type"`
	Answer text     `json:"answer"`
	Needs  constant `json:"needs_more_info"`
}

// planSchema describes the two shapes of a plan, with the pairs of server and
// tool that are in the prompt, for endpoints that constrain decoding. Whether
// they do is their word alone, and so is never relied on.
func planSchema(shown []listed) jsontext.Value {
	shapes := []object{{
		"object",
		declineProperties{constant{"string", "final_answer"}, text{Type: "string", MaxLength: plan.MaxAnswer / 4}, constant{"boolean", true}},
		[]string{"type", "answer", "needs_more_info"},
		false,
	}}
	for _, c := range callShapes(shown) {
		c.Args.Type = "object"
		shapes = append(shapes, object{"object", c, []string{"type", "server", "tool", "args"}, false})
	}
	b, err := json.Marshal(struct {
		Type  string   `json:"type"`
		AnyOf []object `json:"anyOf"`
	}{"object", shapes})
	if err != nil { // names are plain ASCII, so this cannot be; no schema is no worse than one that is ignored
		return nil
	}
	return b
}

// callShapes is one shape for each server, as tools are sorted by server.
func callShapes(shown []listed) []callProperties {
	kind := constant{"string", "call_tool"}
	if len(shown) > maxEnum {
		return []callProperties{{Type: kind, Server: text{Type: "string"}, Tool: text{Type: "string"}}}
	}
	var shapes []callProperties
	for _, t := range shown {
		if n := len(shapes); n == 0 || shapes[n-1].Server.Enum[0] != t.Server() {
			shapes = append(shapes, callProperties{Type: kind, Server: text{Type: "string", Enum: []string{t.Server()}}, Tool: text{Type: "string"}})
		}
		last := &shapes[len(shapes)-1].Tool
		last.Enum = append(last.Enum, t.Name())
	}
	return shapes
}
