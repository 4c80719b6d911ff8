package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/gate/verdict"
)

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
	f := verdict.Fail(verdict.UsageCommand, nil, "%s", reason)
	f.Hint = "`" + group + " --help` explains them"
	return f
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

// usual returns the likely names here for a verb of other programs.
func usual(verb string) []string {
	switch verb {
	case "ls":
		return []string{"list"}
	case "rm", "del", "delete":
		return []string{"remove", "drop", "prune", "revoke"}
	case "cat", "get", "info", "view":
		return []string{"show"}
	case "create", "new":
		return []string{"add"}
	case "check":
		return []string{"validate", "verify", "test"}
	}
	return nil
}

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
	for _, name := range usual(typed) {
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
