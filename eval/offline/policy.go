package offline

import (
	"cmp"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
)

// policyInput is a case of policy_gate: the servers' lists, the operator's allowlist,
// and the requested call.
type policyInput struct {
	Allowlist jsontext.Value `json:"allowlist"` // spelt; if absent, the run has no allowlist
	Lists     []listing      `json:"lists"`
	Query     jsontext.Value `json:"query"` // spelt
	Context   jsontext.Value `json:"context"`
	Server    string         `json:"server"`
	Tool      string         `json:"tool"`

	allow, words, context []byte
	listings              []catalog.Listing
}

// listing is the list of one server: descriptors, or names of tools without arguments.
type listing struct {
	Server string           `json:"server"`
	Of     string           `json:"of"` // the server of its descriptors, if another
	Tools  []jsontext.Value `json:"tools"`
}

func (p *policyInput) ready() error {
	p.words = []byte(question)
	for _, spelt := range []struct {
		raw jsontext.Value
		to  *[]byte
	}{{p.Allowlist, &p.allow}, {p.Query, &p.words}, {p.Context, &p.context}} {
		if spelt.raw == nil {
			continue
		}
		var err error
		if *spelt.to, err = spell(spelt.raw); err != nil {
			return err
		}
	}
	for _, l := range p.Lists {
		p.listings = append(p.listings, l.listing())
	}
	return nil
}

func (l listing) listing() catalog.Listing {
	all := catalog.Listing{Server: l.Server}
	for _, raw := range l.Tools {
		if raw.Kind() == '"' {
			raw = jsontext.Value(fmt.Sprintf(`{"name":%s,"inputSchema":%s}`, raw, anyArguments))
		}
		all.Tools = append(all.Tools, pin.Descriptor{Server: cmp.Or(l.Of, l.Server), Raw: raw})
	}
	return all
}

// try takes the steps of a run: the question, the allowlist, the catalog, the plan,
// the approval, the call.
func (p *policyInput) try() (string, error) {
	q, err := input.Admit(input.Asked{Words: string(p.words), Context: string(p.context)}, input.BuiltIn())
	if err != nil {
		return "", err
	}
	c, err := p.catalog()
	if err != nil {
		return "", err
	}
	a, err := approve(gate.New(gate.Options{}), q, c, plan.Call(p.Server, p.Tool, jsontext.Value("{}")))
	if err != nil {
		return "", err
	}
	call, err := redeem(a, p.live())
	if err != nil {
		return "", err
	}
	return leaves(call, p.Server, p.Tool, []byte("{}"))
}

func (p *policyInput) catalog() (catalog.Catalog, error) {
	var allow catalog.Allowlist
	if p.Allowlist != nil {
		var err error
		if allow, err = catalog.ParseAllowlist(p.allow); err != nil {
			return catalog.Catalog{}, err
		}
	}
	if err := allow.Refusal(); err != nil {
		return catalog.Catalog{}, err
	}
	c := catalog.Admit(p.listings, allow, catalog.Options{})
	return c, c.Refusal()
}

// live returns the descriptor listed under exactly the requested names.
func (p *policyInput) live() pin.Descriptor {
	for _, l := range p.listings {
		for _, d := range l.Tools {
			if f, err := d.Fields(); err == nil && d.Server == p.Server && f.Name == p.Tool {
				return d
			}
		}
	}
	return pin.Descriptor{}
}
