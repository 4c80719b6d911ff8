package cli

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Group returns a command that needs one of its subcommands.
func Group(name, short string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Args: cobra.ArbitraryArgs, RunE: WrongVerb}
}

// FlagSet are the flags of a command.
type FlagSet = pflag.FlagSet

// usageLine is the usage of a command: the path above it, its name, and its arguments.
var usageLine = regexp.MustCompile(`^((?:[a-z]+ )*)([a-z]+)( .*)?$`)

// Commands makes the root and the commands below it from their help. The text describes
// its own form. Each command refuses everything until its RunE is set.
func Commands(help string) (root *cobra.Command) {
	all := map[string]*cobra.Command{}
	for _, section := range strings.Split(help, "\n# ")[1:] {
		usage, text, _ := strings.Cut(section, "\n")
		parts := usageLine.FindStringSubmatch(usage)
		cmd := Group(parts[2]+parts[3], "")
		cmd.Short, text, _ = strings.Cut(text, "\n")
		if wants, rest, found := strings.Cut(text, "\n"); found && strings.HasPrefix(wants, "! ") {
			cmd.Args, text = Exactly(needed(parts[3]), wants[len("! "):]), rest
		}
		example := strings.Index(text+"\n  ", "\n  ")
		cmd.Long, cmd.Example = strings.Trim(text[:example], "\n"), strings.Trim(text[example:], "\n")
		all[parts[1]+parts[2]] = cmd
		if above := all[strings.TrimSpace(parts[1])]; above != nil {
			above.AddCommand(cmd)
		} else {
			root = cmd
		}
	}
	return root
}

// needed counts the arguments of a usage line before an optional one or a flag.
func needed(usage string) int {
	words := strings.Fields(usage)
	end := slices.IndexFunc(words, func(w string) bool { return w[0] == '[' || w[0] == '-' })
	if end < 0 {
		return len(words)
	}
	return end
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
			return WrongVerb(found, rest)
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
