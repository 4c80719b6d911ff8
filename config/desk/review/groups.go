package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/trust"
)

// Group are tools of a review that make the same claim, or have the same state.
type Group struct {
	What  string // "claim to read"
	Parts []trust.Part
	r     Review
}

// claimed are the groups of new tools, in the order in which they are shown.
var claimed = []string{"claim to read", "claim to change something", "claim to destroy", "claim nothing"}

// Groups are the parts to decide, mostly grouped by their claims. No claim is verified.
func (r Review) Groups(parts []trust.Part) (all []Group) {
	by := map[string][]trust.Part{}
	names := slices.Clone(claimed)
	for _, p := range parts {
		if p.Tool == "" {
			continue
		}
		what := claimOf(p)
		if !slices.Contains(names, what) {
			names = append(names, what)
		}
		by[what] = append(by[what], p)
	}
	for _, what := range names {
		if len(by[what]) > 0 {
			all = append(all, Group{what, by[what], r})
		}
	}
	return all
}

func claimOf(p trust.Part) string {
	f, err := p.Now.Fields()
	switch a := f.Annotations; {
	case err != nil || p.State != trust.New:
		return "are " + string(p.State)
	case a.ReadOnly != nil && *a.ReadOnly:
		return claimed[0]
	case a.Destructive != nil && *a.Destructive:
		return claimed[2]
	case a.ReadOnly != nil:
		return claimed[1]
	}
	return claimed[3]
}

// cueNouns names the kinds of cue for a count.
var cueNouns = map[string]string{
	"names a host": "host names", "names an address": "addresses", "names a mail address": "mail addresses", "names a path": "paths",
	"names another tool": "other tools", "instructs the model": "instructions to the model",
}

// String describes on one line how many tools a group has, and how many of them need
// attention.
func (g Group) String() string {
	var kinds []string
	cued, found := 0, 0
	for _, p := range g.Parts {
		cues := cuesOf(p)
		kinds = append(kinds, cues...)
		if len(cues) > 0 {
			cued++
		}
		if g.r.Found(p.Tool) {
			found++
		}
	}
	said := fmt.Sprintf("%d %s", len(g.Parts), g.What)
	if len(g.Parts) == 1 {
		said = "1 " + strings.Replace(strings.Replace(g.What, "claim", "claims", 1), "are ", "is ", 1)
	}
	if cued > 0 {
		slices.Sort(kinds)
		said += fmt.Sprintf(", %d of them with a cue: %s", cued, strings.Join(slices.Compact(kinds), ", "))
	}
	if found > 0 {
		said += fmt.Sprintf(", %d with a finding", found)
	}
	return said
}

// cuesOf are the kinds of cue in a part.
func cuesOf(p trust.Part) (kinds []string) {
	for _, d := range p.Change.Differences {
		if d.Class != pin.Cue {
			continue
		}
		kind, _, _ := strings.Cut(d.Why, ": ")
		kinds = append(kinds, cmp.Or(cueNouns[kind], kind))
	}
	return kinds
}

// Whole reports whether a tool is shown whole before its decision, and decided separately. A
// short form may omit a finding, a hidden character, a parameter with an unusual name or a
// reason against a call.
func (r Review) Whole(p trust.Part) bool {
	if p.State == trust.Gone {
		return false
	}
	f, err := p.Now.Fields()
	switch {
	case err != nil, p.Why != "", p.Rejected:
		return true
	case r.Found(p.Tool):
		return true
	case catalog.Uncallable(p.Now) != nil:
		return true
	}
	for leaf := range schema.Leaves(p.Now.Raw) {
		if servers.Hidden(leaf.Text) != nil || leaf.Name && !escape.Composed(leaf.Text) {
			return true
		}
	}
	_, plain := Parameters(f.InputSchema)
	return !plain
}

// Parameters are the names of a tool's parameters. It reports whether all of them are plain.
func Parameters(input jsontext.Value) (names []string, plain bool) {
	plain = true
	members, _ := schema.Members(input)
	for _, m := range members {
		properties, err := schema.Members(m.Value)
		if err != nil || m.Name != "properties" {
			continue
		}
		for _, p := range properties {
			names = append(names, p.Name)
			plain = plain && escape.Name(p.Name)
		}
	}
	return names, plain
}
