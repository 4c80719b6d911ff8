package gate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

// takesID is a tool whose input has the property of every call here, and more.
func takesID(more string) string {
	return `{"name":"get","description":"Get one of: alpha, beta.","inputSchema":{"type":"object","properties":{"id":{"type":"integer"},"l":{"type":"array"}}` + more + `}}`
}

// TestAChangedSchemaIsNotRedeemed: what the schema takes now is compared part by
// part. No class that an operator may accept of all tools lets one of these through.
func TestAChangedSchemaIsNotRedeemed(t *testing.T) {
	t.Parallel()
	loose, err := pin.ParseAccept([]string{"informational", "cosmetic", "safer"})
	if err != nil {
		t.Fatal(err)
	}
	const two, three = `{"type":"integer","minimum":1}`, `{"type":"integer","maximum":9}`
	for name, c := range map[string]struct{ was, now string }{
		"the order of prefixItems":      {`,"$defs":{"p":{"prefixItems":[{"type":"string"},{"type":"integer"}]}}`, `,"$defs":{"p":{"prefixItems":[{"type":"integer"},{"type":"string"}]}}`},
		"a prefix item less":            {`,"$defs":{"p":{"prefixItems":[{"type":"string"},{"type":"integer"}]}}`, `,"$defs":{"p":{"prefixItems":[{"type":"string"}]}}`},
		"the last prefix item":          {`,"$defs":{"p":{"prefixItems":[true,{"type":"integer"}]}}`, `,"$defs":{"p":{"prefixItems":[true,{"type":"string"}]}}`},
		"a part of allOf":               {`,"allOf":[{"required":["id"]},{"minProperties":1}]`, `,"allOf":[{"required":["id"]},{"minProperties":0}]`},
		"a part of allOf less":          {`,"allOf":[{"required":["id"]},{"minProperties":1}]`, `,"allOf":[{"required":["id"]}]`},
		"allOf is gone":                 {`,"allOf":[{"required":["id"]}]`, ``},
		"a part of allOf for another":   {`,"$defs":{"p":{"allOf":[` + two + `,` + three + `]}}`, `,"$defs":{"p":{"allOf":[` + two + `,` + two + `]}}`},
		"an alternative more":           {`,"$defs":{"p":{"anyOf":[` + two + `]}}`, `,"$defs":{"p":{"anyOf":[` + two + `,` + three + `]}}`},
		"an alternative less of one":    {`,"$defs":{"p":{"oneOf":[` + two + `,` + three + `]}}`, `,"$defs":{"p":{"oneOf":[` + two + `]}}`},
		"others are taken":              {`,"additionalProperties":false`, `,"additionalProperties":true`},
		"others are taken as anything":  {`,"additionalProperties":false`, `,"additionalProperties":{}`},
		"others of a kind are taken":    {`,"additionalProperties":false`, `,"additionalProperties":{"type":"boolean"}`},
		"what was shut is not any more": {`,"additionalProperties":false`, ``},
		"what was silent is open":       {``, `,"additionalProperties":true`},
		"what was silent takes a kind":  {``, `,"additionalProperties":{"type":"integer"}`},
		"an object inside is opened":    {`,"$defs":{"p":{"type":"object","properties":{"a":{}},"additionalProperties":false}}`, `,"$defs":{"p":{"type":"object","properties":{"a":{}}}}`},
		"names by a pattern":            {``, `,"patternProperties":{"^x":{"type":"integer"}}`},
		"a wider pattern of names":      {`,"patternProperties":{"^x":{"type":"integer"}}`, `,"patternProperties":{"^":{"type":"integer"}}`},
	} {
		codes := map[string]verdict.Code{}
		for under, accept := range map[string]pin.Accept{"strictly": {}, "with all that can be accepted": loose} {
			a := approve(t, gate.New(gate.Options{Accept: accept}), takesID(c.was), "")
			_, err := a.Redeem(live(takesID(c.now)), receipt(t, a), gate.Consent{})
			codes[under] = verdict.CodeOf(err)
		}
		want := map[string]verdict.Code{"strictly": verdict.PinChanged, "with all that can be accepted": verdict.PinChanged}
		if diff := cmp.Diff(want, codes); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestAnotherOrderIsRedeemedWhereItWasAccepted, and what leaves is the approved call.
func TestAnotherOrderIsRedeemedWhereItWasAccepted(t *testing.T) {
	t.Parallel()
	now := live(strings.Replace(takesID(""), "alpha, beta", "beta, alpha", 1))
	now.OrderAt = []string{"/description"} // a server's own word counts for nothing
	got := map[string]string{}
	for name, accepted := range map[string]bool{"accepted": true, "not accepted": false} {
		was := live(takesID(""))
		if accepted {
			was.OrderAt = []string{"/description"}
		}
		a, err := gate.New(gate.Options{}).Approve(gate.Asked{Query: query(t, "get 1", "")}, catalogOf(t, was), parsed(t, `{"id":1}`))
		if err != nil {
			t.Fatal(err)
		}
		call, err := a.Redeem(now, receipt(t, a), gate.Consent{})
		got[name] = fmt.Sprint(call.Tool, string(call.Args), verdict.CodeOf(err))
	}
	if diff := cmp.Diff(map[string]string{"accepted": `get{"id":1}`, "not accepted": "pin.changed"}, got); diff != "" {
		t.Error(diff)
	}
}
