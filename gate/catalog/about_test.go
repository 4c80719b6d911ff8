package catalog_test

import (
	"slices"
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
)

// The arguments that name the resource are those of the operator's form, else those
// of the convention.
func TestTheArgumentsThatNameTheResource(t *testing.T) {
	t.Parallel()
	const tool = `{"name":"purge","inputSchema":{"type":"object","properties":{"topic":{"type":"string"},"ticket_id":{"type":"string"}},"required":["ticket_id"]}}`
	for entry, want := range map[string][]string{
		`"purge"`: {"/ticket_id"},
		`{"name":"purge","resource":"topic:{topic}"}`:         {"/topic"},
		`{"name":"purge","resource":"t:{topic}/{ticket_id}"}`: {"/topic", "/ticket_id"},
		`{"name":"purge","resource":"suggested"}`:             nil,
	} {
		allow, err := catalog.ParseAllowlist([]byte(`{"mq":{"write":[` + entry + `]}}`))
		if err != nil {
			t.Fatalf("%s: %v", entry, err)
		}
		c := catalog.Admit([]catalog.Listing{{Server: "mq", Tools: []pin.Descriptor{{Server: "mq", Raw: []byte(tool)}}}}, allow, catalog.Options{})
		admitted, err := c.Tool("mq", "purge")
		if err != nil {
			t.Fatalf("%s: %v", entry, err)
		}
		if got := admitted.ResourceArguments(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", entry, got, want)
		}
	}
}
