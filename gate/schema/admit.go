package schema

import (
	stdjson "encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/verdict"
)

// part is the root schema or one definition: what it refers to.
type part struct {
	refs  []ref
	state int // of the search for cycles: 0 not seen, 1 open, 2 done
}

type ref struct{ to, at string }

// admission walks one schema, in sorted order so that the same schema is
// always refused for the same reason.
type admission struct {
	opt    Options
	notes  []string
	nodes  int
	weight int // of what is compiled of it, so far
	root   part
	defs   map[string]*part // by reference, such as #/$defs/X
	in     *part            // what is being walked
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
	a.in = &a.root
	doc, err := a.schema("", root)
	if err != nil {
		return nil, err
	}
	if err := a.follow(&a.root); err != nil {
		return nil, err
	}
	// Definitions that nothing refers to must be sound too: validators look.
	for _, name := range slices.Sorted(maps.Keys(a.defs)) {
		if err := a.follow(a.defs[name]); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

// object holds an input schema to the MCP specification: its root says
// "type":"object".
func (a *admission) object(root any) error {
	if m, ok := root.(map[string]any); a.opt.Role == Input && (!ok || m["type"] != "object") {
		return refuse("", `an input schema must say "type":"object"`)
	}
	return nil
}

// schema admits one schema and gives it as validators see it.
func (a *admission) schema(at string, v any) (any, error) {
	if a.nodes++; a.nodes > maxNodes {
		return nil, refuse(at, "more than %d schemas", maxNodes)
	}
	if err := a.spend(at, perSchema); err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if _, isBool := v.(bool); isBool {
		return v, nil
	}
	if !ok {
		return nil, refuse(at, "a schema must be an object or a boolean")
	}
	out := make(map[string]any, len(m))
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
	case value:
		err = a.value(at, name, k, v, out)
	case one:
		out[name], err = a.schema(here, v)
	case list:
		out[name], err = a.list(here, v)
	case named:
		out[name], err = a.named(here, name, v)
	case defs:
		if at != "" {
			return refuse(here, "definitions below the root")
		}
		out[name], err = a.definitions(here, v)
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
		a.in.refs = append(a.in.refs, ref{v.(string), join(at, name)})
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

func (a *admission) list(at string, v any) (any, error) {
	given, ok := v.([]any)
	if !ok || len(given) == 0 {
		return nil, refuse(at, "must be a list of schemas")
	}
	out := make([]any, len(given))
	for i, s := range given {
		var err error
		if out[i], err = a.schema(join(at, strconv.Itoa(i)), s); err != nil {
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
		if out[name], err = a.schema(join(at, name), given[name]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (a *admission) definitions(at string, v any) (any, error) {
	given, ok := v.(map[string]any)
	if !ok {
		return nil, refuse(at, "must be an object of schemas")
	}
	out := make(map[string]any, len(given))
	defer func(in *part) { a.in = in }(a.in)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		a.in = &part{}
		a.defs["#"+at+"/"+name] = a.in
		var err error
		if out[name], err = a.schema(join(at, name), given[name]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// combination refuses keywords that are sound apart and not together.
func (a *admission) combination(at string, m map[string]any) error {
	if _, ok := m["$ref"]; ok {
		// Draft-07 ignores what stands beside a reference, 2020-12 does not.
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if name != "$ref" && keywords[name].shape != defs {
				return refuse(join(at, name), "keyword %q beside $ref", name)
			}
		}
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

// follow refuses a reference that leads nowhere or back to itself: a cycle
// ends gojsonschema in a stack overflow that nothing can recover from.
func (a *admission) follow(p *part) error {
	p.state = 1
	for _, r := range p.refs {
		to := a.defs[r.to]
		switch {
		case to == nil:
			return refuse(r.at, "$ref leads to nothing")
		case to.state == 1:
			return refuse(r.at, "$ref leads back to itself")
		case to.state == 2:
			continue
		}
		if err := a.follow(to); err != nil {
			return err
		}
	}
	p.state = 2
	return nil
}
