package gate

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/schema"
)

// Typed is an accepted result. Only [Gate.Accept] makes one that carries
// evidence; an untyped result is shown and carries none.
type Typed struct {
	basis       catalog.Basis
	value       jsontext.Value
	unenforced  string
	structured  jsontext.Value
	attachments []Attachment
	unlisted    int
}

// Basis says on whose word the type rests.
func (t Typed) Basis() catalog.Basis { return t.basis }

// Unenforced is why the tool's own output schema did not decide; "" where it
// did, or the tool declares none. It may quote the schema.
func (t Typed) Unenforced() string { return t.unenforced }

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

// Structured is a structure that came along and that nobody typed, as the
// server wrote it: it is kept, and is never evidence. Else it is nil.
func (t Typed) Structured() jsontext.Value { return t.structured.Clone() }

// Attachments are the first of what came next to the text, and how many more
// there were.
func (t Typed) Attachments() (first []Attachment, more int) { return t.attachments, t.unlisted }

// Leaves are the strings, numbers and booleans of a typed value in document
// order: what evidence may be taken from. Names, nulls, what is empty and an
// untyped result are none.
func (t Typed) Leaves() []schema.Leaf {
	if t.basis == catalog.Untyped {
		return nil
	}
	return scalars(t.value)
}

func scalars(value jsontext.Value) []schema.Leaf {
	var found []schema.Leaf
	for l := range schema.Leaves(value) {
		if !l.Name && strings.ContainsRune(`"0tf`, rune(l.Kind)) {
			found = append(found, l)
		}
	}
	return found
}

// fromContext lists the arguments whose text stands in the context and not in
// the question. It marks; it does not refuse.
func fromContext(q input.Query, args jsontext.Value) []string {
	if q.Context() == "" {
		return nil
	}
	var marked []string
	for _, l := range scalars(args) {
		if l.Text != "" && strings.Contains(q.Context(), l.Text) && !strings.Contains(q.Words(), l.Text) {
			marked = append(marked, l.Pointer())
		}
	}
	return marked
}
