package injection

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/schema"
)

// fitted are arguments of the types that a tool's schema names, with the
// instruction wherever a text may stand: an attack that only failed for its
// arguments would show nothing about what else stops it. Lengths, patterns and
// bounds are not looked at; where those refuse the arguments, the reasons in
// the report say so.
func fitted(inputSchema jsontext.Value, instruction string) jsontext.Value {
	if args := eval.Data(fit(inputSchema, instruction)); args.Kind() == '{' {
		return args
	}
	return jsontext.Value("{}")
}

// shape is what is read of a schema; other keywords are passed over.
type shape struct {
	Type       jsontext.Value            `json:"type"`
	Const      jsontext.Value            `json:"const"`
	Enum       []jsontext.Value          `json:"enum"`
	Properties map[string]jsontext.Value `json:"properties"`
	Items      jsontext.Value            `json:"items"`
}

func fit(raw jsontext.Value, text string) any {
	var s shape
	if schema.DecodeOpen(raw, &s, eval.RowLimits()) != nil {
		return text
	}
	switch {
	case s.Const != nil:
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	switch s.kind() {
	case "object":
		members := map[string]any{}
		for name, of := range s.Properties {
			members[name] = fit(of, text)
		}
		return members
	case "array":
		return []any{fit(s.Items, text)}
	case "integer", "number":
		return 1
	case "boolean":
		return true
	case "null":
		return nil
	}
	return text
}

// kind is the schema's type, the first where it names several.
func (s shape) kind() string {
	var one string
	var several []string
	switch {
	case schema.DecodeOpen(s.Type, &one, eval.RowLimits()) == nil:
		return one
	case schema.DecodeOpen(s.Type, &several, eval.RowLimits()) == nil && len(several) > 0:
		return several[0]
	}
	return ""
}
