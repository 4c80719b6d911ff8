package lexical

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// property is one property's schema, with the keywords that its references add.
type property struct {
	*schema.Node
	description string
	preset      jsontext.Value // the default, or nil
}

// propertyOf reads one schema, through a reference and through the first alternative that
// is not null.
func propertyOf(n *schema.Node) property {
	p := referred(n)
	alternatives := slices.Concat(p.List("anyOf"), p.List("oneOf"))
	for _, alt := range alternatives[:min(len(alternatives), maxAlts)] {
		_, typed := p.Value("type")
		if q := referred(alt); !typed && q.typ() != "" {
			q.description, q.preset = p.description, p.preset
			return q
		}
	}
	return p
}

// referred is the target of a reference, with the description next to it.
func referred(n *schema.Node) (p property) {
	for range maxRefs + 1 {
		p = property{n, cmp.Or(p.description, of[string](n, "description")), p.preset}
		if v := literal(n, "default"); p.preset == nil {
			p.preset = v
		}
		if n = n.Ref(); n == nil {
			break
		}
	}
	return p
}

// of is the value of a keyword if it has the type, else the type's zero.
func of[T any](n *schema.Node, keyword string) T {
	v, _ := n.Value(keyword)
	t, _ := v.(T)
	return t
}

// literal is the value of a keyword as JSON; nil if it is absent.
func literal(n *schema.Node, keyword string) jsontext.Value {
	v, said := n.Value(keyword)
	if !said {
		return nil
	}
	return schema.Literal(v)
}

// bound is the number of a keyword; nil if it is absent.
func bound(n *schema.Node, keyword string) *float64 {
	f, err := of[schema.Numeral](n, keyword).Float64()
	if err != nil {
		return nil
	}
	return &f
}

// typ is the first type that is not null, or the type that the rest of the schema shows.
func (p property) typ() string {
	named := append(of[[]any](p.Node, "type"), of[string](p.Node, "type"))
	for _, kind := range []string{"string", "integer", "number", "boolean", "array", "object"} {
		if slices.Contains(named, any(kind)) {
			return kind
		}
	}
	value, _ := p.Value("const")
	if enum := of[[]any](p.Node, "enum"); len(enum) > 0 && value == nil {
		value = enum[0]
	}
	_, isText := value.(string)
	switch {
	case p.Named("properties") != nil:
		return "object"
	case p.One("items") != nil:
		return "array"
	case isText:
		return "string"
	}
	return ""
}
