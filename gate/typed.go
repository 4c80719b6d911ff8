package gate

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
)

// Typed is an accepted result. Only [Gate.Accept] makes one that carries
// evidence; an untyped result is shown and carries none.
type Typed struct {
	basis catalog.Basis
	value jsontext.Value
}

// Basis says on whose word the type rests.
func (t Typed) Basis() catalog.Basis { return t.basis }

// Value is the typed value, as the server wrote it, or nil where there is no type.
func (t Typed) Value() jsontext.Value {
	if t.basis == catalog.Untyped {
		return nil
	}
	return t.value.Clone()
}

// Raw is the text of an accepted untyped result, as a JSON string; nil of a typed one.
func (t Typed) Raw() jsontext.Value {
	if t.basis != catalog.Untyped {
		return nil
	}
	return t.value.Clone()
}

// Leaf is one string, number or boolean of a typed value.
type Leaf struct {
	Pointer string   // RFC 6901
	Names   []string // the property names on the way to it, outermost first
	Kind    jsontext.Kind
	Text    string // a string decoded; a number's or boolean's literal
}

// Leaves are the leaves of a typed value in document order: what evidence may
// be taken from. Keys, nulls and an untyped result are none.
func (t Typed) Leaves() []Leaf {
	if t.basis == catalog.Untyped {
		return nil
	}
	return leaves(t.value)
}

// leaves walks a value that a strict check has passed.
func leaves(value jsontext.Value) []Leaf {
	w := walker{d: jsontext.NewDecoder(bytes.NewReader(value))}
	w.value("", nil)
	return w.found
}

type walker struct {
	d     *jsontext.Decoder
	found []Leaf
}

// value reads one value. The walk ends at the first error, which a checked
// value does not have; what was found until then are leaves all the same.
func (w *walker) value(pointer string, names []string) bool {
	tok, err := w.d.ReadToken()
	if err != nil {
		return false
	}
	switch kind := tok.Kind(); kind {
	case '{':
		return w.object(pointer, names)
	case '[':
		return w.array(pointer, names)
	case '"', '0', 't', 'f':
		w.found = append(w.found, Leaf{pointer, names, kind, tok.String()})
	}
	return true
}

func (w *walker) object(pointer string, names []string) bool {
	for w.d.PeekKind() == '"' {
		tok, err := w.d.ReadToken()
		if err != nil {
			return false
		}
		name := tok.String()
		if !w.value(pointer+"/"+escapePointer(name), append(names[:len(names):len(names)], name)) {
			return false
		}
	}
	_, err := w.d.ReadToken()
	return err == nil
}

func (w *walker) array(pointer string, names []string) bool {
	for i := 0; w.d.PeekKind() != ']'; i++ {
		if !w.value(pointer+"/"+strconv.Itoa(i), names) {
			return false
		}
	}
	_, err := w.d.ReadToken()
	return err == nil
}

func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// fromContext lists the arguments whose text stands in the context and not in
// the question. It marks; it does not refuse.
func fromContext(q input.Query, args jsontext.Value) []string {
	if q.Context() == "" {
		return nil
	}
	var marked []string
	for _, l := range leaves(args) {
		if l.Text != "" && strings.Contains(q.Context(), l.Text) && !strings.Contains(q.Words(), l.Text) {
			marked = append(marked, l.Pointer)
		}
	}
	return marked
}
