package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli/show"
	"github.com/onestep-run/onestep/config/desk/review"
	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/trust"
)

// suggestions are settings that a server proposes to its operator. They change nothing.
func (v *reviewView) suggestions(d pin.Descriptor) {
	s := d.Suggestions()
	if s.Resource != "" {
		v.quoted("suggests", "resource "+s.Resource)
		v.line("", "it changes nothing; to adopt it write \"resource\": \"suggested\" into the tool's entry of the allowlist")
	}
	for _, r := range s.Rules {
		v.quoted("suggests", "rule "+r)
	}
	if len(s.Rules) > 0 {
		v.line("", "rules change nothing; to adopt one write it into policy.json")
	}
}

// descriptor is the server's whole description of a tool.
func (v *reviewView) descriptor(d pin.Descriptor) {
	f, err := d.Fields()
	if err != nil {
		v.quoted("raw", string(d.Raw))
		return
	}
	if no := catalog.Uncallable(d); no != nil {
		v.line("callable", "no: "+no.Reason)
	}
	if f.Title != "" {
		v.quoted("title", f.Title)
	}
	v.quoted("describes", f.Description)
	if f.InputSchema == nil {
		v.line("input", "missing: the server says nothing of its arguments, and a call has none")
	} else {
		v.quoted("input", v.schemaLines(f.InputSchema))
	}
	if f.OutputSchema != nil {
		v.quoted("output", v.schemaLines(f.OutputSchema))
	}
	members, _ := schema.Members(d.Raw)
	for _, m := range members {
		if v.alike && m.Name == "annotations" && onlyHints(m.Value) {
			continue // head has them
		}
		if !slices.Contains([]string{"name", "title", "description", "inputSchema", "outputSchema"}, m.Name) {
			v.quoted("also", step(m.Name)+" "+compact(m.Value))
		}
	}
}

// onlyHints reports whether annotations are the four hints and nothing else.
func onlyHints(annotations jsontext.Value) bool {
	members, err := schema.Members(annotations)
	return err == nil && !slices.ContainsFunc(members, func(m schema.Member) bool {
		return !slices.Contains([]string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}, m.Name)
	})
}

// abridged shows a new tool by its title, the names of its parameters and its description. It
// does so in a review where a person at a terminal can ask for the rest. A name that is not
// plain is in quotes, so that no line begins with a server's words. It leaves a tool to be
// shown in full if the short form could omit a finding, a hidden character or a reason
// against approving or calling it.
func (v *reviewView) abridged(p trust.Part) bool {
	f, err := p.Now.Fields()
	switch {
	case !v.brief, err != nil, !showsNew(p):
		return false
	case p.Alone, p.TwoFaces(), v.r.Whole(p):
		return false
	}
	cued, shown := v.cued(p, f)
	if !shown {
		return false
	}
	names, _ := review.Parameters(f.InputSchema)
	after := ""
	otherKind := p.Change.Kind != "" && p.Change.Kind != string(trust.New)
	if p.Again() || p.Change.Class() <= pin.Cue || otherKind {
		after = "  " + state(p)
	}
	if f.Title != "" && !strings.EqualFold(strings.ReplaceAll(f.Title, " ", "_"), p.Tool) {
		after += "  " + escape.Spelled(f.Title)
	}
	text := strings.TrimRight(escape.Text(f.Description, v.max), "\n")
	fmt.Fprintf(v.to, "%s(%s)%s  | %s\n", v.app.Bold(v.to, step(p.Tool)), strings.Join(names, ", "), escape.Line(after, v.max), strings.ReplaceAll(text, "\n", "\n  | "))
	if p.Again() || v.r.Allowlist.Effect(v.r.Name, p.Tool).By() == "operator" {
		v.line("effect", v.effect(p.Tool))
	}
	v.late(p)
	v.mayWrite(p, "")
	for _, line := range cued {
		v.quoted(line[0], line[1])
	}
	v.minds(p)
	return true
}

// showsNew reports whether a part is shown like a new tool, without a comparison.
func showsNew(p trust.Part) bool { return p.State == trust.New && p.Open() || p.Again() }

// minds are the points in a new tool that deserve attention.
func (v *reviewView) minds(p trust.Part) {
	for _, d := range p.Change.Differences {
		if d.Path != "" {
			v.line("mind", differenceText(d))
		}
	}
}

// cued are the lines of a tool's schemas with a cue or worse, each after its label. It
// reports whether these are all of them outside the description.
func (v *reviewView) cued(p trust.Part, f pin.Fields) (lines [][2]string, all bool) {
	for _, d := range p.Change.Differences {
		if d.Path == "" || d.Path == "/description" || d.Class > pin.Cue {
			continue
		}
		line, found := [2]string{}, false
		for _, s := range []struct {
			at, label string
			schema    jsontext.Value
		}{{"/inputSchema/", "input", f.InputSchema}, {"/outputSchema/", "output", f.OutputSchema}} {
			if at, is := strings.CutPrefix(d.Path, s.at); is {
				line, found = v.lineAt(s.label, s.schema, at)
			}
		}
		if !found {
			return nil, false
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines, true
}

// lineAt is the line of a schema at a place.
func (v *reviewView) lineAt(label string, of jsontext.Value, at string) (line [2]string, found bool) {
	steps := strings.Split(at, "/")
	name := steps[0]
	if name == "properties" && len(steps) > 1 {
		name += "/" + steps[1]
	}
	for text := range strings.SplitSeq(v.schemaLines(of), "\n") {
		if strings.HasPrefix(text, name+" ") {
			return [2]string{label, text}, true
		}
	}
	return line, false
}

// listed shows a tool in a list of many: its parameters, the beginning of its description,
// and each cue. A changed tool is shown as it would be alone.
func (v *reviewView) listed(p trust.Part, effect string) {
	f, err := p.Now.Fields()
	if err != nil || !showsNew(p) {
		v.part(p)
		return
	}
	names, _ := review.Parameters(f.InputSchema)
	row := step(p.Tool) + "(" + strings.Join(names, ", ") + ")"
	if kind := p.Change.Kind; kind != "" && kind != string(trust.New) {
		row += "  " + state(p)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(f.Description), "\n")
	room := v.width - len(row) - len("  reading    ") - len("  | ")
	if v.width == whole {
		room = minSummary
	}
	if first != "" && room >= minSummary {
		row += "  | " + show.Line(first, room)
	}
	v.line(effectLabel(effect), row)
	if v.r.Allowlist.Effect(v.r.Name, p.Tool).By() == "operator" {
		v.line("effect", v.effect(p.Tool))
	}
	v.late(p)
	v.mayWrite(p, "")
	v.minds(p)
}

// minSummary is the minimum width, in columns, of the beginning of a description in a list.
const minSummary = 24

func effectLabel(effect string) string {
	return cmp.Or(map[string]string{tools.Reads: "reading", tools.Writes: "writing"}[effect], "tool")
}

// groups shows each claim that many tools make, one on each line.
func (v *reviewView) groups() {
	open := v.r.Asked()
	if len(open) <= few {
		return
	}
	for _, g := range v.r.Groups(open) {
		v.line("tools", g.String())
	}
}

// mayWrite is the row of a tool that the allowlist or the server calls reading, but that the
// sandbox would let write.
func (v *reviewView) mayWrite(p trust.Part, name string) {
	paths := artifact.Writable(v.r.Artifact)
	if len(paths) == 0 || p.Tool == "" {
		return
	}
	f, err := p.Now.Fields()
	reads := err == nil && f.Annotations.ReadOnly != nil && *f.Annotations.ReadOnly
	for _, server := range append([]string{v.r.Name}, v.r.Also...) {
		reads = reads || v.r.Allowlist.Effect(server, p.Tool).Reads
	}
	if reads {
		v.line("may write", name+"is called reading, and the sandbox lets its calls write or delete in "+strings.Join(paths, ", "))
	}
}

// schemaLines is the whole of a schema, with a line for each member and for each property.
func (v *reviewView) schemaLines(of jsontext.Value) string {
	members, err := schema.Members(of)
	if err != nil {
		return compact(of)
	}
	var lines []string
	for _, m := range members {
		properties, err := schema.Members(m.Value)
		if err != nil || m.Name != "properties" {
			lines = append(lines, step(m.Name)+" "+compact(m.Value))
			continue
		}
		for _, p := range properties {
			lines = append(lines, "properties/"+step(p.Name)+" "+compact(p.Value))
		}
	}
	return strings.Join(lines, "\n")
}

// step is a name as a step of a path, spelled as in a JSON Pointer. A name that is not plain
// is in quotes: no name reads as a path of several steps, or as a step and its value.
func step(name string) string {
	spelled := strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	if escape.Name(strings.TrimPrefix(strings.ReplaceAll(spelled, "~", ""), "$")) {
		return spelled
	}
	return escape.Spelled(spelled)
}

// compact is a value on one line, with its texts unescaped. A server that spells a text in
// escapes would hide it from the user who approves it.
func compact(v jsontext.Value) string {
	short, err := schema.Canonical(v)
	if err != nil {
		return string(v)
	}
	return string(short)
}

// inLines is a value on several lines.
func inLines(v jsontext.Value) string {
	lines := jsontext.Value(compact(v))
	if err := lines.Indent(jsontext.WithIndent("  ")); err != nil {
		return string(v)
	}
	return string(lines)
}

// few is the number of tools that are always listed by name.
const few = 4

// claims shows on one line the server's claims about its tools, each with the tools that it
// covers. The annotations themselves are with each tool, unless all tools have the same.
func (v *reviewView) claims() {
	var stated []string
	var all []string
	of := map[string][]string{}
	for _, p := range v.r.Parts {
		f, err := p.Now.Fields()
		if err != nil || !p.Open() {
			continue
		}
		all = append(all, p.Tool)
		for _, c := range []struct {
			hint    *bool
			yes, no string
		}{
			{f.Annotations.ReadOnly, "it only reads", "it changes things"},
			{f.Annotations.Destructive, "it may destroy", "it destroys nothing"},
			{f.Annotations.Idempotent, "it is safe to repeat", "it is not safe to repeat"},
			{f.Annotations.OpenWorld, "it reaches the open world", "it stays in a closed world"},
		} {
			if c.hint == nil {
				continue
			}
			claim := map[bool]string{true: c.yes, false: c.no}[*c.hint]
			if of[claim] == nil {
				stated = append(stated, claim)
			}
			of[claim] = append(of[claim], p.Tool)
		}
	}
	if v.alike && len(stated) > 0 {
		v.line("claims", "the same of every tool, some SDKs publish it unasked: "+strings.Join(stated, "; ")+"  (not verified)")
		return
	}
	for i, claim := range stated {
		tools := strings.Join(of[claim], ", ")
		others := slices.DeleteFunc(slices.Clone(all), func(tool string) bool { return slices.Contains(of[claim], tool) })
		switch {
		case len(all) > few && len(others) == 0:
			tools = fmt.Sprintf("all %d tools", len(all))
		case len(all) > few && len(others) < len(of[claim]):
			tools = fmt.Sprintf("all %d tools but %s", len(all), strings.Join(others, ", "))
		}
		stated[i] = claim + ": " + tools
	}
	if len(stated) > 0 {
		v.line("claims", strings.Join(stated, "; ")+"  (not verified)")
	}
}
