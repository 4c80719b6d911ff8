package planning

import (
	"slices"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// Unhinted is the effect of a tool for which none is given.
type Unhinted string

// The zero value is a tool that may change something, as in an allowlist.
const (
	Writing Unhinted = ""
	Reading Unhinted = "reading"
)

// CallUnhinted is the same cases, with an operator who calls the tools so of
// which neither row nor tool says it.
func CallUnhinted(cases []Case, as Unhinted) []Case {
	cases = slices.Clone(cases)
	for i := range cases {
		cases[i].Unhinted = as
	}
	return cases
}

// hinted reports whether the row says of any tool whether it reads.
func (c Case) hinted() bool {
	return c.Allowlist != nil || slices.ContainsFunc(c.Tools, func(d pin.Descriptor) bool { return saidOf(d) != "" })
}

// saidOf is "read" or "write" by the row's own word or else by the tool's hint,
// or "" where neither says anything.
func saidOf(d pin.Descriptor) string {
	var own struct {
		Effect string `json:"effect"`
	}
	if schema.DecodeOpen(d.Raw, &own, eval.RowLimits()) == nil && own.Effect != "" {
		return own.Effect
	}
	f, err := d.Fields()
	if err != nil || f.Annotations.ReadOnly == nil {
		return ""
	}
	if *f.Annotations.ReadOnly {
		return "read"
	}
	return "write"
}

// Catalog admits the row's tools as a run would, under the row's allowlist or
// one that allows each of them. In that one the operator believes what the row
// or else the tool itself says of its effect: a server that lies is not what is
// measured here.
func (c Case) Catalog() (catalog.Catalog, error) {
	if c.shared != nil {
		return c.shared.catalog()
	}
	allow, err := c.allowlist()
	if err != nil {
		return catalog.Catalog{}, err
	}
	listed := map[string][]pin.Descriptor{}
	for _, d := range c.Tools {
		listed[d.Server] = append(listed[d.Server], d)
	}
	var listings []catalog.Listing
	for server, tools := range listed {
		listings = append(listings, catalog.Listing{Server: server, Tools: tools})
	}
	return catalog.Admit(listings, allow, catalog.Options{}), nil
}

func (c Case) allowlist() (catalog.Allowlist, error) {
	if c.Allowlist != nil {
		return catalog.ParseAllowlist(c.Allowlist)
	}
	allowed := map[string]map[string][]string{}
	seen := map[[2]string]bool{}
	for _, d := range c.Tools {
		f, err := d.Fields()
		at := [2]string{d.Server, f.Name}
		if err != nil || !escape.Name(f.Name) || seen[at] {
			continue
		}
		seen[at] = true
		if allowed[d.Server] == nil {
			allowed[d.Server] = map[string][]string{}
		}
		effect := c.effect(d)
		allowed[d.Server][effect] = append(allowed[d.Server][effect], f.Name)
	}
	b, err := json.Marshal(allowed, json.Deterministic(true))
	if err != nil {
		return catalog.Allowlist{}, err
	}
	return catalog.ParseAllowlist(b)
}

func (c Case) effect(d pin.Descriptor) string {
	switch said := saidOf(d); {
	case said != "":
		return said
	case c.Unhinted == Reading:
		return "read"
	}
	return "write"
}

// lax admits every well-formed question: what is measured here is the planner,
// not the rules of the input gate. No boundary stands between two letters.
var lax = sync.OnceValues(func() (input.Rules, error) {
	return input.ParseRules([]byte(`{"builtin":false,"rules":[{"id":"never","category":"none","pattern":"a\\ba","reason":"matches nothing"}]}`))
})

func (c Case) question() (input.Query, error) {
	rules, err := lax()
	if err != nil {
		return input.Query{}, err
	}
	return input.Admit(input.Asked{Words: c.Query}, rules)
}
