package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
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
  ask tools
  ask trace verify RUN_ID`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SuggestionsMinimumDistance = 2 // cobra's default, which it sets only when it finds the mistake itself
	q := &questionFlags{}
	q.register(root)
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
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return usage(verdict.UsageFlag, "%v", err)
	})
	a.globalFlags(root)
	a.helps(root)
	root.SetUsageTemplate(root.UsageTemplate() + "{{if not .HasParent}}" + variables() + "{{end}}")
	root.AddCommand(a.runCommand(), a.callCommand(), a.toolsCommand(), a.serversCommand(), a.modelsCommand(),
		a.traceCommand(), a.configCommand(), a.doctorCommand(), a.evalCommand(), a.demoCommand())
	return root
}

func (a *app) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.BoolVar(&a.json, "json", false, "print one JSON document on stdout")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "print the answer and errors alone")
	f.BoolVar(&a.debug, "debug", false, "print every gate's decision on stderr")
	f.BoolVar(&a.noInput, "no-input", false, "never ask anything back")
	f.BoolVar(&a.noColor, "no-color", false, "no colour, as with NO_COLOR")
	f.StringVar(&a.flags.Config, "config", "", "configuration `FILE` in place of the user's")
	a.flags.Given = map[string]string{}
	for _, s := range config.Table() {
		if s.Flag != "" {
			f.Var(settingFlag{s, a.flags.Given}, s.Flag, s.Meaning)
			f.Lookup(s.Flag).DefValue = s.Otherwise()
		}
	}
	f.BoolVar(&a.demo, "demo", false, "use the demo servers inside this binary")
	f.BoolVar(&a.dryRun, "dry-run", false, "plan and verdicts, no call")
}

// settingFlag is the flag of a setting.
type settingFlag struct {
	of    config.Setting
	given map[string]string
}

func (f settingFlag) String() string { return f.given[f.of.Flag] }
func (f settingFlag) Type() string   { return f.of.Argument }

// Set keeps the text: what is wrong with it is said by config.Load, which
// knows what the setting takes.
func (f settingFlag) Set(text string) error {
	f.given[f.of.Flag] = text
	return nil
}

// variables says in the help what else sets a setting.
func variables() string {
	text := "\nVariables:\n  ASK_HOME              directory of all of onestep's files\n"
	for _, s := range config.Table() {
		if s.Variable != "" {
			text += fmt.Sprintf("  %-20s  %s\n", s.Variable, s.Meaning)
		}
	}
	return text
}

// asks reports whether a character is one that no command's name has.
func asks(r rune) bool { return unicode.IsSpace(r) || r == '?' || r == '？' }

// rootQuestion tells a question from a mistyped command: it is one argument
// and has white space or a question mark, or it follows "--".
func rootQuestion(cmd *cobra.Command, args []string) (string, error) {
	switch {
	case len(args) == 0:
		return "", usage(verdict.UsageArgument, `no question: ask "what you want to know"`)
	case cmd.ArgsLenAtDash() == 0 && len(args) == 1:
		return args[0], nil
	case len(args) == 1 && (args[0] == "" || strings.ContainsFunc(args[0], asks)):
		return args[0], nil
	}
	reason := "no such command: " + args[0]
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		reason += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	if len(args) > 1 {
		reason += " (a question is one argument: put it in quotes)"
	}
	return "", usage(verdict.UsageCommand, "%s", reason)
}
