package schema

import (
	"maps"
	"slices"
	"strings"
)

// closed is an admitted document that takes nothing which it does not name:
// unevaluatedProperties:false of draft 2020-12 stands at the outermost schema
// of the root and of every object location that lists members. It holds only
// together with the document itself, which it may loosen elsewhere: of two
// alternatives of oneOf that both fitted, one may remain.
func closed(root *Node, defs map[string]*Node) any {
	if root.checked() == nil {
		return root.doc
	}
	out := closedObject(root, nil)
	if len(defs) > 0 {
		out["$defs"] = each(defs, func(_ string, n *Node) any { return n.doc })
		// The definitions stay beside their closed forms: not, if and contains
		// test against them as they are written.
		out[closedDefs+"$defs"] = each(defs, func(_ string, n *Node) any { return inPlace(n, nil) })
	}
	out["unevaluatedProperties"] = false
	return out
}

// closedDefs begins a key that no schema has: an unknown keyword is refused.
const closedDefs = "closed-"

// outermost closes the schema of a location that above does not close already.
func outermost(n *Node, above []*Node) any {
	out := inPlace(n, above)
	if m, is := out.(map[string]any); is && n.Lists() && !slices.ContainsFunc(above, (*Node).Lists) {
		m["unevaluatedProperties"] = false
	}
	return out
}

// inPlace goes on at the same location: what it names is evaluated for the
// schemas above it, one of which is outermost.
func inPlace(n *Node, above []*Node) any {
	if n.checked() == nil {
		return n.doc
	}
	return closedObject(n, above)
}

// closedObject is n, no boolean, with everything below it closed. above are the
// schemas that n stands in at the same location of a value, so that a condition
// on a nested object, in a then, does not have to list again what is listed
// above.
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
		out["$ref"] = strings.Replace(ref, "#/", "#/"+closedDefs, 1)
	}
	return out
}

// itemsFrom is the schema that all items from one on have to fit, if there is one.
func itemsFrom(from int) func(*Node) *Node {
	return func(n *Node) *Node {
		if len(n.List("prefixItems")) > from {
			return nil
		}
		return n.One("items")
	}
}

// item is the schema that one item has to fit.
func item(i int) func(*Node) *Node {
	return func(n *Node) *Node {
		if prefix := n.List("prefixItems"); i < len(prefix) {
			return prefix[i]
		}
		return n.One("items")
	}
}

// inner are the schemas that f finds in above.
func inner(above []*Node, f func(*Node) *Node) []*Node {
	var all []*Node
	for _, n := range above {
		if sub := f(n); sub != nil {
			all = append(all, sub)
		}
	}
	return all
}

// Lists reports whether n, or a branch of it that could apply to the same
// location, lists members. Whether that branch does apply is not asked: an
// object must not become open by failing the branch that closes it.
func (n *Node) Lists() bool {
	if n == nil {
		return false
	}
	branches := slices.Concat([]*Node{n.One("then"), n.One("else"), n.to}, n.List("allOf"), n.List("anyOf"), n.List("oneOf"))
	return len(n.Named("properties"))+len(n.Named("patternProperties")) > 0 || slices.ContainsFunc(branches, (*Node).Lists)
}

// each is m with f of every value.
func each[V any](m map[string]V, f func(name string, v V) any) map[string]any {
	out := make(map[string]any, len(m))
	for name, v := range m {
		out[name] = f(name, v)
	}
	return out
}

// listed is the list with f of every element.
func listed[V any](list []V, f func(i int, v V) any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = f(i, v)
	}
	return out
}
