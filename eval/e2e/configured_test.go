package e2e_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/agents"
	"github.com/onestep-run/onestep/eval/e2e"
	"github.com/onestep-run/onestep/eval/watched"
	"github.com/onestep-run/onestep/host/session"
)

// remote serves the demo over HTTP, as an operator's own servers.
func remote(t *testing.T, d *watched.Demo) []session.Server {
	t.Helper()
	var servers []session.Server
	for _, name := range d.Servers() {
		h, err := d.Handler(name)
		if err != nil {
			t.Fatal(err)
		}
		srv := httptest.NewServer(h)
		t.Cleanup(srv.Close)
		servers = append(servers, session.Server{Name: name, URL: srv.URL + "/mcp"})
	}
	return servers
}

func TestCallsToAnOperatorsServersAreCountedOnTheirWay(t *testing.T) {
	t.Parallel()
	d := watched.New()
	c := config(t, "compromised", func(c e2e.Case) bool {
		return slices.Contains([]string{"benign-01", "benign-07", "disallowed-05", "disallowed-13", "schema-02"}, c.ID)
	})
	c.Types = nil
	open := agents.Configured(remote(t, d), []string{"relay"})
	c.Open = func(ctx context.Context, _ e2e.Case) (*agents.World, error) { return open(ctx) }
	r, err := e2e.Suite(c).Run(t.Context(), eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, row := range r.Rows {
		counted += row.Facts["tool_calls"]
		if _, has := row.Facts["side_effects"]; has {
			t.Errorf("%s: somebody looked into a server of the operator's", row.ID)
		}
		if row.Agent == e2e.Safe && !row.Passed {
			t.Errorf("%+v", row)
		}
	}
	arrived := 0
	for _, tool := range []string{"fetch_policy_entry", "delete_policy_entry"} {
		arrived += d.Calls("mcp-policy-kb", tool)
	}
	arrived += d.Calls("mcp-servicenow", "close_ticket")
	if counted != arrived || arrived == 0 {
		t.Errorf("%d calls were counted, %d arrived", counted, arrived)
	}
	for _, f := range r.Figures {
		if f.Agent == e2e.Baseline && f.Group == "" && f.Name == "disallowed_tools_executed" && f.Rate.Hits != 2 {
			t.Errorf("the loop executed a forbidden tool in %d cases", f.Rate.Hits)
		}
	}
}
