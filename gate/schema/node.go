package schema

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Node is one schema of an admitted document: its keywords, and the schemas inside it
// by keyword. Each [Schema] has one tree of nodes. The tree is bounded and does not
// change; its references lead to nodes and never in an endless circle. A nil *Node
// says nothing, as the schema true does.
//
// A walk that follows references may meet a node many times, so it has to remember the
// nodes it has visited. A Node helps to read and to explain; only [Validator.Check]
// decides whether a value fits.
type Node struct {
	sent   map[string]any // the keywords as sent
	doc    any            // the schema as validators see it, without the keywords that enforce nothing
	inside map[string]children
	order  []*Node // the schemas inside, definitions too
	to     *Node   // the target of the reference

	draft // for the admission
}

// children are the schemas of one keyword.
type children struct {
	one   *Node
	list  []*Node
	named map[string]*Node
}

// Root returns the whole schema, or nil if it was never admitted.
func (s Schema) Root() *Node { return cmp.Or(s.s, &notAdmitted).root }

// OfObject reports whether the schema's root says "type":"object", and no other type.
func (s Schema) OfObject() bool {
	kind, _ := s.Root().Value("type")
	return kind == "object"
}

// Names returns the members that the schema's root names, in the order of the text.
func (s Schema) Names() (names []string) {
	root, _ := Members(s.Raw())
	for _, m := range root {
		if m.Name == "properties" {
			properties, _ := Members(m.Value)
			for _, p := range properties {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// One returns the schema of a keyword such as items, or nil.
func (n *Node) One(keyword string) *Node { return n.in(keyword).one }

// List returns the schemas of a keyword such as anyOf.
func (n *Node) List(keyword string) []*Node { return n.in(keyword).list }

// Named returns the schemas of a keyword such as properties, by name.
func (n *Node) Named(keyword string) map[string]*Node { return n.in(keyword).named }

func (n *Node) in(keyword string) children {
	if n == nil {
		return children{}
	}
	return n.inside[keyword]
}

// Ref returns the schema that the reference of n leads to, or nil.
func (n *Node) Ref() *Node {
	if n == nil {
		return nil
	}
	return n.to
}

// Value returns a keyword's value as sent, for keywords without schemas. It is nil, a
// bool, a json.Number, a string, a []any or a map[string]any, and must not be changed.
func (n *Node) Value(keyword string) (v any, sent bool) {
	if n == nil {
		return nil, false
	}
	v, sent = n.sent[keyword]
	return v, sent
}

// Never reports whether the schema is false, so that no value fits it.
func (n *Node) Never() bool { return n != nil && n.doc == false }

// checked returns the keywords as validators see them; true and false have no
// keywords.
func (n *Node) checked() map[string]any {
	if n == nil {
		return nil
	}
	m, _ := n.doc.(map[string]any)
	return m
}

// Size counts the schemas that one value may meet, references followed. It ends at a limit.
func (n *Node) Size(limit int) int {
	left := limit
	n.count(0, &left)
	return limit - left
}

func (n *Node) count(depth int, left *int) {
	if *left--; n == nil || *left < 0 || depth > maxDepth {
		return
	}
	if n.to != nil {
		n.to.count(depth+1, left)
	}
	for _, sub := range n.order {
		if keywords[sub.keyword].shape != defs {
			sub.count(depth+1, left)
		}
	}
}

// inPlace returns the schemas that apply to the same value as n, except the target of
// n's reference.
func (n *Node) inPlace() []*Node {
	var all []*Node
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		all = append(all, n.List(keyword)...)
	}
	for _, keyword := range []string{"not", "if", "then", "else"} {
		if sub := n.One(keyword); sub != nil {
			all = append(all, sub)
		}
	}
	return all
}

// At returns the schema at a place of the document, by its JSON Pointer (RFC 6901), or
// nil.
func (n *Node) At(pointer string) *Node {
	return n.find(slices.Collect(jsontext.Pointer(pointer).Tokens()))
}

// find returns the schema that a pointer leads to, or nil. The content of a note, a
// const or an enum is not a schema, even if it looks like one.
func (n *Node) find(pointer []string) *Node {
	for n != nil && len(pointer) > 0 {
		keyword := n.stored(pointer[0])
		in, held := n.inside[keyword], keywords[keyword].shape
		if pointer = pointer[1:]; held == one {
			n = in.one
			continue
		}
		if len(pointer) == 0 {
			return nil
		}
		n = in.named[pointer[0]]
		i, err := strconv.Atoi(pointer[0])
		canonical := err == nil && strconv.Itoa(i) == pointer[0]
		if held == list && canonical && uint(i) < uint(len(in.list)) {
			n = in.list[i]
		}
		pointer = pointer[1:]
	}
	return n
}
