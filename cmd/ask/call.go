package main

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// callCommand is an operator's own plan through the same gates.
func (a *app) callCommand() *cobra.Command {
	var args, file string
	var summarize bool
	cmd := &cobra.Command{
		Use:     "call SERVER/TOOL",
		Short:   "Call one allowed tool with arguments of your own",
		Example: `  ask call mcp-policy-kb/fetch_policy_entry --demo --args '{"policy_id":"policy-001"}'`,
		Args:    cli.Exactly(1, "call takes SERVER/TOOL"),
	}
	cmd.Flags().StringVar(&args, "args", "{}", "the arguments, as one `JSON` object")
	cmd.Flags().StringVar(&file, "args-file", "", "read the arguments from `FILE`, or from stdin with -")
	cmd.Flags().BoolVar(&summarize, "summarize", false, "summarize the result")
	yes := cmd.Flags().Bool("yes", false, "approve the call of a tool that is not called reading, without being asked")
	a.saver.register(cmd)
	cmd.MarkFlagsMutuallyExclusive("args", "args-file")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		server, tool, err := splitName(names[0])
		if err != nil {
			return err
		}
		with := a.Options()
		with.NoPlans = true
		if *yes {
			with.Approver = unasked{}
		}
		return a.answer(cmd.Context(), with, func(ctx context.Context, s config.Settings) (host.Question, error) {
			text := args
			if cmd.Flags().Changed("args-file") {
				if text, err = a.readBounded(ctx, file, schema.PlanLimits.Bytes); err != nil {
					return host.Question{}, err
				}
			}
			wants := summarize || s.Summarize.V
			return host.Question{Plan: plan.Call(server, tool, jsontext.Value(text)), Summarize: host.WishOf(&wants)}, arguments(text)
		})
	}
	return cmd
}

// arguments reports whether text is one JSON object: what is not is a mistake
// on the command line. What the object holds is for the gates.
func arguments(text string) error {
	if err := schema.Check([]byte(text), schema.PlanLimits); err != nil {
		return cli.Usage(verdict.UsageArgument, "the arguments have %v", err)
	}
	if jsontext.Value(text).Kind() != '{' {
		return cli.Usage(verdict.UsageArgument, "the arguments are not a JSON object")
	}
	return nil
}

func splitName(s string) (server, tool string, err error) {
	server, tool, found := strings.Cut(s, "/")
	if !found || server == "" || tool == "" {
		return "", "", cli.Usage(verdict.UsageArgument, "%q is not SERVER/TOOL", s)
	}
	return server, tool, nil
}
