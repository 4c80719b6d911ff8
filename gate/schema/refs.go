package schema

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/verdict"
)

// node is one schema of the document.
type node struct {
	out    any // the schema as validators see it
	above  *node
	from   way // from above
	inside map[way]*node
	order  []*node // of those inside, definitions too
	def    bool    // it is one of $defs or definitions
	weight int     // of what is compiled of it
	ref    []string
	at     string // where the reference is, for people
	state  int    // of the search for cycles: 0 not seen, 1 open, 2 done
	name   string // among the definitions that validators see
}

// way leads from a schema into one inside it: the keyword, and the name or
// number below it where the keyword holds several.
type way struct{ keyword, name string }

func (n *node) add(s way) *node {
	if n.inside == nil {
		n.inside = map[way]*node{}
	}
	sub := &node{above: n, from: s, def: keywords[s.keyword].shape == defs}
	n.inside[s] = sub
	n.order = append(n.order, sub)
	return sub
}

// find is the schema that a pointer leads to, or nil. What is in a note, a
// const or an enum is no schema, whatever it looks like.
func (n *node) find(pointer []string) *node {
	for n != nil && len(pointer) > 0 {
		s := way{keyword: pointer[0]}
		switch keywords[s.keyword].shape {
		case list, named, defs:
			if len(pointer) == 1 {
				return nil
			}
			s.name, pointer = pointer[1], pointer[1:]
		}
		n, pointer = n.inside[s], pointer[1:]
	}
	return n
}

// follow makes each reference one to a definition at the root, so that two
// validators and this package cannot disagree on where it leads. It refuses
// one that leads to no schema or back to itself: a cycle ends gojsonschema in
// a stack overflow that nothing can recover from.
func (a *admission) follow(root, n *node) error {
	n.state = 1
	for _, sub := range n.order {
		if sub.state == 2 {
			continue
		}
		if err := a.follow(root, sub); err != nil {
			return err
		}
	}
	if n.ref != nil {
		if err := a.refer(root, n); err != nil {
			return err
		}
	}
	n.state = 2
	return nil
}

func (a *admission) refer(root, n *node) error {
	to := root.find(n.ref)
	switch {
	case to == nil:
		return verdict.Deny(verdict.SchemaUnenforceable, "%s: $ref leads to nothing that is a schema", n.at)
	case to.state == 1:
		return verdict.Deny(verdict.SchemaUnenforceable, "%s: $ref leads back to itself", n.at)
	case to.state == 0:
		if err := a.follow(root, to); err != nil {
			return err
		}
	}
	if to.name == "" {
		to.name = "d" + strconv.Itoa(len(a.defs))
		a.defs[to.name] = to.out
		if !to.def { // it is compiled where it is, too
			if err := a.spend(n.at, to.weight); err != nil {
				return err
			}
		}
	}
	n.out.(map[string]any)["$ref"] = "#/$defs/" + to.name
	return nil
}

// Fragment is the way that a reference to a place of its own document names,
// as RFC 6901, section 6, has it. Any other reference has none.
func Fragment(ref string) ([]string, bool) {
	text, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, false
	}
	text, err := url.PathUnescape(text)
	if err != nil || strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(text), "~") {
		return nil, false
	}
	pointer := strings.Split(text, "/")
	for i, name := range pointer {
		pointer[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	}
	return pointer, true
}
