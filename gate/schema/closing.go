package schema

import (
	"maps"
	"slices"
	"strings"
)

// closed returns an admitted document that accepts only the members it names. It sets
// unevaluatedProperties:false of draft 2020-12 at the outermost schema of the root and
// of every object location that lists members. A value must fit this form and the
// document itself, because the form may be looser in places: if two alternatives of
// oneOf both fit, the form may keep one.
func closed(root *Node, defs map[string]*Node) any {
	if root.checked() == nil {
		return root.doc
	}
	out := closedObject(root, nil)
	if len(defs) > 0 {
		// The definitions stay next to their closed forms, because not, if and
		// contains test against the original ones.
		all := each(defs, func(_ string, n *Node) any { return n.doc })
		for name, n := range defs {
			all[closedDef+name] = inPlace(n, nil)
		}
		out["$defs"] = all
	}
	out["unevaluatedProperties"] = false
	return out
}

// closedDef begins the name of a closed definition. The admission names the others d0,
// d1 and so on.
const closedDef = "closed-"

// outermost closes the schema of a location unless a schema in above closes it
// already.
func outermost(n *Node, above []*Node) any {
	out := inPlace(n, above)
	if m, is := out.(map[string]any); is && n.Lists() && !slices.ContainsFunc(above, (*Node).Lists) {
		m["unevaluatedProperties"] = false
	}
	return out
}

// inPlace continues at the same location. The members that n names count as evaluated
// for the schemas in above, one of which is outermost.
func inPlace(n *Node, above []*Node) any {
	if n.checked() == nil {
		return n.doc
	}
	return closedObject(n, above)
}

// closedObject returns n, which is not a boolean, with everything below it closed.
// above are the schemas around n at the same location of a value. With them, a
// condition on a nested object in a then does not have to list their members again.
func closedObject(n *Node, above []*Node) map[string]any {
	out := maps.Clone(n.checked())
	here := append(above[:len(above):len(above)], n)
	for key, in := range n.inside {
		switch key {
		case "properties":
			out[key] = each(in.named, func(name string, s *Node) any {
				return outermost(s, inner(above, func(n *Node) *Node { return n.Named(key)[name] }))
			})
		case "patternProperties":
			out[key] = each(in.named, func(_ string, s *Node) any { return outermost(s, nil) })
		case "additionalProperties":
			out[key] = outermost(in.one, nil)
		case "items":
			out[key] = outermost(in.one, inner(above, itemsFrom(len(n.List("prefixItems")))))
		case "prefixItems":
			out[key] = listed(in.list, func(i int, s *Node) any { return outermost(s, inner(above, item(i))) })
		case "allOf", "anyOf", "oneOf":
			out[key] = listed(in.list, func(_ int, s *Node) any { return inPlace(s, here) })
		case "then", "else":
			out[key] = inPlace(in.one, here)
		}
	}
	if ref, ok := out["$ref"].(string); ok {
		out["$ref"] = strings.Replace(ref, definition, definition+closedDef, 1)
	}
	return out
}

// itemsFrom returns the schema that all items from an index on have to fit, or nil.
func itemsFrom(from int) func(*Node) *Node {
	return func(n *Node) *Node {
		if len(n.List("prefixItems")) > from {
			return nil
		}
		return n.One("items")
	}
}

// item returns the schema that one item has to fit.
func item(i int) func(*Node) *Node {
	return func(n *Node) *Node {
		if prefix := n.List("prefixItems"); i < len(prefix) {
			return prefix[i]
		}
		return n.One("items")
	}
}

// inner returns the schemas that f finds in above.
func inner(above []*Node, f func(*Node) *Node) []*Node {
	var all []*Node
	for _, n := range above {
		if sub := f(n); sub != nil {
			all = append(all, sub)
		}
	}
	return all
}

// Lists reports whether n lists members, or a branch of n that could apply to the same
// location does. It ignores whether the branch does apply: an object must not become
// open because it fails the branch that closes it.
func (n *Node) Lists() bool {
	if n == nil {
		return false
	}
	branches := slices.Concat([]*Node{n.One("then"), n.One("else"), n.to}, n.List("allOf"), n.List("anyOf"), n.List("oneOf"))
	return len(n.Named("properties"))+len(n.Named("patternProperties")) > 0 || slices.ContainsFunc(branches, (*Node).Lists)
}

// each returns m with f applied to every value.
func each[V any](m map[string]V, f func(name string, v V) any) map[string]any {
	out := make(map[string]any, len(m))
	for name, v := range m {
		out[name] = f(name, v)
	}
	return out
}

// listed returns the list with f applied to every element.
func listed[V any](list []V, f func(i int, v V) any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = f(i, v)
	}
	return out
}
