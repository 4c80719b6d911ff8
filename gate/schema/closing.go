package schema

import (
	"maps"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// applied is a schema that a place of a value was held to, successfully.
type applied struct {
	schema *jsonschema.Schema
	test   bool // it stands inside an if: it can name a member, and closes nothing
}

// shut refuses what a valid value holds and the schema does not name. At each
// place it asks every schema that applied there, failed branches not among
// them, as unevaluatedProperties:false asks those beside and below it; where
// two branches describe the same nested object, what either names is named.
// It only ever refuses: nothing becomes valid by it.
func shut(root *jsonschema.Schema, v any) error {
	// A typed nil in an error would not be nil.
	if m := visit("", v, []applied{{schema: root}}, true); m != nil {
		return m
	}
	return nil
}

// visit looks at one place of the value. outer are the schemas that stand
// outermost there: one for most places, more where several branches describe
// it.
func visit(at string, v any, outer []applied, closed bool) *Mismatch {
	var all []applied
	for _, a := range outer {
		all = a.spread(v, all)
		closed = closed || !a.test && lists(a.schema)
	}
	switch v := v.(type) {
	case map[string]any:
		return visitObject(at, v, all, closed)
	case []any:
		return visitArray(at, v, all)
	}
	return nil
}

func visitObject(at string, v map[string]any, all []applied, closed bool) *Mismatch {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		here := join(at, name)
		var inner []applied
		known := false
		for _, a := range all {
			if below, ok := a.member(name); ok {
				known = true
				inner = append(inner, below...)
			}
		}
		if closed && !known {
			return &Mismatch{cut(here, 200), "the schema names no such member"}
		}
		if m := visit(here, v[name], inner, false); m != nil {
			return m
		}
	}
	return nil
}

func visitArray(at string, v []any, all []applied) *Mismatch {
	var inner []applied
	for _, a := range all {
		if a.schema.Items2020 != nil {
			inner = append(inner, applied{a.schema.Items2020, a.test})
		}
	}
	if inner == nil {
		return nil
	}
	for i, e := range v {
		if m := visit(join(at, strconv.Itoa(i)), e, inner, false); m != nil {
			return m
		}
	}
	return nil
}

// spread appends a and what applies to v at the same place through it. The
// value is valid against a.
func (a applied) spread(v any, all []applied) []applied {
	s := a.schema
	all = append(all, a)
	if s.Ref != nil {
		all = applied{s.Ref, a.test}.spread(v, all)
	}
	for _, sub := range s.AllOf {
		all = applied{sub, a.test}.spread(v, all)
	}
	for _, sub := range slices.Concat(s.AnyOf, s.OneOf) {
		if sub.Validate(v) == nil {
			all = applied{sub, a.test}.spread(v, all)
		}
	}
	if s.If == nil {
		return all
	}
	branch := s.Else
	if s.If.Validate(v) == nil {
		all = applied{s.If, true}.spread(v, all)
		branch = s.Then
	}
	if branch != nil {
		all = applied{branch, a.test}.spread(v, all)
	}
	return all
}

// member reports whether a names the member, and what it holds it to. Stating
// additionalProperties names every member.
func (a applied) member(name string) (below []applied, named bool) {
	s := a.schema
	if sub := s.Properties[name]; sub != nil {
		below, named = append(below, applied{sub, a.test}), true
	}
	for pattern, sub := range s.PatternProperties {
		if pattern.MatchString(name) {
			below, named = append(below, applied{sub, a.test}), true
		}
	}
	if named || s.AdditionalProperties == nil {
		return below, named
	}
	if sub, ok := s.AdditionalProperties.(*jsonschema.Schema); ok {
		below = append(below, applied{sub, a.test})
	}
	return below, true
}

// lists reports whether s, or a branch of it that could apply to the same
// place, lists members. Whether that branch did apply is not asked: an object
// must not become open by failing the branch that closes it.
func lists(s *jsonschema.Schema) bool {
	if len(s.Properties) > 0 || len(s.PatternProperties) > 0 {
		return true
	}
	for _, sub := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf, []*jsonschema.Schema{s.Ref, s.Then, s.Else}) {
		if sub != nil && lists(sub) {
			return true
		}
	}
	return false
}
