package setup_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/host"
)

// Each wait is reported as it begins, and ends before the next.
func TestWaitsAreToldOneAfterTheOther(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := func(name string) (string, bool) { return map[string]string{"ASK_HOME": home}[name], name == "ASK_HOME" }
	paths, err := config.FindPaths(env)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := config.Load(paths, env, config.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	h, err := setup.Host(settings, setup.Options{Env: env, Demo: true, Live: true, Waits: func(what string) func() {
		told = append(told, what)
		return func() { told = append(told, "over") }
	}})
	if err != nil {
		t.Fatal(err)
	}
	if out := h.Ask(t.Context(), host.Question{Text: "Get ticket INC0010001"}); out.Exit() != 0 {
		t.Error(out.Error)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	want := []string{"3 servers: mcp-policy-kb, mcp-servicenow, mcp-sharepoint", "over", "mcp-servicenow/get_ticket", "over", "the servers to end", "over"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}
