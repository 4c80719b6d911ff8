package schema

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/verdict"
)

// explain makes one mismatch of the first validator's tree of errors. It takes the
// first by place, then by text. The tree itself has the order of Go maps, and a replay
// must report what the run reported.
func (v *validator) explain(err error) error {
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return err
	}
	all := leaves(e)
	slices.SortStableFunc(all, func(a, b Mismatch) int {
		return cmp.Or(strings.Compare(a.Pointer, b.Pointer), strings.Compare(a.Detail, b.Detail))
	})
	// Members that only a failed branch names are reported as not named, too, at a
	// place above the failure.
	for _, m := range all {
		if m.Detail == notNamed && v.closed != nil && !v.root.Lists() {
			m.Detail = namesNone
		}
		if m.Detail != notNamed || !anyBelow(all, m.Pointer) {
			return &Mismatch{verdict.Cut(m.Pointer, 200), verdict.Cut(m.Detail, 300), verdict.Cut(lex.RepeatPath(m.Pointer, v.declares), 200)}
		}
	}
	return &Mismatch{Detail: "it does not fit the schema"}
}

// declares reports whether a schema names a member anywhere. Such a name was approved
// with the schema, so no model chose it.
func (v *validator) declares(name string) bool { return declares(v.root.doc, name) }

func declares(doc any, name string) bool {
	switch doc := doc.(type) {
	case map[string]any:
		if properties, is := doc["properties"].(map[string]any); is && properties[name] != nil {
			return true
		}
		for _, inside := range doc {
			if declares(inside, name) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(doc, func(inside any) bool { return declares(inside, name) })
	}
	return false
}

// anyBelow reports whether one of the sorted mismatches is below a place. A value may
// have as many mismatches as members.
func anyBelow(sorted []Mismatch, pointer string) bool {
	i, _ := slices.BinarySearchFunc(sorted, pointer+"/", func(m Mismatch, p string) int { return strings.Compare(m.Pointer, p) })
	return i < len(sorted) && strings.HasPrefix(sorted[i].Pointer, pointer+"/")
}

func leaves(e *jsonschema.ValidationError) []Mismatch {
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		return alternatives(e)
	case *kind.OneOf:
		if k.Subschemas == nil {
			return alternatives(e)
		}
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		var all []Mismatch
		for _, c := range e.Causes {
			all = append(all, leaves(c)...)
		}
		return all
	case *kind.AdditionalProperties:
		return []Mismatch{{Pointer: pointer(append(slices.Clone(e.InstanceLocation), slices.Min(k.Properties))), Detail: notNamed}}
	case *kind.FalseSchema:
		if strings.HasSuffix(e.SchemaURL, "/unevaluatedProperties") {
			return []Mismatch{{Pointer: pointer(e.InstanceLocation), Detail: notNamed}}
		}
	case *kind.PropertyNames:
		// The location shares memory with those of other errors, which may have
		// overwritten it by now.
		return []Mismatch{{Detail: "the member name " + lex.Repeat(k.Property) + " does not fit"}}
	}
	return []Mismatch{{Pointer: pointer(e.InstanceLocation), Detail: detail(e.ErrorKind)}}
}

// alternatives explains that no branch fits. If all branches but one want another type
// at that place, it explains that one.
func alternatives(e *jsonschema.ValidationError) []Mismatch {
	here := pointer(e.InstanceLocation)
	var likely [][]Mismatch
	for _, c := range e.Causes {
		of := leaves(c)
		if !slices.ContainsFunc(of, func(m Mismatch) bool { return m.Pointer == here && strings.HasPrefix(m.Detail, otherType) }) {
			likely = append(likely, of)
		}
	}
	if len(likely) == 1 {
		return likely[0]
	}
	return []Mismatch{{Pointer: here, Detail: fmt.Sprintf("it fits none of the %d alternatives", len(e.Causes))}}
}

const notNamed = "the schema names no such member"

// namesNone is the detail for a whole schema without members. A generator that cannot
// write a union of objects writes an object without members.
const namesNone = "the schema names no parameters at all, so no call can have one (some servers publish a union of objects so)"

const otherType = "it must be of type "

func detail(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return otherType + strings.Join(k.Want, " or ") + ", not " + k.Got
	case *kind.Required:
		return fmt.Sprintf("it lacks the required member %q", verdict.Cut(slices.Min(k.Missing), 60))
	case *kind.FalseSchema:
		return "no value is allowed here"
	case *kind.Not:
		return "it fits a schema that it must not fit"
	case *kind.OneOf:
		return "it fits more than one alternative, of which exactly one may fit"
	case *kind.Const:
		return "it must be " + quote(k.Want)
	case *kind.Enum:
		return "it must be one of " + quoteAll(k.Want)
	case *kind.Format:
		return fmt.Sprintf("it is not of format %q", k.Want)
	case *kind.Pattern:
		return fmt.Sprintf("it does not match the pattern %q", verdict.Cut(k.Want, 100))
	case *kind.UniqueItems:
		return fmt.Sprintf("its items %d and %d are the same", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains:
		return "it lacks a required item"
	}
	return bound(k)
}

// bound explains sizes and ranges.
func bound(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.MinLength:
		return fmt.Sprintf("it must have at least %d characters", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("it must have at most %d characters", k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("it must have at least %d items", k.Want)
	case *kind.MaxItems:
		return fmt.Sprintf("it must have at most %d items", k.Want)
	case *kind.MinProperties:
		return fmt.Sprintf("it must have at least %d members", k.Want)
	case *kind.MaxProperties:
		return fmt.Sprintf("it must have at most %d members", k.Want)
	case *kind.Minimum:
		return "it must be at least " + decimal(k.Want)
	case *kind.Maximum:
		return "it must be at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		return "it must be above " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		return "it must be below " + decimal(k.Want)
	case *kind.MultipleOf:
		return "it must be a multiple of " + decimal(k.Want)
	}
	return "it does not fit the schema"
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return verdict.Cut(r.Num().String(), 80)
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func quoteAll(values []any) string {
	const shown = 12
	var all []string
	for _, v := range values[:min(len(values), shown)] {
		all = append(all, quote(v))
	}
	if len(values) > shown {
		all = append(all, "…")
	}
	return strings.Join(all, ", ")
}

func quote(v any) string { return verdict.Cut(identity(v), 60) }

// longestPointer bounds how many bytes of a place are compared. A value can have as
// many mismatches as members, all below one long name.
const longestPointer = 1 << 10

func pointer(location []string) string {
	at := ""
	for _, name := range location {
		if at = Below(at, verdict.Cut(name, longestPointer)); len(at) > longestPointer {
			break
		}
	}
	return at
}
