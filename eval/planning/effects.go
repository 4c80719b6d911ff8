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

// Unhinted is the assumed effect of a tool without a stated one.
type Unhinted string

// The zero value means that the tool may change something, as in an allowlist.
const (
	Writing Unhinted = ""
	Reading Unhinted = "reading"
)

// CallUnhinted returns the same cases, with an assumed effect for tools without a
// stated one.
func CallUnhinted(cases []Case, as Unhinted) []Case {
	cases = slices.Clone(cases)
	for i := range cases {
		cases[i].Unhinted = as
	}
	return cases
}

// hinted reports whether the row states the effect of any tool.
func (c Case) hinted() bool {
	return c.Allowlist != nil || slices.ContainsFunc(c.Tools, func(d pin.Descriptor) bool { return saidOf(d) != "" })
}

// saidOf returns the tool's effect, "read" or "write", from the row or else from the
// tool's hint. It returns "" if neither states it.
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

// Catalog admits the row's tools as a run would, under the row's allowlist or a list
// that allows each of them. In the latter, the operator trusts the effect in the row
// or else in the tool itself: this suite does not measure lying servers.
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

// lax admits every well-formed question, because the suite measures the planner, not
// the rules of the input gate. Its pattern never matches: no word boundary is between
// two letters.
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
