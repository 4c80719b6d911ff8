package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/trust"
)

// descriptor is all that a server says of a tool.
func (v *reviewView) descriptor(d pin.Descriptor) {
	f, err := d.Fields()
	if err != nil {
		v.quoted("raw", string(d.Raw))
		return
	}
	if said := claims(f); said != "" {
		v.line("claims", said+"  (the server's word)")
	}
	if f.Title != "" {
		v.quoted("title", f.Title)
	}
	v.quoted("describes", f.Description)
	v.quoted("input", v.schemaLines(f.InputSchema))
	if f.OutputSchema != nil {
		v.quoted("output", v.schemaLines(f.OutputSchema))
	}
	members, _ := schema.Members(d.Raw)
	for _, m := range members {
		if !slices.Contains([]string{"name", "title", "description", "inputSchema", "outputSchema"}, m.Name) {
			v.quoted("also", guard.Line(m.Name, v.max)+" "+compact(m.Value))
		}
	}
}

// schemaLines is the whole of a schema, with a line for each member and for each
// property.
func (v *reviewView) schemaLines(of jsontext.Value) string {
	members, err := schema.Members(of)
	if err != nil {
		return compact(of)
	}
	var lines []string
	for _, m := range members {
		properties, err := schema.Members(m.Value)
		if err != nil || m.Name != "properties" {
			lines = append(lines, guard.Line(m.Name, v.max)+" "+compact(m.Value))
			continue
		}
		for _, p := range properties {
			lines = append(lines, "properties/"+guard.Line(p.Name, v.max)+" "+compact(p.Value))
		}
	}
	return strings.Join(lines, "\n")
}

// compact is a value in a line, with its texts as they read: a server that
// spells one in escapes would be approved by nobody who read it.
func compact(v jsontext.Value) string {
	short, err := schema.Canonical(v)
	if err != nil {
		return string(v)
	}
	return string(short)
}

// inLines is a value in lines.
func inLines(v jsontext.Value) string {
	lines := jsontext.Value(compact(v))
	if err := lines.Indent(jsontext.WithIndent("  ")); err != nil {
		return string(v)
	}
	return string(lines)
}

// differences shows each edit once, with the names of all tools that have it.
// Those that were shown with another tool, and those without a meaning, share a
// line.
func (v *reviewView) differences(p trust.Part) {
	var fresh []pin.Difference
	var meaningless []string
	before := map[string][]string{} // by the tool that they were shown with
	for _, d := range p.Change.Differences {
		switch with, shown := v.told[editOf(d)]; {
		case d.Class == pin.Informational:
			meaningless = append(meaningless, d.Path)
		case shown:
			before[with] = append(before[with], d.Class.String()+" at "+d.Path)
		default:
			v.told[editOf(d)] = p.Tool
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
		v.line("changed", "informational at "+strings.Join(meaningless, ", ")+": the meaning is as it was")
	}
}

func saidOf(d pin.Difference) string {
	return d.Class.String() + " at " + cmp.Or(d.Path, "/") + ": " + d.Why
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

// changed are the words that went and came.
func changed(d pin.Difference, width int) []string {
	text := compact // of what only came, or only went
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
