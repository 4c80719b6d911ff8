package offline

import (
	"fmt"
	"slices"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/plan"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/trace"
)

// parseInput is a case of plan_parse: a planner's output, and its meaning if it is
// valid.
type parseInput struct {
	Plan  jsontext.Value `json:"plan"` // spelt
	Means *meaning       `json:"means"`

	said []byte
}

// meaning is the required content of an allowed plan.
type meaning struct {
	Server string         `json:"server"`
	Tool   string         `json:"tool"`
	Args   jsontext.Value `json:"args"`
	Answer string         `json:"answer"`
}

func (p *parseInput) ready() (err error) {
	p.said, err = spell(p.Plan)
	return err
}

func (p *parseInput) try() (string, error) {
	proposed, err := plan.Parse(p.said)
	if err != nil {
		return "", err
	}
	seen := fmt.Sprintf("asks: %.200s", proposed.Answer())
	if !proposed.Declines() {
		seen = fmt.Sprintf("proposes %s/%s %.200s", proposed.Server(), proposed.Tool(), proposed.Args())
	}
	if p.Means != nil && !p.Means.of(proposed) {
		return "", altered("the plan is read as: " + seen)
	}
	return seen, nil
}

func (m meaning) of(p plan.Plan) bool {
	if p.Declines() {
		return m.Tool == "" && m.Answer == p.Answer()
	}
	return m.Server == p.Server() && m.Tool == p.Tool() && sameJSON(m.Args, p.Args())
}

// gateInput is a case of plan_gate: the tool's schema, the arguments, and how
// the approval is redeemed.
type gateInput struct {
	Schema   jsontext.Value `json:"schema"`   // the tool's inputSchema
	Args     jsontext.Value `json:"args"`     // JSON as it is
	Twice    bool           `json:"twice"`    // the question already had a plan approved
	Unasked  bool           `json:"unasked"`  // no question was admitted
	Declines bool           `json:"declines"` // the plan asks for more instead
	Allow    jsontext.Value `json:"allow"`    // the allowlist's entry for the server; if absent, a list of the tool
	Redeem   []attempt      `json:"redeem"`   // in a row; the last one decides. If empty: one correct redemption
}

// attempt is one redemption.
type attempt struct {
	Server  string         `json:"server"` // of the live descriptor, if another
	Live    jsontext.Value `json:"live"`   // spelt; if it differs from the approved one
	Receipt string         `json:"receipt"`
	Consent string         `json:"consent"` // if absent: a yes to the call, if one is needed

	live []byte
}

// The receipts and the consents of an attempt. The empty one is the correct one.
const (
	none    = "none"
	another = "another" // of another approval
	usedUp  = "used"    // the receipt of an equal approval that was redeemed with it
)

func (p *gateInput) ready() error {
	for i, a := range p.Redeem {
		if !slices.Contains([]string{"", none, another, usedUp}, a.Receipt) {
			return fmt.Errorf("an unknown receipt %.40q", a.Receipt)
		}
		if !slices.Contains([]string{"", none, another}, a.Consent) {
			return fmt.Errorf("an unknown consent %.40q", a.Consent)
		}
		if a.Live == nil {
			continue
		}
		var err error
		if p.Redeem[i].live, err = spell(a.Live); err != nil {
			return err
		}
	}
	if p.Redeem == nil {
		p.Redeem = []attempt{{}}
	}
	return nil
}

func (p *gateInput) try() (string, error) {
	d := tool(p.Schema, nil)
	c, err := p.listed(d)
	if err != nil {
		return "", err
	}
	g := gate.New(gate.Options{})
	a, err := p.approve(g, c)
	if err != nil {
		return "", err
	}
	var call gate.Call
	own, err := eval.Consent(a)
	if err != nil {
		return "", err
	}
	for _, attempt := range p.Redeem {
		on, receiptErr := p.receipt(g, c, d, attempt.Receipt, a)
		if receiptErr != nil {
			return "", receiptErr
		}
		yes, consentErr := p.consent(g, c, attempt.Consent, own)
		if consentErr != nil {
			return "", consentErr
		}
		call, err = a.Redeem(attempt.descriptor(d), on, yes)
	}
	if err != nil {
		return "", err
	}
	return leaves(call, theServer, theTool, p.Args)
}

// listed returns the catalog of the tool, as the operator allows it.
func (p *gateInput) listed(d pin.Descriptor) (catalog.Catalog, error) {
	if p.Allow == nil {
		return listed(d, nil)
	}
	return allowed(d, string(p.Allow))
}

// consent returns a yes to this call, none, or a yes to another call that is equal.
func (p *gateInput) consent(g *gate.Gate, c catalog.Catalog, which string, own gate.Consent) (gate.Consent, error) {
	switch which {
	case none:
		return gate.Consent{}, nil
	case another:
		twin, err := p.approve(g, c)
		if err != nil {
			return gate.Consent{}, err
		}
		return eval.Consent(twin)
	}
	return own, nil
}

func (p *gateInput) approve(g *gate.Gate, c catalog.Catalog) (gate.Approved, error) {
	q, err := asked()
	if err != nil {
		return gate.Approved{}, err
	}
	if p.Unasked {
		q = input.Query{}
	}
	said := plan.Call(theServer, theTool, p.Args)
	if p.Declines {
		said = plan.Decline("Which one?")
	}
	if p.Twice {
		if _, err := approve(g, q, c, said); err != nil {
			return gate.Approved{}, err
		}
	}
	return approve(g, q, c, said)
}

func (a attempt) descriptor(d pin.Descriptor) pin.Descriptor {
	if a.Live != nil {
		d.Raw = a.live
	}
	if a.Server != "" {
		d.Server = a.Server
	}
	return d
}

func (p *gateInput) receipt(g *gate.Gate, c catalog.Catalog, d pin.Descriptor, which string, a gate.Approved) (trace.Receipt, error) {
	switch which {
	case none:
		return trace.Receipt{}, nil
	case another:
		return commit(jsontext.Value(`{"server":"kb","tool":"act"}`))
	case usedUp:
		twin, err := p.approve(g, c)
		if err != nil {
			return trace.Receipt{}, err
		}
		on, err := commit(twin.Record())
		if err != nil {
			return on, err
		}
		yes, err := eval.Consent(twin)
		if err != nil {
			return on, err
		}
		_, err = twin.Redeem(d, on, yes)
		return on, err
	}
	return commit(a.Record())
}
