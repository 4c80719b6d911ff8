package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/trust"
)

// edited identifies an edit.
type edited struct {
	class          pin.Class
	path, was, now string
}

func editOf(d pin.Difference) edited { return edited{d.Class, d.Path, string(d.Was), string(d.Now)} }

// differences shows each edit once, with the names of all tools that have it. Edits that were
// shown with another tool share a line, and so do edits without a meaning.
func (v *reviewView) differences(p trust.Part) {
	var fresh []pin.Difference
	var meaningless []string
	before := map[string][]string{} // by the tool with which they were shown
	for _, d := range p.Change.Differences {
		switch with, shown := v.shown[editOf(d)]; {
		case d.Class == pin.Informational:
			meaningless = append(meaningless, d.Path)
		case shown:
			before[with] = append(before[with], d.Class.String()+" at "+d.Path)
		default:
			v.shown[editOf(d)] = p.Tool
			fresh = append(fresh, d)
		}
	}
	for _, with := range slices.Sorted(maps.Keys(before)) {
		v.line("changed", "as in "+with+": "+strings.Join(before[with], ", "))
	}
	for _, d := range fresh {
		v.difference(p.Tool, d)
	}
	if len(meaningless) > 0 {
		v.line("changed", "informational at "+strings.Join(meaningless, ", ")+": the meaning is unchanged")
	}
}

func saidOf(d pin.Difference) string {
	at := cmp.Or(d.Path, "/")
	if !escape.Composed(at) {
		at = escape.Spelled(at)
	}
	return d.Class.String() + " at " + at + ": " + d.Why
}

func (v *reviewView) difference(tool string, d pin.Difference) {
	said := saidOf(d)
	if all := v.edits[editOf(d)]; len(all) > 1 {
		others := slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == tool })
		said += "; also in " + strings.Join(others, ", ")
	}
	v.line("changed", said)
	v.lines(changed(d, v.width-6))
	if d.Wider != nil {
		v.line("takes now", string(d.Wider))
	}
	if d.Narrower != nil {
		v.line("refuses", string(d.Narrower))
	}
}

// changed are the removed and the added words.
func changed(d pin.Difference, width int) []string {
	text := compact // for an addition or a removal alone
	if d.Was != nil && d.Now != nil {
		text = inLines
	}
	return show.Diff(wording(d.Was, text), wording(d.Now, text), width)
}

func wording(v jsontext.Value, text func(jsontext.Value) string) string {
	if v == nil {
		return ""
	}
	if said, err := jsontext.AppendUnquote(nil, v); err == nil {
		return string(said)
	}
	return text(v)
}
