package schema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
)

// draft is the part of a node that only the admission needs.
type draft struct {
	above         *Node
	keyword, name string // the way from above; the name only if the keyword has several schemas
	weight        int    // of the compiled schema
	ref           []string
	at            string // the place of the reference, for messages
	state         state  // of the search for cycles
	tuple         bool   // its list of items was sent as items, as in draft-07
	def           string // its name among the definitions that validators see
}

// hold sets the schemas of a keyword of n.
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

// follow makes each reference lead to a definition at the root. So two validators and
// this package cannot disagree on its target. It refuses a reference that leads to no
// schema.
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
		if keywords[to.keyword].shape != defs { // it is compiled at its own place, too
			if err := a.spend(n.at, to.weight); err != nil {
				return err
			}
		}
	}
	n.to = to
	n.checked()["$ref"] = "#/$defs/" + to.def
	return nil
}

// descending are the keywords that lead from a value to one inside it, and that a
// cycle of references may pass. Such a cycle ends where the value ends. [meter] counts
// the rounds before a validator runs.
var descending = map[string]bool{"properties": true, "items": true, "prefixItems": true, "additionalProperties": true}

// endless refuses a reference that leads back to itself without passing one of these
// keywords. One value would meet the same schema endlessly. xeipuuv/gojsonschema
// v1.2.0 then overflows the stack, from which no program can recover.
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

// ends reports whether the search stops on the way into sub. It stops at a keyword
// where a cycle ends, and at a definition, which applies only to its references.
func (a *admission) ends(sub *Node) bool {
	return keywords[sub.keyword].shape == defs || descending[sub.keyword] && !a.opt.Finite
}

// rest continues the search behind the ways where it stopped.
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

// Fragment returns the names in a reference to a place in its own document, as in RFC
// 6901, section 6. It accepts no other reference.
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
	return slices.Collect(jsontext.Pointer("/" + text).Tokens()), true
}
