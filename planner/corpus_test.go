package planner_test

import (
	"encoding/json"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/planner"
)

// realTools is the catalog of every tool of the public servers.
func realTools(t testing.TB) catalog.Catalog {
	t.Helper()
	allowed := map[string][]string{}
	var listings []catalog.Listing
	for _, captured := range corpus.Listings(t) {
		l := catalog.Listing{Server: captured.Server}
		for _, raw := range captured.Tools {
			d := pin.Descriptor{Server: l.Server, Raw: jsontext.Value(raw)}
			f, err := d.Fields()
			if err != nil {
				t.Fatal(err)
			}
			l.Tools = append(l.Tools, d)
			allowed[l.Server] = append(allowed[l.Server], f.Name)
		}
		listings = append(listings, l)
	}
	list, err := json.Marshal(allowed)
	if err != nil {
		t.Fatal(err)
	}
	allow, err := catalog.ParseAllowlist(list)
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Admit(listings, allow, catalog.Options{})
	if len(c.Tools()) < 100 {
		t.Fatalf("%d tools were admitted", len(c.Tools()))
	}
	return c
}

func TestEveryRealToolFitsIntoAPrompt(t *testing.T) {
	t.Parallel()
	c := realTools(t)
	s := &script{lines: []string{anyPlan}}
	p := propose(t, planner.Model{Chat: s, MaxData: 1 << 20}, ask(t, "which one?", ""), c)
	if m := read(t, s.asked[0]); len(m.Tools) != len(c.Tools()) || len(p.LeftOut) != 0 {
		t.Errorf("%d of %d tools are in; left out: %v", len(m.Tools), len(c.Tools()), p.LeftOut)
	}
	t.Logf("%d tools make a prompt of %d bytes", len(c.Tools()), len(s.asked[0].Data))
}

func BenchmarkThePromptOfRealTools(b *testing.B) {
	c, q := realTools(b), ask(b, "which one?", "")
	for b.Loop() {
		s := script{lines: []string{anyPlan}}
		if _, err := (planner.Model{Chat: &s, MaxData: 1 << 20}).Propose(b.Context(), q, c); err != nil {
			b.Fatal(err)
		}
	}
}
