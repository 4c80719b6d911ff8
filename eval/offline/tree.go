package offline

import (
	"strings"

	"github.com/onestep-run/onestep/eval"
)

// tree is a JSON value that can also be written wrongly or unusually. Examples are a
// repeated name, another spelling of a name, members in any order, or another literal
// of a number.
type tree struct {
	open    string // "{" or "[", or "" for a scalar
	text    string // for a scalar, as written
	members []member
}

// member is a member of an object, or an item of an array, which has no name.
type member struct {
	name  string // as written, with its quotation marks
	value *tree
}

func scalar(text string) *tree { return &tree{text: text} }

// quoted returns a string as JSON.
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

// all returns the tree and everything below it.
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
