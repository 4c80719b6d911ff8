package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config"
)

// usageTemplate is cobra's template without the global flags, which are a topic.
const usageTemplate = `Usage:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}{{$all := .Commands}}{{if not .Groups}}

Commands:{{range $all}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{range $group := .Groups}}

{{.Title}}{{range $all}}{{if and (eq .GroupID $group.ID) (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{end}}{{$flags := .LocalFlags}}{{if not .HasParent}}{{$flags = .LocalNonPersistentFlags}}{{end}}{{if $flags.HasAvailableFlags}}

Flags:
{{$flags.FlagUsages | trimTrailingWhitespaces}}{{end}}

More help:{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND --help{{end}}
  {{.Root.CommandPath}} help flags        the flags that every command takes, and the variables
  {{.Root.CommandPath}} help exit-codes   what an exit code means
`

// topics are the subjects of help besides commands.
var topics = []string{"flags", "exit-codes"}

// topic returns the text of a topic, or "" if the arguments name none.
func topic(root *cobra.Command, args []string) string {
	switch strings.Join(args, " ") {
	case "flags":
		return "Flags that every command takes:\n" + root.PersistentFlags().FlagUsages() + variables()
	case "exit-codes":
		return exits
	}
	return ""
}

// variables lists the variables that change a setting.
func variables() string {
	text := "\nVariables:\n  ASK_HOME              directory of all of onestep's files\n"
	for _, s := range config.Table() {
		if s.Variable != "" {
			text += fmt.Sprintf("  %-20s  %s\n", s.Variable, s.Meaning)
		}
	}
	return text
}

// exits explains the exit codes; docs/codes.md has the exit code of each code.
const exits = `Exit codes:
  0    answered
  1    internal failure
  2    wrong usage or configuration
  3    refused by a gate
  4    an approval is needed, or the given one is for another call
  5    a call left, and there is no usable answer
  6    a server cannot be reached, failed to start or needs a login; no call left
  7    the model or the planner failed; no call left
  8    more information is needed
  9    the evidence or a trace fails its check
  10   an evaluation, a preflight or doctor found failures
  124  the time limit of the run ended; 130 interrupted, 143 terminated
`
