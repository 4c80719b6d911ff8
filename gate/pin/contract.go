package pin

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
)

// schemas compares the two input schemas, or the two output schemas.
func (c *comparison) schemas(at string, was, now any, role schema.Role) {
	switch {
	case was == nil:
		c.add(Contract, at, was, now, "a new schema")
		return
	case now == nil:
		c.add(Lowering, at, was, now, "the schema was removed")
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
	open     []question // differences that need a witness
}

// spot is a place in the values, which a schema describes.
type spot struct {
	way   []step // from the root of a value
	known bool   // whether that way is known: it is unknown behind an unused definition
	// along says that a narrower schema here makes the whole narrower. Under oneOf, not and
	// if it does not follow.
	along bool
	// through are the alternatives on the way, by their place in the schema. A value of
	// another alternative has nothing at the place.
	through []string
}

// step leads into a value: to a member, or to an element if name is "".
type step struct {
	name  string
	index int
}

func (s spot) member(name string) spot {
	s.way = append(slices.Clip(s.way), step{name: name})
	return s
}

func (s spot) element(i int) spot {
	s.way = append(slices.Clip(s.way), step{index: i})
	return s
}

func (s spot) unclear() spot {
	s.along = false
	return s
}

// alternative is the spot of one of several schemas, which is at a place of its document.
func (s spot) alternative(at string) spot {
	s.through = append(slices.Clip(s.through), at)
	return s
}

func (s *contract) root() spot { return spot{known: true, along: true} }

// schema compares two schemas of one place.
func (s *contract) schema(at string, was, now any, here spot) {
	if reflect.DeepEqual(was, now) {
		return
	}
	before, ok := was.(map[string]any)
	after, too := now.(map[string]any)
	first := len(s.all)
	if !ok || !too {
		s.ask(s.add(Contract, at, was, now, "another schema"), here, at)
	} else {
		for _, keyword := range union(before, after) {
			if !reflect.DeepEqual(before[keyword], after[keyword]) {
				s.keyword(at, keyword, before, after, here)
			}
		}
	}
	s.freed(at, was, now, first)
}

// freed adds a difference if a place takes free text now and did not before. It adds none
// if a difference below the place is as dangerous. All ways of loosening have this in
// common: data leaves as text.
func (s *contract) freed(at string, was, now any, first int) {
	if s.role != schema.Input || slices.ContainsFunc(s.all[first:], func(d *Difference) bool { return d.Class == Lowering && !d.Order }) {
		return
	}
	if s.free.text(s.was, was) || !s.free.text(s.now, now) {
		return
	}
	s.add(Lowering, at, was, now, "it now takes free text")
}

// keyword compares one keyword of two schemas.
func (s *contract) keyword(at, keyword string, before, after map[string]any, here spot) {
	was, now, path := before[keyword], after[keyword], schema.Below(at, keyword)
	switch keyword {
	case "title":
		s.described(path, was, now, Cosmetic)
	case "description":
		s.described(path, was, now, Wording)
	case "$comment":
		s.text(path, was, now, Wording)
	case "$schema":
		s.add(Cosmetic, path, was, now, "another dialect")
	case "default":
		s.decided(path, was, now, "the default of an optional value")
		s.reordered(Lowering, was, now)
	case "nullable":
		s.nullable(path, was, now, here)
	case "x-mcp-header":
		s.decided(path, was, now, "the header that repeats the argument")
	case "const":
		s.ask(s.add(Lowering, path, was, now, "the only allowed value has changed, or was removed"), here, above(path))
	case "required":
		s.required(path, before, after, here)
	case "properties":
		s.properties(path, was, now, here)
	case "enum":
		s.enum(path, was, now, here)
	case "type":
		s.types(path, was, now, here)
	default:
		if schema.Annotates(keyword) {
			s.note(path, was, now)
			return
		}
		s.structure(path, keyword, before, after, here)
	}
}

// note compares keywords that describe and enforce nothing, such as examples and x-order. A
// planner may read them, so a change of them counts at least as other words.
func (s *contract) note(at string, was, now any) {
	if !s.cued(at, was, now, textsOf(was), textsOf(now)) {
		s.add(Wording, at, was, now, "another note")
	}
}

// textsOf are the strings and the names of members in a value, each on its own line. Cues
// are searched in the words, not in the JSON.
func textsOf(v any) string {
	switch v := v.(type) {
	case string:
		return v + "\n"
	case []any:
		var all strings.Builder
		for _, e := range v {
			all.WriteString(textsOf(e))
		}
		return all.String()
	case map[string]any:
		var all strings.Builder
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all.WriteString(name + "\n" + textsOf(v[name]))
		}
		return all.String()
	}
	return ""
}

// decided compares keywords that set a value without the user's consent.
func (s *contract) decided(at string, was, now any, what string) {
	if now != nil {
		d := s.add(Lowering, at, was, now, what+" is new or changed")
		if _, number := now.(schema.Numeral); !number {
			d.Weight += 12 // a number is an amount, but a text can be an owner or a destination
		} else if was != nil {
			d.Weight -= 10
		}
		return
	}
	s.add(Contract, at, was, now, what+" was removed")
}

// required compares names one by one, so that the same name on several tools is the same
// edit.
func (s *contract) required(at string, before, after map[string]any, here spot) {
	was, now := set(before["required"]), set(after["required"])
	offered, _ := before["properties"].(map[string]any)
	for _, name := range union(was, now) {
		switch {
		case now[name] != nil && was[name] == nil && offered[name] != nil:
			s.narrower(at, nil, name, "it is now required", here)
		case now[name] != nil && was[name] == nil:
			s.ask(s.add(Contract, at, nil, name, "a new required parameter"), here, above(at))
		case was[name] != nil && now[name] == nil:
			s.ask(s.add(Lowering, at, name, nil, "it is now optional"), here, above(at))
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
	before, after, fit := both[map[string]any](was, now)
	if !fit {
		s.add(Contract, at, was, now, "properties that are not an object")
		return
	}
	for _, name := range union(before, after) {
		path, below := schema.Below(at, name), here.member(name)
		switch {
		case after[name] == nil:
			// A server that ignores unknown parameters would take a call with dryRun for a
			// call without it.
			s.ask(s.add(Contract, path, before[name], nil, "the parameter was removed, and a server may ignore it"), below, path)
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
	s.ask(s.add(class, at, nil, now, why), below, at)
	s.addedCues(at, now)
}
