package planner

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/plan"
)

// maxEnum is how many names a schema enumerates; endpoints refuse many more.
const maxEnum = 250

// object is a JSON Schema of a closed object. Members are in the order in which a constrained
// decoder writes them: a tool before its arguments.
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
	Type   constant       `json:"type"`
	Server text           `json:"server"`
	Tool   text           `json:"tool"`
	Args   jsontext.Value `json:"args"`
}

type declineProperties struct {
	Type   constant `json:"type"`
	Answer text     `json:"answer"`
	Needs  constant `json:"needs_more_info"`
}

// planSchema describes the two shapes of a plan, with the pairs of server and tool in the
// prompt. It is for endpoints that constrain decoding. Only the endpoints claim that they do,
// so nothing relies on it.
func planSchema(shown []listed, narrow bool) jsontext.Value {
	shapes := []object{{
		"object",
		declineProperties{constant{"string", "final_answer"}, text{Type: "string", MaxLength: plan.MaxAnswer / 4}, constant{"boolean", true}},
		[]string{"type", "answer", "needs_more_info"},
		false,
	}}
	for _, c := range callShapes(shown, narrow) {
		shapes = append(shapes, object{"object", c, []string{"type", "server", "tool", "args"}, false})
	}
	b, err := json.Marshal(struct {
		Type  string   `json:"type"`
		AnyOf []object `json:"anyOf"`
	}{"object", shapes})
	if err != nil { // impossible with plain ASCII names; a missing schema does no more harm than an ignored one
		return nil
	}
	return b
}

// anyObject is the schema of unconstrained arguments.
var anyObject = jsontext.Value(`{"type":"object"}`)

// callShapes is one shape for each tool with its arguments. If arguments are not constrained,
// or their schemas are too large, it is one shape for each server with any arguments.
func callShapes(shown []listed, narrow bool) []callProperties {
	if narrow {
		if shapes, fit := narrowShapes(shown); fit {
			return shapes
		}
	}
	kind := constant{"string", "call_tool"}
	if len(shown) > maxEnum {
		return []callProperties{{kind, text{Type: "string"}, text{Type: "string"}, anyObject}}
	}
	var shapes []callProperties
	for _, t := range shown { // sorted by server
		if n := len(shapes); n == 0 || shapes[n-1].Server.Enum[0] != t.Server() {
			shapes = append(shapes, callProperties{kind, oneOf(t.Server()), text{Type: "string"}, anyObject})
		}
		last := &shapes[len(shapes)-1].Tool
		last.Enum = append(last.Enum, t.Name())
	}
	return shapes
}

func oneOf(name string) text { return text{Type: "string", Enum: []string{name}} }

// maxNarrow bounds the schemas of all arguments together, in bytes. The endpoint makes a
// grammar of them.
const maxNarrow = 64 << 10

func narrowShapes(shown []listed) (shapes []callProperties, fit bool) {
	size := 0
	for _, t := range shown {
		args := anyObject
		if raw, err := visible(t.Input().Raw()); err == nil {
			if n, ok := narrowed(raw); ok {
				args = n
			}
		}
		if size += len(args); size > maxNarrow {
			return nil, false
		}
		shapes = append(shapes, callProperties{constant{"string", "call_tool"}, oneOf(t.Server()), oneOf(t.Name()), args})
	}
	return shapes, true
}
