package review

import (
	"context"
	"maps"
	"slices"

	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
)

// Allowed is a tool that the allowlist names now, or would name.
type Allowed struct {
	Tool     string `json:"tool"`
	Effect   string `json:"effect"`        // "read" or "write", the operator's word
	Was      string `json:"was,omitempty"` // the effect before; "" if the allowlist did not name the tool
	Loosens  string `json:"loosens,omitempty"`
	Approved bool   `json:"approved"` // otherwise no call is made, whatever the allowlist says
	Tried    bool   `json:"tried"`    // its sandbox saw it try to write, so it counts as writing until a review
}

// Loosens describes the consent that a tool no longer needs when the allowlist changes it
// from writing to reading.
func Loosens(was catalog.Effect) string {
	switch was.Approval {
	case catalog.Terminal:
		return `the allowlist calls it writing; as reading, its calls still need an approval at a terminal`
	case catalog.Unneeded:
		return `the allowlist calls it writing, and lets its calls leave without an approval already`
	}
	return "the allowlist calls it writing; as reading, its calls leave without an approval"
}

// Allow writes the effects of a server's tools into the allowlist. It approves nothing: an
// unapproved tool cannot be called. It refuses the name of a tool that is neither allowed nor
// known from a review. It also refuses a tool with a finding that would become a reading one:
// a review shows it first. It starts nothing, and a dry run writes nothing.
func Allow(ctx context.Context, s servers.Servers, server string, effects map[string]string, dry bool) ([]Allowed, error) {
	if err := s.Configured(server); err != nil {
		return nil, err
	}
	of := s.Target(server, false)
	pins, err := s.Keeper.Pins(ctx, of.Place)
	if err != nil {
		return nil, err
	}
	known := slices.Concat(of.Allowed, slices.Collect(maps.Keys(pins.Tools)), slices.Collect(maps.Keys(pins.Held)), slices.Collect(maps.Keys(pins.Later)))
	var all []Allowed
	for _, tool := range slices.Sorted(maps.Keys(effects)) {
		if !slices.Contains(known, tool) {
			return nil, unknownTool(server, tool, known)
		}
		one := allowedAs(s, server, tool, effects[tool], pins)
		if one.Effect == tools.Reads && one.Was != tools.Reads && found(of, pins, tool) {
			no := verdict.Fail(verdict.UsageArgument, nil, "the scan found something in what %s says of %s: only a review that shows it can call it reading", server, tool)
			no.Hint = "`ask servers review " + server + " --again` shows it at a terminal, and r allows it as reading"
			return nil, no
		}
		all = append(all, one)
	}
	notes := map[string]string{}
	if dry {
		notes = nil
	}
	return all, allow(s, server, effects, notes)
}

func unknownTool(server, tool string, known []string) error {
	f := verdict.Fail(verdict.UsageArgument, nil, "no tool of server %s that was reviewed or allowed is called %s%s", server, escape.Line(tool, 64), verdict.Near(tool, known))
	f.Hint = "`ask servers review " + server + " --all-tools` shows the tools of the server"
	return f
}

// allowedAs is a tool as the allowlist will name it.
func allowedAs(s servers.Servers, server, tool, effect string, pins trust.Pins) Allowed {
	one := Allowed{Tool: tool, Effect: effect, Tried: slices.Contains(pins.Wrote, tool)}
	_, one.Approved = pins.Tools[tool]
	was := s.Allowlist.Effect(server, tool)
	if slices.Contains(s.Allowlist.Tools(server), tool) {
		one.Was = was.String()
	}
	if one.Was == tools.Writes && effect == tools.Reads {
		one.Loosens = Loosens(was)
	}
	return one
}

// found reports whether the scan has a finding in a tool's approved definition, or in the
// instructions that were approved with it.
func found(of trust.Target, pins trust.Pins, tool string) bool {
	p, approved := pins.Tools[tool]
	if !approved {
		return false // no call is made before a review shows the tool
	}
	said := pin.Descriptor{Server: of.Name, Raw: p.Raw, Instructions: p.Instructions}
	report := of.Rules.Scan(of.Name, append(said.Parts(), scan.Part{Where: "/instructions", Kind: "instructions", Text: p.Instructions}))
	return report.Unlisted > 0 || len(report.Findings) > 0
}
