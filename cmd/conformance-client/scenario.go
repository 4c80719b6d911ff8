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

var scenarios = map[string][]scenario{
	// Nothing but the handshake is tested: this server lists no tool.
	"initialize": {{"any_tool", literal(`{}`), verdict.CatalogEmpty}},
	"tools_call": {{"add_numbers", literal(`{"a":5,"b":3}`), ""}},
	// The answer's stream breaks off and is resumed by GET; the call is not repeated.
	"sse-retry": {{"test_reconnection", literal(`{}`), ""}},
	// The tool's schema refers to another server. What may not be fetched
	// cannot be enforced: the tool is out.
	"json-schema-ref-no-deref": {{"lookup_user", literal(`{"id":"u-1"}`), verdict.CatalogEmpty}},
	// One tool's schema, unchanged, is another tool's argument.
	"json-schema-2020-12-preservation": {{"json_schema_echo", schemaOf("json_schema_2020_12_tool"), ""}},

	// What each request of 2026-07-28 says of its client.
	"request-metadata": {{"any_tool", literal(`{}`), verdict.CatalogEmpty}},

	// The request headers of 2026-07-28, on the requests that onestep makes.
	"http-standard-headers": {{"test_headers", literal(`{}`), ""}},

	// What these two want onestep refuses on purpose: a server that asks back
	// instead of answering could ask for anything, and a call is made once. The
	// second asks on a separate stream, which no client opens, and waits.
	"sep-2322-client-request-state":       {{"test_mrtr_echo_state", literal(`{}`), verdict.CallInputRequired}},
	"elicitation-sep1034-client-defaults": {{"test_client_elicitation_defaults", literal(`{}`), verdict.CallOutcomeUnknown}},

	// Arguments are repeated in headers where a tool's schema says so. A null
	// does not fit a boolean, so it is left out.
	"http-custom-headers": {
		{"test_custom_headers", literal(`{"region":"us-west1","priority":42,"verbose":false,"debug":true,"empty_val":"","method_val":"test-method","float_val":3.14159,
			"non_ascii_val":"Hello, 世界","whitespace_val":" padded ","leading_space_val":" us-west1","trailing_space_val":"us-west1 ","internal_space_val":"us west 1",
			"control_char_val":"line1\nline2","crlf_val":"line1\r\nline2","tab_val":"\tindented","query":"SELECT * FROM users"}`), ""},
		{"test_custom_headers_null", literal(`{"region":"us-east1","priority":1,"query":"SELECT 1"}`), ""},
	},
	// A tool whose schema marks what cannot be repeated so is out, though the
	// operator allows it, and the others stay.
	"http-invalid-tool-headers": append(outAltogether(
		"invalid_empty_header", "invalid_object_header", "invalid_array_header", "invalid_null_header", "invalid_number_header", "invalid_duplicate_same_case",
		"invalid_duplicate_diff_case", "invalid_space_in_name", "invalid_colon_in_name", "invalid_non_ascii_name", "invalid_control_char_name",
	), scenario{"valid_tool", literal(`{"region":"us-west1"}`), ""}),
}

// outAltogether are questions for tools that no run can call.
func outAltogether(tools ...string) []scenario {
	var all []scenario
	for _, name := range tools {
		all = append(all, scenario{name, literal(`{}`), verdict.CatalogEmpty})
	}
	return all
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
