package catalog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The first two are as @ivotoby/openapi-mcp-server 1.16 and FastMCP 4.1 list their tools.
const (
	ofOpenAPI = `{"name":"get-pet","description":"Get a pet","httpMethod":"GET","x-original-path":"/pets/{id}","inputSchema":{"type":"object","properties":{
		"id":{"type":"string","description":"id parameter","x-parameter-location":"path"},
		"limit":{"type":"integer","description":"limit parameter","x-parameter-location":"query"}},"required":["id"]}}`
	ofFastMCP = `{"name":"add","title":"Add","_meta":{"fastmcp":{"tags":[]}},"inputSchema":{"properties":{"a":{"type":"integer"}},"required":["a"],"type":"object","additionalProperties":false},
		"outputSchema":{"properties":{"result":{"type":"integer"}},"required":["result"],"type":"object","x-fastmcp-wrap-result":true}}`
	misspelt  = `{"name":"misspelt","inputSchema":{"type":"object","properties":{"a":{"type":"string","maxLenght":3}}}}`
	badMark   = `{"name":"marked","inputSchema":{"type":"object","properties":{"a":{"type":"object","x-mcp-header":"A"}}}}`
	ofOutput  = `{"name":"typed","inputSchema":{"type":"object"},"outputSchema":{"type":"object","nullible":true}}`
	allOfThem = `{"kb":["get-pet","add","misspelt","marked","typed"]}`
)

// TestAnAnnotationTakesNoToolOut: a keyword that begins with x- says nothing of
// which values are taken. Any other unknown keyword may, and so takes the tool or
// its type out.
func TestAnAnnotationTakesNoToolOut(t *testing.T) {
	t.Parallel()
	c := catalog.Admit([]catalog.Listing{listing("kb", ofOpenAPI, ofFastMCP, misspelt, badMark, ofOutput)}, allow(t, allOfThem), catalog.Options{})
	want := map[string]verdict.Code{
		"kb/get-pet": "", "kb/add": "", "kb/typed": "", "kb/misspelt": verdict.CatalogSchema, "kb/marked": verdict.CatalogSchema,
	}
	if diff := cmp.Diff(want, codes(c)); diff != "" {
		t.Error(diff)
	}
	reasons := map[string]string{}
	for _, e := range c.Excluded() {
		reasons[e.Name] = e.Denial.Reason
	}
	for _, tool := range c.Tools() {
		reasons[tool.Name()] = tool.Output().Basis.String() + " " + tool.Output().Unenforced
	}
	if diff := cmp.Diff(map[string]string{
		"get-pet":  "untyped ",
		"add":      "output_schema ",
		"typed":    `untyped the tool's output schema cannot be enforced: /nullible: keyword "nullible" is not among those that can be enforced`,
		"misspelt": `the input schema cannot be enforced: /properties/a/maxLenght: keyword "maxLenght" is not among those that can be enforced`,
		"marked":   `the input schema cannot be enforced: /properties/a/x-mcp-header: only a string, an integer or a boolean can be repeated in a header`,
	}, reasons); diff != "" {
		t.Error(diff)
	}
}
