package clitest

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
)

// Trust approves every server of the allowlist in a home, with its current
// descriptors. A person does this once, before a program may ask. Given are flags for
// a servers file or an allowlist at another place, with their values.
func Trust(t testing.TB, home string, given ...string) {
	t.Helper()
	env := func(name string) (string, bool) {
		if name == "ASK_HOME" {
			return home, true
		}
		if strings.HasPrefix(name, "ASK_INPUT_") { // no person is asked
			return "given", true
		}
		return os.LookupEnv(name)
	}
	if err := trusted(t.Context(), env, flagsOf(given)); err != nil {
		t.Fatal(err)
	}
}

// flagsOf reads --flag value pairs.
func flagsOf(given []string) config.Flags {
	flags := config.Flags{Given: map[string]string{}}
	for ; len(given) > 1; given = given[2:] {
		flags.Given[strings.TrimPrefix(given[0], "--")] = given[1]
	}
	return flags
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
	defer func() { _ = inv.State.Close() }() // everything is on disk by now
	k := inv.Keeper
	for _, name := range inv.Allowlist.Servers() {
		r, err := k.Look(ctx, inv.Target(name, false))
		if verdict.CodeOf(err) != "" && strings.HasPrefix(string(verdict.CodeOf(err)), "server.") {
			continue // the server is down and cannot be reviewed
		}
		if err != nil {
			return err
		}
		v := trust.Choice{By: "the test", How: "digest"}
		if r.Digest != "" {
			v.Digests = append(v.Digests, r.Digest)
		}
		for _, p := range r.Parts {
			if p.Alone && p.Open() {
				v.Digests = append(v.Digests, p.Digest)
			}
		}
		if len(v.Digests) == 0 {
			continue
		}
		if _, err := k.Decide(ctx, r, v); err != nil {
			return err
		}
	}
	return nil
}

// trustVerb is Trust for a script: trust [--flag value…], in the script's home.
func trustVerb(ts *testscript.TestScript, _ bool, args []string) {
	env := func(name string) (string, bool) { v := ts.Getenv(name); return v, v != "" }
	for i := 1; i < len(args); i += 2 {
		args[i] = ts.MkAbs(args[i])
	}
	ts.Check(trusted(context.Background(), env, flagsOf(args)))
}
