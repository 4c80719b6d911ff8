package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// Version is set when a release is built.
var version = "development"

// questionOrWelcome asks a question, or shows a first user what to do.
func (a *app) questionOrWelcome(cmd *cobra.Command) action {
	ask := a.asks(cmd.Flags())
	wantsVersion := cmd.Flags().BoolP("version", "v", false, "print the version")
	return func(ctx context.Context, args []string) error {
		switch {
		case *wantsVersion:
			return a.showVersion(ctx, args)
		case len(args) == 0:
			return a.welcome()
		}
		text, err := rootQuestion(cmd, args)
		if err != nil {
			return err
		}
		return ask(ctx, text)
	}
}

// groups are the commands as the help shows them.
var groups = []struct{ title, commands string }{
	{"Ask", "run call tools resume demo"},
	{"Review", "approvals approve grants guard manifest policy quarantine"},
	{"Records", "trace conversations eval"},
	{"Set-up", "servers clients wrap models config doctor completion help version"},
}

func group(root *cobra.Command) {
	of := map[string]string{}
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for name := range strings.FieldsSeq(g.commands) {
			of[name] = g.title
		}
	}
	for _, c := range root.Commands() {
		c.GroupID = of[c.Name()]
	}
	root.SetHelpCommandGroupID(of["help"])
}

// isQuestion reports whether an argument cannot be a command.
func isQuestion(arg string) bool {
	return arg == "" || arg == fromStdin || strings.ContainsFunc(arg, func(r rune) bool {
		return unicode.IsSpace(r) || r == '?' || r == '？'
	})
}

// rootQuestion distinguishes a question from a mistyped command. A question is one argument
// with white space or a question mark, or follows "--"; - means the text on stdin.
func rootQuestion(cmd *cobra.Command, args []string) (string, error) {
	switch {
	case cmd.ArgsLenAtDash() == 0 && len(args) == 1:
		return args[0], nil
	case len(args) == 1 && isQuestion(args[0]):
		return args[0], nil
	}
	reason := "no such command: " + args[0]
	reason += cli.Likely(cmd, args[0])
	if len(args) > 1 {
		reason += " (a question is one argument: put it in quotes)"
	}
	return "", cli.Usage(verdict.UsageCommand, "%s", reason)
}

func (a *app) showVersion(context.Context, []string) error {
	return a.Report(cli.Object{
		"version", version, "go", runtime.Version(), "builtin_rules", input.BuiltInDigest(),
		"trace_format", trace.Format, "outcome_schema_version", host.OutcomeVersion,
	}, nil, func() { fmt.Fprintf(a.Out, "ask %s (%s, trace format %d)\n", version, runtime.Version(), trace.Format) })
}

// absent are commands that users of other programs try first, with the reason for their
// absence and the nearest command.
var absent = map[string]struct{ why, nearest string }{
	"login":        {"each server has a login, and a model has a key", "`ask servers login NAME`, or `ask models key set PROVIDER`"},
	"logout":       {"each server has a login, and a model has a key", "`ask servers logout NAME`, or `ask models key remove PROVIDER`"},
	"resources":    {"a server's resources are not read: one question is at most one call of a tool", "`ask tools` lists the tools that a run may call"},
	"prompts":      {"a server's prompts are not used: a run asks in your own words", "`ask tools` lists the tools that a run may call"},
	"chat":         {"a run is one question and keeps no conversation", "`ask \"QUESTION\"`; --context-from FILE adds text"},
	"init":         {"no set-up is needed but a server", "`ask servers import` copies those of a client, `ask servers add` adds one"},
	"allow":        {"tools are allowed in a review, or in the allowlist file", "`ask servers review` asks tool by tool"},
	"logs":         {"a run leaves a trace instead of a log", "`ask trace list`, `ask trace show latest`; `ask servers logs NAME` has what a server wrote to stderr"},
	"history":      {"a run leaves a trace instead of a history", "`ask trace list`, `ask trace show latest`"},
	"config edit":  {"settings are edited one by one, or with an editor", "`ask config show --origin` names the file of each setting, `ask config set KEY VALUE` writes one"},
	"servers edit": {"the servers file is edited with an editor", "`ask servers show NAME` names its file and line; `ask servers add` and `ask servers remove` write it"},
	"servers start": {
		"a server is started for one run, and ends with it", "`ask servers test NAME` starts one and lists its tools",
	},
	"tools call":    {"a separate command calls a tool", "`ask call SERVER/TOOL`"},
	"tools allow":   {"tools are allowed in a review, or in the allowlist file", "`ask servers review SERVER --all-tools` asks tool by tool"},
	"trace delete":  {"traces are removed by their age", "`ask trace prune --older-than 90d --dry-run` shows which"},
	"models add":    {"a provider needs no entry", "`ask models list` shows them, `ask models key set PROVIDER` keeps a key"},
	"approvals add": {"an approval is for one pending call", "`ask approvals list` shows the pending calls, `ask approve RUN` approves one"},
}

// explainAbsent adds these commands. They are not shown, and not completed.
func explainAbsent(root *cobra.Command) {
	for path, of := range absent {
		words := strings.Fields(path)
		name := words[len(words)-1]
		parent, _, err := root.Find(words[:len(words)-1])
		if err != nil {
			continue // a test finds each
		}
		parent.AddCommand(&cobra.Command{
			Use: name, Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error {
				f := verdict.Fail(verdict.UsageCommand, nil, "there is no command ask %s: %s", path, of.why)
				f.Hint = of.nearest
				return f
			},
		})
	}
}
