package main

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
)

// callCommand is an operator's own plan through the same gates: the arguments
// are the question, and the proposer is a constant.
func (a *app) callCommand() *cobra.Command {
	var args, file string
	q := &questionFlags{}
	cmd := &cobra.Command{
		Use:     "call SERVER/TOOL",
		Short:   "Call one allowed tool with arguments of your own",
		Example: `  ask call mcp-policy-kb/fetch_policy_entry --demo --args '{"id":"policy-001"}'`,
		Args:    exactly(1, "call takes SERVER/TOOL"),
		RunE: func(cmd *cobra.Command, names []string) error {
			text, err := a.arguments(cmd, args, file)
			if err != nil {
				return err
			}
			server, tool, err := splitName(names[0])
			if err != nil {
				return err
			}
			opts, err := a.questionOptions(q)
			if err != nil {
				return err
			}
			w, err := a.wire(func(config.Settings) (proposer, error) {
				return proposer{planner.Constant(planner.Call(server, tool, jsontext.Value(text))), "constant"}, nil
			})
			if err != nil {
				return err
			}
			return a.answer(cmd.Context(), w, text, opts)
		},
	}
	cmd.Flags().StringVar(&args, "args", "{}", "the arguments, as one `JSON` object")
	cmd.Flags().StringVar(&file, "args-file", "", "read the arguments from `FILE`, or from stdin with -")
	cmd.Flags().BoolVar(&q.summarize, "summarize", false, "summarize the result")
	cmd.MarkFlagsMutuallyExclusive("args", "args-file")
	return cmd
}

func (a *app) arguments(cmd *cobra.Command, args, file string) (string, error) {
	if cmd.Flags().Changed("args-file") {
		var err error
		if args, err = a.readBounded(file, input.MaxQuestion); err != nil {
			return "", err
		}
	}
	if len(args) > input.MaxQuestion {
		return args, nil // the input gate refuses it, and says so
	}
	if err := schema.Check([]byte(args), schema.PlanLimits); err != nil {
		return "", usage(verdict.UsageArgument, "the arguments have %v", err)
	}
	if jsontext.Value(args).Kind() != '{' {
		return "", usage(verdict.UsageArgument, "the arguments are not a JSON object")
	}
	return args, nil
}

func splitName(s string) (server, tool string, err error) {
	server, tool, found := strings.Cut(s, "/")
	if !found || server == "" || tool == "" {
		return "", "", usage(verdict.UsageArgument, "%q is not SERVER/TOOL", s)
	}
	return server, tool, nil
}
