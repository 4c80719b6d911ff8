package org_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/trust"
)

// An exported agent answers without the service, with the approvals that it had, and no secret is
// in its folder.
func TestAnExportAnswersWithoutTheService(t *testing.T) {
	t.Parallel()
	h, u := newHosts(t, newState(t)), newUpstream(t)
	approved(t, h, u, "support")
	rules := []byte(`{"rules": [{"effect": "deny", "tools": ["kb/delete_*"], "why": "no"}]}`)
	if _, err := h.Org.UpdateAgent(t.Context(), ada, "support", 0, func(a *org.Agent) { a.Rules, a.Budget.Calls = rules, 7 }); err != nil {
		t.Fatal(err)
	}
	if out := ask(t, h, "support", asks("fetch_policy_entry", "policy-002")); out.Type != host.ToolResult {
		t.Fatalf("%+v", out.Error)
	}
	dir := filepath.Join(t.TempDir(), "leaving")
	if n, err := h.Export(t.Context(), dir); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if _, err := h.Export(t.Context(), dir); err == nil {
		t.Error("a folder that exists is written to")
	}
	file := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, "support", name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(token)) {
			t.Errorf("%s has the secret", name)
		}
		return b
	}
	servers, err := config.ParseServers(filepath.Join(dir, "support", "mcp.json"), file("mcp.json"))
	if err != nil {
		t.Fatal(err)
	}
	allow, err := catalog.ParseAllowlist(file("allowlist.json"))
	if err != nil {
		t.Fatal(err)
	}
	pins, err := trust.ParseFile(file("pins.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(file("audit.jsonl"), []byte(`"mcp_kb_fetch_policy_entry"`)) || !bytes.Contains(file("policy.json"), []byte(`"calls":7`)) || !bytes.Contains(file("policy.json"), []byte("kb/delete_*")) {
		t.Error("the audit or the rules are missing")
	}
	env := func(name string) (string, bool) { return token, name == "KB_AUTH_SECRET" }
	alone, err := setup.Host(config.Settings{}, setup.Options{
		Env: env, Mode: setup.Plans, Parts: setup.Parts{Registry: servers, Allowlist: &allow, Pins: pins, Key: new(pin.Key), Traces: runs.Dir(t.TempDir())},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = alone.Close() }()
	q := asks("fetch_policy_entry", "policy-003")
	q.Client = false
	if out := alone.Ask(t.Context(), q); out.Type != host.ToolResult {
		t.Errorf("%s %+v", out.Type, out.Error)
	}
	if out := alone.Ask(t.Context(), asks("delete_policy_entry", "policy-003")); out.Call != "none" {
		t.Errorf("a write without an approval: %s", out.Call)
	}
}
