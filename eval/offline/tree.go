package offline

import (
	"strings"

	"github.com/onestep-run/onestep/eval"
)

// tree is a JSON value that can be written wrongly: with a name twice, a name
// in another spelling, members in any order, a number in any of its literals.
type tree struct {
	open    string // "{" or "[", or "" of a scalar
	text    string // of a scalar, as it is written
	members []member
}

// member is one of an object, or an item of an array, which has no name.
type member struct {
	name  string // as it is written, with its quotation marks
	value *tree
}

func scalar(text string) *tree { return &tree{text: text} }

// quoted is a string as JSON.
func quoted(s string) string { return string(eval.Data(s)) }

func object(members ...member) *tree { return &tree{open: "{", members: members} }

func array(items ...*tree) *tree {
	a := &tree{open: "["}
	for _, it := range items {
		a.members = append(a.members, member{"", it})
	}
	return a
}

func (t *tree) String() string {
	if t.open == "" {
		return t.text
	}
	parts := make([]string, len(t.members))
	for i, m := range t.members {
		if parts[i] = m.value.String(); t.open == "{" {
			parts[i] = m.name + ":" + parts[i]
		}
	}
	return t.open + strings.Join(parts, ",") + map[string]string{"{": "}", "[": "]"}[t.open]
}

// all are the tree and everything below it.
func (t *tree) all() []*tree {
	found := []*tree{t}
	for _, m := range t.members {
		found = append(found, m.value.all()...)
	}
	return found
}

func (t *tree) clone() *tree {
	c := *t
	c.members = nil
	for _, m := range t.members {
		c.members = append(c.members, member{m.name, m.value.clone()})
	}
	return &c
}
