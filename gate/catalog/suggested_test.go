package catalog_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
)

func suggesting(t *testing.T, meta, entry string) catalog.Tool {
	t.Helper()
	allow, err := catalog.ParseAllowlist([]byte(`{"s":{"write":[` + entry + `]}}`))
	if err != nil {
		t.Fatal(err)
	}
	raw := `{"name":"move","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}},"_meta":` + meta + `}`
	c := catalog.Admit([]catalog.Listing{{Server: "s", Tools: []pin.Descriptor{{Server: "s", Raw: []byte(raw)}}}}, allow, catalog.Options{})
	tool, err := c.Tool("s", "move")
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// What a server suggests holds where the operator adopted it, and nowhere else.
func TestASuggestedResourceHoldsWhereItWasAdopted(t *testing.T) {
	t.Parallel()
	const adopted = `{"name":"move","resource":"suggested"}`
	for name, c := range map[string]struct{ meta, entry, want string }{
		"not adopted":            {`{"run.onestep/resource":"ticket:{a}"}`, `"move"`, ""},
		"the operator's own":     {`{"run.onestep/resource":"ticket:{a}"}`, `{"name":"move","resource":"box:{b}"}`, "box:{b}"},
		"adopted":                {`{"run.onestep/resource":"ticket:{a}"}`, adopted, "ticket:{a}"},
		"adopted, not suggested": {`{}`, adopted, catalog.NoResource},
		"adopted, another form":  {`{"run.onestep/resource":"everything"}`, adopted, catalog.NoResource},
		"adopted, no text":       {`{"run.onestep/resource":["ticket:{a}"]}`, adopted, catalog.NoResource},
		"adopted, itself":        {`{"run.onestep/resource":"suggested"}`, adopted, catalog.NoResource},
		"adopted, another key":   {`{"onestep/resource":"ticket:{a}"}`, adopted, catalog.NoResource},
	} {
		if got := suggesting(t, c.meta, c.entry).Resource(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
