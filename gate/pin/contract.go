package pin

import (
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
)

// schemas compares the two input schemas, or the two output schemas.
func (c *comparison) schemas(at string, was, now any, role schema.Role) {
	switch {
	case was == nil:
		c.add(Contract, at, was, now, "a schema where there was none")
		return
	case now == nil:
		c.add(Lowering, at, was, now, "the schema is gone")
		return
	}
	s := newContract(c, was, now, role)
	if why := s.unenforced(); why != "" {
		class := Contract // an input that cannot be enforced makes the tool uncallable
		if role == schema.Output && s.was.enforced() {
			class = Lowering
		}
		c.add(class, at, nil, nil, "it cannot be enforced: "+why)
	}
	s.schema(at, was, now, s.root())
	if s.free.exhausted {
		c.add(Lowering, at, nil, nil, "it is too large to be compared in full")
	}
	s.witness()
}

// contract is the comparison of two schemas.
type contract struct {
	*comparison
	role     schema.Role
	was, now *form
	free     *free
	open     []question // differences that a witness is looked for
}

// spot is where in the values a schema holds.
type spot struct {
	way   []step // from the root of a value
	known bool   // whether that way is known: behind a definition nobody uses it is not
	// along says that what takes less here takes less as a whole. Under oneOf,
	// not and if it does not follow.
	along bool
}

// step leads into a value: to a member, or to an element where name is "".
type step struct {
	name  string
	index int
}

func (s spot) member(name string) spot {
	return spot{append(slices.Clip(s.way), step{name: name}), s.known, s.along}
}

func (s spot) element(i int) spot {
	return spot{append(slices.Clip(s.way), step{index: i}), s.known, s.along}
}

func (s spot) unclear() spot { return spot{s.way, s.known, false} }

func (s *contract) root() spot { return spot{nil, true, true} }

// schema compares two schemas that hold at one place.
func (s *contract) schema(at string, was, now any, here spot) {
	if reflect.DeepEqual(was, now) {
		return
	}
	before, ok := was.(map[string]any)
	after, too := now.(map[string]any)
	first := len(s.all)
	if !ok || !too {
		s.ask(s.add(Contract, at, was, now, "what is taken is another thing"), here, was, now)
	} else {
		for _, keyword := range union(before, after) {
			if !reflect.DeepEqual(before[keyword], after[keyword]) {
				s.keyword(at, keyword, before, after, here)
			}
		}
	}
	s.freed(at, was, now, first)
}

// freed adds that a place takes free text now and did not, if none of the
// differences below it is as dangerous. It is what all ways of loosening have
// in common: text is where data leaves.
func (s *contract) freed(at string, was, now any, first int) {
	if s.role != schema.Input || slices.ContainsFunc(s.all[first:], func(d *Difference) bool { return d.Class == Lowering }) {
		return
	}
	if s.free.text(s.was, was) || !s.free.text(s.now, now) {
		return
	}
	s.add(Lowering, at, was, now, "it takes free text now")
}

// keyword compares one keyword of two schemas.
func (s *contract) keyword(at, keyword string, before, after map[string]any, here spot) {
	was, now, path := before[keyword], after[keyword], pointer(at, keyword)
	switch keyword {
	case "title":
		s.text(path, was, now, Cosmetic)
	case "description", "$comment":
		s.text(path, was, now, Wording)
	case "examples", "deprecated", "readOnly", "writeOnly":
		s.note(path, was, now)
	case "$schema":
		s.add(Cosmetic, path, was, now, "another dialect")
	case "default":
		s.decided(path, was, now, "a value that nobody has to say")
	case "x-mcp-header":
		s.decided(path, was, now, "the argument is repeated in a header")
	case "const":
		s.ask(s.add(Lowering, path, was, now, "the only value is another, or none"), here, before, after)
	case "required":
		s.required(path, before, after, here)
	case "properties":
		s.properties(path, was, now, here)
	case "enum":
		s.enum(path, was, now, before, after, here)
	case "type":
		s.types(path, was, now, before, after, here)
	default:
		s.structure(path, keyword, before, after, here)
	}
}

// note compares what describes and enforces nothing.
func (s *contract) note(at string, was, now any) {
	if cue := s.words.newCue(string(literal(was)), string(literal(now))); cue != "" {
		s.add(Cue, at, was, now, cue)
		return
	}
	s.add(Wording, at, was, now, "another note")
}

// decided is about what settles a value without the user's word.
func (s *contract) decided(at string, was, now any, what string) {
	if now != nil {
		s.add(Lowering, at, was, now, what+", and it is new")
		return
	}
	s.add(Contract, at, was, now, what+", and it is gone")
}

// required compares names one by one, so that the same name on several tools is
// the same edit.
func (s *contract) required(at string, before, after map[string]any, here spot) {
	was, now := set(before["required"]), set(after["required"])
	offered, _ := before["properties"].(map[string]any)
	for _, name := range union(was, now) {
		switch {
		case now[name] != nil && was[name] == nil && offered[name] != nil:
			s.narrower(at, nil, name, "it has to be there now", here, before, after)
		case now[name] != nil && was[name] == nil:
			s.ask(s.add(Contract, at, nil, name, "a new parameter that has to be there"), here, before, after)
		case was[name] != nil && now[name] == nil:
			s.ask(s.add(Lowering, at, name, nil, "it may be left out now"), here, before, after)
		}
	}
	if reflect.DeepEqual(was, now) { // lists that are not lists of names
		s.add(Contract, at, before["required"], after["required"], "it is not a list of names")
	}
}

// set are the names of a list, each as its own value.
func set(v any) map[string]any {
	list, _ := v.([]any)
	names := map[string]any{}
	for _, e := range list {
		if name, ok := e.(string); ok {
			names[name] = name
		}
	}
	return names
}

func (s *contract) properties(at string, was, now any, here spot) {
	before, ok := was.(map[string]any)
	after, too := now.(map[string]any)
	if !ok && was != nil || !too && now != nil {
		s.add(Contract, at, was, now, "properties that are not an object")
		return
	}
	if len(before)+len(after) == 0 {
		s.add(Contract, at, was, now, "a list of no parameters")
	}
	for _, name := range union(before, after) {
		path, below := pointer(at, name), here.member(name)
		switch {
		case after[name] == nil:
			// A server that passes over what it does not know would take a call
			// that says dryRun for one that does not.
			s.ask(s.add(Contract, path, before[name], nil, "the parameter is gone, and a server may pass over it"), below, before[name], nil)
		case before[name] != nil:
			s.schema(path, before[name], after[name], below)
		default:
			s.added(path, after[name], below)
		}
	}
}

// added is a new parameter of an input, or a new member of a result.
func (s *contract) added(at string, now any, below spot) {
	class, why := Contract, "a new parameter"
	if s.role == schema.Output {
		why = "a new member of the result"
	} else if s.free.text(s.now, now) {
		class, why = Lowering, "a new parameter that takes free text"
	}
	s.ask(s.add(class, at, nil, now, why), below, nil, now)
	s.told(at, now)
}

func (s *contract) enum(at string, was, now any, before, after map[string]any, here spot) {
	old, ok := was.([]any)
	list, too := now.([]any)
	switch {
	case now == nil:
		s.ask(s.add(Lowering, at, was, now, "any value is taken now"), here, before, after)
	case too && len(list) == 1:
		s.ask(s.add(Lowering, at, was, now, "one value is the only one, and it is new"), here, before, after)
	case ok && too && within(list, old):
		s.narrower(at, was, now, "values are gone", here, before, after)
	default:
		s.ask(s.add(Contract, at, was, now, "other values"), here, before, after)
	}
}

func (s *contract) types(at string, was, now any, before, after map[string]any, here spot) {
	switch {
	case now == nil:
		s.ask(s.add(Lowering, at, was, now, "any type is taken now"), here, before, after)
	case was == nil || within(typeList(now), typeList(was)):
		s.narrower(at, was, now, "fewer types", here, before, after)
	default:
		s.ask(s.add(Contract, at, was, now, "another type"), here, before, after)
	}
}

// typeList are the types of a type keyword. What takes numbers takes integers.
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

// within reports whether all of the one list is in the other.
func within(list, in []any) bool {
	there := literals(in)
	return !slices.ContainsFunc(list, func(e any) bool { return !there[string(literal(e))] })
}

func literals(list []any) map[string]bool {
	there := make(map[string]bool, len(list))
	for _, e := range list {
		there[string(literal(e))] = true
	}
	return there
}

// bounds are the keywords that hold a value to a number, and whether a greater
// number takes less.
var bounds = map[string]bool{
	"minimum": true, "exclusiveMinimum": true, "minLength": true, "minItems": true, "minProperties": true,
	"maximum": false, "exclusiveMaximum": false, "maxLength": false, "maxItems": false, "maxProperties": false,
}

// structure compares the keywords that need no more than their value.
func (s *contract) structure(at, keyword string, before, after map[string]any, here spot) {
	was, now := before[keyword], after[keyword]
	rising, bound := bounds[keyword]
	switch {
	case schema.Holds(keyword) != schema.HoldsNone || keyword == "$ref":
		s.nested(at, keyword, before, after, here)
	case now == nil || keyword == "uniqueItems" && now == false:
		s.ask(s.add(Lowering, at, was, now, "the bound is gone"), here, before, after)
	case bound && (was == nil || less(was, now) == rising),
		keyword == "multipleOf" && (was == nil || multiple(now, was)),
		keyword == "uniqueItems" && now == true, keyword == "format" && was == nil:
		s.narrower(at, was, now, "it takes less", here, before, after)
	default:
		s.ask(s.add(Contract, at, was, now, "it takes other values"), here, before, after)
	}
}

// less compares numbers whose literals passed a check. What is not one is not less.
func less(a, b any) bool {
	x, ok := rational(a)
	y, too := rational(b)
	return ok && too && x.Cmp(y) < 0
}

func multiple(a, of any) bool {
	x, ok := rational(a)
	y, too := rational(of)
	return ok && too && y.Sign() > 0 && new(big.Rat).Quo(x, y).IsInt()
}

func rational(v any) (*big.Rat, bool) {
	n, ok := v.(numeral)
	if !ok {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

// narrower adds a difference that takes less by its structure. That it is safer
// needs a witness as well, and a place where it follows for the whole.
func (s *contract) narrower(at string, was, now any, why string, here spot, before, after map[string]any) {
	if !here.along {
		s.ask(s.add(Contract, at, was, now, why+", which may take more as a whole"), here, before, after)
		return
	}
	s.ask(s.add(Safer, at, was, now, why), here, before, after)
}

// nested compares the keywords that hold schemas.
func (s *contract) nested(at, keyword string, before, after map[string]any, here spot) {
	was, now := before[keyword], after[keyword]
	switch {
	case keyword == "$ref":
		s.ask(s.add(Contract, at, was, now, "it is what another place says"), here, before, after)
	case keyword == "additionalProperties":
		s.others(at, before, after, here)
	case keyword == "patternProperties" || keyword == "$defs" || keyword == "definitions":
		s.named(at, keyword, was, now, here)
	case now == nil:
		s.ask(s.add(Lowering, at, was, now, "what held values to a schema is gone"), here, before, after)
	case was == nil:
		s.ask(s.add(Contract, at, was, now, "a schema that was not there"), here, before, after)
	case schema.Holds(keyword) == schema.HoldsList:
		s.list(at, keyword, before, after, here)
	case keyword == "items" || keyword == "contains":
		s.schema(at, was, now, here.element(0))
	default: // not, if, then, else, propertyNames
		s.schema(at, was, now, here.unclear())
	}
}

// others compares additionalProperties, which says what is taken of parameters
// that have no name in the schema. Nothing that is absent is taken as false of
// an input: the gates close it.
func (s *contract) others(at string, before, after map[string]any, here spot) {
	const keyword = "additionalProperties"
	was, now := before[keyword], after[keyword]
	shut := was == false || was == nil && s.role == schema.Input
	switch {
	case now == false:
		s.narrower(at, was, now, "no other parameter is taken", here, before, after)
	case shut && now != nil && s.role == schema.Input && s.free.text(s.now, now):
		s.ask(s.add(Lowering, at, was, now, "parameters of any name are taken, with free text"), here, before, after)
	case was == nil || now == nil || was == false:
		s.ask(s.add(Contract, at, was, now, "other parameters are taken otherwise"), here, before, after)
	default:
		s.schema(at, was, now, here.member(anyName))
	}
}

// anyName is a parameter that no schema names.
const anyName = "onestep-any-name"

// named compares patternProperties, and definitions.
func (s *contract) named(at, keyword string, was, now any, here spot) {
	before, ok := was.(map[string]any)
	after, too := now.(map[string]any)
	if !ok && was != nil || !too && now != nil {
		s.add(Contract, at, was, now, "it is not an object of schemas")
		return
	}
	if len(before)+len(after) == 0 {
		s.add(Contract, at, was, now, "it holds nothing")
	}
	for _, name := range union(before, after) {
		path, below := pointer(at, name), s.used(at, keyword, name, here)
		switch {
		case before[name] != nil && after[name] != nil:
			s.schema(path, before[name], after[name], below)
		case keyword != "patternProperties":
			s.add(Contract, path, before[name], after[name], "a definition, for whatever refers to it")
		case after[name] != nil:
			s.added(path, after[name], below)
		default:
			s.ask(s.add(Contract, path, before[name], nil, "parameters of this form are gone"), below, before[name], nil)
		}
	}
}

// used is where in a value a definition or a pattern's schema holds.
func (s *contract) used(at, keyword, name string, here spot) spot {
	if keyword == "patternProperties" {
		return here.member(matching(name))
	}
	_, local, _ := strings.Cut(strings.TrimPrefix(at, "/"), "/")
	way, known := s.now.ways["#/"+local+"/"+name]
	return spot{way, known, false}
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
			s.schema(pointer(at, strconv.Itoa(i)), old[i], list[i], s.item(keyword, i, here))
		}
	case keyword == "anyOf" && within(list, old):
		s.narrower(at, old, list, "alternatives are gone", here, before, after)
	case keyword == "allOf" && within(list, old):
		s.ask(s.add(Lowering, at, old, list, "what had to hold as well is gone"), here, before, after)
	default:
		s.ask(s.add(Contract, at, old, list, "other alternatives"), here, before, after)
	}
}

// item is where an element of such a list holds.
func (s *contract) item(keyword string, i int, here spot) spot {
	switch keyword {
	case "prefixItems":
		return here.element(i)
	case "oneOf":
		return here.unclear()
	}
	return here
}
