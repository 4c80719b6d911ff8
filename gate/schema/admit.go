package schema

import (
	stdjson "encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/verdict"
)

// admission walks one schema. It walks in sorted order, so that the same schema is
// always refused for the same reason.
type admission struct {
	opt     Options
	older   string // the dialect's name, if it lacks prefixItems
	dialect string // the dialect that the root names
	notes   []string
	nodes   int
	mirrors []mirror
	weight  int              // of the compiled schema, so far
	in      *Node            // the current node
	defs    map[string]*Node // the targets of references, by the names that validators see
	later   []*Node          // nodes that the search for endless references still has to visit
}

func refuse(at, format string, args ...any) error {
	d := verdict.Deny(verdict.SchemaUnenforceable, format, args...)
	d.Reason = place(at) + ": " + d.Reason
	return d
}

// place names a JSON Pointer in bounded text.
func place(pointer string) string {
	if pointer == "" {
		return "the root"
	}
	return verdict.Cut(pointer, 200)
}

// Below returns the JSON Pointer (RFC 6901) of a member or an item of the value at
// another pointer.
func Below(at, name string) string { return at + "/" + escaped(name) }

// escaped returns a name as a JSON Pointer spells it.
func escaped(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func (a *admission) admit(root any) (*Node, error) {
	if a.opt.Role == Input {
		if root = describesObject(root); root == nil {
			return nil, refuse("", `an input schema must say "type":"object", or no type`)
		}
	}
	if m, ok := root.(map[string]any); ok {
		a.dialect, _ = m["$schema"].(string)
		a.older = olderDialect(a.dialect)
	}
	top := &Node{}
	if err := a.schema("", root, top); err != nil {
		return nil, err
	}
	if err := a.follow(top); err != nil {
		return nil, err
	}
	if err := a.endless(top); err != nil {
		return nil, err
	}
	return top, nil
}

// document returns the root as validators see it, with the definitions that references
// lead to. The root may be one of them.
func (a *admission) document(root *Node) any {
	if len(a.defs) == 0 {
		return root.doc
	}
	out := maps.Clone(root.checked())
	out["$defs"] = each(a.defs, func(_ string, n *Node) any { return n.doc })
	return out
}

// describesObject returns the root of an input schema with "type":"object", or nil if
// the root has another type. The MCP specification requires that type. Arguments are
// always an object, so a root without a type gets it. Next to a reference, the
// reference moves into allOf, because draft-07 ignores the keywords next to a
// reference.
func describesObject(root any) any {
	m, ok := root.(map[string]any)
	kind, typed := m["type"]
	if !ok || typed && kind != "object" {
		return nil
	}
	out := maps.Clone(m)
	delete(out, "nullable") // arguments are never null
	if typed {
		return out
	}
	out["type"] = "object"
	if ref, refers := out["$ref"]; refers && out["allOf"] == nil {
		delete(out, "$ref")
		out["allOf"] = []any{map[string]any{"$ref": ref}}
	}
	return out
}

// schema admits one schema as the node n.
func (a *admission) schema(at string, v any, n *Node) error {
	if a.nodes++; a.nodes > maxNodes {
		return refuse(at, "more than %d schemas", maxNodes)
	}
	defer func(in *Node, before int) { a.in, n.weight = in, a.weight-before }(a.in, a.weight)
	a.in = n
	if err := a.spend(at, perSchema); err != nil {
		return err
	}
	if _, isBool := v.(bool); isBool {
		n.doc = v
		return nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return refuse(at, "a schema must be an object or a boolean")
	}
	out := make(map[string]any, len(m))
	n.sent, n.doc = a.spelled(n, m), out
	m = n.sent
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if err := a.keyword(at, name, m, out); err != nil {
			return err
		}
	}
	return a.combination(at, out)
}

// keyword admits one keyword of m and sets it in out.
func (a *admission) keyword(at, name string, m, out map[string]any) error {
	v, here := m[name], Below(at, a.in.written(name))
	k := keywordOf(name)
	switch k.shape {
	case note:
		if name == "discriminator" && m["oneOf"] == nil && m["anyOf"] == nil {
			return refuse(here, "a discriminator next to neither oneOf nor anyOf")
		}
		return nil
	case mark:
		return a.mirror(here, v, m)
	case value:
		return a.value(at, name, k, v, out)
	case one:
		sub, err := a.below(here, v, name, "")
		a.in.hold(name, children{one: sub})
		out[name] = sub.doc
		return err
	case list:
		return a.list(here, name, v, out)
	case named, defs:
		return a.named(here, name, v, out)
	}
	return refuse(here, "keyword %q is not among those that can be enforced", verdict.Cut(name, 60))
}

// below admits a schema inside the current one.
func (a *admission) below(at string, v any, keyword, name string) (*Node, error) {
	n := &Node{draft: draft{above: a.in, keyword: keyword, name: name}}
	a.in.order = append(a.in.order, n)
	return n, a.schema(at, v, n)
}

func (a *admission) value(at, name string, k keyword, v any, out map[string]any) error {
	shown, why := k.check(v)
	if why != "" {
		return refuse(Below(at, name), "keyword %q %s", name, why)
	}
	switch name {
	case "$schema":
		if at != "" && v != a.dialect { // some generators repeat the root's dialect
			return refuse(Below(at, name), "a dialect below the root that is not the root's")
		}
		return nil // all admitted keywords mean the same in both dialects
	case "format":
		if formats[v.(string)] == nil {
			return a.unknownFormat(Below(at, name), v.(string))
		}
	case "pattern":
		a.in.sent[name] = shown // readers of the tree see the pattern that RE2 compiles
		if err := a.spend(Below(at, name), perInstruction*instructions(shown.(string))); err != nil {
			return err
		}
	case "enum":
		if err := a.spend(Below(at, name), perNumber*numbers(v.([]any))); err != nil {
			return err
		}
	case "$ref":
		a.in.ref, a.in.at = shown.([]string), place(Below(at, name))
		return nil // follow sets it
	case "nullable":
		return a.nullable(Below(at, name))
	}
	out[name] = shown
	return nil
}

// nullable notes a nullable that adds nothing, because it concerns only the type next
// to it.
func (a *admission) nullable(at string) error {
	if _, typed := a.in.sent["type"]; !typed {
		a.notes = append(a.notes, place(at)+": nullable without a type is not enforced")
	}
	return nil
}

func (a *admission) unknownFormat(at, format string) error {
	if a.opt.StrictFormats {
		return refuse(at, "format %q is not known", verdict.Cut(format, 60))
	}
	a.notes = append(a.notes, place(at)+": format "+strconv.Quote(verdict.Cut(format, 60))+" is not enforced")
	return nil
}

func (a *admission) list(at, keyword string, v any, out map[string]any) (err error) {
	if keyword == "prefixItems" && a.older != "" && !a.in.tuple {
		return refuse(at, "%s ignores it", a.older)
	}
	given, ok := v.([]any)
	if !ok || len(given) == 0 {
		return refuse(at, "must be a list of schemas")
	}
	nodes, docs := make([]*Node, len(given)), make([]any, len(given))
	for i, s := range given {
		name := strconv.Itoa(i)
		if nodes[i], err = a.below(Below(at, name), s, keyword, name); err != nil {
			return err
		}
		docs[i] = nodes[i].doc
	}
	a.in.hold(keyword, children{list: nodes})
	out[keyword] = docs
	return nil
}

func (a *admission) named(at, keyword string, v any, out map[string]any) (err error) {
	given, ok := v.(map[string]any)
	if !ok {
		return refuse(at, "must be an object of schemas")
	}
	nodes := make(map[string]*Node, len(given))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		key := name
		if keyword == "patternProperties" {
			shown, why := pattern(name)
			if why != "" {
				return refuse(Below(at, name), "the pattern %s", why)
			}
			key = shown.(string)
			if err := a.spend(Below(at, name), perInstruction*instructions(key)); err != nil {
				return err
			}
		}
		if nodes[key], err = a.below(Below(at, name), given[name], keyword, key); err != nil {
			return err
		}
	}
	a.in.hold(keyword, children{named: nodes})
	if keywords[keyword].shape == named { // of the definitions, validators see only the targets of references
		out[keyword] = each(nodes, func(_ string, n *Node) any { return n.doc })
	}
	return nil
}

// combination refuses keywords that are sound alone but not together.
func (a *admission) combination(at string, m map[string]any) error {
	if a.in.ref != nil && len(m) > 0 {
		// Draft-07 ignores the keywords next to a reference; 2020-12 does not.
		name := slices.Min(slices.Collect(maps.Keys(m)))
		return refuse(Below(at, name), "keyword %q next to $ref", name)
	}
	for _, pair := range ordered {
		low, isLow := m[pair[0]].(stdjson.Number)
		high, isHigh := m[pair[1]].(stdjson.Number)
		if isLow && isHigh && rat(low).Cmp(rat(high)) > 0 {
			return refuse(Below(at, pair[0]), "%s is above %s", pair[0], pair[1])
		}
	}
	return nil
}
