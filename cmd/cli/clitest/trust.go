package clitest

import (
	"context"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/host/trust"
)

// Trust approves every server of the allowlist as it describes itself now, in
// the home that the environment names: what a person does once, before a
// program may ask.
func Trust(t testing.TB, env config.Environ, flags config.Flags) {
	t.Helper()
	if err := trusted(t.Context(), env, flags); err != nil {
		t.Fatal(err)
	}
}

func trusted(ctx context.Context, env config.Environ, flags config.Flags) error {
	paths, err := config.FindPaths(env)
	if err != nil {
		return err
	}
	s, err := config.Load(paths, env, flags)
	if err != nil {
		return err
	}
	inv, err := setup.Open(s, setup.Options{Env: env})
	if err != nil {
		return err
	}
	k := inv.Keeper
	for _, name := range inv.Allowlist.Servers() {
		r, err := k.Look(ctx, inv.Subject(name, false))
		if err != nil {
			return err
		}
		v := trust.Verdict{By: "the test", How: "digest", Digests: []string{r.Digest}}
		for _, p := range r.Parts {
			if p.Alone && p.Open() {
				v.Digests = append(v.Digests, p.Digest)
			}
		}
		if _, err := k.Approve(ctx, r, v); r.Digest != "" && err != nil {
			return err
		}
	}
	return nil
}

// trustVerb is Trust for a script: trust [--flag value…], in its own home.
func trustVerb(ts *testscript.TestScript, _ bool, args []string) {
	env := func(name string) (string, bool) { v := ts.Getenv(name); return v, v != "" }
	given := map[string]string{}
	for ; len(args) > 1; args = args[2:] {
		given[strings.TrimPrefix(args[0], "--")] = ts.MkAbs(args[1])
	}
	ts.Check(trusted(context.Background(), env, config.Flags{Given: given}))
}
