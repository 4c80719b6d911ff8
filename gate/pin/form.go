package pin

import (
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// form is one of two schemas that are compared.
type form struct {
	root     any
	role     schema.Role
	admitted schema.Schema
	why      string // it is not enforced, or ""
	ways     map[string][]step
}

func newForm(root any, role schema.Role) *form {
	f := &form{root: root, role: role, ways: map[string][]step{}}
	var err error
	if f.admitted, err = schema.Admit(literal(root), schema.Options{Role: role}); err != nil {
		f.why = err.Error()
		var d *verdict.Denial
		if errors.As(err, &d) {
			f.why = d.Reason
		}
	}
	f.uses(root, nil, 0)
	return f
}

func newContract(c *comparison, was, now any, role schema.Role) *contract {
	return &contract{comparison: c, role: role, was: newForm(was, role), now: newForm(now, role), free: &free{left: maxNodes}}
}

func (f *form) enforced() bool { return f.why == "" }

// unenforced says why the new schema is not enforced, where the old one was or
// was not for another reason.
func (s *contract) unenforced() string {
	if s.now.why == s.was.why {
		return ""
	}
	return s.now.why
}

// target is what a reference leads to, or nil.
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

// uses finds where in a value each definition holds: at the first reference.
func (f *form) uses(s any, way []step, depth int) {
	m, ok := s.(map[string]any)
	if !ok || depth > maxDepth {
		return
	}
	if ref, ok := m["$ref"].(string); ok {
		if _, seen := f.ways[ref]; !seen {
			f.ways[ref] = way
			f.uses(f.target(ref), way, depth+1)
		}
	}
	here := spot{way: way}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, sub := range listOf(m[keyword]) {
			f.uses(sub, way, depth+1)
		}
	}
	properties, _ := m["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		f.uses(properties[name], here.member(name).way, depth+1)
	}
	for i, sub := range listOf(m["prefixItems"]) {
		f.uses(sub, here.element(i).way, depth+1)
	}
	f.uses(m["items"], here.element(0).way, depth+1)
	f.uses(m["additionalProperties"], here.member(anyName).way, depth+1)
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}
