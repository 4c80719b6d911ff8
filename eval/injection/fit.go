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
	s, _ := schema.Admit(inputSchema, schema.Options{Role: schema.Input}) // a tool whose schema is not admitted is never called
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
