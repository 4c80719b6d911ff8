package main

import (
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

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   `ask "question"`,
		Short: "One question, at most one tool call, one answer, and a record of it",
		Long: `ask takes one question, makes at most one call of a tool that the operator's
allowlist names, and keeps a trace from which anyone can check the answer.`,
		Example: `  ask --demo "Summarize policy-002"
  ask "Fetch the PII logging policy"
  ask --jq .typed.title "Get ticket INC0010001"
  ask tools
  ask trace verify RUN_ID`,
		Args: cobra.ArbitraryArgs,
	}
	q := &questionFlags{}
	q.register(root)
	a.saver.register(root)
	wantsVersion := root.Flags().BoolP("version", "v", false, "print the version")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *wantsVersion {
			a.showVersion()
			return nil
		}
		text, err := rootQuestion(cmd, args)
		if err != nil {
			return err
		}
		return a.ask(cmd.Context(), text, q)
	}
	a.Root(root)
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) { a.Asker, a.Waits = a.asker(cmd.Context()), a.Notices() }
	root.AddCommand(a.runCommand(), a.callCommand(), a.approveCommand(), a.approvalsCommand(), a.resumeCommand(), a.toolsCommand(), a.serversCommand(), a.modelsCommand(),
		a.traceCommand(), a.guardCommand(), a.quarantineCommand(), a.configCommand(), a.doctorCommand(), a.evalCommand(), a.demoCommand(), a.versionCommand())
	return root
}

// asks reports whether a character is one that no command's name has.
func asks(r rune) bool { return unicode.IsSpace(r) || r == '?' || r == '？' }

// rootQuestion tells a question from a mistyped command: it is one argument
// and has white space or a question mark, or it follows "--".
func rootQuestion(cmd *cobra.Command, args []string) (string, error) {
	switch {
	case len(args) == 0:
		return "", cli.Usage(verdict.UsageArgument, `no question: ask "what you want to know"`)
	case cmd.ArgsLenAtDash() == 0 && len(args) == 1:
		return args[0], nil
	case len(args) == 1 && (args[0] == "" || strings.ContainsFunc(args[0], asks)):
		return args[0], nil
	}
	reason := "no such command: " + args[0]
	reason += cli.Near(args[0], cli.Commands(cmd))
	if len(args) > 1 {
		reason += " (a question is one argument: put it in quotes)"
	}
	return "", cli.Usage(verdict.UsageCommand, "%s", reason)
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version, and what a trace names of it", Args: cli.Exactly(0, "version takes nothing"),
		RunE: func(*cobra.Command, []string) error {
			a.showVersion()
			return nil
		},
	}
}

// showVersion prints the version.
func (a *app) showVersion() {
	if a.JSON {
		a.Document(struct {
			SchemaVersion  int    `json:"schema_version"`
			Version        string `json:"version"`
			Go             string `json:"go"`
			BuiltInRules   string `json:"builtin_rules"`
			TraceFormat    int    `json:"trace_format"`
			OutcomeVersion int    `json:"outcome_schema_version"`
		}{host.SchemaVersion, version, runtime.Version(), input.BuiltInDigest(), trace.Format, host.OutcomeVersion})
		return
	}
	fmt.Fprintf(a.Out, "ask %s (%s, trace format %d)\n", version, runtime.Version(), trace.Format)
}
