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
	state         int    // of the search for cycles: 0 not seen, 1 open, 2 done
	def           string // its name among the definitions that validators see
}

// hold sets what a keyword of n holds.
func (n *Node) hold(keyword string, c children) {
	if n.inside == nil {
		n.inside = map[string]children{}
	}
	n.inside[keyword] = c
}

// follow makes each reference one to a definition at the root, so that two
// validators and this package cannot disagree on where it leads. It refuses
// one that leads to no schema or back to itself: a cycle in which one value meets
// the same schema again ends xeipuuv/gojsonschema v1.2.0 in a stack overflow, which
// nothing can recover from.
func (a *admission) follow(root, n *Node) error {
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

func (a *admission) refer(root, n *Node) error {
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
