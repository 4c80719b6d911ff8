//go:build unix

package setup_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// BenchmarkLook is the cost of a look at what decides, where nothing has changed since
// it was read. A call of a tool that reads takes two.
func BenchmarkLook(b *testing.B) {
	home := b.TempDir()
	env := func(name string) (string, bool) { return map[string]string{"ASK_HOME": home}[name], name == "ASK_HOME" }
	settings := configured(b, home, env, filepath.Join(home, "pid"))
	for name, text := range map[string]string{"config.toml": "intent = \"strict\"\n", "policy.json": `{"rules":[{"effect":"deny","tools":["a/b"]}]}`} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	time.Sleep(2100 * time.Millisecond) // else each look reads the texts
	h, err := setup.Host(settings, setup.Options{Env: env, Mode: setup.Plans})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = h.Close() })
	began := processorTime(b)
	for b.Loop() {
		if _, err := h.Latest(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(processorTime(b)-began)/float64(b.N), "cpu-ns/op") // on a machine that others use too
}

func processorTime(b *testing.B) int64 {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return used.Utime.Nano() + used.Stime.Nano()
}

// A program that lives long decides by the files as they are, with the settings that
// it has set itself.
func TestAHostOfAProgramFollowsItsFiles(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := func(name string) (string, bool) { return map[string]string{"ASK_HOME": home}[name], name == "ASK_HOME" }
	settings := configured(t, home, env, filepath.Join(home, "pid"))
	settings.Approvers.V = "other" // by the program
	h, err := setup.Host(settings, setup.Options{Env: env, Mode: setup.Plans})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	plan := []byte(`{"type":"call_tool","server":"s","tool":"fetch_policy_entry","args":{"policy_id":"policy-001"}}`)
	ask := func(want verdict.Code) {
		t.Helper()
		out := h.Ask(t.Context(), host.Question{Plan: plan, Subject: "ada"})
		if out.Error == nil || out.Error.Code != want {
			t.Errorf("%s %+v, not %s", out.Type, out.Error, want)
		}
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ask(verdict.PinUnapproved)
	put("allowlist.json", `{"s":["search_policy_kb"]}`)
	ask(verdict.AllowTool)
	put("policy.json", `{"rules":[`)
	ask(verdict.ConfigInvalid)
	put("policy.json", `{"rules":[{"effect":"deny","tools":["a/b"]}]}`)
	put("config.toml", "approvers = \"self\"\nmax_result = 2048\n")
	ask(verdict.AllowTool)
	c, err := h.Latest(t.Context())
	if err != nil || !c.Policy.OthersApprove || c.Policy.MaxResult != 2048 {
		t.Errorf("others approve: %v; the longest result: %d; %v", c.Policy.OthersApprove, c.Policy.MaxResult, err)
	}
	put("config.toml", "approvers = \"other\"\n") // the file agrees for a while
	ask(verdict.AllowTool)
	put("config.toml", "approvers = \"self\"\n")
	ask(verdict.AllowTool)
	if c, err := h.Latest(t.Context()); err != nil || !c.Policy.OthersApprove {
		t.Errorf("others approve: %v, %v", c.Policy.OthersApprove, err)
	}
}

// Flags and environment are those of the start.
func TestFlagsAndEnvironmentStayAsAtTheStart(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	vars := map[string]string{"ASK_HOME": home, "SAFE_ALLOWLIST_PATH": filepath.Join(home, "by-variable.json")}
	env := func(name string) (string, bool) { v, is := vars[name]; return v, is }
	configured(t, home, env, filepath.Join(home, "pid"))
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("by-variable.json", `{"s":["one"]}`)
	put("by-flag.json", `{"rules":[{"effect":"deny","tools":["a/b"]}]}`)
	paths, err := config.FindPaths(env)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := config.Load(paths, env, config.Flags{Given: map[string]string{"policy": filepath.Join(home, "by-flag.json")}})
	if err != nil {
		t.Fatal(err)
	}
	h, err := setup.Host(settings, setup.Options{Env: env, Mode: setup.Plans})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	delete(vars, "SAFE_ALLOWLIST_PATH")
	put("allowlist.json", `{"s":["two"]}`)
	put("config.toml", "allowlist = \"allowlist.json\"\n")
	c, err := h.Latest(t.Context())
	if err != nil || c.Policy.Allowlist.Permits("s", "one") != nil || len(c.Policy.CallRules.Files()) != 1 {
		t.Errorf("%v, %d policy files, %v", c.Policy.Allowlist.Permits("s", "one"), len(c.Policy.CallRules.Files()), err)
	}
}
