package gate_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate"
)

const geminiCLI = "gemini-cli-mcp-client"

// What a client adds to every tool is removed where the tool does not accept it, and
// nothing else is.
func TestAnAdditionIsRemovedWhereTheCallFitsOnlyWithoutIt(t *testing.T) {
	t.Parallel()
	const (
		closed   = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"],"additionalProperties":false}}`
		open     = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}},"additionalProperties":true}}`
		booleans = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}},"additionalProperties":{"type":"boolean"}}}`
		declared = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"integer"},"wait_for_previous":{"type":"boolean"}}}}`
		onlyTrue = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"integer"},"wait_for_previous":{"const":true}}}}`
		demanded = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"integer"},"wait_for_previous":{"const":true}},"required":["wait_for_previous"]}}`
		nested   = `{"name":"get","inputSchema":{"type":"object","properties":{"id":{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}}}}`
		none     = `{"name":"get","inputSchema":{"type":"object"}}`
	)
	for name, row := range map[string]struct{ client, tool, sent, want string }{
		"true":                          {geminiCLI, descriptor, `{"id":1,"wait_for_previous":true}`, `{"id":1}`},
		"false":                         {geminiCLI, closed, `{"wait_for_previous":false, "id":1}`, `{"id":1}`},
		"escaped":                       {geminiCLI, closed, `{"wait\u005ffor_previous":true,"id":1}`, `{"id":1}`},
		"alone":                         {geminiCLI, none, `{"wait_for_previous":true}`, `{}`},
		"one value alone fits":          {geminiCLI, onlyTrue, `{"id":1,"wait_for_previous":false}`, `{"id":1}`},
		"accepted":                      {geminiCLI, declared, `{"id":1,"wait_for_previous":true}`, ""},
		"accepted by an open schema":    {geminiCLI, open, `{"id":1,"wait_for_previous":true}`, ""},
		"accepted as any boolean":       {geminiCLI, booleans, `{"id":1,"wait_for_previous":true}`, ""},
		"accepted as the only value":    {geminiCLI, onlyTrue, `{"id":1,"wait_for_previous":true}`, ""},
		"required":                      {geminiCLI, demanded, `{"id":1,"wait_for_previous":false}`, ""},
		"fits neither way":              {geminiCLI, descriptor, `{"id":"x","wait_for_previous":true}`, ""},
		"another one does not fit":      {geminiCLI, closed, `{"id":1,"wait_for_previous":true,"wait":true}`, ""},
		"a text":                        {geminiCLI, closed, `{"id":1,"wait_for_previous":"true"}`, ""},
		"a number":                      {geminiCLI, closed, `{"id":1,"wait_for_previous":1}`, ""},
		"null":                          {geminiCLI, closed, `{"id":1,"wait_for_previous":null}`, ""},
		"an object":                     {geminiCLI, closed, `{"id":1,"wait_for_previous":{}}`, ""},
		"another name":                  {geminiCLI, closed, `{"id":1,"waitForPrevious":true}`, ""},
		"another letter case":           {geminiCLI, closed, `{"id":1,"Wait_For_Previous":true}`, ""},
		"below the root":                {geminiCLI, nested, `{"id":{"a":1,"wait_for_previous":true}}`, ""},
		"another client":                {"other", closed, `{"id":1,"wait_for_previous":true}`, ""},
		"no client":                     {"", closed, `{"id":1,"wait_for_previous":true}`, ""},
		"a client of a longer name":     {geminiCLI + "-2", closed, `{"id":1,"wait_for_previous":true}`, ""},
		"a client of other letter case": {"Gemini-CLI-MCP-Client", closed, `{"id":1,"wait_for_previous":true}`, ""},
		"nothing is added":              {geminiCLI, closed, `{"id":1}`, ""},
		"the tool is another one":       {geminiCLI, `{"name":"put","inputSchema":{"type":"object"}}`, `{"wait_for_previous":true}`, ""},
	} {
		sent := parsed(t, row.sent)
		got, removed := gate.New(gate.Options{}).WithoutAddition(row.client, admitted(t, live(row.tool), `"get","put"`), sent)
		want := row.want
		if want == "" {
			want = row.sent
		}
		if string(got.Args()) != want {
			t.Errorf("%s: %s, want %s", name, got.Args(), want)
		}
		if (removed != nil) != (row.want != "") {
			t.Errorf("%s: removed %+v", name, removed)
		}
		if got.Server() != sent.Server() || got.Tool() != sent.Tool() {
			t.Errorf("%s: it is a call of %s/%s", name, got.Server(), got.Tool())
		}
	}
}

// The name of a client selects what it adds, and no more: it is approved as any other.
func TestTheNameOfAClientLoosensNothing(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	for _, args := range []string{`{"id":1,"wait_for_previous":true}`, `{"id":"x"}`, `{}`} {
		by := gate.Asked{Query: query(t, "get 1", ""), Client: true, Facts: gate.Facts{Client: geminiCLI}}
		if _, err := g.Approve(by, tools(t, descriptor, ""), parsed(t, args)); err == nil {
			t.Errorf("%s was approved", args)
		}
	}
	if !gate.Adds(geminiCLI) || gate.Adds("") || gate.Adds("other") {
		t.Error("the table has other clients")
	}
}
