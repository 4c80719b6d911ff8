package planner

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/plan"
)

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

// planSchema describes the two shapes of a plan, with the pairs of server and
// tool that are in the prompt, for endpoints that constrain decoding. Whether
// they do is their word alone, and so is never relied on.
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
	if err != nil { // names are plain ASCII, so this cannot be; a missing schema does no more harm than one that is ignored
		return nil
	}
	return b
}

// anyObject are arguments of which nothing is said.
var anyObject = jsontext.Value(`{"type":"object"}`)

// callShapes is one shape for each tool with its arguments, or where these are
// not asked for or take too much, one for each server with any.
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

// maxNarrow bounds the schemas of all arguments together, in bytes. What reads
// them makes a grammar of them.
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
