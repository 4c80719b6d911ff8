package main

import (
	"cmp"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
)

// claimOf is what a server says that its tool does. It is a stranger's word,
// and decides nothing.
func claimOf(f pin.Fields) string {
	switch hint := f.Annotations.ReadOnly; {
	case hint == nil:
		return ""
	case *hint:
		return "reads"
	}
	return "writes"
}

// effectOf is a tool's effect, whose word that is, and what the server claims.
func effectOf(r toolRow) string {
	text := cmp.Or(r.Effect, "not stated")
	if r.EffectBy != "" {
		text += " (" + r.EffectBy + ")"
	}
	if r.Claim != "" {
		text += ", claims it " + r.Claim
	}
	return text
}

// undecidedTool is an allowlisted tool of which the operator has not said what it does.
type undecidedTool struct {
	Server string `json:"server"`
	Name   string `json:"name"`
	Claim  string `json:"claim,omitempty"`
}

// undecided prints the allowlist with the servers' claims filled in where the
// operator has said nothing. Copied, they are the operator's own word.
func (a *app) undecided(inv setup.Inventory, c catalog.Catalog) error {
	list, open := decided(c, inv.Allowlist)
	if a.JSON {
		a.Document(struct {
			SchemaVersion int             `json:"schema_version"`
			Allowlist     jsontext.Value  `json:"allowlist"`
			Undecided     []undecidedTool `json:"undecided"`
		}{host.SchemaVersion, list, open})
		return nil
	}
	for _, t := range open {
		a.Say("%s/%s: %s", t.Server, t.Name, claimText(t))
	}
	fmt.Fprintln(a.Out, readable(list))
	return nil
}

func claimText(t undecidedTool) string {
	if t.Claim == "" {
		return "the server does not say what it does; listed as writing"
	}
	return "the server says that it " + t.Claim + "; see whether you agree before you copy it"
}

func decided(c catalog.Catalog, allow catalog.Allowlist) (list jsontext.Value, open []undecidedTool) {
	open = []undecidedTool{}
	claim := func(server, tool string) string {
		t, err := c.Tool(server, tool)
		if err != nil {
			return "" // not listed, or not callable
		}
		return claimOf(t.Fields())
	}
	for _, server := range allow.Servers() {
		for _, tool := range allow.Undecided(server) {
			open = append(open, undecidedTool{guard.Line(server, 128), guard.Line(tool, 128), claim(server, tool)})
		}
	}
	return allow.Decided(func(server, tool string) bool { return claim(server, tool) == "reads" }), open
}
