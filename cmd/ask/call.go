package main

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
)

// callCommand is an operator's own plan through the same gates: the arguments
// are the question, and the proposer is a constant.
func (a *app) callCommand() *cobra.Command {
	var args, file string
	var summarize bool
	cmd := &cobra.Command{
		Use:     "call SERVER/TOOL",
		Short:   "Call one allowed tool with arguments of your own",
		Example: `  ask call mcp-policy-kb/fetch_policy_entry --demo --args '{"policy_id":"policy-001"}'`,
		Args:    exactly(1, "call takes SERVER/TOOL"),
	}
	cmd.Flags().StringVar(&args, "args", "{}", "the arguments, as one `JSON` object")
	cmd.Flags().StringVar(&file, "args-file", "", "read the arguments from `FILE`, or from stdin with -")
	cmd.Flags().BoolVar(&summarize, "summarize", false, "summarize the result")
	cmd.MarkFlagsMutuallyExclusive("args", "args-file")
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		server, tool, err := splitName(names[0])
		if err != nil {
			return err
		}
		var brought brought
		with := a.with()
		with.Planner = &setup.Planner{Proposer: &brought, Name: "constant"}
		return a.answer(cmd.Context(), with, func(ctx context.Context, s config.Settings) (string, []host.Option, error) {
			text := args
			if cmd.Flags().Changed("args-file") {
				if text, err = a.readBounded(ctx, file, input.MaxQuestion); err != nil {
					return "", nil, err
				}
			}
			text, err := arguments(text)
			brought.Constant = plan.Call(server, tool, jsontext.Value(text))
			return text, []host.Option{host.WithSummary(summarize || s.Summarize.V)}, err
		})
	}
	return cmd
}

// brought is the operator's, once its arguments are read.
type brought struct{ planner.Constant }

// arguments checks that text is one JSON object and writes it canonically, so
// that the input gate reads what the server will, and not escapes.
func arguments(text string) (string, error) {
	if len(text) > input.MaxQuestion {
		return text, nil // the input gate refuses it, and says so
	}
	if err := schema.Check([]byte(text), schema.PlanLimits); err != nil {
		return "", usage(verdict.UsageArgument, "the arguments have %v", err)
	}
	if jsontext.Value(text).Kind() != '{' {
		return "", usage(verdict.UsageArgument, "the arguments are not a JSON object")
	}
	canonical, err := schema.Canonical([]byte(text))
	if err != nil {
		return "", usage(verdict.UsageArgument, "the arguments have %v", err)
	}
	return string(canonical), nil
}

func splitName(s string) (server, tool string, err error) {
	server, tool, found := strings.Cut(s, "/")
	if !found || server == "" || tool == "" {
		return "", "", usage(verdict.UsageArgument, "%q is not SERVER/TOOL", s)
	}
	return server, tool, nil
}
