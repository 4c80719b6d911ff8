package schema

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Ring is an object or an array on the way to a leaf.
type Ring struct {
	Kind   jsontext.Kind
	Total  int      // of its members or elements
	Kept   []Member // all but the one on the way; of an array the first, those near it, and a leaf itself
	Before int      // how many of those kept come before the one on the way
}

// Rings are the objects and arrays that the way to a leaf of value leads
// through, outermost first, in one pass over it. Of an array so many elements
// each way are kept. The value is one that [Leaves] walks.
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
		on := g.Kind == '{' && m.Name == way[0].Name || g.Kind == '[' && far == 0
		if on {
			g.Before = len(g.Kept)
		}
		if on && len(way) > 1 {
			err = w.rings(way[1:], near, out)
			continue
		}
		var raw jsontext.Value
		raw, err = w.d.ReadValue()
		if m.At = int(w.d.InputOffset()) - len(raw); g.Kind == '{' && !on || g.Kind == '[' && (g.Total == 0 || -near <= far && far <= near) {
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
