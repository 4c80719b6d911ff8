package catalog_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

func TestALimitTakesAwayAndNeverAdds(t *testing.T) {
	t.Parallel()
	a := allow(t, `{"kb":["get","find","absent"],"db":["get"]}`)
	listings := []catalog.Listing{listing("kb", tool("get", empty), tool("find", empty), tool("put", empty)), listing("db", tool("get", empty))}
	for _, limit := range []struct {
		server, tool string
		tools        int
		code         verdict.Code // of that tool
	}{
		{"kb", "get", 1, ""},
		{"db", "get", 1, ""},
		{"kb", "put", 0, verdict.AllowTool},
		{"kb", "absent", 0, verdict.CatalogAbsent},
		{"db", "find", 0, verdict.AllowTool},
	} {
		only := catalog.Admit(listings, a, catalog.Options{Only: limit.server + "/" + limit.tool})
		if _, err := only.Tool(limit.server, limit.tool); verdict.CodeOf(err) != limit.code || len(only.Tools()) != limit.tools {
			t.Errorf("%s/%s: %v, %v", limit.server, limit.tool, codes(only), err)
		}
		if (only.Refusal() == nil) != (limit.tools == 1) || len(only.Listings()) != 2 {
			t.Errorf("%s/%s: %v of %d listings", limit.server, limit.tool, only.Refusal(), len(only.Listings()))
		}
	}
	// What is asked for by its name is refused for its own reason.
	badly := []catalog.Listing{listing("kb", tool("get", `{"type":"string"}`), tool("find", `{"type":"string"}`))}
	for only, want := range map[string]verdict.Code{"kb/get": verdict.CatalogSchema, "": verdict.CatalogEmpty, "kb/none": verdict.CatalogEmpty} {
		if got := verdict.CodeOf(catalog.Admit(badly, a, catalog.Options{Only: only}).Refusal()); got != want {
			t.Errorf("%q: %s, want %s", only, got, want)
		}
	}
	if n := len(catalog.Admit(listings, a, catalog.Options{}).Tools()); n != 3 {
		t.Errorf("without a limit %d tools are left", n)
	}
}

// What is remembered of a listing is that of its version, where it has one, and of its
// descriptors otherwise.
func TestAVersionNamesTheToolsOfAListing(t *testing.T) {
	t.Parallel()
	var seen catalog.Seen
	allow, err := catalog.ParseAllowlist([]byte(`{"s":["a","b"]}`))
	if err != nil {
		t.Fatal(err)
	}
	first, second := new(int), new(int)
	for _, c := range []struct {
		version any
		tool    string
	}{{first, "a"}, {second, "b"}, {nil, "a"}, {nil, "b"}, {first, "a"}, {second, "b"}, {first, "a"}} {
		l := catalog.Listing{Server: "s", Version: c.version, Tools: []pin.Descriptor{{Server: "s", Raw: []byte(`{"name":"` + c.tool + `","inputSchema":{"type":"object"}}`)}}}
		for range 2 {
			if _, err := catalog.Admit([]catalog.Listing{l}, allow, catalog.Options{Seen: &seen}).Tool("s", c.tool); err != nil {
				t.Errorf("%s: %v", c.tool, err)
			}
		}
	}
}
