package schema

import (
	stdjson "encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Params are the members that a schema names for the object it describes, and their
// possible types. They help to read what a person typed; only [Validator.Check]
// decides whether a value fits.
type Params struct {
	Required []string // sorted
	types    map[string]Types
	items    map[string]Types // of a member that may be an array
	open     bool             // unnamed members are allowed
}

// Types are the JSON types of a value.
type Types uint8

// The types. An integer is a number, too.
const (
	typeNull Types = 1 << iota
	typeBoolean
	typeInteger
	typeNumber
	TypeString
	typeArray
	typeObject

	noTypes  Types = 0
	allTypes       = typeNull | typeBoolean | typeInteger | typeNumber | TypeString | typeArray | typeObject
)

// typesOf maps the names of types in JSON Schema to types.
var typesOf = map[string]Types{"null": typeNull, "boolean": typeBoolean, "integer": typeInteger, "number": typeNumber | typeInteger, "string": TypeString, "array": typeArray, "object": typeObject}

// Names returns the members that the schema names, sorted.
func (p Params) Names() []string { return slices.Sorted(maps.Keys(p.types)) }

// Types returns the types that a member may have. It is empty if the schema allows no
// such member.
func (p Params) Types(name string) Types {
	if t, named := p.types[name]; named || !p.open {
		return t
	}
	return allTypes
}

// Items returns the types that the items of a member may have, if the member may be an
// array.
func (p Params) Items(name string) Types {
	if p.Types(name)&typeArray == 0 {
		return noTypes
	}
	if t := p.items[name]; t != noTypes {
		return t
	}
	return allTypes
}

// Params reads the parameters of an admitted schema. It adds up what alternatives say
// of a member, so that no possible type is missing.
func (s Schema) Params() Params {
	p := Params{types: map[string]Types{}, items: map[string]Types{}}
	r := paramReader{&p, map[*Node]Types{}, map[once]bool{}}
	r.object(s.Root(), true)
	slices.Sort(p.Required)
	p.Required = slices.Compact(p.Required)
	return p
}

// paramReader reads each schema once, because references may lead to the same schema
// many times.
type paramReader struct {
	p     *Params
	known map[*Node]Types
	read  map[once]bool
}

type once struct {
	n      *Node
	always bool
}

// object reads a schema of the object itself; always reports that it applies to every
// such object.
func (r *paramReader) object(n *Node, always bool) {
	if n == nil || r.read[once{n, always}] {
		return
	}
	r.read[once{n, always}] = true
	for name, s := range n.Named("properties") {
		r.p.types[name] |= r.types(s)
		r.p.items[name] |= r.items(s, maxAlternatives)
	}
	rest := n.One("additionalProperties")
	if rest != nil && !rest.Never() || n.sent["patternProperties"] != nil {
		r.p.open = true
	}
	required, _ := n.sent["required"].([]any)
	for _, name := range required {
		if always {
			r.p.Required = append(r.p.Required, name.(string))
		}
	}
	r.object(n.to, always)
	for _, s := range n.List("allOf") {
		r.object(s, always)
	}
	for _, s := range slices.Concat(n.List("anyOf"), n.List("oneOf"), []*Node{n.One("if"), n.One("then"), n.One("else")}) {
		r.object(s, false)
	}
}

// maxAlternatives bounds how deep alternatives are followed for the items of an array.
const maxAlternatives = 8

// items returns the types that the schema and its alternatives allow for items. It is
// empty if they do not say.
func (r *paramReader) items(n *Node, depth int) (types Types) {
	if n == nil || depth == 0 {
		return noTypes
	}
	if of := n.One("items"); of != nil {
		types |= r.types(of)
	}
	types |= r.items(n.to, depth-1)
	for _, s := range slices.Concat(n.List("allOf"), n.List("anyOf"), n.List("oneOf")) {
		types |= r.items(s, depth-1)
	}
	return types
}

// types returns the types that a value of the schema may have.
func (r *paramReader) types(n *Node) Types {
	if n.Never() {
		return noTypes
	}
	types, known := r.known[n]
	if known {
		return types
	}
	types = allTypes
	if t, there := n.sent["type"]; there {
		types &= byName(t)
	}
	if values, there := n.sent["enum"].([]any); there {
		types &= ofAll(values)
	}
	if value, there := n.sent["const"]; there {
		types &= ofAll([]any{value})
	}
	if n.to != nil {
		types &= r.types(n.to)
	}
	for _, s := range n.List("allOf") {
		types &= r.types(s)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		either := noTypes
		for _, s := range n.List(keyword) {
			either |= r.types(s)
		}
		if n.List(keyword) != nil {
			types &= either
		}
	}
	r.known[n] = types
	return types
}

// byName returns the types of the keyword "type".
func byName(v any) (t Types) {
	names, several := v.([]any)
	if !several {
		names = []any{v}
	}
	for _, name := range names {
		name, _ := name.(string)
		t |= typesOf[name]
	}
	return t
}

// ofAll returns the types of these values.
func ofAll(values []any) (t Types) {
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			t |= typeNull
		case bool:
			t |= typeBoolean
		case string:
			t |= TypeString
		case []any:
			t |= typeArray
		case map[string]any:
			t |= typeObject
		case stdjson.Number:
			t |= numberTypes(v)
		}
	}
	return t
}

// numberTypes returns the type of an integer or of another number: 5.0 is an integer.
// A schema of numbers has both types.
func numberTypes(n stdjson.Number) Types {
	if rat(n).IsInt() {
		return typeInteger
	}
	return typeNumber
}

// TypesOf returns the types of one JSON value. It is empty for anything but JSON
// within the limits of arguments.
func TypesOf(value jsontext.Value) Types {
	v, err := parse(value, PlanLimits)
	if err != nil {
		return noTypes
	}
	return ofAll([]any{v})
}

// String names the types as a person would: "an integer or null".
func (t Types) String() string {
	var names []string
	for _, one := range []struct {
		of   Types
		name string
	}{{TypeString, "a string"}, {typeNumber, "a number"}, {typeInteger, "an integer"}, {typeBoolean, "true or false"}, {typeArray, "a JSON list"}, {typeObject, "a JSON object"}, {typeNull, "null"}} {
		if t&one.of != 0 && (one.of != typeInteger || t&typeNumber == 0) {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, " or ")
}
