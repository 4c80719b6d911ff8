package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// group is a command that needs a verb.
func group(name, short string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Args: cobra.ArbitraryArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		var verbs []string
		for _, c := range cmd.Commands() {
			if !c.Hidden {
				verbs = append(verbs, c.Name())
			}
		}
		return usage(verdict.UsageCommand, "%s takes one of %s", cmd.CommandPath(), strings.Join(verbs, ", "))
	}}
}

// helps replaces cobra's help and completion: with --json the help is a
// document, and a topic or a shell that is not there is an error.
func (a *app) helps(root *cobra.Command) {
	text := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !a.json {
			text(cmd, args)
			return
		}
		var b bytes.Buffer
		cmd.SetOut(&b)
		text(cmd, args)
		a.document(struct {
			SchemaVersion int    `json:"schema_version"`
			Help          string `json:"help"`
		}{host.SchemaVersion, b.String()})
	})
	root.SetHelpCommand(&cobra.Command{Use: "help [COMMAND]", Short: "Help about a command", RunE: func(_ *cobra.Command, args []string) error {
		found, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return usage(verdict.UsageCommand, "no such command: %s", strings.Join(args, " "))
		}
		return found.Help()
	}})
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(&cobra.Command{
		Use: "completion bash|zsh|fish|powershell", Short: "Print a shell's completion script",
		Example: "  source <(ask completion bash)",
		Args:    exactly(1, "completion takes bash, zsh, fish or powershell"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.completion(root, args[0]) },
	})
}

func (a *app) completion(root *cobra.Command, shell string) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(a.out, true)
	case "zsh":
		return root.GenZshCompletion(a.out)
	case "fish":
		return root.GenFishCompletion(a.out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(a.out)
	}
	return usage(verdict.UsageArgument, "no completion for %q: there are bash, zsh, fish and powershell", shell)
}

// showVersion prints the version.
func (a *app) showVersion() {
	if a.json {
		a.document(struct {
			SchemaVersion int    `json:"schema_version"`
			Version       string `json:"version"`
		}{host.SchemaVersion, version})
		return
	}
	fmt.Fprintf(a.out, "ask %s\n", version)
}
