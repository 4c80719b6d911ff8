package schema

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/verdict"
)

// draft is what only the admission needs of a node.
type draft struct {
	above         *Node
	keyword, name string // the way from above; a name only where the keyword holds several
	weight        int    // of what is compiled of it
	ref           []string
	at            string // where the reference is, for people
	state         state  // of the search for cycles
	tuple         bool   // the list of its items was sent as items, as draft-07 has it
	def           string // its name among the definitions that validators see
}

// hold sets what a keyword of n holds.
func (n *Node) hold(keyword string, c children) {
	if n.inside == nil {
		n.inside = map[string]children{}
	}
	n.inside[keyword] = c
}

// state is how far a search has come with a node.
type state int

const (
	unseen state = iota
	open
	done
)

// follow makes each reference one to a definition at the root, so that two
// validators and this package cannot disagree on where it leads. It refuses
// one that leads to no schema.
func (a *admission) follow(n *Node) error {
	root := n
	for root.above != nil {
		root = root.above
	}
	if n.ref != nil {
		if err := a.refer(root, n); err != nil {
			return err
		}
	}
	for _, sub := range n.order {
		if err := a.follow(sub); err != nil {
			return err
		}
	}
	return nil
}

func (a *admission) refer(root, n *Node) error {
	to := root.find(n.ref)
	if to == nil {
		return verdict.Deny(verdict.SchemaUnenforceable, "%s: $ref leads to nothing that is a schema", n.at)
	}
	if to.def == "" {
		to.def = "d" + strconv.Itoa(len(a.defs))
		a.defs[to.def] = to
		if keywords[to.keyword].shape != defs { // it is compiled where it is, too
			if err := a.spend(n.at, to.weight); err != nil {
				return err
			}
		}
	}
	n.to = to
	n.checked()["$ref"] = "#/$defs/" + to.def
	return nil
}

// descending are the keywords that lead from a value to one inside it and that a
// cycle of references may pass: such a cycle ends where the value does. How often a
// value goes round, [meter] counts before a validator runs.
var descending = map[string]bool{"properties": true, "items": true, "prefixItems": true, "additionalProperties": true}

// endless refuses a reference that leads back to itself on a way that passes none of
// these keywords. One value would meet the same schema without end, which ends
// xeipuuv/gojsonschema v1.2.0 in a stack overflow, and nothing can recover from that.
func (a *admission) endless(n *Node) error {
	n.state = open
	for _, sub := range append(n.order[:len(n.order):len(n.order)], n.to) {
		switch {
		case sub == nil, sub.state == done:
		case sub != n.to && a.ends(sub):
			a.later = append(a.later, sub)
		case sub.state == open:
			return verdict.Deny(verdict.SchemaUnenforceable, "%s: $ref leads back to itself", n.at)
		default:
			if err := a.endless(sub); err != nil {
				return err
			}
		}
	}
	n.state = done
	if n.above == nil {
		return a.rest()
	}
	return nil
}

// ends reports whether a way into sub is one on which a cycle comes to an end, or no
// way of a value: a definition holds where it is referred to.
func (a *admission) ends(sub *Node) bool {
	return keywords[sub.keyword].shape == defs || descending[sub.keyword] && !a.opt.Finite
}

// rest searches from what the ways that end lead to.
func (a *admission) rest() error {
	for len(a.later) > 0 {
		n := a.later[len(a.later)-1]
		a.later = a.later[:len(a.later)-1]
		if n.state == unseen {
			if err := a.endless(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// Fragment is the way that a reference to a place of its own document names,
// as RFC 6901, section 6, has it. Any other reference has none.
func Fragment(ref string) ([]string, bool) {
	if ref == "#" {
		return []string{}, true // the whole document
	}
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
