package host_test

import (
	"context"
	"slices"
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/runs"
)

// Hosts with one memory admit a descriptor once: the catalog has the very descriptors that
// the first host read. The allowlist is each host's own.
func TestHostsWithOneMemoryAdmitADescriptorOnce(t *testing.T) {
	t.Parallel()
	raw := `{"name":"get","description":"Gets it.","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}}`
	ls := []catalog.Listing{{Server: "kb", Tools: []pin.Descriptor{{Server: "kb", Raw: []byte(raw)}}}}
	allow, err := catalog.ParseAllowlist([]byte(`{"kb":["get"]}`))
	if err != nil {
		t.Fatal(err)
	}
	first := func(p host.Policy, m *host.Memory) *pin.Descriptor {
		h, err := host.New(host.Config{
			Policy: p, Memory: m,
			Source:   source(func(context.Context, []string) []catalog.Listing { return slices.Clone(ls) }),
			Caller:   caller(nil),
			Proposer: says(readFile), Writer: writes(""), Traces: runs.Dir(t.TempDir()),
		})
		if err != nil {
			t.Fatal(err)
		}
		c := h.Catalog(t.Context(), "", "kb")
		if n, allowed := len(c.Tools()), len(p.Allowlist.Servers()); n != allowed {
			t.Errorf("the catalog has %d tools, and the allowlist %d", n, allowed)
		}
		return &c.Listings()[0].Tools[0]
	}
	var m host.Memory
	p := host.Policy{Allowlist: allow}
	was := first(p, &m)
	if first(p, &m) != was {
		t.Error("the second host read the descriptors again")
	}
	if first(p, nil) == was {
		t.Error("a host without the memory has its descriptors")
	}
	first(host.Policy{}, &m)
}
