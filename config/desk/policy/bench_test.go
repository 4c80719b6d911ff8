package policy_test

import (
	"testing"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/policy"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/host"
)

// BenchmarkTry is a rule that is tried on a thousand calls.
func BenchmarkTry(b *testing.B) {
	home := b.TempDir()
	env := config.Environ(func(name string) (string, bool) { return map[string]string{"ASK_HOME": home}[name], name == "ASK_HOME" })
	paths, err := config.FindPaths(env)
	if err != nil {
		b.Fatal(err)
	}
	s, err := config.Load(paths, env, config.Flags{})
	if err != nil {
		b.Fatal(err)
	}
	with := setup.Options{Env: env, Demo: true, Mode: setup.Plans}
	h, err := setup.Host(s, with)
	if err != nil {
		b.Fatal(err)
	}
	call := plan.Call("mcp-policy-kb", "fetch_policy_entry", []byte(`{"policy_id":"policy-002"}`))
	for range 1000 {
		if out := h.Ask(b.Context(), host.Question{Plan: call}); out.Type != host.ToolResult {
			b.Fatal(out.Error)
		}
	}
	if err := h.Close(); err != nil {
		b.Fatal(err)
	}
	d := desk.Desk{Settings: s, With: with}
	for b.Loop() {
		if t, err := policy.At(d).Try(b.Context(), time.Time{}, "", "deny mcp-policy-kb/fetch_*", ""); err != nil || t.Calls != 1000 || t.Refused != 1000 {
			b.Fatal(t.Calls, t.Refused, t.Unreadable, err)
		}
	}
}
