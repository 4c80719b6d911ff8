package planner

import (
	"regexp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// narrowed is an input schema with those keywords alone that decoders under a
// grammar hold to: formats, upper lengths and most patterns make some of them
// refuse the whole request, and a value that is cut to its length is another
// value. A schema that refers to definitions has none, because a
// reference starts at the root, and the root is another's here. Nor has one
// with prefixItems, without which items would be said of all of them.
//
// A model whose arguments are left open can write objects within objects up to
// the end of its output. Nothing is checked by this; the gate's schema is.
func narrowed(raw jsontext.Value) (n jsontext.Value, ok bool) {
	members, err := schema.Members(raw)
	if err != nil {
		return raw, raw.Kind() == 't' || raw.Kind() == 'f'
	}
	var kept []schema.Member
	for _, m := range members {
		switch m.Name {
		case "$ref", "prefixItems":
			return nil, false
		case "type", "enum", "const", "required", "minLength", "minimum", "maximum":
			ok = true
		case "pattern":
			if !plainPattern.MatchString(string(m.Value)) {
				continue
			}
			ok = true
		case "properties":
			m.Value, ok = narrowedMembers(m.Value)
		case "items", "additionalProperties":
			m.Value, ok = narrowed(m.Value)
		case "anyOf", "oneOf":
			m.Name = "anyOf"
			m.Value, ok = narrowedItems(m.Value)
		default:
			continue
		}
		if !ok {
			return nil, false
		}
		kept = append(kept, m)
	}
	has := func(name string) bool {
		return slices.ContainsFunc(kept, func(m schema.Member) bool { return m.Name == name })
	}
	if has("properties") && !has("additionalProperties") {
		kept = append(kept, schema.Member{Name: "additionalProperties", Value: jsontext.Value("false")}) // as the gate has it
	}
	return written(kept), true
}

// plainPattern matches the JSON of a pattern that says what an identifier looks
// like, "^INC[0-9]{7}$" say, and that all who read it read alike: it is anchored,
// and has neither escapes nor groups.
var plainPattern = regexp.MustCompile(`^"\^(?:(?:[A-Za-z0-9_-]|\[[A-Za-z0-9_-]+\])(?:[+*?]|\{[0-9]{1,2}\})?)+\$"$`)

func narrowedMembers(raw jsontext.Value) (jsontext.Value, bool) {
	members, err := schema.Members(raw)
	for i := range members {
		value, ok := narrowed(members[i].Value)
		if !ok {
			return nil, false
		}
		members[i].Value = value
	}
	return written(members), err == nil
}

func narrowedItems(raw jsontext.Value) (jsontext.Value, bool) {
	var items []jsontext.Value
	if err := schema.DecodeOpen(raw, &items, schema.DescriptorLimits); err != nil {
		return nil, false
	}
	b := []byte{'['}
	for i, item := range items {
		n, ok := narrowed(item)
		if !ok {
			return nil, false
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, n...)
	}
	return append(b, ']'), true
}

func written(members []schema.Member) jsontext.Value {
	b := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, m.Name) // invalid UTF-8 was not decoded
		b = append(append(b, ':'), m.Value...)
	}
	return append(b, '}')
}
