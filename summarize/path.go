package summarize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// path is the displayed place of a leaf. It has names with dots between them and indexes
// in brackets. Each index is followed by members that identify its element, such as
// rows[2](id: "INC0010003").state. The root has no path.
func (r result) path(i int) string {
	way := r.leaves[i].Path()
	return place(way, r.elements(i, way))
}

// place writes a way; labels may be shorter than way.
func place(way []schema.Step, labels [][]string) string {
	var b strings.Builder
	for n, step := range way {
		switch {
		case step.Index < 0 && n > 0:
			b.WriteString("." + name(step.Name))
		case step.Index < 0:
			b.WriteString(name(step.Name))
		case n < len(labels) && labels[n] != nil:
			fmt.Fprintf(&b, "[%d](%s)", step.Index, strings.Join(labels[n], ", "))
		default:
			fmt.Fprintf(&b, "[%d]", step.Index)
		}
	}
	return b.String()
}

// elements identifies the array elements that contain leaf i, by the steps of its way.
// Each is identified by its first scalar member, and by its first time stamp. The leaf
// itself is left out: it is shown anyway.
func (r result) elements(i int, way []schema.Step) [][]string {
	labels := make([][]string, len(way))
	outermost := slices.IndexFunc(way, func(s schema.Step) bool { return s.Index >= 0 })
	if outermost < 0 {
		return labels
	}
	first := i
	for first > 0 && shared(r.leaves[first-1].Path(), way) > outermost {
		first--
	}
	scalar, stamp := make([]bool, len(way)), make([]bool, len(way)) // already found
	for n := first; n < len(r.leaves); n++ {
		at := r.leaves[n].Path()
		common := shared(at, way)
		if common <= outermost {
			break
		}
		in := len(at) - 2 // the step into its container
		inside := 0 <= in && in < common
		if !inside || way[in].Index < 0 || at[in+1].Index >= 0 {
			continue // not a member of such an element
		}
		timed := stamped(r.leaves[n].Text)
		first := !scalar[in] || timed && !stamp[in]
		if n != i && first {
			text := r.leaves[n].Text
			if r.leaves[n].Kind == '"' {
				text = quoted(text)
			}
			labels[in] = append(labels[in], name(at[in+1].Name)+": "+r.clean(text, r.leaves[n].Text))
		}
		scalar[in], stamp[in] = true, stamp[in] || timed
	}
	return labels
}

// shared is the number of steps that two ways have in common from the root.
func shared(a, b []schema.Step) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// name returns a property name, quoted unless it is one plain word.
func name(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-@$") == "" {
		return s
	}
	return quoted(s)
}

func quoted(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return "?" // impossible: every leaf is UTF-8
	}
	return string(b)
}
