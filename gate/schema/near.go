package schema

import (
	"maps"
	"math/big"
	"regexp/syntax"
	"slices"
	"strings"
)

// Near returns values that n may just accept or just refuse, for the comparison with
// another schema. The likeliest come first. A nil n has no such values.
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
	all = append(all, without(listOf(f.sent["enum"]), listOf(g.flat(other, 0).sent["enum"]))...)
	described := len(f.properties) > 0 || len(f.required) > 0 || f.sent["type"] != nil
	if described && f.takes("object") {
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

// without returns the values of an enum that the other enum lacks.
func without(list, other []any) []any {
	there := map[string]bool{}
	for _, v := range other {
		there[string(Literal(v))] = true
	}
	all := slices.DeleteFunc(slices.Clone(list), func(v any) bool { return there[string(Literal(v))] })
	return all[:min(len(all), maxNear)]
}

// objects returns objects that each lack one member, and an object with a member that
// no schema names.
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

// arrays returns arrays with lengths at a bound, and one with the same item twice.
func (g *Sampler) arrays(f *flat) []any {
	item := g.value(f.items, false, 1)
	var all []any
	for _, keyword := range []string{"minItems", "maxItems"} {
		if n := count(f.sent[keyword]); n > 0 {
			for _, length := range []int{n - 1, n, n + 1} {
				all = append(all, slices.Repeat([]any{item}, length))
			}
		}
	}
	return append(all, []any{item}, []any{item, item})
}

// texts returns texts with lengths at a bound, a match of the pattern with more text
// around it, and the probes.
func (f *flat) texts(probes []string) []any {
	var all []any
	for _, keyword := range []string{"minLength", "maxLength"} {
		r, ok := Rational(f.sent[keyword])
		if !ok || !r.IsInt() || !r.Num().IsInt64() {
			continue
		}
		if n := int(r.Num().Int64()); 0 < n && n < maxSample {
			all = append(all, strings.Repeat("a", n-1), strings.Repeat("a", n), strings.Repeat("a", n+1))
		}
	}
	if pattern, ok := f.sent["pattern"].(string); ok {
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

// numbers returns the numbers at a bound and next to it.
func (f *flat) numbers() []any {
	var all []any
	for _, keyword := range []string{"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"} {
		r, ok := Rational(f.sent[keyword])
		if !ok {
			continue
		}
		for _, off := range []*big.Rat{new(big.Rat), big.NewRat(1, 1), big.NewRat(-1, 1), big.NewRat(1, 2), big.NewRat(-1, 2)} {
			all = append(all, written(new(big.Rat).Add(r, off)))
		}
	}
	return all
}

// Matching returns a short text that a pattern matches, if one is easy to find.
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

// member returns a character of a class, preferably a letter or a digit.
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
