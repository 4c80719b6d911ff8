package cli

import (
	"errors"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Root makes a command the root, with this package's global flags, errors and help.
func (a *App) Root(root *cobra.Command) *cobra.Command {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		f := verdict.Fail(verdict.UsageFlag, nil, "%v%s", err, nearFlag(cmd, err))
		f.Hint = "`" + cmd.CommandPath() + " --help` lists them"
		return f
	})
	a.globalFlags(root)
	a.helps(root)
	root.SetUsageTemplate(usageTemplate)
	return root
}

func nearFlag(cmd *cobra.Command, err error) string {
	typed, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return ""
	}
	var names []string
	for _, flag := range regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(cmd.Flags().FlagUsages(), -1) {
		names = append(names, strings.TrimPrefix(flag, "--"))
	}
	return strings.Replace(verdict.Near(typed, names), "mean ", "mean --", 1)
}

func (a *App) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.BoolVar(&a.JSON, "json", false, "print one JSON document on stdout")
	a.formFlags(f)
	f.BoolVarP(&a.Quiet, "quiet", "q", false, "print the answer and errors alone")
	f.BoolVar(&a.Debug, "debug", false, "print every gate's decision on stderr, and what servers report, or print to stdout outside the protocol")
	f.BoolVar(&a.NoInput, "no-input", false, "never ask a question")
	f.BoolVar(&a.NoColor, "no-color", false, "no colour, as with NO_COLOR")
	f.StringVar(&a.Flags.Config, "config", "", "configuration `FILE` instead of the user's")
	a.Flags.Given = map[string]string{}
	for _, s := range config.Table() {
		if s.Flag != "" {
			// config.Load reports a fault in the text, because it knows the values of
			// the setting.
			f.Var(textFlag{s.Argument, func(text string) error { a.Flags.Given[s.Flag] = text; return nil }}, s.Flag, s.Meaning)
			f.Lookup(s.Flag).DefValue = s.Otherwise()
		}
	}
	f.BoolVar(&a.Demo, "demo", false, "use the demo servers inside this binary")
	f.BoolVar(&a.Live, "live", false, "ask every allowlisted server for its tools, and compare them with the approved ones")
	f.Var(textFlag{"FILE", a.lock}, "locked", "accept the pins of `FILE` alone, and no program that may change unseen")
	f.BoolVar(&a.DryRun, "dry-run", false, "plan and verdicts, no call")
}

// lock names the file of pins. An empty name is an error, because it may come from an
// unset variable, and must not mean the same as no flag.
func (a *App) lock(name string) error {
	if name == "" {
		return errors.New("it takes the name of a file")
	}
	a.Locked = name
	return nil
}

// textFlag is a flag with a text that is read as given.
type textFlag struct {
	argument string // its name in the help
	set      func(text string) error
}

func (f textFlag) String() string { return "" }
func (f textFlag) Type() string   { return f.argument }

// Set reads the text.
func (f textFlag) Set(text string) error { return f.set(text) }
