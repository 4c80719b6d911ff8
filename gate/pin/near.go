package pin

import (
	"maps"
	"math/big"
	"slices"
	"strings"
)

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
	return append(all, null{}, true, numeral("1"), numeral("0.5"), "text", []any{}, map[string]any{})
}

// maxNear bounds the values of one kind.
const maxNear = 16

// only are values of an enum that the other one does not have.
func only(list, other []any) []any {
	there := literals(other)
	all := slices.DeleteFunc(slices.Clone(list), func(v any) bool { return there[string(literal(v))] })
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
