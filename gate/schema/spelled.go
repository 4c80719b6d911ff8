package schema

import (
	"maps"
	"slices"
)

// spelled returns the schema m, which is the source of n, as draft 2020-12 and RE2
// spell it. The meaning is the same; readers of the tree then have one spelling to
// know.
func (a *admission) spelled(n *Node, m map[string]any) map[string]any {
	if _, is := m[tupleKeyword].([]any); is && a.older != "" && m["prefixItems"] == nil {
		m, n.tuple = prefixed(m), true
	}
	return withoutLookAhead(orNull(m))
}

// The keywords of draft-07 and 2019-09 for prefixItems and items, if the first is a
// list. They mean something else in 2020-12, so a document has to declare its dialect.
const (
	tupleKeyword = "items"
	restKeyword  = "additionalItems"
)

// prefixed returns a schema with a list as items in the words of 2020-12.
func prefixed(m map[string]any) map[string]any {
	out := maps.Clone(m)
	delete(out, tupleKeyword)
	delete(out, restKeyword)
	out["prefixItems"] = m[tupleKeyword]
	if rest, ok := m[restKeyword]; ok {
		out["items"] = rest
	}
	return out
}

// stored returns the keyword in the tree for a keyword as sent.
func (n *Node) stored(sent string) string {
	switch {
	case !n.tuple:
		return sent
	case sent == tupleKeyword:
		return "prefixItems"
	case sent == restKeyword:
		return "items"
	case sent == "prefixItems":
		return "" // it was not sent
	}
	return sent
}

// written is the inverse of stored.
func (n *Node) written(stored string) string {
	switch {
	case n.tuple && stored == "prefixItems":
		return tupleKeyword
	case n.tuple && stored == "items":
		return restKeyword
	}
	return stored
}

// orNull returns the schema with null among its types if nullable, a keyword of
// OpenAPI 3.0, is next to the type. An enum or a const without null still refuses
// null.
func orNull(m map[string]any) map[string]any {
	list, several := m["type"].([]any)
	if one, ok := m["type"].(string); ok {
		list, several = []any{one}, true
	}
	if m["nullable"] != true || !several || slices.Contains(list, any("null")) {
		return m
	}
	out := maps.Clone(m)
	out["type"] = append(slices.Clip(list), "null")
	return out
}

// withoutLookAhead replaces a generator's look-ahead pattern with its equivalents.
// Further patterns become further conditions.
func withoutLookAhead(m map[string]any) map[string]any {
	p, _ := m["pattern"].(string)
	all, several := m["allOf"].([]any)
	equal := lookAhead()[p]
	if equal == nil || m["allOf"] != nil && !several {
		return m
	}
	out := maps.Clone(m)
	out["pattern"] = equal[0]
	for _, further := range equal[1:] {
		out["allOf"] = append(slices.Clip(all), any(map[string]any{"pattern": further}))
	}
	return out
}
