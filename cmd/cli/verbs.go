package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Verb takes no arguments: a word in their place was meant for a verb.
func Verb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return wrongVerb(cmd, args)
}

// wrongVerb names the verbs of a group, and the one that was probably meant.
func wrongVerb(cmd *cobra.Command, args []string) error {
	group := cmd.CommandPath()
	reason := group + " takes one of " + strings.Join(verbs(cmd), ", ")
	if len(args) > 0 {
		reason = "there is no command " + group + " " + args[0] + "; " + reason + Likely(cmd, args[0])
	}
	f := verdict.Fail(verdict.UsageCommand, nil, "%s", reason)
	f.Hint = "`" + group + " --help` explains them"
	return f
}

// verbs are the commands of a group without those that every program has.
func verbs(of *cobra.Command) []string {
	return slices.DeleteFunc(Names(of), func(name string) bool { return name == "help" || name == "completion" })
}

// Names are the names of a command's own commands.
func Names(of *cobra.Command) (names []string) {
	for _, c := range of.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// usual says what a verb of another program is likely called here.
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

// Likely says which command was probably meant by a word, as the end of a
// sentence: one of a group's own that is spelled nearly like it, or begins with
// it, or does what other programs call so, or else one of another group that has
// this name. "" where there is none.
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
	const most = 3 // more are no hint
	if len(meant) == 0 || len(meant) > most {
		return ""
	}
	return "; did you mean " + strings.Join(meant, " or ") + "?"
}

// elsewhere are the paths of the commands that have a name.
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
