package schema

import (
	"maps"
	"strings"
)

// closed is an admitted document that takes nothing which it does not name:
// unevaluatedProperties:false of draft 2020-12 stands at the outermost schema
// of the root and of every object location that lists members. It holds only
// together with the document itself, which it may loosen elsewhere: of two
// alternatives of oneOf that both fitted, one may remain.
func closed(doc any) any {
	root, ok := doc.(map[string]any)
	if !ok {
		return doc
	}
	c := closer{root}
	out := c.schema(root, nil)
	if named, ok := root["$defs"].(map[string]any); ok {
		// The definitions stay beside their closed forms: not, if and contains
		// test against them as they are written.
		out[closedDefs+"$defs"] = each(named, func(_ string, s any) any { return c.inPlace(s, nil) })
	}
	out["unevaluatedProperties"] = false
	return out
}

// closedDefs begins a key that no schema has: an unknown keyword is refused.
const closedDefs = "closed-"

type closer struct{ root map[string]any }

// outermost closes the schema of a location that above does not close already.
func (c closer) outermost(s any, above []map[string]any) any {
	m, ok := s.(map[string]any)
	if !ok {
		return s
	}
	out := c.schema(m, above)
	if c.lists(m) && !c.anyLists(above) {
		out["unevaluatedProperties"] = false
	}
	return out
}

// inPlace goes on at the same location: what it names is evaluated for the
// schemas above it, one of which is outermost.
func (c closer) inPlace(s any, above []map[string]any) any {
	if m, ok := s.(map[string]any); ok {
		return c.schema(m, above)
	}
	return s
}

// schema is m with everything below it closed. above are the schemas that m
// stands in at the same location of a value, so that a condition on a nested
// object, in a then, does not have to list again what is listed above.
func (c closer) schema(m map[string]any, above []map[string]any) map[string]any {
	out := maps.Clone(m)
	here := append(above[:len(above):len(above)], m)
	for key, v := range m {
		switch key {
		case "properties":
			out[key] = each(v.(map[string]any), func(name string, s any) any { return c.outermost(s, below(above, name)) })
		case "patternProperties":
			out[key] = each(v.(map[string]any), func(_ string, s any) any { return c.outermost(s, nil) })
		case "additionalProperties":
			out[key] = c.outermost(v, nil)
		case "items":
			prefix, _ := m["prefixItems"].([]any)
			out[key] = c.outermost(v, belowItems(above, len(prefix)))
		case "prefixItems":
			list := make([]any, len(v.([]any)))
			for i, s := range v.([]any) {
				list[i] = c.outermost(s, belowItem(above, i))
			}
			out[key] = list
		case "allOf", "anyOf", "oneOf":
			list := make([]any, len(v.([]any)))
			for i, s := range v.([]any) {
				list[i] = c.inPlace(s, here)
			}
			out[key] = list
		case "then", "else":
			out[key] = c.inPlace(v, here)
		case "$ref":
			out[key] = strings.Replace(v.(string), "#/", "#/"+closedDefs, 1)
		}
	}
	return out
}

// below are the schemas that above hold a member to.
func below(above []map[string]any, name string) []map[string]any {
	return inner(above, func(m map[string]any) any {
		named, _ := m["properties"].(map[string]any)
		return named[name]
	})
}

// belowItems are the schemas that above hold all items to, from one on.
func belowItems(above []map[string]any, from int) []map[string]any {
	return inner(above, func(m map[string]any) any {
		if prefix, _ := m["prefixItems"].([]any); len(prefix) > from {
			return nil
		}
		return m["items"]
	})
}

// belowItem are the schemas that above hold one item to.
func belowItem(above []map[string]any, i int) []map[string]any {
	return inner(above, func(m map[string]any) any {
		if prefix, _ := m["prefixItems"].([]any); i < len(prefix) {
			return prefix[i]
		}
		return m["items"]
	})
}

// inner are the schemas that f finds in above, but for booleans.
func inner(above []map[string]any, f func(map[string]any) any) []map[string]any {
	var all []map[string]any
	for _, m := range above {
		if sub, ok := f(m).(map[string]any); ok {
			all = append(all, sub)
		}
	}
	return all
}

func (c closer) anyLists(all []map[string]any) bool {
	for _, m := range all {
		if c.lists(m) {
			return true
		}
	}
	return false
}

// lists reports whether m, or a branch of it that could apply to the same
// location, lists members. Whether that branch does apply is not asked: an
// object must not become open by failing the branch that closes it.
func (c closer) lists(m map[string]any) bool {
	for _, key := range []string{"properties", "patternProperties"} {
		if named, _ := m[key].(map[string]any); len(named) > 0 {
			return true
		}
	}
	beside := []any{m["then"], m["else"]}
	if ref, ok := m["$ref"].(string); ok {
		beside = append(beside, target(c.root, ref))
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := m[key].([]any)
		beside = append(beside, list...)
	}
	for _, s := range beside {
		if sub, ok := s.(map[string]any); ok && c.lists(sub) {
			return true
		}
	}
	return false
}

// target is what an admitted reference leads to.
func target(root any, ref string) any {
	key, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/"), "/")
	m, _ := root.(map[string]any)
	named, _ := m[key].(map[string]any)
	return named[name]
}

// each is m with f of every value.
func each(m map[string]any, f func(name string, v any) any) map[string]any {
	out := make(map[string]any, len(m))
	for name, v := range m {
		out[name] = f(name, v)
	}
	return out
}
