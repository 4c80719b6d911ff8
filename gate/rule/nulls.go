package rule

import (
	"strconv"

	"github.com/onestep-run/onestep/gate/schema"
)

// null is the effect of null on a member that a rule's schema names. As in the short
// forms, null never helps a call, whatever the schema says.
type null int

const (
	nullFails null = -1 // in a rule that allows, or below the "not" of another one
	nullFits  null = 1
)

func nullOf(strict bool) null {
	if strict {
		return nullFails
	}
	return nullFits
}

// around returns a member's schema with the effect of null added.
func (n null) around(s any) any {
	is := object{"type": "null"}
	if n == nullFits {
		return object{"anyOf": []any{is, s}}
	}
	return object{"allOf": []any{object{"not": is}, s}}
}

// nulls rewrites a schema. It copies the target of a reference once for each effect of
// null.
type nulls struct {
	root any // the schema that references point into
	defs object
	made map[copied]string
}

type copied struct {
	ref string
	null
}

// withNulls returns a whole schema in which null has the effect n.
func withNulls(doc object, n null) object {
	w := nulls{doc, object{}, map[copied]string{}}
	out, _ := w.schema(doc, n).(object)
	if len(w.defs) > 0 {
		out["$defs"] = w.defs
	}
	return out
}

func (w nulls) schema(v any, n null) any {
	doc, is := v.(object)
	if !is {
		return v
	}
	member := func(s any) any { return n.around(w.schema(s, n)) }
	out, all := make(object, len(doc)), []any{}
	for keyword, v := range doc {
		switch keyword {
		case "$defs", "definitions", "then", "else":
		case "$ref":
			out[keyword] = w.refer(v, n)
		case "properties", "patternProperties":
			out[keyword] = schema.Inside(keyword, v, member)
		case "additionalProperties":
			if out[keyword] = v; v != any(true) && v != any(false) {
				out[keyword] = member(v)
			}
		case "not":
			out[keyword] = w.schema(v, -n)
		case "oneOf":
			all = append(all, w.exactlyOne(v, n))
		case "if":
			all = append(all, w.either(doc, n))
		default:
			out[keyword] = schema.Inside(keyword, v, func(s any) any { return w.schema(s, n) })
		}
	}
	if len(all) > 0 {
		said, _ := out["allOf"].([]any)
		out["allOf"] = append(all, said...)
	}
	return out
}

// exactlyOne rewrites a oneOf. A null that fits one of its schemas does not exclude
// the others.
func (w nulls) exactlyOne(v any, n null) any {
	branches, _ := v.([]any)
	var alternatives []any
	for i, s := range branches {
		all := []any{w.schema(s, n)}
		for j, other := range branches {
			if i != j {
				all = append(all, object{"not": w.schema(other, -n)})
			}
		}
		alternatives = append(alternatives, object{"allOf": all})
	}
	return object{"anyOf": alternatives}
}

// either rewrites an if with its then and else; null may meet both branches or none.
func (w nulls) either(doc object, n null) any {
	part := func(keyword string) any {
		if s, has := doc[keyword]; has {
			return w.schema(s, n)
		}
		return true
	}
	return object{"anyOf": []any{
		object{"allOf": []any{w.schema(doc["if"], n), part("then")}},
		object{"allOf": []any{object{"not": w.schema(doc["if"], -n)}, part("else")}},
	}}
}

func (w nulls) refer(v any, n null) any {
	ref, _ := v.(string)
	names, local := schema.Fragment(ref)
	if !local || w.defs == nil {
		return v // admission refuses it, or it points into the schema around
	}
	key := copied{ref, n}
	name, made := w.made[key]
	if !made {
		name = strconv.Itoa(len(w.made))
		w.made[key] = name
		w.defs[name] = w.schema(lookup(w.root, names), n)
	}
	return "#/$defs/" + name
}

// lookup returns the value at a place, or nil.
func lookup(v any, names []string) any {
	for _, name := range names {
		switch in := v.(type) {
		case object:
			v = in[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}
