package cli

import (
	"bytes"
	_ "embed" // the exit codes
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Group returns a command that needs one of its subcommands.
func Group(name, short string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Args: cobra.ArbitraryArgs, RunE: WrongVerb}
}

// FlagSet are the flags of a command.
type FlagSet = pflag.FlagSet

// Commands makes the root and the commands below it from their help. The key of a
// command is its path below the root, and "" is the root. The text describes its own
// form. Each command refuses everything until its RunE is set.
func Commands(help string) map[string]*cobra.Command {
	all := map[string]*cobra.Command{}
	_, help, _ = strings.Cut(help, "\n# ")
	for section := range strings.SplitSeq(help, "\n# ") {
		usage, text, _ := strings.Cut(section, "\n")
		above, name, arguments := usageParts(usage)
		cmd := Group(strings.TrimSpace(name+" "+arguments), "")
		if why, isAbsent := strings.CutPrefix(text, "- "); isAbsent {
			absent(cmd, why)
		} else {
			describe(cmd, text, needed(arguments))
		}
		if len(all) == 0 {
			all[""] = cmd
			continue
		}
		_, above, _ = strings.Cut(above, " ")
		all[above].AddCommand(cmd)
		all[strings.TrimSpace(above+" "+name)] = cmd
	}
	return all
}

// usageParts cuts a usage line into the path above its command, the command's name, and
// its arguments. Names alone begin with a small letter.
func usageParts(line string) (above, name, arguments string) {
	name, arguments, _ = strings.Cut(line, " ")
	for arguments != "" && 'a' <= arguments[0] && arguments[0] <= 'z' {
		above = strings.TrimSpace(above + " " + name)
		name, arguments, _ = strings.Cut(arguments, " ")
	}
	return above, name, arguments
}

// describe sets the help of a command, and how many arguments it takes.
func describe(cmd *cobra.Command, text string, arguments int) {
	cmd.Short, text, _ = strings.Cut(text, "\n")
	if rest, refuses := strings.CutPrefix(text, "! "); refuses {
		wants, after, _ := strings.Cut(rest, "\n")
		cmd.Args, text = Exactly(arguments, wants), after
	}
	example := strings.Index(text+"\n  ", "\n  ")
	cmd.Long, cmd.Example = strings.Trim(text[:example], "\n"), strings.Trim(text[example:], "\n")
}

// absent hides a command, and makes it explain why it does not exist.
func absent(cmd *cobra.Command, text string) {
	why, instead, _ := strings.Cut(text, "\n- ")
	cmd.Hidden, cmd.DisableFlagParsing = true, true
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return verdict.Fail(verdict.UsageCommand, nil, "there is no command %s: %s", cmd.CommandPath(), why).WithHint(strings.TrimSpace(instead))
	}
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
//
//go:embed exits.txt
var exits string

// Verb takes no arguments, because an argument was meant as a verb.
func Verb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return WrongVerb(cmd, args)
}

// WrongVerb names the verbs of a group, and the verb that was probably meant.
func WrongVerb(cmd *cobra.Command, args []string) error {
	group := cmd.CommandPath()
	reason := group + " takes one of " + strings.Join(verbs(cmd), ", ")
	if len(args) > 0 {
		reason = "there is no command " + group + " " + args[0] + "; " + reason + Likely(cmd, args[0])
	}
	return verdict.Fail(verdict.UsageCommand, nil, "%s", reason).WithHint("`" + group + " --help` explains them")
}

// verbs returns the commands of a group without the ones that every program has.
func verbs(of *cobra.Command) []string {
	return slices.DeleteFunc(Names(of), func(name string) bool { return name == "help" || name == "completion" })
}

// Names returns the names of a command's subcommands.
func Names(of *cobra.Command) (names []string) {
	for _, c := range of.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// usual are the likely names here for the verbs of other programs.
var usual = map[string][]string{
	"ls": {"list"}, "rm": removes, "del": removes, "delete": removes,
	"cat": {"show"}, "get": {"show"}, "info": {"show"}, "view": {"show"},
	"create": {"add"}, "new": {"add"}, "check": {"validate", "verify", "test"},
}

var removes = []string{"remove", "drop", "prune", "revoke"}

// Likely suggests the command that was probably meant by a word, as the end of a
// sentence. That is a command of the group with a similar spelling, with this
// beginning, or with the same function in other programs. Otherwise it is a command of
// another group with this name. It returns "" if it finds none.
func Likely(group *cobra.Command, typed string) string {
	names, typed := verbs(group), strings.ToLower(typed)
	if near := verdict.Near(typed, names); near != "" {
		return near
	}
	const least = 2 // letters of a beginning
	meant := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return len(typed) < least || !strings.HasPrefix(name, typed)
	})
	for _, name := range usual[typed] {
		if len(meant) == 0 && slices.Contains(names, name) {
			meant = []string{name}
		}
	}
	if len(meant) == 0 {
		meant = elsewhere(group.Root(), typed)
	}
	const most = 3 // more are not a hint
	if len(meant) == 0 || len(meant) > most {
		return ""
	}
	return "; did you mean " + strings.Join(meant, " or ") + "?"
}

// elsewhere returns the paths of the commands with a name.
func elsewhere(at *cobra.Command, name string) (paths []string) {
	for _, c := range at.Commands() {
		switch {
		case c.Hidden:
		case c.Name() == name:
			paths = append(paths, c.CommandPath())
		default:
			paths = append(paths, elsewhere(c, name)...)
		}
	}
	return paths
}
