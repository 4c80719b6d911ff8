package cli

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Group is a command that needs a verb.
func Group(name, short string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Args: cobra.ArbitraryArgs, RunE: wrongVerb}
}

// Verb takes no arguments: what stands there was meant for a verb.
func Verb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return wrongVerb(cmd, args)
}

func wrongVerb(cmd *cobra.Command, args []string) error {
	var verbs []string
	for _, c := range cmd.Commands() {
		if !c.Hidden && c.Name() != "help" && c.Name() != "completion" {
			verbs = append(verbs, c.Name())
		}
	}
	meant := ""
	if len(args) > 0 {
		meant = Near(args[0], verbs)
	}
	return Usage(verdict.UsageCommand, "%s takes one of %s%s", cmd.CommandPath(), strings.Join(verbs, ", "), meant)
}

// Commands are the names of a command's own commands.
func Commands(of *cobra.Command) (names []string) {
	for _, c := range of.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// helps replaces cobra's help and completion: with --json the help is a
// document, and a topic or a shell that is not there is an error.
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
		a.Document(struct {
			SchemaVersion int    `json:"schema_version"`
			Help          string `json:"help"`
		}{host.SchemaVersion, b.String()})
	})
	root.SetHelpCommand(&cobra.Command{Use: "help [COMMAND]", Short: "Help about a command", RunE: func(_ *cobra.Command, args []string) error {
		found, rest, err := root.Find(args)
		if found != nil && found.DisableFlagParsing { // another program's, which helps itself
			return found.RunE(found, append(rest, "--help"))
		}
		if err != nil || len(rest) > 0 {
			return Usage(verdict.UsageCommand, "no such command: %s%s", strings.Join(args, " "), Near(strings.Join(args, " "), Commands(root)))
		}
		return found.Help()
	}})
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(&cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "Print a shell's completion script",
		Example: "  source <(" + root.Name() + " completion bash)",
		Args:    Exactly(1, "completion takes bash, zsh, fish or powershell"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.completion(root, args[0]) },
	})
}

func (a *App) completion(root *cobra.Command, shell string) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(a.Out, true)
	case "zsh":
		return root.GenZshCompletion(a.Out)
	case "fish":
		return root.GenFishCompletion(a.Out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(a.Out)
	}
	return Usage(verdict.UsageArgument, "no completion for %q: there are bash, zsh, fish and powershell", shell)
}
