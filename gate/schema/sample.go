package schema

import (
	"maps"
	"math/big"
	"regexp/syntax"
	"slices"
	"strings"
)

// Sampler makes values for schemas: likely ones, and ones at their bounds. It vouches
// for nothing: whether a schema takes a value, [Validator.Check] says. The same schema
// gives the same values. It is bounded: where its limit is spent, a value is null.
type Sampler struct {
	left   int
	chosen map[branch]int
}

// branch is a keyword, anyOf or oneOf, of which a value takes one schema.
type branch struct {
	of      *Node
	keyword string
}

// NewSampler makes a sampler that looks at up to so many schemas.
func NewSampler(limit int) *Sampler { return &Sampler{limit, map[branch]int{}} }

// Choose has values made by an alternative other than the first.
func (g *Sampler) Choose(n *Node, keyword string, i int) { g.chosen[branch{n, keyword}] = i }

// maxSample, maxFollowed and maxCount bound the text that is made of a pattern in
// bytes, how deep a schema is followed, and the lists and texts that are made for a
// bound.
const (
	maxSample   = 4 << 10
	maxFollowed = 64
	maxCount    = 256
)

// examples of the formats that are enforced.
var examples = map[string]string{
	"date": "2026-11-21", "date-time": "2026-11-21T12:00:00Z", "email": "a@a.example", "json": "{}",
	"uri": "https://a.example/b", "uuid": "123e4567-e89b-12d3-a456-426614174000",
}

// Value is one that a schema is likely to take: with all members, or with those that
// have to be there.
func (g *Sampler) Value(n *Node, all bool) any { return g.value(n, all, 0) }

func (g *Sampler) value(n *Node, all bool, depth int) any {
	if g.left--; g.left < 0 || depth > maxFollowed {
		return nil
	}
	f := g.flat(n, depth)
	if v, is := f.said["const"]; is {
		return v
	}
	if list := listOf(f.said["enum"]); len(list) > 0 {
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
	said       map[string]any
	required   []string
	properties map[string]*Node
	items      *Node
	others     *Node
	prefix     []*Node
}

func (g *Sampler) flat(n *Node, depth int) *flat {
	f := &flat{said: map[string]any{}, properties: map[string]*Node{}}
	g.add(f, n, depth)
	return f
}

// add joins a schema to what holds as well: members of both, and else the later
// word.
func (g *Sampler) add(f *flat, n *Node, depth int) {
	if g.left--; n == nil || g.left < 0 || depth > maxFollowed {
		return
	}
	maps.Copy(f.said, n.said)
	for _, name := range listOf(n.said["required"]) {
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

// kind is the type of the value to make: the first that is named, or the one that
// the keywords are about.
func (f *flat) kind() string {
	switch t := f.said["type"].(type) {
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
	case f.said["minimum"] != nil || f.said["maximum"] != nil:
		return "number"
	}
	return "string"
}

// takes reports whether the type keyword, or none, lets values of a type pass.
func (f *flat) takes(name string) bool {
	switch t := f.said["type"].(type) {
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
	least := count(f.said["minItems"])
	if all && least == 0 && len(out) == 0 {
		least = 1
	}
	for len(out) < least {
		out = append(out, g.value(f.items, all, depth+1))
	}
	return out
}

// rational is a number of a schema, whose literal passed a check.
func rational(v any) (*big.Rat, bool) {
	n, ok := v.(Numeral)
	if !ok {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

// count is a length that a schema asks for, bounded.
func count(v any) int {
	r, ok := rational(v)
	if !ok || r.Cmp(big.NewRat(maxCount, 1)) > 0 || r.Sign() < 0 {
		return 0
	}
	n, _ := r.Float64()
	return int(n)
}

// number is the first bound that the schema has, or 1.
func (f *flat) number() any {
	for _, bound := range []struct {
		keyword string
		off     int64
	}{{"minimum", 0}, {"exclusiveMinimum", 1}, {"maximum", 0}, {"exclusiveMaximum", -1}} {
		if r, ok := rational(f.said[bound.keyword]); ok {
			return written(r.Add(r, big.NewRat(bound.off, 1)))
		}
	}
	return Numeral("1")
}

// written is a number that has an end.
func written(r *big.Rat) Numeral {
	if r.IsInt() {
		return Numeral(r.RatString())
	}
	return Numeral(strings.TrimRight(r.FloatString(20), "0"))
}

func (f *flat) text() any {
	format, _ := f.said["format"].(string)
	if s, ok := examples[format]; ok {
		return s
	}
	if pattern, ok := f.said["pattern"].(string); ok {
		return Matching(pattern)
	}
	return strings.Repeat("a", max(1, count(f.said["minLength"])))
}

// AnyName is a member that no schema names.
const AnyName = "onestep-any-name"

// Near are values that n may just take or just refuse, where it is compared with
// another schema. The likeliest come first. Of no schema there are none.
func (g *Sampler) Near(n, other *Node, probes ...string) []any {
	if n == nil {
		return nil
	}
	f := g.flat(n, 0)
	all := []any{g.value(n, false, 0), g.value(n, true, 0)}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for i, sub := range n.List(keyword) {
			if 0 < i && i < maxNear {
				all = append(all, g.value(sub, false, 0), g.value(sub, true, 0))
			}
		}
	}
	all = append(all, without(listOf(f.said["enum"]), listOf(g.flat(other, 0).said["enum"]))...)
	if f.takes("object") && (len(f.properties) > 0 || len(f.required) > 0 || f.said["type"] != nil) {
		all = append(all, g.objects(f)...)
	}
	if f.takes("array") {
		all = append(all, g.arrays(f)...)
	}
	all = append(append(all, f.texts(probes)...), f.numbers()...)
	return append(all, nil, true, Numeral("1"), Numeral("0.5"), "text", []any{}, map[string]any{})
}

// maxNear bounds the values of one kind.
const maxNear = 16

// without are values of an enum that the other one does not have.
func without(list, other []any) []any {
	there := map[string]bool{}
	for _, v := range other {
		there[string(Literal(v))] = true
	}
	all := slices.DeleteFunc(slices.Clone(list), func(v any) bool { return there[string(Literal(v))] })
	return all[:min(len(all), maxNear)]
}

// objects are one with every member but one, and one with a member that no
// schema names.
func (g *Sampler) objects(f *flat) []any {
	full, least := g.object(f, true, 0), g.object(f, false, 0)
	var all []any
	for i, name := range slices.Sorted(maps.Keys(full)) {
		if i < maxNear {
			less := maps.Clone(full)
			delete(less, name)
			all = append(all, less)
		}
	}
	least[AnyName] = "text"
	return append(all, least)
}

// arrays are of the lengths at a bound, and one that says the same twice.
func (g *Sampler) arrays(f *flat) []any {
	item := g.value(f.items, false, 1)
	var all []any
	for _, keyword := range []string{"minItems", "maxItems"} {
		if n := count(f.said[keyword]); n > 0 {
			for _, length := range []int{n - 1, n, n + 1} {
				all = append(all, slices.Repeat([]any{item}, length))
			}
		}
	}
	return append(all, []any{item}, []any{item, item})
}

// texts are of the lengths at a bound, what a pattern asks for with more around
// it, and the probes.
func (f *flat) texts(probes []string) []any {
	var all []any
	for _, keyword := range []string{"minLength", "maxLength"} {
		if r, ok := rational(f.said[keyword]); ok && r.IsInt() && r.Num().IsInt64() && 0 < r.Num().Int64() && r.Num().Int64() < maxSample {
			n := int(r.Num().Int64())
			all = append(all, strings.Repeat("a", n-1), strings.Repeat("a", n), strings.Repeat("a", n+1))
		}
	}
	if pattern, ok := f.said["pattern"].(string); ok {
		sample := Matching(pattern)
		all = append(all, sample, sample+"a", "a"+sample)
		if len(probes) > 0 {
			all = append(all, sample+" "+probes[0])
		}
	}
	for _, p := range probes {
		all = append(all, p)
	}
	return all
}

// numbers are those at a bound and next to it.
func (f *flat) numbers() []any {
	var all []any
	for _, keyword := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"} {
		r, ok := rational(f.said[keyword])
		if !ok {
			continue
		}
		for _, off := range []*big.Rat{new(big.Rat), big.NewRat(1, 1), big.NewRat(-1, 1), big.NewRat(1, 2), big.NewRat(-1, 2)} {
			all = append(all, written(new(big.Rat).Add(r, off)))
		}
	}
	return all
}

// Matching is a short text that a pattern takes, as far as that is easy.
func Matching(pattern string) string {
	if len(pattern) > maxPattern {
		return ""
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	spell(&b, re)
	return b.String()
}

func spell(b *strings.Builder, re *syntax.Regexp) {
	times := 1
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(member(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpStar, syntax.OpQuest:
		times = 0
	case syntax.OpRepeat:
		times = re.Min
	case syntax.OpAlternate:
		spell(b, re.Sub[0])
		return
	}
	for range times {
		for _, sub := range re.Sub {
			if b.Len() < maxSample {
				spell(b, sub)
			}
		}
	}
}

// member is a character of a class: a letter or a digit where it has one.
func member(ranges []rune) rune {
	for _, r := range "a0A" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= r && r <= ranges[i+1] {
				return r
			}
		}
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}
