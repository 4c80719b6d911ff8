package intent

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/speech"
)

// scalar is a JSON value without inner values: a string decoded, or a literal.
type scalar struct {
	kind jsontext.Kind
	text string
}

// equal compares numbers by value, all else by text.
func (s scalar) equal(other scalar) bool {
	if s.kind == '0' && other.kind == '0' {
		return speech.Decimal(s.text) == speech.Decimal(other.text)
	}
	return s == other
}

// is reports whether a value of a schema is this one. An empty object or array is a scalar
// here.
func (s scalar) is(v any) bool {
	switch v := v.(type) {
	case nil:
		return s.kind == 'n'
	case bool:
		return s.text == strconv.FormatBool(v) && s.kind != '"'
	case string:
		return s == scalar{'"', v}
	case schema.Numeral:
		return s.kind == '0' && s.equal(scalar{'0', v.String()})
	case []any:
		return s.kind == '[' && len(v) == 0
	case map[string]any:
		return s.kind == '{' && len(v) == 0
	}
	return false
}

// place has the parts of the schema for one place of a value.
type place struct {
	nodes []*schema.Node
	sure  bool // nothing on the way left a choice
	named bool // the schema lists the last member
}

// at follows the way from a place to one inside it, through every alternative.
func (p place) at(way []schema.Step) place {
	for _, step := range way {
		p = p.step(step)
	}
	return p
}

// whole is the place of the arguments themselves.
func whole(root *schema.Node) place {
	if root == nil {
		return place{}
	}
	return place{nodes: []*schema.Node{root}, sure: true}.open()
}

// open adds the schemas that the nodes of a place refer to, and their alternatives.
func (p place) open() place {
	for i := 0; i < len(p.nodes); i++ {
		n := 0
		for _, one := range either(p.nodes[i]) {
			if n++; !slices.Contains(p.nodes, one) {
				p.nodes = append(p.nodes, one)
			}
		}
		p.sure = p.sure && n < 2
	}
	return p
}

// either are the schemas that a node refers to. It omits alternatives that exist only so
// that a value may be null.
func either(n *schema.Node) []*schema.Node {
	var all []*schema.Node
	if to := n.Ref(); to != nil {
		all = append(all, to)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, one := range n.List(keyword) {
			if named, _ := one.Value("type"); named != "null" && !fixed(one, scalar{'n', "null"}) {
				all = append(all, one)
			}
		}
	}
	return all
}

func (p place) step(s schema.Step) place {
	next := place{sure: p.sure}
	for _, n := range p.nodes {
		to, named := inside(n, s)
		next.named = next.named || named
		if to != nil {
			next.nodes = append(next.nodes, to)
		}
	}
	return next.open()
}

// inside is the node's schema for a place in its values, or nil.
func inside(n *schema.Node, s schema.Step) (to *schema.Node, named bool) {
	if first := n.List("prefixItems"); s.Index >= 0 && s.Index < len(first) {
		return first[s.Index], false
	}
	if s.Index >= 0 {
		return n.One("items"), false
	}
	if property := n.Named("properties")[s.Name]; property != nil {
		return property, true
	}
	return n.One("additionalProperties"), false
}

// fixes reports whether the schema leaves no other value.
func (p place) fixes(v scalar) bool {
	return p.sure && slices.ContainsFunc(p.nodes, func(n *schema.Node) bool { return fixed(n, v) })
}

// fixed reports whether the value is a node's const, or all of its enum.
func fixed(n *schema.Node, v scalar) bool {
	only, said := n.Value("const")
	if list := enum(n); !said && len(list) == 1 {
		only, said = list[0], true
	}
	return said && v.is(only)
}

func enum(n *schema.Node) []any {
	values, _ := n.Value("enum")
	list, _ := values.([]any)
	return list
}

// assumes reports whether the value is the schema's default for an omitted member.
func (p place) assumes(v scalar) bool {
	return slices.ContainsFunc(p.nodes, func(n *schema.Node) bool {
		normal, said := n.Value("default")
		return said && v.is(normal)
	})
}

// lists reports whether the schema's enum, or a const of an alternative, has the value.
func (p place) lists(v scalar) bool {
	return slices.ContainsFunc(p.nodes, func(n *schema.Node) bool { return slices.ContainsFunc(enum(n), v.is) || fixed(n, v) })
}
