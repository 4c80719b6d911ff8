package gate

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
)

// Typed is an accepted result. Only [Gate.Accept] makes one that carries
// evidence; an untyped result is shown and carries none.
type Typed struct {
	basis       catalog.Basis
	value       jsontext.Value
	unenforced  string
	unzoned     string
	structured  jsontext.Value
	attachments []Attachment
	unlisted    int
	rules       scan.Rules
	server      string
	flagged     []Flag
}

// Basis says on whose word the type rests.
func (t Typed) Basis() catalog.Basis { return t.basis }

// Unenforced is why the tool's own output schema did not decide; "" where it
// did, or the tool declares none. It may quote the schema.
func (t Typed) Unenforced() string { return t.unenforced }

// Unzoned is the place of the first value that has the format date-time and no offset
// from UTC; "" where none is known. The type holds but for that format, and nothing
// takes such a value for a moment.
func (t Typed) Unzoned() string { return t.unzoned }

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

// Structured is a structure that came along untyped, as the
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

// Found is the rule by which a scanner found something in a stretch of the
// result, or in what it reaches into; "" of any other. No claim is made of one.
func (t Typed) Found(text string) string {
	if found := t.rules.Scan(t.server, []scan.Part{{Kind: "text", Text: text}}).Findings; len(found) > 0 {
		return found[0].Rule
	}
	if i := slices.IndexFunc(t.flagged, func(f Flag) bool { return overlap(f.Text, text) }); i >= 0 {
		return t.flagged[i].Rule
	}
	return ""
}

// overlap reports whether one of the texts holds the other, or begins with
// enough of the other's end.
func overlap(a, b string) bool {
	return strings.Contains(a, b) || strings.Contains(b, a) || reaches(a, b) || reaches(b, a)
}

// overlapMin is the shortest end of a finding, in bytes, that is one of it:
// less is a word that two sentences share.
const overlapMin = 12

// reaches reports whether b begins with the end of a.
func reaches(a, b string) bool {
	if len(b) < overlapMin {
		return false
	}
	for a = a[max(0, len(a)-len(b)):]; ; a = a[1:] {
		i := strings.Index(a, b[:overlapMin])
		if i < 0 {
			return false
		}
		if a = a[i:]; strings.HasPrefix(b, a) {
			return true
		}
	}
}
