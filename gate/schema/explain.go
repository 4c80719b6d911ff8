package schema

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/verdict"
)

// explain makes one mismatch of those of the first validator. It takes the first by
// place, then by text. They come in the order of Go maps, and a replay must report what
// the run reported.
func (v *validator) explain(all []Mismatch) error {
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

// alternatives explains that no branch fits. If all branches but one want another type
// at that place, it explains that one.
func alternatives(here string, branches [][]Mismatch) []Mismatch {
	var likely [][]Mismatch
	for _, of := range branches {
		if !slices.ContainsFunc(of, func(m Mismatch) bool { return m.Pointer == here && strings.HasPrefix(m.Detail, otherType) }) {
			likely = append(likely, of)
		}
	}
	if len(likely) == 1 {
		return likely[0]
	}
	return []Mismatch{{Pointer: here, Detail: fmt.Sprintf("it fits none of the %d alternatives", len(branches))}}
}

const notNamed = "the schema names no such member"

// namesNone is the detail for a whole schema without members. A generator that cannot
// write a union of objects writes an object without members.
const namesNone = "the schema names no parameters at all, so no call can have one (some servers publish a union of objects so)"

const otherType = "it must be of type "

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

// pointer returns the JSON Pointer to p, cut once it is longer than longestPointer.
func (p *path) pointer() string {
	var location []string
	for ; p != nil; p = p.above {
		location = append(location, p.name)
	}
	slices.Reverse(location)
	return pointer(location)
}

func pointer(location []string) string {
	at := ""
	for _, name := range location {
		if at = Below(at, verdict.Cut(name, longestPointer)); len(at) > longestPointer {
			break
		}
	}
	return at
}
