package rule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// pathOf returns the names in a JSON Pointer (RFC 6901).
func pathOf(pointer string) []string {
	if pointer == "" {
		return nil
	}
	names := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, name := range names {
		names[i] = unescape.Replace(name)
	}
	return names
}

func pointerTo(names []string) (p string) {
	for _, name := range names {
		p = schema.Below(p, name)
	}
	return p
}

// within reports whether a place is the place of, is below it, or is its name.
func within(place, of string) bool {
	rest, is := strings.CutPrefix(place, of)
	switch {
	case !is:
		return false
	case rest == "", rest == "#":
		return true
	}
	return rest[0] == '/'
}

// item is the step of a path into the items of an array.
const item = "\x00item"

// places are the schemas that a value at one place may meet. any says that the place
// may have members that no schema names.
type places struct {
	nodes []*schema.Node
	any   bool
}

// spread adds all schemas that a value meets, or may meet, because it meets n.
func spread(n *schema.Node, seen map[*schema.Node]bool) {
	if n == nil || seen[n] {
		return
	}
	seen[n] = true
	spread(n.Ref(), seen)
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, s := range n.List(keyword) {
			spread(s, seen)
		}
	}
	for _, keyword := range []string{"if", "then", "else", "not"} {
		spread(n.One(keyword), seen)
	}
}

// below takes one step down.
func (p places) below(name string) (next places) {
	next.any = p.any
	for n := range p.all() {
		if name == item {
			next.add(n.One("items"), n.One("contains"))
			next.add(n.List("prefixItems")...)
			continue
		}
		next.add(n.Named("properties")[name])
		rest := n.One("additionalProperties")
		if rest != nil && !rest.Never() || len(n.Named("patternProperties")) > 0 {
			next.any = true
		}
	}
	return next
}

// all returns the schemas of a place, and all that a value meets with them.
func (p places) all() map[*schema.Node]bool {
	seen := map[*schema.Node]bool{}
	for _, n := range p.nodes {
		spread(n, seen)
	}
	return seen
}

func (p *places) add(nodes ...*schema.Node) {
	for _, n := range nodes {
		if n != nil && !slices.Contains(p.nodes, n) {
			p.nodes = append(p.nodes, n)
		}
	}
}

func walk(root *schema.Node, path []string) places {
	p := places{nodes: []*schema.Node{root}}
	for _, name := range path {
		p = p.below(name)
	}
	return p
}

// find returns the schemas of a place in the arguments; the path may omit the indices
// of items.
func find(root *schema.Node, path []string) []*schema.Node {
	p := places{nodes: []*schema.Node{root}}
	for _, name := range path {
		next := p.below(name)
		if len(next.nodes) == 0 && strings.Trim(name, "0123456789") == "" {
			next = p.below(item)
		}
		p = next
	}
	return slices.Collect(maps.Keys(p.all()))
}

// unknown returns the first path that a schema does not know, with the names it knows
// there. It returns "" if it knows all paths.
func unknown(root *schema.Node, paths [][]string) string {
	for _, path := range paths {
		for n := range path {
			p := walk(root, path[:n+1])
			if p.any {
				break
			}
			if len(p.nodes) > 0 {
				continue
			}
			var near []string
			for s := range walk(root, path[:n]).all() {
				near = slices.AppendSeq(near, maps.Keys(s.Named("properties")))
			}
			at := strings.ReplaceAll(pointerTo(path[:n+1]), item, "(item)")
			return fmt.Sprintf("%.200q is not known%s", at, verdict.Near(path[n], near))
		}
	}
	return ""
}

// reader reads every name in the schema of a rule. In a rule that allows, it also
// finds where a missing member would help a call.
type reader struct {
	allows bool
	paths  [][]string
	helps  string // the first place where a missing member would help
	seen   map[visit]bool
}

type visit struct {
	n   *schema.Node
	not bool
	at  string
}

// read walks n, which applies to the values at a path; not says that the value must
// not fit n.
func (r *reader) read(n *schema.Node, at []string, not bool) {
	v := visit{n, not, strings.Join(at, "\x01")}
	if n == nil || r.seen[v] {
		return
	}
	r.seen[v] = true
	r.members(n, at, not)
	r.read(n.Ref(), at, not)
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, s := range n.List(keyword) {
			r.read(s, at, not)
		}
	}
	r.read(n.One("not"), at, !not)
	if n.One("if") != nil && (n.One("then") == nil || n.One("else") == nil) {
		r.help(at, "an if without both then and else passes everything that it does not name")
	}
	for _, keyword := range []string{"if", "then", "else"} {
		r.read(n.One(keyword), at, not)
	}
	inside := append(slices.Clone(at), item)
	r.read(n.One("items"), inside, not)
	r.read(n.One("contains"), inside, not)
	for _, s := range n.List("prefixItems") {
		r.read(s, inside, not)
	}
	r.read(n.One("additionalProperties"), at, not)
}

func (r *reader) members(n *schema.Node, at []string, not bool) {
	said, _ := n.Value("required")
	required, _ := said.([]any)
	for _, name := range required {
		name, _ := name.(string) // admission checked the type
		r.paths = append(r.paths, append(slices.Clone(at), name))
	}
	named := n.Named("properties")
	for _, name := range slices.Sorted(maps.Keys(named)) {
		path := append(slices.Clone(at), name)
		r.paths = append(r.paths, path)
		has := slices.Contains(required, any(name))
		switch {
		case !not && !has:
			r.help(path, `it is in "properties" and not in "required", so a call without it would be allowed`)
		case not && has:
			r.help(path, `it is in "required" below a "not", so a call without it would be allowed`)
		}
		r.read(named[name], path, not)
	}
	if not {
		return
	}
	kind, _ := n.Value("type")
	if _, one := kind.(string); !one && len(at) > 0 {
		for _, keyword := range bound {
			if _, says := n.Value(keyword); says {
				r.help(at, fmt.Sprintf(`its schema has %q and does not say one "type", so anything of another would be allowed`, keyword))
			}
		}
	}
	rest, _ := n.Value("additionalProperties")
	if _, is := rest.(object); is || len(n.Named("patternProperties")) > 0 {
		r.help(at, `members are named by "patternProperties" or "additionalProperties" alone, so a call without them would be allowed`)
	}
}

// bound are the keywords that pass any value of another type.
var bound = []string{
	"pattern", "minLength", "maxLength", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems", "properties", "required", "minProperties", "maxProperties", "propertyNames",
}

func (r *reader) help(at []string, why string) {
	if r.allows && r.helps == "" {
		r.helps = fmt.Sprintf("%.200q: %s", strings.ReplaceAll(pointerTo(at), item, "(item)"), why)
	}
}
