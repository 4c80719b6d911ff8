package offline

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
)

// outputInput is a case of typed_output: the output that the tool and the operator
// declare, and the answer.
type outputInput struct {
	OutputSchema jsontext.Value `json:"output_schema"` // the tool's own
	Declared     jsontext.Value `json:"declared"`      // the operator's: "text" or a schema
	Result       jsontext.Value `json:"result"`        // spelt
	MaxResult    int            `json:"max_result"`    // bytes
	Unredeemed   bool           `json:"unredeemed"`    // no call was made
	Basis        string         `json:"basis"`         // the origin of an allowed result's type
	Value        jsontext.Value `json:"value"`         // the resulting value, or its text if it is untyped

	body []byte
}

func (p *outputInput) ready() (err error) {
	p.body, err = spell(p.Result)
	return err
}

func (p *outputInput) try() (string, error) {
	g := gate.New(gate.Options{MaxResult: p.MaxResult})
	t, err := answer(g, tool(anyArguments, p.OutputSchema), p.Declared, p.body, p.Unredeemed)
	if err != nil {
		return "", err
	}
	value := t.Value()
	if value == nil {
		value = t.Raw()
	}
	seen := fmt.Sprintf("%s: %.200s", t.Basis(), value)
	otherBasis := p.Basis != "" && p.Basis != t.Basis().String()
	if otherBasis || p.Value != nil && !sameJSON(p.Value, value) {
		return "", altered("the result is taken as " + seen)
	}
	return seen, nil
}

// answer returns what the gate makes of a result of the tool.
func answer(g *gate.Gate, d pin.Descriptor, output jsontext.Value, body []byte, unredeemed bool) (gate.Typed, error) {
	c, err := listed(d, output)
	if err != nil {
		return gate.Typed{}, err
	}
	q, err := asked()
	if err != nil {
		return gate.Typed{}, err
	}
	a, err := approve(g, q, c, plan.Call(theServer, theTool, jsontext.Value("{}")))
	if err == nil && !unredeemed {
		_, err = redeem(a, d)
	}
	if err != nil {
		return gate.Typed{}, err
	}
	return g.Accept(a, gate.RawResult{Body: body})
}
