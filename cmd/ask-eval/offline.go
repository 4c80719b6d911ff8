package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/offline"
)

func (a *app) offlineCommand() *cobra.Command {
	var f suiteFlags
	var seed uint32
	cmd := &cobra.Command{
		Use:   "offline",
		Short: "Put hand-written and generated cases before the gates",
		Long: `offline puts near-misses, and what is nearly one and has to be allowed, before the
gates: allowlist, plan, arguments, approval, result, evidence. No server is
started and no model is asked. The hand-written cases are built in, or yours
with --cases; the generated ones depend on --seed alone.

A case that fails is named: exit 10.`,
		Example: `  ask eval offline
  ask eval offline --seed 7 --json
  ask eval offline --cases my-cases.jsonl`,
		Args: cli.Exactly(0, "eval offline takes its cases with --cases FILE"),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.measureOffline(cmd.Context(), &f, seed) },
	}
	f.register(cmd)
	cmd.Flags().Lookup("cases").Usage = "`FILE` of your own cases, or a folder of files offline-*.jsonl, in place of those built in"
	cmd.Flags().Uint32Var(&seed, "seed", offline.DefaultSeed, "`N` that the generated cases are made from")
	return cmd
}

// offlineResults gives the document the name that it has in the published evaluation.
func offlineResults() resultNames {
	const name = "offline_gate_eval"
	names := namedAfter(name)
	names.metrics = name + ".json"
	return names
}

func (a *app) measureOffline(ctx context.Context, f *suiteFlags, seed uint32) error {
	s, err := offlineSuite(f, seed)
	if err != nil {
		return err
	}
	return a.measure(ctx, s, f, offlineResults())
}

func offlineSuite(f *suiteFlags, seed uint32) (eval.Suite, error) {
	if f.cases == "" {
		list, err := offline.Own()
		return offline.Suite(list, "gates, built-in cases", seed), err
	}
	c, err := held(f, offline.Read)
	s := offline.Suite(c.List, "gates, own cases", seed)
	s.File, s.Reading = f.cases, c.Reading
	return s, err
}
