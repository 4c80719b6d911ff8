package main

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
)

// scenario is one question: the tool that the operator allows and plans to
// call, and how the gates have to end it.
type scenario struct {
	tool string
	args func(catalog.Listing) (jsontext.Value, error)
	ends verdict.Code // "" for an answer
}

var scenarios = map[string]scenario{
	// Nothing but the handshake is tested: this server lists no tool.
	"initialize": {"any_tool", literal(`{}`), verdict.CatalogEmpty},
	"tools_call": {"add_numbers", literal(`{"a":5,"b":3}`), ""},
	// The answer's stream breaks off and is resumed by GET; the call is not repeated.
	"sse-retry": {"test_reconnection", literal(`{}`), ""},
	// The tool's schema refers to another server. What nobody may fetch nobody
	// can enforce: the tool is out.
	"json-schema-ref-no-deref": {"lookup_user", literal(`{"id":"u-1"}`), verdict.CatalogEmpty},
	// One tool's schema, unchanged, is another tool's argument.
	"json-schema-2020-12-preservation": {"json_schema_echo", schemaOf("json_schema_2020_12_tool"), ""},

	// The request headers of 2026-07-28, on the requests that onestep makes.
	"http-standard-headers": {"test_headers", literal(`{}`), ""},

	// What these two want onestep refuses on purpose: a server that asks back
	// instead of answering could ask for anything, and a call is made once. The
	// second asks on a stream of its own, which nobody opens, and waits.
	"sep-2322-client-request-state":       {"test_mrtr_echo_state", literal(`{}`), verdict.CallInputRequired},
	"elicitation-sep1034-client-defaults": {"test_client_elicitation_defaults", literal(`{}`), verdict.CallOutcomeUnknown},
}

func literal(args string) func(catalog.Listing) (jsontext.Value, error) {
	return func(catalog.Listing) (jsontext.Value, error) { return jsontext.Value(args), nil }
}

// schemaOf are arguments that hold a listed tool's input schema as it was sent.
func schemaOf(tool string) func(catalog.Listing) (jsontext.Value, error) {
	return func(l catalog.Listing) (jsontext.Value, error) {
		for _, d := range l.Tools {
			if f, err := d.Fields(); err == nil && f.Name == tool {
				return json.Marshal(map[string]jsontext.Value{"schema": f.InputSchema})
			}
		}
		return nil, fmt.Errorf("the server does not list %s: %w", tool, l.Err)
	}
}
