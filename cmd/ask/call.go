package main

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// callFlags are the flags of one call.
type callFlags struct {
	args, file string
	whole      bool // the arguments are one JSON object
	summarize  bool
	yes        bool
}

// callCommand is an operator's own plan through the same gates.
func (a *app) callCommand() *cobra.Command {
	c := &callFlags{}
	cmd := cli.Command{
		Use:   "call SERVER/TOOL [NAME=VALUE…]",
		Short: "Call one allowed tool with arguments of your own",
		Long: `call makes one call with the arguments that you write, through the same gates as
a question. NAME=VALUE is read as the type that the tool's input schema has: a
string keeps its text, a list or an object is JSON. NAME:=JSON is JSON for any
type. --args takes all arguments as one JSON object instead.`,
		Example: `  ask call mcp-policy-kb/fetch_policy_entry --demo policy_id=policy-001
  ask call mcp-policy-kb/fetch_policy_entry --demo --args '{"policy_id":"policy-001"}'
  ask call mcp-policy-kb/fetch_policy_entry --demo --args - <args.json`,
		Flags: func(f *cli.FlagSet) {
			f.StringVar(&c.args, "args", "", "the arguments, as one `JSON` object, or - to read it from stdin")
			f.StringVar(&c.file, "args-file", "", "read the arguments from `FILE`, or from stdin with -")
			f.BoolVar(&c.summarize, "summarize", false, "summarize the result")
			f.BoolVar(&c.yes, "yes", false, "approve the call of a tool that is not called reading, without being asked")
			a.saveFlag(f)
		},
	}.Cobra()
	cmd.MarkFlagsMutuallyExclusive("args", "args-file")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cli.Usage(verdict.UsageArgument, "call takes SERVER/TOOL, and the tool's arguments")
		}
		c.whole = cmd.Flags().Changed("args") || cmd.Flags().Changed("args-file")
		return a.call(cmd.Context(), args[0], args[1:], c)
	}
	return cmd
}

func (a *app) call(ctx context.Context, name string, typed []string, c *callFlags) error {
	server, tool, err := desk.SplitName(name)
	if err != nil {
		if inv, bad := a.servers(); bad == nil {
			_, _, err = inv.SplitName(name)
		}
		return err
	}
	given, err := desk.ReadArguments(typed)
	if err != nil {
		return err
	}
	if c.whole && len(given) > 0 {
		return cli.Usage(verdict.UsageArgument, "the arguments are either NAME=VALUE or one JSON object, not both")
	}
	with := a.Options()
	with.Mode, with.Servers = setup.Plans, []string{server} // what another server takes is not asked for
	return a.answer(ctx, with, c.yes, func(ctx context.Context, s config.Settings, h *setup.Ready) (host.Question, error) {
		planned := func(ctx context.Context) ([]byte, error) {
			text, err := a.argsFrom(ctx, h, server, tool, given)
			return plan.Call(server, tool, text), err
		}
		if c.whole {
			planned = func(ctx context.Context) ([]byte, error) {
				text, err := a.argsOf(ctx, c)
				return plan.Call(server, tool, text), err
			}
		} else {
			a.again = planned
		}
		wants := c.summarize || s.Summarize.V
		text, err := planned(ctx)
		return host.Question{Plan: text, Summarize: &wants}, err
	})
}

// argsOf is the one JSON object that was given.
func (a *app) argsOf(ctx context.Context, c *callFlags) (jsontext.Value, error) {
	text, from := c.args, c.file
	if text == fromStdin {
		from = fromStdin
	}
	if from != "" {
		var err error
		if text, err = a.readBounded(ctx, from, schema.PlanLimits.Bytes); err != nil {
			return nil, err
		}
	}
	return jsontext.Value(text), arguments(text)
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

// argsFrom reads the arguments by the schema that was approved of the tool. It asks
// no server, not with --live either: the input gate has not allowed the run yet.
func (a *app) argsFrom(ctx context.Context, h *setup.Ready, server, tool string, given desk.Arguments) (args jsontext.Value, err error) {
	read := func(c catalog.Catalog) (err error) {
		t, missing := c.Tool(server, tool)
		if missing != nil {
			args = given.Texts()
			return nil //nolint:nilerr // the gate refuses it, with the arguments as texts
		}
		if args, err = given.Typed(t.Input().Params()); err != nil {
			return err
		}
		return arguments(string(args))
	}
	if !a.Live {
		return args, read(h.Catalog(ctx, subject(), server))
	}
	d, err := a.desk()
	if err != nil {
		return nil, err
	}
	d.With.Live = false
	err = d.List(ctx, []string{server}, read)
	return args, err
}
