package trust_test

import (
	"context"
	"slices"
	"testing"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
)

// asked is a lister that notes which servers were started.
type asked struct {
	of      *server
	started []string
}

func (a *asked) Discover(ctx context.Context, _ string, servers []string) (all []catalog.Listing) {
	for _, name := range servers {
		a.started = append(a.started, name)
		all = append(all, a.of.list(ctx, ""))
	}
	return all
}

// TestNoServerIsStartedThatIsAnotherProgram, not even to be compared.
func TestNoServerIsStartedThatIsAnotherProgram(t *testing.T) {
	t.Parallel()
	k, kb := keeper(t), &server{tools: []string{tool("get", "gets")}}
	approve(t, k, kb, "get")
	for name, row := range map[string]struct {
		program error
		started []string
		code    verdict.Code
	}{
		"as approved": {nil, []string{"kb"}, ""},
		"another":     {verdict.Deny(verdict.PinChanged, "another program"), nil, verdict.PinChanged},
	} {
		live := &asked{of: &server{tools: kb.tools}}
		s := trust.Source{
			Book: k, Servers: map[string]trust.Server{"kb": {Place: kb.subject().Place}}, Allowed: func(string) []string { return []string{"get"} }, Live: live,
			Program: func(context.Context, string) error { return row.program },
		}
		allow, err := catalog.ParseAllowlist([]byte(`{"kb":["get"]}`))
		if err != nil {
			t.Fatal(err)
		}
		c := catalog.Admit(s.Discover(t.Context(), "", []string{"kb"}), allow, catalog.Options{})
		_, err = c.Tool("kb", "get")
		if !slices.Equal(live.started, row.started) || (row.code == "") != (err == nil) || err != nil && verdict.CodeOf(err) != row.code {
			t.Errorf("%s: %v started, %v", name, live.started, err)
		}
	}
}
