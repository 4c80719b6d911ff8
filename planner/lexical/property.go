package lexical

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// property is what is read of one property's schema.
type property struct {
	Ref         string           `json:"$ref"`
	Type        jsontext.Value   `json:"type"`
	Description string           `json:"description"`
	Enum        []jsontext.Value `json:"enum"`
	Const       jsontext.Value   `json:"const"`
	Default     jsontext.Value   `json:"default"`
	Format      string           `json:"format"`
	Pattern     string           `json:"pattern"`
	Minimum     *float64         `json:"minimum"`
	Maximum     *float64         `json:"maximum"`
	Items       jsontext.Value   `json:"items"`
	Properties  jsontext.Value   `json:"properties"`
	Required    []string         `json:"required"`
	AnyOf       []jsontext.Value `json:"anyOf"`
	OneOf       []jsontext.Value `json:"oneOf"`
}

// node is one value within a schema. However many references lead to it, it is
// read once, so that a schema costs no more than a few times its length.
type node struct {
	value    jsontext.Value
	members  map[string]*node
	property *property
}

// read is the node's value as a property's schema.
func (n *node) read() property {
	if n.property == nil {
		p := decodeProperty(n.value)
		n.property = &p
	}
	return *n.property
}

// member is what an object has under a name, or nothing.
func (n *node) member(name string) *node {
	if n.members == nil {
		n.members = map[string]*node{}
		all, _ := schema.Members(n.value)
		for _, m := range all {
			n.members[m.Name] = &node{value: m.Value}
		}
	}
	return cmp.Or(n.members[name], &nowhere)
}

// nowhere is where a reference leads that leads to nothing.
var nowhere = node{members: map[string]*node{}, property: &property{}}

func decodeProperty(raw jsontext.Value) (p property) {
	if raw.Kind() != '{' || schema.DecodeOpen(raw, &p, schema.DescriptorLimits) != nil {
		return property{}
	}
	return p
}

// property reads one schema, through a reference and through the first
// alternative that is not null.
func (r *reader) property(raw jsontext.Value) property {
	p := r.referred(decodeProperty(raw))
	alternatives := slices.Concat(p.AnyOf, p.OneOf)
	for _, alt := range alternatives[:min(len(alternatives), maxAlts)] {
		q := r.referred(decodeProperty(alt))
		if kind := q.typ(); p.Type == nil && kind != "null" && kind != "" {
			q.Description, q.Default = p.Description, p.Default
			return q
		}
	}
	return p
}

// referred is what a reference leads to, with the description next to it.
func (r *reader) referred(p property) property {
	for range maxRefs {
		way, ok := schema.Fragment(p.Ref)
		if !ok {
			break
		}
		at := r.root
		for _, name := range way {
			at = at.member(name)
		}
		q := at.read()
		q.Description = cmp.Or(p.Description, q.Description)
		if p.Default != nil {
			q.Default = p.Default
		}
		p = q
	}
	return p
}

// typ is the first type that is not null, or what the rest of the schema shows.
func (p property) typ() string {
	for _, kind := range []string{"string", "integer", "number", "boolean", "array", "object"} {
		if strings.Contains(string(p.Type), `"`+kind+`"`) {
			return kind
		}
	}
	switch {
	case p.Properties != nil:
		return "object"
	case p.Items != nil:
		return "array"
	case len(p.Enum) > 0 && p.Enum[0].Kind() == '"' || p.Const.Kind() == '"':
		return "string"
	}
	return ""
}
