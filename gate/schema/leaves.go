package schema

import (
	"bytes"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Leaf is one thing of a JSON value that holds no other: a string, a number,
// a boolean, a null, an empty object, an empty array, or a member's name.
type Leaf struct {
	Kind jsontext.Kind // '"', '0', 't', 'f' or 'n'; '{' or '[' of what is empty
	Name bool          // a member's name, which stands at the place of its value
	Text string        // of a string or a name, decoded; else the literal: 1.50, true, null, {} or []
	at   *step
}

// step is a place in a value by its way from the root, nil. Leaves share the
// way that they have in common: written out for each of them, one long name
// above a million zeros would take a terabyte.
type step struct {
	above *step
	name  string
	index int // of an item; -1 of a member
}

// Step is one step on the way to a leaf: into a member, or into an item.
type Step struct {
	Name  string
	Index int // of an item; -1 of a member
}

// Path is the way to the leaf, outermost first.
func (l Leaf) Path() []Step {
	depth := 0
	for s := l.at; s != nil; s = s.above {
		depth++
	}
	way := make([]Step, depth)
	for s := l.at; s != nil; s = s.above {
		depth--
		way[depth] = Step{s.name, s.index}
	}
	return way
}

// Pointer is the leaf's place, as in RFC 6901.
func (l Leaf) Pointer() string {
	b := make([]byte, 0, 64)
	for _, s := range l.Path() {
		if b = append(b, '/'); s.Index < 0 {
			b = append(b, escaped(s.Name)...)
		} else {
			b = strconv.AppendInt(b, int64(s.Index), 10)
		}
	}
	return string(b)
}

// Leaves walks a value in the order of the document; a member's name comes
// before its value. The value is one that [Check] or another reader of this
// package took. Of any other the walk ends where it stops being JSON.
func Leaves(value jsontext.Value) iter.Seq[Leaf] {
	return func(yield func(Leaf) bool) {
		// A bytes.Buffer is read in place; any other reader would be copied.
		w := walk{jsontext.NewDecoder(bytes.NewBuffer(value)), yield}
		w.value(nil)
	}
}

// walk reports at each step whether to go on.
type walk struct {
	d     *jsontext.Decoder
	yield func(Leaf) bool
}

func (w walk) value(at *step) bool {
	tok, err := w.d.ReadToken()
	if err != nil {
		return false
	}
	switch kind := tok.Kind(); kind {
	case '{':
		return w.inside(at, '}', w.member)
	case '[':
		return w.inside(at, ']', w.item)
	default:
		return w.yield(Leaf{Kind: kind, Text: tok.String(), at: at})
	}
}

// inside reads an object or an array to its end.
func (w walk) inside(at *step, end jsontext.Kind, each func(above *step, i int) bool) bool {
	i := 0
	for ; w.d.PeekKind() != end; i++ {
		if !each(at, i) {
			return false
		}
	}
	if _, err := w.d.ReadToken(); err != nil {
		return false
	}
	switch {
	case i > 0:
		return true
	case end == '}':
		return w.yield(Leaf{Kind: '{', Text: "{}", at: at})
	}
	return w.yield(Leaf{Kind: '[', Text: "[]", at: at})
}

func (w walk) member(above *step, _ int) bool {
	tok, err := w.d.ReadToken()
	if err != nil {
		return false
	}
	at := &step{above, tok.String(), -1}
	return w.yield(Leaf{Kind: '"', Name: true, Text: at.name, at: at}) && w.value(at)
}

func (w walk) item(above *step, i int) bool { return w.value(&step{above, "", i}) }
