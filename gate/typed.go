package gate

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
)

// Typed is an accepted result. Only [Gate.Accept] makes one with evidence; an untyped
// result is shown and has none.
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

// Basis returns the origin of the type.
func (t Typed) Basis() catalog.Basis { return t.basis }

// Unenforced returns why the tool's own output schema did not decide, or "" if it did
// or the tool declares none. It may quote the schema.
func (t Typed) Unenforced() string { return t.unenforced }

// Unzoned returns the place of the first value with the format date-time and without
// an offset from UTC, or "". Everything but that format fits the type, and nothing
// takes such a value for a moment.
func (t Typed) Unzoned() string { return t.unzoned }

// Value returns the typed value, as the server wrote it, or nil without a type.
func (t Typed) Value() jsontext.Value {
	if t.basis == catalog.Untyped {
		return nil
	}
	return t.value.Clone()
}

// Raw returns the text of an accepted untyped result, as a JSON string, or nil for a
// typed one.
func (t Typed) Raw() jsontext.Value {
	if t.basis != catalog.Untyped {
		return nil
	}
	return t.value.Clone()
}

// Structured returns a structure that came untyped, as the server wrote it, or nil. It
// is kept, and is never evidence.
func (t Typed) Structured() jsontext.Value { return t.structured.Clone() }

// Attachments returns the first attachments, and how many more there were.
func (t Typed) Attachments() (first []Attachment, more int) { return t.attachments, t.unlisted }

// Leaves returns the strings, numbers and booleans of a typed value in document order.
// Evidence may be taken from these alone. Names, nulls and empty values are not among
// them, and an untyped result has none.
func (t Typed) Leaves() (found []schema.Leaf) {
	for l := range schema.Leaves(t.Value()) {
		if !l.Name && strings.ContainsRune(`"0tf`, rune(l.Kind)) {
			found = append(found, l)
		}
	}
	return found
}

// Found returns the rule of a scanner's finding in a stretch of the result, or in text
// that overlaps with it. No claim uses such a stretch. It returns "" for any other
// text.
func (t Typed) Found(text string) string {
	if found := t.rules.Scan(t.server, []scan.Part{{Kind: "text", Text: text}}).Findings; len(found) > 0 {
		return found[0].Rule
	}
	if i := slices.IndexFunc(t.flagged, func(f Flag) bool { return overlap(f.Text, text) }); i >= 0 {
		return t.flagged[i].Rule
	}
	return ""
}

// overlap reports whether one of the texts contains the other, or begins with enough
// of the other's end.
func overlap(a, b string) bool {
	if strings.Contains(a, b) || strings.Contains(b, a) {
		return true
	}
	return reaches(a, b) || reaches(b, a)
}

// overlapMin is the shortest end of a finding, in bytes, that counts as a part of it.
// A shorter one may be a word that two sentences share.
const overlapMin = 12

// reaches reports whether b begins with an end of a that is long enough.
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
