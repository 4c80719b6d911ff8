package schema

import (
	stdjson "encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/verdict"
)

// admission walks one schema, in sorted order so that the same schema is
// always refused for the same reason.
type admission struct {
	opt     Options
	older   bool // its dialect is draft-07
	notes   []string
	nodes   int
	mirrors []mirror
	weight  int   // of what is compiled of it, so far
	in      *node // what is being walked
	defs    map[string]any
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
	return cut(pointer, 200)
}

func join(at, name string) string { return at + "/" + escaped(name) }

// escaped is a name as a JSON Pointer has it.
func escaped(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func (a *admission) admit(root any) (any, error) {
	if err := a.object(root); err != nil {
		return nil, err
	}
	if m, ok := root.(map[string]any); ok {
		dialect, _ := m["$schema"].(string)
		a.older = strings.Contains(dialect, "draft-07")
	}
	top := &node{}
	if _, err := a.schema("", root, top); err != nil {
		return nil, err
	}
	if err := a.follow(top, top); err != nil {
		return nil, err
	}
	if doc, ok := top.out.(map[string]any); ok && len(a.defs) > 0 {
		doc["$defs"] = a.defs
	}
	return top.out, nil
}

// object holds an input schema to the MCP specification: its root says
// "type":"object".
func (a *admission) object(root any) error {
	if m, ok := root.(map[string]any); a.opt.Role == Input && (!ok || m["type"] != "object") {
		return refuse("", `an input schema must say "type":"object"`)
	}
	return nil
}

// schema admits one schema as the node n and gives it as validators see it.
func (a *admission) schema(at string, v any, n *node) (any, error) {
	if a.nodes++; a.nodes > maxNodes {
		return nil, refuse(at, "more than %d schemas", maxNodes)
	}
	defer func(in *node, before int) { a.in, n.weight = in, a.weight-before }(a.in, a.weight)
	a.in = n
	if err := a.spend(at, perSchema); err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if _, isBool := v.(bool); isBool {
		n.out = v
		return v, nil
	}
	if !ok {
		return nil, refuse(at, "a schema must be an object or a boolean")
	}
	out := make(map[string]any, len(m))
	n.out = out
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if err := a.keyword(at, name, m, out); err != nil {
			return nil, err
		}
	}
	return out, a.combination(at, out)
}

// keyword admits one keyword of m and sets it in out.
func (a *admission) keyword(at, name string, m, out map[string]any) (err error) {
	v, here := m[name], join(at, name)
	k := keywords[name]
	switch k.shape {
	case note:
	case mark:
		err = a.mirror(here, v, m)
	case value:
		err = a.value(at, name, k, v, out)
	case one:
		out[name], err = a.schema(here, v, a.in.add(way{name, ""}))
	case list:
		out[name], err = a.list(here, name, v)
	case named:
		out[name], err = a.named(here, name, v)
	case defs:
		_, err = a.named(here, name, v) // validators see those that are referred to
	default:
		return refuse(here, "keyword %q is not among those that can be enforced", cut(name, 60))
	}
	return err
}

func (a *admission) value(at, name string, k keyword, v any, out map[string]any) error {
	shown, why := k.check(v)
	if why != "" {
		return refuse(join(at, name), "keyword %q %s", name, why)
	}
	switch name {
	case "$schema":
		if at != "" {
			return refuse(join(at, name), "a dialect below the root")
		}
		return nil // both dialects mean the same by what is admitted
	case "format":
		if formats[v.(string)] == nil {
			return a.unknownFormat(join(at, name), v.(string))
		}
	case "pattern":
		if err := a.spend(join(at, name), perInstruction*instructions(v.(string))); err != nil {
			return err
		}
	case "enum":
		if err := a.spend(join(at, name), perNumber*numbers(v.([]any))); err != nil {
			return err
		}
	case "$ref":
		a.in.ref, a.in.at = shown.([]string), place(join(at, name))
		return nil // follow sets it
	}
	out[name] = shown
	return nil
}

func (a *admission) unknownFormat(at, format string) error {
	if a.opt.StrictFormats {
		return refuse(at, "format %q is not known", cut(format, 60))
	}
	a.notes = append(a.notes, place(at)+": format "+strconv.Quote(cut(format, 60))+" is not enforced")
	return nil
}

func (a *admission) list(at, keyword string, v any) (any, error) {
	if keyword == "prefixItems" && a.older {
		return nil, refuse(at, "draft-07 passes over it")
	}
	given, ok := v.([]any)
	if !ok || len(given) == 0 {
		return nil, refuse(at, "must be a list of schemas")
	}
	out := make([]any, len(given))
	for i, s := range given {
		var err error
		name := strconv.Itoa(i)
		if out[i], err = a.schema(join(at, name), s, a.in.add(way{keyword, name})); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (a *admission) named(at, keyword string, v any) (any, error) {
	given, ok := v.(map[string]any)
	if !ok {
		return nil, refuse(at, "must be an object of schemas")
	}
	out := make(map[string]any, len(given))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if keyword == "patternProperties" {
			if _, why := pattern(name); why != "" {
				return nil, refuse(join(at, name), "the pattern %s", why)
			}
			if err := a.spend(join(at, name), perInstruction*instructions(name)); err != nil {
				return nil, err
			}
		}
		var err error
		if out[name], err = a.schema(join(at, name), given[name], a.in.add(way{keyword, name})); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// combination refuses keywords that are sound apart and not together.
func (a *admission) combination(at string, m map[string]any) error {
	if a.in.ref != nil && len(m) > 0 {
		// Draft-07 ignores what stands next to a reference, 2020-12 does not.
		name := slices.Min(slices.Collect(maps.Keys(m)))
		return refuse(join(at, name), "keyword %q next to $ref", name)
	}
	for _, pair := range ordered {
		low, isLow := m[pair[0]].(stdjson.Number)
		high, isHigh := m[pair[1]].(stdjson.Number)
		if isLow && isHigh && rat(low).Cmp(rat(high)) > 0 {
			return refuse(join(at, pair[0]), "%s is above %s", pair[0], pair[1])
		}
	}
	return nil
}
