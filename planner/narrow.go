package planner

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
)

// narrowed is an input schema with only those keywords that decoders under a grammar enforce.
// Formats, upper lengths and most patterns make some decoders refuse the whole request, and a
// value that is cut to its length is another value. A schema that refers to definitions has
// no narrowed form, because a reference starts at the root, and the root is another schema
// here. Nor has a schema with prefixItems, without which items would apply to all items.
//
// A model with unconstrained arguments can write objects within objects up to the end of its
// output. This checks nothing; the gate's schema does.
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
			if !plainPattern().MatchString(string(m.Value)) {
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
		kept = append(kept, schema.Member{Name: "additionalProperties", Value: jsontext.Value("false")}) // like the gate
	}
	return schema.Object(kept), true
}

// plainPattern matches the JSON of a pattern for an identifier, such as "^INC[0-9]{7}$", that
// all readers read alike. The pattern is anchored, and has neither escapes nor groups.
var plainPattern = lex.Pattern(`^"\^(?:(?:[A-Za-z0-9_-]|\[[A-Za-z0-9_-]+\])(?:[+*?]|\{[0-9]{1,2}\})?)+\$"$`)

func narrowedMembers(raw jsontext.Value) (jsontext.Value, bool) {
	members, err := schema.Members(raw)
	for i := range members {
		value, ok := narrowed(members[i].Value)
		if !ok {
			return nil, false
		}
		members[i].Value = value
	}
	return schema.Object(members), err == nil
}

func narrowedItems(raw jsontext.Value) (jsontext.Value, bool) {
	var items []jsontext.Value
	if err := schema.DecodeOpen(raw, &items, schema.DescriptorLimits); err != nil {
		return nil, false
	}
	parts := make([][]byte, len(items))
	for i, item := range items {
		n, ok := narrowed(item)
		if !ok {
			return nil, false
		}
		parts[i] = n
	}
	return slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]")), true
}
