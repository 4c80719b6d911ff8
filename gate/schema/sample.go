package schema

import (
	"maps"
	"math/big"
	"slices"
	"strings"
)

// Sampler makes values for schemas: likely values, and values at their bounds. It
// vouches for nothing: only [Validator.Check] decides whether a schema accepts a
// value. The same schema gives the same values. It is bounded: beyond its limit, a
// value is null.
type Sampler struct {
	left   int
	chosen map[branch]int
	within map[*Node]bool // the schemas of the current value, outermost first
}

// branch is a keyword, anyOf or oneOf; a value takes one of its schemas.
type branch struct {
	of      *Node
	keyword string
}

// NewSampler makes a sampler that reads at most limit schemas.
func NewSampler(limit int) *Sampler { return &Sampler{limit, map[branch]int{}, map[*Node]bool{}} }

// Choose makes later values use the alternative i instead of the first one.
func (g *Sampler) Choose(n *Node, keyword string, i int) { g.chosen[branch{n, keyword}] = i }

// maxSample bounds the text made of a pattern, in bytes. maxFollowed bounds how deep a
// schema is followed, and maxCount the lists and texts made for a bound.
const (
	maxSample   = 4 << 10
	maxFollowed = 64
	maxCount    = 256
)

// examples of the enforced formats.
var examples = map[string]string{
	"date": "2026-11-21", "date-time": "2026-11-21T12:00:00Z", "email": "a@a.example", "json": "{}",
	"uri": "https://a.example/b", "uuid": "123e4567-e89b-12d3-a456-426614174000",
}

// Value returns a value that a schema is likely to accept, with all members or only
// the required ones.
func (g *Sampler) Value(n *Node, all bool) any { return g.value(n, all, 0) }

func (g *Sampler) value(n *Node, all bool, depth int) any {
	if g.left--; g.left < 0 || depth > maxFollowed {
		return nil
	}
	if g.within[n] {
		all = false // a schema within itself: without optional members it ends
	} else {
		g.within[n] = true
		defer delete(g.within, n)
	}
	f := g.flat(n, depth)
	if v, is := f.sent["const"]; is {
		return v
	}
	if list := listOf(f.sent["enum"]); len(list) > 0 {
		return list[0]
	}
	switch f.kind() {
	case "object":
		return g.object(f, all, depth)
	case "array":
		return g.array(f, all, depth)
	case "integer", "number":
		return f.number()
	case "boolean":
		return true
	case "null":
		return nil
	}
	return f.text()
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// flat is a schema with what a reference, allOf, and the chosen alternative add.
type flat struct {
	sent       map[string]any
	required   []string
	properties map[string]*Node
	items      *Node
	others     *Node
	prefix     []*Node
}

func (g *Sampler) flat(n *Node, depth int) *flat {
	f := &flat{sent: map[string]any{}, properties: map[string]*Node{}}
	g.add(f, n, depth)
	return f
}

// add joins another schema that applies as well: the members of both, and for all else
// the later keyword.
func (g *Sampler) add(f *flat, n *Node, depth int) {
	if g.left--; n == nil || g.left < 0 || depth > maxFollowed {
		return
	}
	maps.Copy(f.sent, n.sent)
	for _, name := range listOf(n.sent["required"]) {
		if name, is := name.(string); is {
			f.required = append(f.required, name)
		}
	}
	maps.Copy(f.properties, n.Named("properties"))
	for keyword, into := range map[string]**Node{"items": &f.items, "additionalProperties": &f.others} {
		if sub := n.One(keyword); sub != nil {
			*into = sub
		}
	}
	if list := n.List("prefixItems"); list != nil {
		f.prefix = list
	}
	for _, sub := range n.List("allOf") {
		g.add(f, sub, depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list := n.List(keyword); len(list) > 0 {
			g.add(f, list[min(g.chosen[branch{n, keyword}], len(list)-1)], depth+1)
		}
	}
	g.add(f, n.Ref(), depth+1)
}

// kind returns the type of the value to make: the first named type, or the type that
// the keywords concern.
func (f *flat) kind() string {
	switch t := f.sent["type"].(type) {
	case string:
		return t
	case []any:
		for _, e := range t {
			if name, ok := e.(string); ok && name != "null" {
				return name
			}
		}
		return "null"
	}
	switch {
	case len(f.properties) > 0 || len(f.required) > 0:
		return "object"
	case f.items != nil || f.prefix != nil:
		return "array"
	case f.sent["minimum"] != nil || f.sent["maximum"] != nil:
		return "number"
	}
	return "string"
}

// takes reports whether the type keyword, if present, allows values of a type.
func (f *flat) takes(name string) bool {
	switch t := f.sent["type"].(type) {
	case nil:
		return true
	case []any:
		return slices.Contains(t, any(name))
	default:
		return t == name
	}
}

func (g *Sampler) object(f *flat, all bool, depth int) map[string]any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(f.properties)) {
		if all || slices.Contains(f.required, name) {
			out[name] = g.value(f.properties[name], all, depth+1)
		}
	}
	for _, name := range slices.Sorted(slices.Values(f.required)) {
		if _, is := out[name]; !is {
			out[name] = g.value(f.others, all, depth+1)
		}
	}
	return out
}

func (g *Sampler) array(f *flat, all bool, depth int) any {
	out := []any{}
	for _, n := range f.prefix {
		out = append(out, g.value(n, all, depth+1))
	}
	least := count(f.sent["minItems"])
	if all && least == 0 && len(out) == 0 {
		least = 1
	}
	for len(out) < least {
		out = append(out, g.value(f.items, all, depth+1))
	}
	return out
}

// Rational returns a number of a schema. Its literal must have passed a check.
func Rational(v any) (*big.Rat, bool) {
	n, ok := v.(Numeral)
	if !ok {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

// count returns a length from a schema; it is 0 beyond maxCount.
func count(v any) int {
	r, ok := Rational(v)
	if !ok || r.Cmp(big.NewRat(maxCount, 1)) > 0 || r.Sign() < 0 {
		return 0
	}
	n, _ := r.Float64()
	return int(n)
}

// number returns the first bound of the schema, or 1.
func (f *flat) number() any {
	for _, bound := range []struct {
		keyword string
		off     int64
	}{{"minimum", 0}, {"exclusiveMinimum", 1}, {"maximum", 0}, {"exclusiveMaximum", -1}} {
		if r, ok := Rational(f.sent[bound.keyword]); ok {
			return written(r.Add(r, big.NewRat(bound.off, 1)))
		}
	}
	return Numeral("1")
}

// written returns a number with a finite decimal form.
func written(r *big.Rat) Numeral {
	if r.IsInt() {
		return Numeral(r.RatString())
	}
	return Numeral(strings.TrimRight(r.FloatString(20), "0"))
}

func (f *flat) text() any {
	format, _ := f.sent["format"].(string)
	if s, ok := examples[format]; ok {
		return s
	}
	if pattern, ok := f.sent["pattern"].(string); ok {
		return Matching(pattern)
	}
	return strings.Repeat("a", max(1, count(f.sent["minLength"])))
}

// AnyName is a member that no schema names.
const AnyName = "onestep-any-name"
