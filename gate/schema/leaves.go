package schema

import (
	"bytes"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Leaf is a JSON value without members or elements, or a member's name. It is a
// string, a number, a boolean, a null, an empty object or an empty array.
type Leaf struct {
	Kind jsontext.Kind // '"', '0', 't', 'f' or 'n'; '{' or '[' if empty
	Name bool          // a member's name; its place is that of its value
	Text string        // decoded, for a string or a name; else the literal: 1.50, true, null, {} or []
	at   *step
}

// step is a place in a value, linked to the steps above it; the root is nil. Leaves
// share their common steps: written out for each leaf, one long name above a million
// zeros would take a terabyte.
type step struct {
	above *step
	name  string
	index int // in an array; -1 for a member
}

// Step is one step on the way to a leaf: into a member, or into an item.
type Step struct {
	Name  string
	Index int // in an array; -1 for a member
}

// Path returns the steps to the leaf, outermost first.
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

// Pointer returns the leaf's place as a JSON Pointer (RFC 6901).
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

// Leaves walks a value in the order of the document; a member's name comes before its
// value. The value must have passed [Check] or another reader of this package. In any
// other text the walk ends at the first byte that is not JSON, and it does not detect
// repeated names.
func Leaves(value jsontext.Value) iter.Seq[Leaf] {
	return func(yield func(Leaf) bool) {
		// A bytes.Buffer is read in place; any other reader would be copied.
		d := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true))
		walk{d, string(value)}.value(nil, yield)
	}
}

// walk reports at each step whether to go on. Its methods take yield as an argument: a
// field would move yield, and all that yield uses, to the heap.
type walk struct {
	d   *jsontext.Decoder
	all string // the text of the value; leaves are slices of it
}

func (w walk) value(at *step, yield func(Leaf) bool) bool {
	kind := w.d.PeekKind()
	if kind == '{' || kind == '[' {
		return w.inside(at, kind, yield)
	}
	text, ok := w.text(kind)
	return ok && yield(Leaf{Kind: kind, Text: text, at: at})
}

// inside reads an object or an array to its end.
func (w walk) inside(at *step, kind jsontext.Kind, yield func(Leaf) bool) bool {
	if _, err := w.d.ReadToken(); err != nil {
		return false
	}
	end, empty := jsontext.Kind('}'), "{}"
	if kind == '[' {
		end, empty = ']', "[]"
	}
	n := 0
	for ; w.d.PeekKind() != end; n++ {
		below := &step{above: at, index: n}
		if kind == '{' && !w.name(below, yield) || !w.value(below, yield) {
			return false
		}
	}
	if _, err := w.d.ReadToken(); err != nil {
		return false
	}
	return n > 0 || yield(Leaf{Kind: kind, Text: empty, at: at})
}

func (w walk) name(at *step, yield func(Leaf) bool) (ok bool) {
	at.index = -1
	at.name, ok = w.text('"')
	return ok && yield(Leaf{Kind: '"', Name: true, Text: at.name, at: at})
}

// text reads a string decoded, or a literal.
func (w walk) text(kind jsontext.Kind) (string, bool) {
	raw, err := w.d.ReadValue()
	if err != nil {
		return "", false
	}
	if kind == '"' && bytes.IndexByte(raw, '\\') >= 0 {
		b, err := jsontext.AppendUnquote(nil, raw)
		return string(b), err == nil
	}
	end := int(w.d.InputOffset())
	text := w.all[end-len(raw) : end]
	if kind == '"' {
		text = text[1 : len(text)-1]
	}
	return text, true
}

// Ring is an object or an array around a leaf.
type Ring struct {
	Kind   jsontext.Kind
	Total  int      // number of its members or elements
	Kept   []Member // an object's other members; an array's first elements, those near the path, and a leaf itself
	Before int      // number of Kept that come before the path's own member
}

// Rings returns the objects and arrays around a leaf of value, outermost first, in one
// pass. It keeps near elements of an array on each side. [Leaves] must be able to walk
// the value.
func Rings(value jsontext.Value, way []Step, near int) (all []Ring) {
	if len(way) > 0 {
		d := jsontext.NewDecoder(bytes.NewBuffer(value), jsontext.AllowDuplicateNames(true))
		_ = walk{d, string(value)}.rings(way, near, &all) // what was read before the value stops being JSON
	}
	return all
}

func (w walk) rings(way []Step, near int, out *[]Ring) error {
	open, err := w.d.ReadToken()
	if err != nil {
		return err
	}
	me := len(*out)
	g := Ring{Kind: open.Kind()}
	*out = append(*out, g)
	for end := g.Kind + 2; err == nil && w.d.PeekKind() != end; g.Total++ { // } and ] are two after { and [
		var m Member
		if g.Kind == '{' {
			name, err := w.d.ReadToken()
			if err != nil {
				return err
			}
			m.Name = name.String()
		}
		far := g.Total - way[0].Index
		on := far == 0
		if g.Kind == '{' {
			on = m.Name == way[0].Name
		}
		if on {
			g.Before = len(g.Kept)
		}
		if on && len(way) > 1 {
			err = w.rings(way[1:], near, out)
			continue
		}
		var raw jsontext.Value
		raw, err = w.d.ReadValue()
		m.At = int(w.d.InputOffset()) - len(raw)
		kept := g.Total == 0 || -near <= far && far <= near
		if g.Kind == '{' {
			kept = !on
		}
		if kept {
			m.Value = raw.Clone()
			g.Kept = append(g.Kept, m)
		}
	}
	(*out)[me] = g
	if err == nil {
		_, err = w.d.ReadToken()
	}
	return err
}
