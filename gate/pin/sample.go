package pin

import (
	"maps"
	"math/big"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
)

// maxPattern and maxSample bound a pattern that is read and the text that is
// made of it, in bytes.
const (
	maxPattern = 1 << 10
	maxSample  = 4 << 10
)

// matching is a short text that the pattern takes, as far as that is easy.
func matching(pattern string) string {
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

// examples of the formats that are enforced.
var examples = map[string]string{
	"date": "2026-11-21", "date-time": "2026-11-21T12:00:00Z", "email": "a@a.example", "json": "{}",
	"uri": "https://a.example/b", "uuid": "123e4567-e89b-12d3-a456-426614174000",
}

// sampler makes values of one of the two schemas.
type sampler struct {
	f    *form
	left int // values to make
}

// value is one that s is likely to take: with all members, or with those that
// have to be there. Whether it is taken, a validator says.
func (g *sampler) value(s any, all bool, depth int) any {
	if g.left--; g.left < 0 || depth > maxDepth {
		return null{}
	}
	m := g.flat(s, depth)
	if v, ok := m["const"]; ok {
		return v
	}
	if list := listOf(m["enum"]); len(list) > 0 {
		return list[0]
	}
	switch typeOf(m) {
	case "object":
		return g.object(m, all, depth)
	case "array":
		return g.array(m, all, depth)
	case "integer", "number":
		return number(m)
	case "boolean":
		return true
	case "null":
		return null{}
	}
	return text(m)
}

// typeOf is the type of the value to make: the first that is named, or the one
// that the keywords are about.
func typeOf(m map[string]any) string {
	switch t := m["type"].(type) {
	case string:
		return t
	case []any:
		for _, e := range t { // sorted: null is not the first to try
			if name, ok := e.(string); ok && name != "null" {
				return name
			}
		}
		return "null"
	}
	switch {
	case m["properties"] != nil || m["required"] != nil:
		return "object"
	case m["items"] != nil || m["prefixItems"] != nil:
		return "array"
	case m["minimum"] != nil || m["maximum"] != nil:
		return "number"
	}
	return "string"
}

// flat is a schema with what a reference, allOf, and the first alternative add.
func (g *sampler) flat(s any, depth int) map[string]any {
	m, _ := s.(map[string]any)
	parts := slices.Clone(listOf(m["allOf"]))
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list := listOf(m[keyword]); len(list) > 0 {
			parts = append(parts, list[0])
		}
	}
	if ref, ok := m["$ref"].(string); ok {
		parts = append(parts, g.f.target(ref))
	}
	if len(parts) == 0 || depth > maxDepth {
		return m
	}
	out := maps.Clone(m)
	for _, part := range parts {
		if g.left--; g.left < 0 {
			break
		}
		for keyword, v := range g.flat(part, depth+1) {
			out[keyword] = joined(keyword, out[keyword], v)
		}
	}
	return out
}

// joined is a keyword's value where two schemas hold at once: members of both,
// and else the later one.
func joined(keyword string, a, b any) any {
	switch keyword {
	case "properties":
		first, ok := a.(map[string]any)
		second, too := b.(map[string]any)
		if ok && too {
			out := maps.Clone(first)
			maps.Copy(out, second)
			return out
		}
	case "required":
		return append(slices.Clone(listOf(a)), listOf(b)...)
	}
	return b
}

func (g *sampler) object(m map[string]any, all bool, depth int) any {
	out := map[string]any{}
	properties, _ := m["properties"].(map[string]any)
	required := set(m["required"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if all || required[name] != nil {
			out[name] = g.value(properties[name], all, depth+1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(required)) {
		if out[name] == nil {
			out[name] = g.value(m["additionalProperties"], all, depth+1)
		}
	}
	return out
}

func (g *sampler) array(m map[string]any, all bool, depth int) any {
	out := []any{}
	for _, s := range listOf(m["prefixItems"]) {
		out = append(out, g.value(s, all, depth+1))
	}
	least := count(m["minItems"])
	if all && least == 0 && len(out) == 0 {
		least = 1
	}
	for len(out) < least {
		out = append(out, g.value(m["items"], all, depth+1))
	}
	return out
}

// maxCount bounds the lists and texts that are made.
const maxCount = 256

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
func number(m map[string]any) any {
	for _, bound := range []struct {
		keyword string
		off     int64
	}{{"minimum", 0}, {"exclusiveMinimum", 1}, {"maximum", 0}, {"exclusiveMaximum", -1}} {
		if r, ok := rational(m[bound.keyword]); ok {
			return decimal(r.Add(r, big.NewRat(bound.off, 1)))
		}
	}
	return schema.Numeral("1")
}

// decimal writes a number that has an end.
func decimal(r *big.Rat) schema.Numeral {
	if r.IsInt() {
		return schema.Numeral(r.RatString())
	}
	return schema.Numeral(strings.TrimRight(r.FloatString(20), "0"))
}

func text(m map[string]any) any {
	format, _ := m["format"].(string)
	if s, ok := examples[format]; ok {
		return s
	}
	if pattern, ok := m["pattern"].(string); ok {
		return matching(pattern)
	}
	return strings.Repeat("a", max(1, count(m["minLength"])))
}

// near are values that the schema s may just take or just refuse, where it is
// compared with other. The likeliest come first; nil is no schema.
func (g *sampler) near(s, other any) []any {
	if s == nil {
		return nil
	}
	m := g.flat(s, 0)
	all := []any{g.value(s, false, 0), g.value(s, true, 0)}
	all = append(all, only(listOf(m["enum"]), listOf(g.flat(other, 0)["enum"]))...)
	if types := m["type"]; takes(types, "object") && (m["properties"] != nil || m["required"] != nil || types != nil) {
		all = append(all, g.objects(m)...)
	}
	if takes(m["type"], "array") {
		all = append(all, g.arrays(m)...)
	}
	all = append(all, texts(m)...)
	all = append(all, numbers(m)...)
	return append(all, null{}, true, schema.Numeral("1"), schema.Numeral("0.5"), "text", []any{}, map[string]any{})
}

// maxNear bounds the values of one kind.
const maxNear = 16

// only are values of an enum that the other one does not have.
func only(list, other []any) []any {
	there := literals(other)
	all := slices.DeleteFunc(slices.Clone(list), func(v any) bool { return there[string(schema.Literal(v))] })
	return all[:min(len(all), maxNear)]
}

// objects are one with every member but one, and one with a member that no
// schema names.
func (g *sampler) objects(m map[string]any) []any {
	full, _ := g.object(m, true, 0).(map[string]any)
	least, _ := g.object(m, false, 0).(map[string]any)
	var all []any
	for i, name := range slices.Sorted(maps.Keys(full)) {
		if i < maxNear {
			less := maps.Clone(full)
			delete(less, name)
			all = append(all, less)
		}
	}
	more := maps.Clone(least)
	more[anyName] = "text"
	return append(all, more)
}

// arrays are of the lengths at a bound, and one that says the same twice.
func (g *sampler) arrays(m map[string]any) []any {
	item := g.value(m["items"], false, 1)
	var all []any
	for _, keyword := range []string{"minItems", "maxItems"} {
		if n := count(m[keyword]); n > 0 {
			for _, length := range []int{n - 1, n, n + 1} {
				all = append(all, repeated(item, length))
			}
		}
	}
	return append(all, repeated(item, 1), repeated(item, 2))
}

func repeated(v any, n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// texts are of the lengths at a bound, what a pattern asks for with more around
// it, and the probes.
func texts(m map[string]any) []any {
	var all []any
	for _, keyword := range []string{"minLength", "maxLength"} {
		if r, ok := rational(m[keyword]); ok && r.IsInt() && r.Num().IsInt64() && 0 < r.Num().Int64() && r.Num().Int64() < maxSample {
			n := int(r.Num().Int64())
			all = append(all, strings.Repeat("a", n-1), strings.Repeat("a", n), strings.Repeat("a", n+1))
		}
	}
	if pattern, ok := m["pattern"].(string); ok {
		sample := matching(pattern)
		all = append(all, sample, sample+"a", "a"+sample, sample+" "+probes[0])
	}
	for _, p := range probes {
		all = append(all, p)
	}
	return all
}

// numbers are those at a bound and next to it.
func numbers(m map[string]any) []any {
	var all []any
	for _, keyword := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"} {
		r, ok := rational(m[keyword])
		if !ok {
			continue
		}
		for _, off := range []*big.Rat{new(big.Rat), big.NewRat(1, 1), big.NewRat(-1, 1), big.NewRat(1, 2), big.NewRat(-1, 2)} {
			all = append(all, decimal(new(big.Rat).Add(r, off)))
		}
	}
	return all
}
