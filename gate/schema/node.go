package schema

import (
	"cmp"
	"strconv"
	"strings"
)

// Node is one schema of an admitted document: its keywords, and the schemas
// inside it by the keyword that holds them. There is one tree of them for each
// [Schema]; it is bounded, its references lead somewhere and never in a circle,
// and it does not change. A nil *Node says nothing, as does the schema true.
//
// A walk that follows references may meet a node many times over: a caller
// that follows all of them remembers where it has been. What a Node says of a
// value is for reading and for help; whether a value fits is for
// [Validator.Check] alone.
type Node struct {
	said   map[string]any // the keywords as they were sent
	doc    any            // the schema as validators see it: without what enforces nothing
	inside map[string]children
	order  []*Node // of those inside, definitions too
	to     *Node   // where the reference leads

	draft // of the admission
}

// children are the schemas that one keyword holds.
type children struct {
	one   *Node
	list  []*Node
	named map[string]*Node
}

// Root is the whole schema, or nil of one that was never admitted.
func (s Schema) Root() *Node { return cmp.Or(s.s, &notAdmitted).root }

// OfObject reports whether the schema's root says "type":"object", and no other type.
func (s Schema) OfObject() bool {
	kind, _ := s.Root().Value("type")
	return kind == "object"
}

// Names are the members that the schema's root names, in the order of the text.
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

// One is the schema that a keyword such as items holds, or nil.
func (n *Node) One(keyword string) *Node { return n.in(keyword).one }

// List are the schemas of a keyword such as anyOf.
func (n *Node) List(keyword string) []*Node { return n.in(keyword).list }

// Named are the schemas of a keyword such as properties, by name.
func (n *Node) Named(keyword string) map[string]*Node { return n.in(keyword).named }

func (n *Node) in(keyword string) children {
	if n == nil {
		return children{}
	}
	return n.inside[keyword]
}

// Ref is the schema that the reference of this one leads to, or nil.
func (n *Node) Ref() *Node {
	if n == nil {
		return nil
	}
	return n.to
}

// Value is what a keyword that holds no schema was sent with: nil, a bool, a
// json.Number, a string, a []any or a map[string]any, none to be changed.
func (n *Node) Value(keyword string) (v any, said bool) {
	if n == nil {
		return nil, false
	}
	v, said = n.said[keyword]
	return v, said
}

// Never reports whether the schema is false, which nothing fits.
func (n *Node) Never() bool { return n != nil && n.doc == false }

// checked are the keywords as validators see them; none of true and false.
func (n *Node) checked() map[string]any {
	if n == nil {
		return nil
	}
	m, _ := n.doc.(map[string]any)
	return m
}

// inPlace are the schemas that a value has to fit because it has to fit n, but
// for the one that n refers to.
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

// At is the schema at a place of the document, by its JSON Pointer (RFC 6901), or nil.
func (n *Node) At(pointer string) *Node {
	if pointer == "" {
		return n
	}
	names := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, name := range names {
		names[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	}
	return n.find(names)
}

// find is the schema that a pointer leads to, or nil. What is in a note, a
// const or an enum is not a schema, whatever it looks like.
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
		if i, err := strconv.Atoi(pointer[0]); held == list && err == nil && i >= 0 && i < len(in.list) && strconv.Itoa(i) == pointer[0] {
			n = in.list[i]
		}
		pointer = pointer[1:]
	}
	return n
}
