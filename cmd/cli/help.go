package cli

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Group returns a command that needs one of these verbs.
func Group(name, short string, verbs ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Args: cobra.ArbitraryArgs, RunE: wrongVerb}
	cmd.AddCommand(verbs...)
	return cmd
}

// FlagSet are the flags of a command.
type FlagSet = pflag.FlagSet

// Command is a command with its help. It takes as many arguments as its usage line
// names before an optional argument or a flag; for any other number it prints Takes.
// If Takes is empty, it takes any number.
type Command struct {
	Use, Short, Long, Example string
	Takes                     string
	Run                       func(ctx context.Context, args []string) error
	Flags                     func(*FlagSet) // optional
}

// Cobra returns the command for cobra.
func (c Command) Cobra() *cobra.Command {
	cmd := &cobra.Command{
		Use: c.Use, Short: c.Short, Long: c.Long, Example: c.Example,
		RunE: func(cmd *cobra.Command, args []string) error { return c.Run(cmd.Context(), args) },
	}
	if c.Takes != "" {
		words := strings.Fields(c.Use)[1:]
		if end := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "[") || strings.HasPrefix(w, "-") }); end >= 0 {
			words = words[:end]
		}
		cmd.Args = Exactly(len(words), c.Takes)
	}
	if c.Flags != nil {
		c.Flags(cmd.Flags())
	}
	return cmd
}

// Commands returns the commands of a table.
func Commands(table ...Command) (all []*cobra.Command) {
	for _, c := range table {
		all = append(all, c.Cobra())
	}
	return all
}

// helps replaces cobra's help and completion. With --json the help is a document, and
// an unknown topic or shell is an error.
func (a *App) helps(root *cobra.Command) {
	text := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !a.JSON {
			text(cmd, args)
			return
		}
		var b bytes.Buffer
		cmd.SetOut(&b)
		text(cmd, args)
		a.Document(Object{"help", b.String()})
	})
	root.SetHelpCommand(&cobra.Command{Use: "help [COMMAND]", Short: "Help about a command or a topic", Example: "  " + root.Name() + " help flags", ValidArgsFunction: completeHelp(root), RunE: func(_ *cobra.Command, args []string) error {
		if text := topic(root, args); text != "" {
			return a.Report(Object{"help", text}, nil, func() { _, _ = io.WriteString(a.Out, text) })
		}
		found, rest, err := root.Find(args)
		if found != nil && found.DisableFlagParsing { // a command of another program has its own help
			return found.RunE(found, append(rest, "--help"))
		}
		switch {
		case err == nil && len(rest) == 0:
			return found.Help()
		case err == nil && found != root && found.HasSubCommands():
			return wrongVerb(found, rest)
		}
		near := verdict.Near(strings.Join(args, " "), topics)
		if near == "" {
			near = Likely(root, args[0])
		}
		return Usage(verdict.UsageCommand, "no such command: %s%s", strings.Join(args, " "), near)
	}})
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(&cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "Print a shell's completion script",
		Example:   "  source <(" + root.Name() + " completion bash)",
		Args:      Exactly(1, "completion takes bash, zsh, fish or powershell"),
		ValidArgs: []cobra.Completion{"bash", "zsh", "fish", "powershell"},
		RunE:      func(_ *cobra.Command, args []string) error { return a.completion(root, args[0]) },
	})
}

func completeHelp(root *cobra.Command) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
		below, _, err := root.Find(args)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, c := range below.Commands() {
			if strings.HasPrefix(c.Name(), typed) && c.IsAvailableCommand() {
				all = append(all, cobra.CompletionWithDesc(c.Name(), c.Short))
			}
		}
		if below == root {
			all = append(all, topics...)
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

func (a *App) completion(root *cobra.Command, shell string) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(a.Out.Own(), true)
	case "zsh":
		return root.GenZshCompletion(a.Out.Own())
	case "fish":
		return root.GenFishCompletion(a.Out.Own(), true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(a.Out.Own())
	}
	return Usage(verdict.UsageArgument, "no completion for %q; the shells are bash, zsh, fish and powershell", shell)
}
