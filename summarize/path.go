package summarize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// path is where a leaf stands, for a person: names with dots between them and
// indexes in brackets, each followed by what tells its element from the others,
// such as rows[2](id: "INC0010003").state. The root has none.
func (r result) path(i int) string {
	var b strings.Builder
	way := r.leaves[i].Path()
	for n, step := range way {
		switch {
		case step.Index >= 0:
			fmt.Fprintf(&b, "[%d]", step.Index)
			if told := r.element(i, way[:n+1]); len(told) > 0 {
				fmt.Fprintf(&b, "(%s)", strings.Join(told, ", "))
			}
		case n > 0:
			b.WriteString("." + name(step.Name))
		default:
			b.WriteString(name(step.Name))
		}
	}
	return b.String()
}

// element tells an element of an array by its first scalar member, and by the
// first one that is a time stamp. The leaf i itself, which is in the element,
// is shown anyway.
func (r result) element(i int, at []schema.Step) []string {
	first := i
	for first > 0 && inside(r.leaves[first-1], at) {
		first--
	}
	var told []string
	scalar := false
	for n := first; n < len(r.leaves) && inside(r.leaves[n], at); n++ {
		way := r.leaves[n].Path()
		if len(way) != len(at)+1 || way[len(at)].Index >= 0 {
			continue
		}
		stamp := stamped(r.leaves[n].Text)
		if n != i && (!scalar || stamp) {
			told = append(told, name(way[len(at)].Name)+": "+literal(r.leaves[n]))
		}
		if scalar = true; stamp {
			break
		}
	}
	return told
}

// inside reports whether a leaf stands below a place.
func inside(l schema.Leaf, at []schema.Step) bool {
	way := l.Path()
	return len(way) > len(at) && slices.Equal(way[:len(at)], at)
}

// name is a property name, quoted unless it is one plain word.
func name(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-@$") == "" {
		return s
	}
	return quoted(s)
}

func literal(l schema.Leaf) string {
	if l.Kind != '"' {
		return l.Text
	}
	return quoted(l.Text)
}

func quoted(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return "?" // no leaf holds what is not UTF-8
	}
	return string(b)
}
