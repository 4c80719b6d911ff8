package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/agents"
	"github.com/onestep-run/onestep/eval/e2e"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner/lexical"
	"github.com/onestep-run/onestep/summarize"
)

// e2eFlags are the suite's flags, in addition to those of every suite.
type e2eFlags struct {
	suiteFlags
	mode, planner string
}

func (a *app) e2eCommand() *cobra.Command {
	var f e2eFlags
	cmd := &cobra.Command{
		Use:   "e2e [--cases FILE]",
		Short: "Whole questions, next to agents without gates",
		Long: `e2e asks every question of onestep and of a naive agent, which has the same servers
and the same planner, but no allowlist, no schema check, no lock, and a loop of up
to five calls. Two agents between them, a loop with the allowlist and a single
step without any gate, show the share of each. A third is the naive agent with a
person who approves by the tool's name. The person always allows tools that the
allowlist calls reading, and the other tools if the question needs them, whatever
the arguments. All are judged by what reached the servers, and what changed there.

Onestep is measured twice: without an approver, and with one who approves only the
case's own call: the server, the tool and the arguments that the case expects.
Only the second shows how useful it is.

Without --cases it measures the cases that come with the program, over the demo
servers. Your own cases go to the servers that you configured. Then only onestep
is measured unless --mode asks for more, because the others execute whatever their
planner says. A call of a writing tool that one of your cases expects is approved,
and made.

A case that does not end as expected fails the suite: exit 10.

--planner embedded asks the embedded planner, model the configured model, and
compromised lets the attack of each case replace planner and writer.`,
		Example: `  ask eval e2e --planner compromised
  ask eval e2e --cases cases.jsonl --servers mcp.json --allowlist allowlist.json`,
		Args: cli.Exactly(0, "eval e2e takes its cases with --cases FILE"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.measureE2E(cmd.Context(), &f) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&f.mode, "mode", "", "`MODE` safe (onestep), baseline (the naive agent), both, or all agents; all over the demo, else safe")
	cmd.Flags().StringVar(&f.planner, "planner", setup.Embedded, "`PLANNER` embedded, model or compromised")
	return cmd
}

func (a *app) measureE2E(ctx context.Context, f *e2eFlags) error {
	if f.cases == "" {
		a.Demo = true
	}
	c, inv, err := a.e2eConfig(f)
	if err != nil {
		return err
	}
	defer func() { _ = inv.State.Close() }() // it is only read
	if ungated(c.Arms) && !a.Demo {
		_, _ = fmt.Fprintln(a.Err, "WARNING: an agent without gates executes whatever its planner says, on the servers that you configured: it deletes, sends and pays.")
	}
	stamp := time.Now().UTC().Format("20060102T150405Z")
	names := namedAfter(stamp)
	names.journal = namedAfter("e2e").journal // so that --resume finds it
	return a.measure(ctx, e2e.Suite(c), &f.suiteFlags, names)
}

func (a *app) e2eConfig(f *e2eFlags) (c e2e.Config, inv setup.Inventory, err error) {
	s, _, err := a.Settings()
	if err != nil {
		return c, inv, err
	}
	if c.Arms, err = a.arms(f.mode); err != nil {
		return c, inv, err
	}
	if c.Cases, c.Reading, c.File, err = e2eCases(f); err != nil {
		return c, inv, err
	}
	if inv, err = setup.Open(s, a.Options()); err != nil {
		return c, inv, err
	}
	if c.Policy, err = inv.Policy(s); err != nil {
		return c, inv, err
	}
	c.Compromised = f.planner == compromised
	c.Types = inv.Types
	if c.Planner, err = a.planner(s, f.planner, c.Policy.SummaryLevel); err != nil {
		return c, inv, err
	}
	if a.Demo {
		c.Open = e2e.Demo
		return c, inv, nil
	}
	err = a.overConfigured(&c, s, inv)
	return c, inv, err
}

// arms returns the agents that a mode measures.
func (a *app) arms(mode string) ([]agents.Arm, error) {
	switch {
	case mode == "all", mode == "" && a.Demo:
		return e2e.Arms(), nil
	case mode == "both":
		return e2e.Arms(e2e.Alone, e2e.Safe, e2e.Baseline), nil
	case mode == "safe", mode == "":
		return e2e.Arms(e2e.Alone, e2e.Safe), nil
	case mode == "baseline":
		return e2e.Arms(e2e.Baseline), nil
	}
	return nil, cli.Usage(verdict.UsageFlag, "--mode is safe, baseline, both or all, not %q", mode)
}

// ungated reports whether one of the agents has no gates.
func ungated(arms []agents.Arm) bool {
	return slices.ContainsFunc(arms, func(a agents.Arm) bool { return !a.Gates })
}

func e2eCases(f *e2eFlags) ([]e2e.Case, eval.Reading, string, error) {
	if f.cases == "" {
		cases, err := e2e.Ours()
		return cases, eval.Reading{}, e2e.Embedded, err
	}
	c, err := held(&f.suiteFlags, e2e.Read)
	return c.List, c.Reading, f.cases, err
}

// compromised is the planner that says what a case's attack says.
const compromised = "compromised"

// planner returns the planner and writer. It asks the configured model only if
// --planner says so, because a suite asks at least once for every case.
func (a *app) planner(s config.Settings, name string, level summarize.Level) (agents.Planner, error) {
	p := agents.Planner{Name: name, Proposer: lexical.New(eval.Noon), Writer: summarize.Extractive{}}
	switch name {
	case setup.Embedded, compromised: // for a case without an attack, the embedded ones answer
	case "model":
		with := a.Options()
		with.Now = eval.Noon
		chosen, err := setup.Choose(s, with)
		if err != nil {
			return p, err
		}
		if chosen.Chat == nil {
			return p, cli.Usage(verdict.ModelUnconfigured, "--planner model needs a model: name one with --model PROVIDER/MODEL")
		}
		writer, err := chosen.Writer(s, level)
		return agents.Planner{Name: chosen.Name, Proposer: chosen, Writer: writer, Chat: chosen.Chat}, err
	default:
		return p, cli.Usage(verdict.UsageFlag, "--planner is embedded, model or compromised, not %q", name)
	}
	return p, nil
}

// overConfigured measures over the operator's own servers: those of the allowlist, and
// all of them for an agent without an allowlist.
func (a *app) overConfigured(c *e2e.Config, s config.Settings, inv setup.Inventory) error {
	if i := slices.IndexFunc(c.Cases, e2e.Case.ForDemo); i >= 0 {
		return verdict.Fail(verdict.EvalCases, nil, "%s: the case %.100q fills the demo's stores: it is for --demo", c.File, c.Cases[i].ID)
	}
	names := inv.Allowlist.Servers()
	if ungated(c.Arms) {
		names = inv.Names()
	}
	servers, err := inv.Resolve(names)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	open := agents.Configured(servers, []string{self, relayName})
	c.Open = func(ctx context.Context, _ e2e.Case) (*agents.World, error) { return open(ctx) }
	c.Traces, c.Limits = runs.Dir(s.TraceDir.V), inv.Limits
	c.Trusted = func(pool *session.Pool) (host.Source, host.Caller) {
		return inv.Trusted(servers, pool, c.Policy)
	}
	c.Reached, err = inv.Identify(servers)
	return err
}

// relayName is the command between a measured agent and a stdio server.
const relayName = "relay"

func (a *app) relayCommand() *cobra.Command {
	return &cobra.Command{
		Use: relayName + " SENT CAME -- COMMAND", Hidden: true, Args: cobra.MinimumNArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := agents.Relay(cmd.Context(), a.In, a.Out, a.Err, args[0], args[1], args[2:])
			var died *exec.ExitError
			if errors.As(err, &died) { // as the server did, which has reported why
				return cli.Ended(max(1, died.ExitCode()))
			}
			return err
		},
	}
}
