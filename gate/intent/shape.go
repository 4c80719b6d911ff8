package intent

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// Shape is what an admitted schema says of the places in a value: which
// members it lists, and the values that it names. Its zero value says nothing.
type Shape struct{ root place }

// node is what one subschema says.
type node struct {
	members map[string]*node
	rest    *node   // of members that are not listed
	first   []*node // of prefixItems: the items that have schemas of their own
	items   *node   // of the others
	either  []*node // of anyOf and oneOf, less those that admit null alone
	fixed   *scalar // a const, or the only member of an enum
	listed  []scalar
	normal  *scalar  // the default
	alone   [1]*node // itself, as a list
}

// scalar is a JSON value without inner values: a string decoded, or a literal.
type scalar struct {
	kind jsontext.Kind
	text string
}

// equal compares numbers by value, all else by text.
func (s scalar) equal(other scalar) bool {
	if s.kind == '0' && other.kind == '0' {
		return decimal(s.text) == decimal(other.text)
	}
	return s == other
}

// ShapeOf reads the raw text of an admitted schema. Of one that was not
// admitted it says what it can, or nothing.
func ShapeOf(raw jsontext.Value) Shape {
	b := builder{root: &part{raw: raw}, known: map[string]*node{}}
	return Shape{place{sure: true}.with(b.node(raw, 0)).open()}
}

// maxDepth bounds a schema that refers to itself; an admitted one does not.
const maxDepth = 64

// builder reads what is referred to once, however often it is referred to.
type builder struct {
	root  *part
	known map[string]*node
}

func (b *builder) node(raw jsontext.Value, depth int) *node {
	n := &node{}
	n.alone[0] = n
	members, err := schema.Members(raw)
	if err != nil || depth > maxDepth {
		return n // true, false, or nothing that can be read
	}
	for _, m := range members {
		b.keyword(n, m, depth+1)
	}
	return n
}

func (b *builder) keyword(n *node, m schema.Member, depth int) {
	switch m.Name {
	case "$ref":
		n.either = append(n.either, b.reference(m.Value, depth))
	case "properties":
		n.members = map[string]*node{}
		for _, p := range members(m.Value) {
			n.members[p.Name] = b.node(p.Value, depth)
		}
	case "additionalProperties":
		n.rest = b.node(m.Value, depth)
	case "prefixItems":
		for _, one := range elements(m.Value) {
			n.first = append(n.first, b.node(one, depth))
		}
	case "items":
		n.items = b.node(m.Value, depth)
	case "anyOf", "oneOf":
		for _, one := range elements(m.Value) {
			if alternative := b.node(one, depth); !alternative.null(one) {
				n.either = append(n.either, alternative)
			}
		}
	case "const":
		n.fixed = scalarOf(m.Value)
	case "default":
		n.normal = scalarOf(m.Value)
	case "enum":
		n.enumerate(elements(m.Value))
	}
}

func (n *node) enumerate(values []jsontext.Value) {
	for _, v := range values {
		if s := scalarOf(v); s != nil {
			n.listed = append(n.listed, *s)
		}
	}
	if len(values) == 1 && len(n.listed) == 1 {
		n.fixed = &n.listed[0]
	}
}

// null reports whether the alternative is there only so that a value may be null.
func (n *node) null(raw jsontext.Value) bool {
	for _, m := range members(raw) {
		if m.Name == "type" && string(m.Value) == `"null"` {
			return true
		}
	}
	return n.fixed != nil && n.fixed.kind == 'n'
}

func (b *builder) reference(to jsontext.Value, depth int) *node {
	pointer := ""
	if s := scalarOf(to); s != nil {
		pointer = s.text
	}
	if n, seen := b.known[pointer]; seen {
		return n
	}
	b.known[pointer] = &node{} // what leads back to itself says nothing
	n := b.node(b.root.referred(pointer), depth)
	b.known[pointer] = n
	return n
}

// place is what the schema says of one place of a value.
type place struct {
	nodes []*node
	sure  bool // nothing on the way left a choice
	named bool // the last member is one that the schema lists
}

// at follows the way to a place, through every alternative.
func (s Shape) at(way []schema.Step) place {
	p := s.root
	for _, step := range way {
		p = p.step(step)
	}
	return p
}

// open adds what the nodes of a place refer to.
func (p place) open() place {
	for i := 0; i < len(p.nodes); i++ {
		either := p.nodes[i].either
		p.sure = p.sure && len(either) < 2
		for _, one := range either {
			if !slices.Contains(p.nodes, one) {
				p = p.with(one)
			}
		}
	}
	return p
}

// with adds a node. The first takes no room of its own: most places have one.
func (p place) with(n *node) place {
	if len(p.nodes) == 0 {
		p.nodes = n.alone[:]
		return p
	}
	p.nodes = append(p.nodes, n)
	return p
}

func (p place) step(s schema.Step) place {
	next := place{sure: p.sure}
	for _, n := range p.nodes {
		to, named := n.inside(s)
		next.named = next.named || named
		if to != nil {
			next = next.with(to)
		}
	}
	return next.open()
}

// inside is what the node says of a place in its values, or nil.
func (n *node) inside(s schema.Step) (to *node, named bool) {
	switch {
	case s.Index >= 0 && s.Index < len(n.first):
		return n.first[s.Index], false
	case s.Index >= 0:
		return n.items, false
	case n.members[s.Name] != nil:
		return n.members[s.Name], true
	}
	return n.rest, false
}

// fixes reports whether the schema leaves no other value.
func (p place) fixes(v scalar) bool {
	return p.sure && slices.ContainsFunc(p.nodes, func(n *node) bool { return n.fixed != nil && n.fixed.equal(v) })
}

// assumes reports whether the value is the one that the schema names for a
// member that is left out.
func (p place) assumes(v scalar) bool {
	return slices.ContainsFunc(p.nodes, func(n *node) bool { return n.normal != nil && n.normal.equal(v) })
}

// lists reports whether the schema's enum, or a const of an alternative, has the value.
func (p place) lists(v scalar) bool {
	return slices.ContainsFunc(p.nodes, func(n *node) bool {
		return slices.ContainsFunc(n.listed, v.equal) || n.fixed != nil && n.fixed.equal(v)
	})
}

// scalarOf is nil for a value that holds others. An empty object or array is
// a scalar here: nothing is in it.
func scalarOf(v jsontext.Value) *scalar {
	for l := range schema.Leaves(v) {
		if l.Name || len(l.Path()) > 0 {
			return nil
		}
		return &scalar{l.Kind, l.Text}
	}
	return nil
}

func members(v jsontext.Value) []schema.Member {
	all, err := schema.Members(v)
	if err != nil {
		return nil
	}
	return all
}

func elements(v jsontext.Value) []jsontext.Value {
	var all []jsontext.Value
	if err := schema.DecodeOpen(v, &all, schema.DescriptorLimits); err != nil {
		return nil
	}
	return all
}
