package pin

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// form is one of two schemas that are compared.
type form struct {
	root     any
	role     schema.Role
	admitted schema.Schema
	why      string          // why it is not enforced, or ""
	firstUse map[string]spot // place in a value of a definition, by the reference to it
	targets  map[string]bool // the places that a reference leads to
	above    map[string]bool // those places, and all that contain them
}

func newForm(root any, role schema.Role) *form {
	f := &form{root: root, role: role, firstUse: map[string]spot{}, targets: map[string]bool{}, above: map[string]bool{}}
	f.refer(root)
	var err error
	if f.admitted, err = schema.Admit(schema.Literal(root), schema.Options{Role: role}); err != nil {
		f.why = err.Error()
		var d *verdict.Denial
		if errors.As(err, &d) {
			f.why = d.Reason
		}
	}
	f.uses(root, "", spot{}, 0)
	return f
}

func newContract(c *comparison, was, now any, role schema.Role) *contract {
	return &contract{comparison: c, role: role, was: newForm(was, role), now: newForm(now, role), free: &free{left: maxNodes, within: map[string]bool{}}}
}

func (f *form) enforced() bool { return f.why == "" }

// unenforced says why the new schema is not enforced, unless the old one had the same
// reason.
func (s *contract) unenforced() string {
	if s.now.why == s.was.why {
		return ""
	}
	return s.now.why
}

// target is the schema that a reference leads to, or nil.
func (f *form) target(ref string) any {
	way, ok := schema.Fragment(ref)
	at := f.root
	for _, name := range way {
		at = into(at, name)
	}
	if !ok {
		return nil
	}
	return at
}

// refer finds all places that a reference leads to. It also reads values that are not
// schemas: an extra place makes fewer changes safer, and never more.
func (f *form) refer(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			f.refer(e)
		}
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			at := ""
			way, _ := schema.Fragment(ref)
			for _, name := range way {
				at = schema.Below(at, name)
				f.above[at] = true
			}
			f.targets[at] = true
		}
		for _, e := range v {
			f.refer(e)
		}
	}
}

// elsewhere reports whether a reference uses the place, or a part of it, somewhere else
// too. There a narrower schema may make the whole wider: under not, for example.
func (s *contract) elsewhere(at string) bool {
	at = local(at)
	if s.was.above[at] || s.now.above[at] {
		return true
	}
	for ; at != ""; at = above(at) {
		if s.was.targets[at] || s.now.targets[at] {
			return true
		}
	}
	return s.was.targets[""] || s.now.targets[""]
}

func into(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[name]
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}

// uses finds the place in a value of each definition, at its first reference.
func (f *form) uses(s any, at string, here spot, depth int) {
	m, ok := s.(map[string]any)
	if !ok || depth > maxDepth {
		return
	}
	if ref, ok := m["$ref"].(string); ok {
		if _, seen := f.firstUse[ref]; !seen {
			f.firstUse[ref] = here
			f.uses(f.target(ref), strings.TrimPrefix(ref, "#"), here, depth+1)
		}
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for i, sub := range listOf(m[keyword]) {
			place, below := schema.Below(schema.Below(at, keyword), strconv.Itoa(i)), here
			if keyword != "allOf" {
				below = here.alternative(place)
			}
			f.uses(sub, place, below, depth+1)
		}
	}
	properties, _ := m["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		f.uses(properties[name], schema.Below(at+"/properties", name), here.member(name), depth+1)
	}
	for _, keyword := range []string{"prefixItems", "items"} { // draft-07 has a list in items
		for i, sub := range listOf(m[keyword]) {
			f.uses(sub, schema.Below(schema.Below(at, keyword), strconv.Itoa(i)), here.element(i), depth+1)
		}
	}
	f.uses(m["items"], at+"/items", here.element(0), depth+1)
	f.uses(m["additionalItems"], at+"/additionalItems", here.element(0), depth+1)
	f.uses(m["additionalProperties"], at+"/additionalProperties", here.member(schema.AnyName), depth+1)
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// maxDepth and maxNodes bound how far a schema is followed, with references.
const (
	maxDepth   = 64
	maxNodes   = 20_000
	maxPattern = 1 << 10 // bytes of a pattern that is tried
)

// free finds whether a schema takes free text: a sentence, a path, an address. Data can
// leave only through a parameter that takes it.
type free struct {
	left      int // schemas that may still be read
	exhausted bool
	within    map[string]bool // references on the way to the current schema
}

// text reports whether s takes free text somewhere. A schema past the bound counts as
// taking it.
func (t *free) text(f *form, s any) bool { return t.at(f, s, 0) }

func (t *free) at(f *form, s any, depth int) bool {
	if t.left--; t.left < 0 || depth > maxDepth {
		t.exhausted = true
		return true
	}
	m, ok := s.(map[string]any)
	if !ok {
		return s == true
	}
	if m["const"] != nil || m["enum"] != nil {
		return false
	}
	if ref, ok := m["$ref"].(string); ok {
		if t.within[ref] {
			return false // a schema within itself takes nothing more
		}
		t.within[ref] = true
		defer delete(t.within, ref)
		return t.at(f, f.target(ref), depth+1)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list, ok := m[keyword].([]any); ok {
			return slices.ContainsFunc(list, func(sub any) bool { return t.at(f, sub, depth+1) })
		}
	}
	if list, ok := m["allOf"].([]any); ok && slices.ContainsFunc(list, func(sub any) bool { return !t.at(f, sub, depth+1) }) {
		return false
	}
	types := m["type"]
	switch {
	case takes(types, "string") && textual(m), takes(types, "array") && t.items(f, m, depth):
		return true
	}
	return takes(types, "object") && t.members(f, m, depth)
}

// takes reports whether values of a type pass a type keyword. All pass if it is absent.
func takes(types any, name string) bool {
	return types == nil || slices.Contains(typeList(types), any(name))
}

func (t *free) items(f *form, m map[string]any, depth int) bool {
	first := append(slices.Clip(listOf(m["prefixItems"])), listOf(m["items"])...) // draft-07 has a list in items
	if m["items"] == nil && len(first) == 0 {
		return m["type"] != nil
	}
	for _, keyword := range []string{"items", "additionalItems"} {
		if m[keyword] != nil && t.at(f, m[keyword], depth+1) {
			return true
		}
	}
	return slices.ContainsFunc(first, func(sub any) bool { return t.at(f, sub, depth+1) })
}

func (t *free) members(f *form, m map[string]any, depth int) bool {
	for _, keyword := range []string{"properties", "patternProperties"} {
		named, _ := m[keyword].(map[string]any)
		for _, sub := range named {
			if t.at(f, sub, depth+1) {
				return true
			}
		}
	}
	others := m["additionalProperties"]
	return others != nil && t.at(f, others, depth+1)
}

// probes are free text: a sentence, a path and an address.
var probes = []string{"two words, and more", "/etc/passwd", "../../x", "https://a.example/b?c=d"}

// fixed are the formats that leave no room for free text.
var fixed = map[string]bool{"date": true, "date-time": true, "uuid": true}

// textual reports whether a schema of strings takes free text. A pattern takes it if it
// takes a probe, or a probe before or after a sample of the pattern.
func textual(m map[string]any) bool {
	if format, ok := m["format"].(string); ok && fixed[format] {
		return false
	}
	pattern, ok := m["pattern"].(string)
	if !ok {
		return true
	}
	re, err := regexp.Compile(pattern)
	if err != nil || len(pattern) > maxPattern {
		return true
	}
	sample := schema.Matching(pattern)
	return slices.ContainsFunc(probes, func(p string) bool {
		return re.MatchString(p) || re.MatchString(sample+" "+p) || re.MatchString(p+" "+sample)
	})
}
