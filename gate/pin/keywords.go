package pin

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/onestep-run/onestep/gate/schema"
)

func (s *contract) enum(at string, was, now any, here spot) {
	old, ok := was.([]any)
	list, too := now.([]any)
	switch {
	case now == nil:
		s.ask(s.add(Lowering, at, was, now, "it now takes any value"), here, above(at))
	case too && len(list) == 1:
		s.ask(s.add(Lowering, at, was, now, "only one value is allowed, a new one"), here, above(at))
	case ok && too && within(list, old):
		s.narrower(at, was, now, "values were removed", here)
	default:
		s.ask(s.add(Contract, at, was, now, "other values"), here, above(at))
	}
}

func (s *contract) types(at string, was, now any, here spot) {
	switch {
	case now == nil:
		s.ask(s.add(Lowering, at, was, now, "it now takes any type"), here, above(at))
	case was == nil || within(typeList(now), typeList(was)):
		s.narrower(at, was, now, "fewer types", here)
	default:
		s.ask(s.add(Contract, at, was, now, "another type"), here, above(at))
	}
}

// nullable compares the keyword of OpenAPI 3.0 that adds null to the type next to it.
func (s *contract) nullable(at string, was, now any, here spot) {
	switch {
	case now == true:
		s.ask(s.add(Contract, at, was, now, "it now takes null"), here, above(at))
	case was == true:
		s.narrower(at, was, now, "it no longer takes null", here)
	case now == nil || now == false:
		s.add(Wording, at, was, now, "another note")
	default:
		s.add(Contract, at, was, now, "it takes other values")
	}
}

// typeList are the types of a type keyword. A schema that takes numbers takes integers.
func typeList(v any) []any {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	if slices.Contains(list, any("number")) {
		list = append(slices.Clip(list), "integer")
	}
	return list
}

// within reports whether all of the first list is in the second.
func within(list, in []any) bool {
	there := literals(in)
	return !slices.ContainsFunc(list, func(e any) bool { return !there[string(schema.Literal(e))] })
}

func literals(list []any) map[string]bool {
	there := make(map[string]bool, len(list))
	for _, e := range list {
		there[string(schema.Literal(e))] = true
	}
	return there
}

// bounds are the keywords that limit a value by a number, and whether a greater number
// takes less.
var bounds = map[string]bool{
	"minimum": true, "exclusiveMinimum": true, "minLength": true, "minItems": true, "minProperties": true,
	"maximum": false, "exclusiveMaximum": false, "maxLength": false, "maxItems": false, "maxProperties": false,
}

// structure compares the keywords that need only their value.
func (s *contract) structure(at, keyword string, before, after map[string]any, here spot) {
	was, now := before[keyword], after[keyword]
	rising, bound := bounds[keyword]
	switch {
	case schema.Holds(keyword) || keyword == "$ref":
		s.nested(at, keyword, before, after, here)
	case now == nil || keyword == "uniqueItems" && now == false:
		s.ask(s.add(Lowering, at, was, now, "the bound was removed"), here, above(at))
	case bound && (was == nil || less(was, now) == rising),
		keyword == "multipleOf" && (was == nil || multiple(now, was)),
		keyword == "uniqueItems" && now == true, keyword == "format" && was == nil:
		s.narrower(at, was, now, "it takes fewer values", here)
	default:
		d := s.add(Contract, at, was, now, "it takes other values")
		replaced := was != nil && (keyword == "pattern" || keyword == "format")
		if replaced || bound && farther(was, now) {
			d.Weight += 10
		}
		s.ask(d, here, above(at))
	}
}

// farther reports whether a bound is ten times another, or gone to nothing.
func farther(was, now any) bool {
	a, b, ok := rationals(was, now)
	return ok && (b.Sign() <= 0 || b.Cmp(a.Mul(a, big.NewRat(10, 1))) >= 0)
}

func rationals(a, b any) (x, y *big.Rat, ok bool) {
	x, ok = schema.Rational(a)
	y, too := schema.Rational(b)
	return x, y, ok && too
}

// less compares numbers whose literals passed a check. A value that is not a number is not
// less.
func less(a, b any) bool {
	x, y, ok := rationals(a, b)
	return ok && x.Cmp(y) < 0
}

func multiple(a, of any) bool {
	x, y, ok := rationals(a, of)
	return ok && y.Sign() > 0 && x.Quo(x, y).IsInt()
}

// narrower adds a difference that takes less by its structure. It is safer only with a
// witness, at a place that makes the whole narrower.
func (s *contract) narrower(at string, was, now any, why string, here spot) {
	if !here.along || s.elsewhere(at) {
		s.ask(s.add(Contract, at, was, now, why+", which may take more as a whole"), here, above(at))
		return
	}
	s.ask(s.add(Safer, at, was, now, why), here, above(at))
}

// lists are the keywords with a list of schemas.
var lists = []string{"allOf", "anyOf", "oneOf", "prefixItems"}

// nested compares the keywords with schemas.
func (s *contract) nested(at, keyword string, before, after map[string]any, here spot) {
	was, now := before[keyword], after[keyword]
	switch {
	case keyword == "$ref":
		s.ask(s.add(Contract, at, was, now, "it refers to another schema"), here, above(at))
	case keyword == "additionalProperties":
		s.others(at, before, after, here)
	case keyword == "patternProperties" || keyword == "$defs" || keyword == "definitions":
		s.named(at, keyword, was, now, here)
	case now == nil:
		s.ask(s.add(Lowering, at, was, now, "a schema that limited the values was removed"), here, above(at))
	case was == nil:
		s.ask(s.add(Contract, at, was, now, "an added schema"), here, above(at))
	case slices.Contains(lists, keyword), keyword == "items" && len(listOf(was))+len(listOf(now)) > 0:
		s.list(at, keyword, before, after, here)
	case keyword == "items" || keyword == "additionalItems" || keyword == "contains":
		s.schema(at, was, now, here.element(0))
	default: // not, if, then, else, propertyNames
		s.schema(at, was, now, here.unclear())
	}
}

// others compares additionalProperties: which parameters are taken that have no name in the
// schema. In an input an absent keyword means false, because the gates close it.
func (s *contract) others(at string, before, after map[string]any, here spot) {
	const keyword = "additionalProperties"
	was, now := before[keyword], after[keyword]
	shut := s.role == schema.Input && (was == false || was == nil)
	switch {
	case now == false:
		s.narrower(at, was, now, "it takes no other parameters", here)
	case shut && now != nil && s.free.text(s.now, now):
		s.ask(s.add(Lowering, at, was, now, "it takes parameters of any name, with free text"), here, above(at))
	case was == nil || now == nil || was == false:
		s.ask(s.add(Contract, at, was, now, "it takes other parameters differently"), here, above(at))
	default:
		s.schema(at, was, now, here.member(schema.AnyName))
	}
}

// named compares patternProperties, and definitions.
func (s *contract) named(at, keyword string, was, now any, here spot) {
	before, after, fit := both[map[string]any](was, now)
	if !fit {
		s.add(Contract, at, was, now, "it is not an object of schemas")
		return
	}
	if len(before)+len(after) == 0 {
		s.add(Contract, at, was, now, "it is empty")
	}
	for _, name := range union(before, after) {
		path, below := schema.Below(at, name), s.used(at, keyword, name, here)
		switch {
		case before[name] != nil && after[name] != nil:
			s.schema(path, before[name], after[name], below)
		case keyword != "patternProperties":
			s.add(Contract, path, before[name], after[name], "a definition that others refer to")
		case after[name] != nil:
			s.added(path, after[name], below)
		default:
			s.ask(s.add(Contract, path, before[name], nil, "parameters of this form were removed"), below, path)
		}
	}
}

// used is the spot of a definition or a pattern's schema in a value.
func (s *contract) used(at, keyword, name string, here spot) spot {
	if keyword == "patternProperties" {
		return here.member(schema.Matching(name))
	}
	first, known := s.now.firstUse["#"+local(at)+"/"+name]
	first.known = known
	return first
}

// list compares allOf, anyOf, oneOf and prefixItems.
func (s *contract) list(at, keyword string, before, after map[string]any, here spot) {
	old, ok := before[keyword].([]any)
	list, too := after[keyword].([]any)
	switch {
	case !ok || !too:
		s.add(Contract, at, before[keyword], after[keyword], "it is not a list of schemas")
	case len(old) == len(list):
		for i := range list {
			s.schema(schema.Below(at, strconv.Itoa(i)), old[i], list[i], s.item(at, keyword, i, here))
		}
	case keyword == "anyOf" && within(list, old):
		s.narrower(at, old, list, "alternatives were removed", here)
	case keyword == "allOf" && within(list, old):
		s.ask(s.add(Lowering, at, old, list, "an additional condition was removed"), here, above(at))
	default:
		s.ask(s.add(Contract, at, old, list, "other alternatives"), here, above(at))
	}
}

// item is the spot of an element of such a list.
func (s *contract) item(at, keyword string, i int, here spot) spot {
	switch alternative := local(schema.Below(at, strconv.Itoa(i))); keyword {
	case "prefixItems", "items":
		return here.element(i)
	case "anyOf":
		return here.alternative(alternative)
	case "oneOf":
		return here.alternative(alternative).unclear()
	}
	return here
}
