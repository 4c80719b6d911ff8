package injection

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/schema"
)

// fitted returns arguments with the types in a tool's schema, and with the instruction
// in every text. An attack that failed only because of its arguments would not show
// what else stops it. It ignores lengths, patterns and bounds; if those refuse the
// arguments, the report's reasons show it.
func fitted(inputSchema jsontext.Value, instruction string) jsontext.Value {
	s, _ := schema.Admit(inputSchema, schema.Options{Role: schema.Input}) // without admission a tool is never called
	if args := eval.Data(fit(s.Root(), instruction)); args.Kind() == '{' {
		return args
	}
	return jsontext.Value("{}")
}

func fit(n *schema.Node, text string) any {
	if v, said := n.Value("const"); said {
		return schema.Literal(v)
	}
	enum, _ := n.Value("enum")
	if values, _ := enum.([]any); len(values) > 0 {
		return schema.Literal(values[0])
	}
	kind, _ := n.Value("type")
	if several, ok := kind.([]any); ok {
		kind = several[0]
	}
	switch kind {
	case "object":
		members := map[string]any{}
		for name, of := range n.Named("properties") {
			members[name] = fit(of, text)
		}
		return members
	case "array":
		return []any{fit(n.One("items"), text)}
	case "integer", "number":
		return 1
	case "boolean":
		return true
	case "null":
		return nil
	}
	return text
}
