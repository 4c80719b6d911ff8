package trust_test

import (
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/host/trust"
)

// A source with a memory lists what one without lists, after every change of the state, by
// this process or another. While nothing changes, the very same tools are listed.
func TestASourceRemembersItsListingsWhileNothingChanges(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	own, other := store.At(path, time.Now), store.At(path, time.Now)
	t.Cleanup(func() { _ = own.Close(); _ = other.Close() })
	k, elsewhere := trust.NewKeeper(own, time.Now), trust.NewKeeper(other, time.Now)
	kb := &server{tools: []string{tool("get", "gets"), tool("put", "puts")}}
	at := kb.subject().Place
	source := trust.Source{
		Book: k, Servers: map[string]trust.Server{"kb": {Place: at}},
		Allowed: func(string) []string { return []string{"get", "put"} }, Memory: &trust.Memory{},
	}
	var seen catalog.Seen
	allow, err := catalog.ParseAllowlist([]byte(`{"kb":["get","put"]}`))
	if err != nil {
		t.Fatal(err)
	}
	fresh := source
	fresh.Memory = nil
	list := func(s trust.Source) catalog.Listing { return s.Discover(t.Context(), "", []string{"kb"})[0] }
	holds := func(step string, get, put bool) {
		t.Helper()
		for range 2 {
			is, want := list(source), list(fresh)
			if len(is.Tools) != len(want.Tools) || len(is.Held) != len(want.Held) {
				t.Errorf("%s: %d tools and %d held, not %d and %d", step, len(is.Tools), len(is.Held), len(want.Tools), len(want.Held))
			}
			c := catalog.Admit([]catalog.Listing{is}, allow, catalog.Options{Seen: &seen})
			for name, want := range map[string]bool{"get": get, "put": put} {
				if _, no := c.Tool("kb", name); (no == nil) != want {
					t.Errorf("%s: %s: %v", step, name, no)
				}
			}
		}
		if a, b := list(source), list(source); len(a.Tools) > 0 && (&a.Tools[0] != &b.Tools[0] || a.Version != b.Version) {
			t.Errorf("%s: nothing changed, and the tools were listed again", step)
		}
	}
	approve(t, elsewhere, kb, "get")
	holds("one is approved elsewhere", true, false)
	approve(t, k, kb, "put")
	holds("the other is approved here", true, true)
	if err := elsewhere.Reject(t.Context(), at, trust.Choice{By: "ada"}, "get"); err != nil {
		t.Fatal(err)
	}
	holds("one is rejected elsewhere", false, true)
}

// A caller that adds to a refusal adds to no other caller's, at the same time or later.
func TestRefusalsOfARememberedListingAreCopies(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	s := trust.Source{
		Book: k, Servers: map[string]trust.Server{"kb": {Place: kb.subject().Place}, "none": {Place: pin.Place{}}},
		Allowed: func(string) []string { return []string{"get", "put"} }, Memory: &trust.Memory{},
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			l := s.Discover(t.Context(), "", []string{"kb", "none", "unknown"})
			if len(l) != 3 || len(l[0].Held) != 1 || l[0].Held[0].Denial.Code != verdict.PinUnapproved || l[1].Err == nil || l[2].Err == nil {
				t.Errorf("%+v", l)
				return
			}
			if l[0].Held[0].Denial.Reason == "changed" {
				t.Error("another caller's words are in a refusal")
			}
			l[0].Held[0].Denial.Reason = "changed"
		})
	}
	all.Wait()
}
