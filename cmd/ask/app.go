package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// app is one run of the command: its streams, its environment, its global
// flags. stdout carries the answer or one JSON document; stderr everything else.
type app struct {
	in       io.Reader
	out, err *stream
	env      config.Environ

	flags   config.Flags
	json    bool
	quiet   bool
	debug   bool
	noInput bool
	noColor bool
	demo    bool
	dryRun  bool
}

// ended is the error of a command that has said all there is to say.
type ended int

func (e ended) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// main runs the command and gives its exit code. A panic is an internal
// failure: the runtime's own exit code, 2, means something else here.
func (a *app) main(args []string) (code int) {
	defer func() {
		if p := recover(); p != nil {
			code = a.fail(verdict.Fail(verdict.Internal, nil, "a panic: %.300v", p))
		}
	}()
	ctx, stopped := untilSignal()
	err := a.execute(ctx, args)
	code = a.exit(args, err)
	if s := stopped(); s != 0 && code != 0 {
		return s
	}
	if code == 0 && a.out.err != nil {
		return a.fail(verdict.Fail(verdict.Internal, a.out.err, "the answer could not be written: %v", a.out.err))
	}
	return code
}

func (a *app) execute(ctx context.Context, args []string) error {
	root := a.root() //nolint:contextcheck // cobra hands the context to the command that runs
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	return root.ExecuteContext(ctx)
}

func (a *app) exit(args []string, err error) int {
	var done ended
	switch {
	case err == nil:
		return 0
	case errors.As(err, &done):
		return int(done)
	}
	a.json = a.json || wantsJSON(args)
	if verdict.CodeOf(err) == verdict.Internal && !errors.As(err, new(*verdict.Fault)) {
		err = usage(verdict.UsageArgument, "%v", err) // cobra's own: ours have codes
	}
	return a.fail(err)
}

// wantsJSON: a command line that could not be parsed may still have asked for
// JSON, and gets its error as such.
func wantsJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// fail reports an error that came before there was a run, and gives its exit code.
func (a *app) fail(err error) int {
	f := host.FailureOf(err)
	if a.json {
		a.document(struct {
			SchemaVersion int           `json:"schema_version"`
			Error         *host.Failure `json:"error"`
		}{host.SchemaVersion, f})
	} else {
		a.failure("ask", f)
	}
	return f.Code.Entry().Exit
}

// settings reads the configuration; every command that needs it calls it once.
func (a *app) settings() (config.Settings, config.Paths, error) {
	paths, err := config.FindPaths(a.env)
	if err != nil {
		return config.Settings{}, paths, err
	}
	s, err := config.Load(paths, a.env, a.flags)
	return s, paths, err
}

// with is what a setup is given of this process.
func (a *app) with() setup.Options { return setup.Options{Env: a.env, Demo: a.demo, Version: version} }

func (a *app) get(name string) string {
	v, _ := a.env(name)
	return v
}

// colour reports whether w is a terminal whose user wants colour
// (no-color.org: a NO_COLOR that is set and not empty says no).
func (a *app) colour(w *stream) bool {
	return !a.noColor && !a.json && a.get("NO_COLOR") == "" && a.get("TERM") != "dumb" && w.terminal()
}

// usage makes a usage error.
func usage(code verdict.Code, format string, args ...any) error {
	return verdict.Fail(code, nil, format, args...)
}

// exactly refuses any other number of arguments, naming what is wanted.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usage(verdict.UsageArgument, "%s: %d argument(s) given", what, len(args))
		}
		return nil
	}
}
