package rule

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// object is a JSON Schema, or another JSON object.
type object = map[string]any

// tree is the short form of a condition, by the names that lead to each value.
type tree struct {
	form  object // of the value, or nil
	below map[string]*tree
}

// short compiles the short form of a condition to a JSON Schema of the record, and
// returns the paths that it names. The condition concerns the part of the record below
// base. Rules that allow are strict: then a missing value, null, or a value of a type
// that the operator does not concern does not pass. In any other rule all of those
// pass.
func short(members object, base []string, strict bool) (doc object, paths [][]string, err error) {
	root, seen := &tree{}, map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		path := pathOf(catalog.ArgumentOf(key))
		form, ofPlace, err := form(members[key], strict)
		if err != nil {
			return nil, nil, fmt.Errorf("%.100q: %w", key, err)
		}
		if seen[pointerTo(path)] || len(path) == 0 {
			return nil, nil, fmt.Errorf("%.100q names the same value as another member, or none", key)
		}
		at := append(slices.Clone(base), path...)
		if ofPlace {
			at = []string{placesMember, pointerTo(at)}
		}
		root.at(at).form, paths, seen[pointerTo(path)] = form, append(paths, path), true
	}
	return root.schema(strict), paths, nil
}

// at returns the part of t that names lead to, and makes the part if necessary.
func (t *tree) at(names []string) *tree {
	for _, name := range names {
		if t.below == nil {
			t.below = map[string]*tree{}
		}
		if t.below[name] == nil {
			t.below[name] = &tree{}
		}
		t = t.below[name]
	}
	return t
}

func (t *tree) schema(strict bool) object {
	if t.below == nil {
		return t.form
	}
	names := slices.Sorted(maps.Keys(t.below))
	properties, required := object{}, []any{}
	for _, name := range names {
		properties[name] = t.below[name].schema(strict)
		required = append(required, name)
	}
	doc := object{"properties": properties}
	if strict {
		doc["type"], doc["required"] = "object", required
	}
	if t.form != nil {
		return object{"allOf": []any{t.form, doc}}
	}
	return doc
}

// form compiles the condition on one value. The schema of a form with under applies to
// the value's place in the record instead of the value.
func form(v any, strict bool) (doc object, ofPlace bool, err error) {
	switch v := v.(type) {
	case object:
		return operator(v, strict)
	case []any:
		if len(v) == 0 || slices.ContainsFunc(v, func(e any) bool { return !scalar(e) }) {
			return nil, false, errors.New("a list holds the values that it may be: texts, numbers, true, false or null, at least one")
		}
		return oneOf(v, strict), false, nil
	}
	return oneOf([]any{v}, strict), false, nil
}

// oneOf compiles a list of values. Null counts as missing, and passes unless the form
// is strict.
func oneOf(values []any, strict bool) object {
	if !strict && !slices.Contains(values, nil) {
		values = append(slices.Clone(values), nil)
	}
	return object{"enum": values}
}

func scalar(v any) bool {
	switch v.(type) {
	case object, []any:
		return false
	}
	return true
}

var operators = []string{"has", "max", "min", "not", "schema", "under"}

func operator(v object, strict bool) (doc object, ofPlace bool, err error) {
	names := slices.Sorted(maps.Keys(v))
	first := ""
	if len(names) > 0 {
		first = names[0]
	}
	for _, name := range names {
		if !slices.Contains(operators, name) {
			return nil, false, fmt.Errorf("%.60q is not one of has, max, min, not, schema and under%s; name a member inside by its JSON Pointer, \"/a/b\"", name, verdict.Near(name, operators))
		}
	}
	if first == "max" || first == "min" {
		doc, err = between(v, strict)
		return doc, false, err
	}
	if len(names) != 1 {
		return nil, false, errors.New("it takes one of has, not, schema and under, or min and max")
	}
	given := v[first]
	switch first {
	case "has":
		if !scalar(given) {
			return nil, false, errors.New(`"has" takes a text, a number, true, false or null`)
		}
		return typed("array", object{"contains": object{"const": given}}, strict), false, nil
	case "not":
		inner, ofPlace, err := form(given, !strict)
		return object{"not": inner}, ofPlace, err
	case "schema":
		doc, is := given.(object)
		if !is {
			return nil, false, errors.New(`"schema" takes a JSON Schema, an object`)
		}
		n := nullOf(strict)
		doc, _ = n.around(nulls{}.schema(doc, n)).(object)
		return doc, false, nil
	}
	root, _ := given.(string)
	doc, err = under(root, strict)
	return doc, true, err
}

func between(v object, strict bool) (object, error) {
	doc := object{}
	for name, keyword := range map[string]string{"min": "minimum", "max": "maximum"} {
		bound, there := v[name]
		if _, is := bound.(schema.Numeral); there && !is {
			return nil, fmt.Errorf("%q takes a number", name)
		}
		if there {
			doc[keyword] = bound
		}
	}
	if len(doc) != len(v) {
		return nil, errors.New("min and max take no other members")
	}
	return typed("number", doc, strict), nil
}

// typed adds the type to a strict form, because a keyword passes values of other
// types.
func typed(kind string, doc object, strict bool) object {
	if strict {
		doc["type"] = kind
	}
	return doc
}
