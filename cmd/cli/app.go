// Package cli is the common part of the commands. It has streams that remember a
// failed write, the global flags, output as one JSON document or as escaped text,
// errors with their code and advice, and the exit codes.
//
// It vouches that a run ends with exactly one exit code, that a panic is an internal
// failure and not a usage error, and that it escapes all untrusted text for a
// terminal. It knows no question and no server.
//
// cmd/ask and cmd/ask-eval are built on it.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/confine"
)

// App is one run of a command: its streams, its environment, its global flags. Out
// carries the answer or one JSON document; Err carries everything else.
type App struct {
	In       io.Reader
	Out, Err *Stream
	Env      config.Environ
	Version  string // of the program

	Asker   config.Asker              // asks a person for the inputs of a servers file; nil without one
	Reports func(server, text string) // receives the servers' reports during the run; nil to ignore them
	Waits   setup.Waits               // receives what the program waits for; nil to ignore it
	Flags   config.Flags
	JSON    bool // the command's result is a document, which a form may transform
	Quiet   bool
	Debug   bool
	NoInput bool
	NoColor bool
	Demo    bool
	Live    bool   // ask the servers for their current lists, too
	Locked  string // a file of pins
	DryRun  bool

	refused sync.Map // lines of blocked; a process has a thousand at most
	formed  formed
	ctx     context.Context //nolint:containedctx // the run's: a form that does not end by itself ends with it
	listen  func()          // see [App.Listen]
}

// New returns the run of this process.
func New(version string) *App {
	return &App{Version: version, In: os.Stdin, Out: NewStream(os.Stdout), Err: NewStream(os.Stderr), Env: os.LookupEnv}
}

// Ended is the error of a command that has printed everything already.
type Ended int

func (e Ended) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// Main runs the command and returns its exit code. A panic is an internal failure,
// because the runtime's exit code for it, 2, means wrong usage here.
func (a *App) Main(args []string, root func() *cobra.Command) (code int) {
	defer a.Err.flush()
	defer a.Out.flush()
	defer func() {
		if p := recover(); p != nil {
			code = a.fail(verdict.Fail(verdict.Internal, nil, "a panic: %.300v", p))
		}
	}()
	ctx, listen, stopped := untilSignal()
	a.listen = sync.OnceFunc(listen)
	err := a.execute(ctx, args, root())
	a.Out.flush()
	code = a.exit(args, err)
	if err := a.unformed(); err != nil {
		code = cmp.Or(code, a.fail(err))
	}
	if s := stopped(); s != 0 && code != 0 {
		return s
	}
	if a.Out.err != nil {
		return cmp.Or(code, a.fail(verdict.Fail(verdict.Internal, a.Out.err, "the answer could not be written: %v", a.Out.err)))
	}
	return code
}

func (a *App) execute(ctx context.Context, args []string, root *cobra.Command) error {
	a.ctx = ctx
	root.SetArgs(args)
	root.SetIn(a.In)
	root.SetOut(a.Out.Own())
	root.SetErr(a.Err.Own())
	return root.ExecuteContext(ctx)
}

func (a *App) exit(args []string, err error) int {
	var done Ended
	switch {
	case err == nil, a.Out.err != nil && errors.Is(err, a.Out.err): // Main reports it
		return 0
	case errors.As(err, &done):
		return int(done)
	}
	a.JSON = a.JSON || wantsJSON(args)
	if verdict.CodeOf(err) == verdict.Internal && !errors.As(err, new(*verdict.Fault)) {
		err = Usage(verdict.UsageArgument, "%v", err) // an error of cobra; this program's errors have codes
	}
	return a.fail(err)
}

// wantsJSON reports whether a command line asks for JSON, even if it could not be
// parsed. Then its error is JSON, too.
func wantsJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

// fail reports an error from before a run, and returns its exit code. If stdout fails,
// the error goes to stderr.
func (a *App) fail(err error) int {
	f := host.FailureOf(err)
	if a.Whole() && a.Out.err == nil {
		a.Document(Object{"error", f})
	} else {
		a.Failure("ask", f)
	}
	return f.Code.Entry().Exit
}

// EndWith returns the exit code of an error that a document contains, if the whole
// document was printed.
func (a *App) EndWith(err error) error {
	if err == nil || !a.Whole() {
		return err
	}
	return Ended(verdict.CodeOf(err).Entry().Exit)
}

// Settings reads the configuration; every command that needs it calls it once.
func (a *App) Settings() (config.Settings, config.Paths, error) {
	paths, err := config.FindPaths(a.Env)
	if err != nil {
		return config.Settings{}, paths, err
	}
	s, err := config.Load(paths, a.Env, a.Flags)
	return s, paths, err
}

// Options returns the part of a setup's options that comes from this process.
func (a *App) Options() setup.Options {
	o := setup.Options{Env: a.Env, Ask: a.Asker, Waits: a.Waits, Reports: a.Reports, Blocked: a.blocked, Demo: a.Demo, Version: a.Version, Live: a.Live, Stderr: a.Err}
	if a.Locked != "" {
		o.Pins = setup.PinsFile(a.Locked)
	}
	return o
}

// blocked prints on stderr what was refused to a confined server. It prints each
// attempt once, even if the server is started again.
func (a *App) blocked(server string, one confine.Attempt) {
	line := fmt.Sprintf("server %s %s", server, one)
	if _, again := a.refused.LoadOrStore(line, true); !again {
		a.Say("%s", line)
	}
}

// Usage returns a usage error.
func Usage(code verdict.Code, format string, args ...any) error {
	return verdict.Fail(code, nil, format, args...)
}

// Exactly refuses any other number of arguments, and names the arguments that it
// wants.
func Exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return verdict.Fail(verdict.UsageArgument, nil, "%s: %d argument(s) given", what, len(args)).
			WithHint("`" + cmd.CommandPath() + " --help` has an example")
	}
}

// stops are the signals that end a run in order. A hangup or an interrupt that is
// ignored at the start of the program stays ignored: nohup and a shell's background
// jobs rely on this. (For the other signals the Go runtime does not report it.)
func stops() []os.Signal {
	all := []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM}
	return slices.DeleteFunc(all, signal.Ignored)
}

// Listen makes the first signal end the run in order; without it, any ends the process. A
// command that only prints does without it, because its setup takes longer than printing.
func (a *App) Listen() {
	if a.listen != nil {
		a.listen()
	}
}

// untilSignal returns a context that ends at the first such signal. The function listen
// begins to wait for one. The function exit has the signal's exit code: 128 and its
// number, as in shells. A second signal ends the process at once.
func untilSignal() (ctx context.Context, listen func(), exit func() int) {
	ctx, cancel := context.WithCancel(context.Background())
	code := make(chan int, 1)
	listen = func() {
		signals := make(chan os.Signal, 1)
		if all := stops(); len(all) > 0 { // Notify takes no signals as all signals
			signal.Notify(signals, all...)
		}
		go func() {
			s, _ := (<-signals).(syscall.Signal)
			signal.Stop(signals)
			code <- 128 + int(s)
			cancel()
		}()
	}
	return ctx, listen, func() int {
		if ctx.Err() == nil {
			return 0
		}
		return <-code
	}
}

// Root makes a command the root, with this package's global flags, errors and help.
func (a *App) Root(root *cobra.Command) *cobra.Command {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.PersistentPreRun = func(*cobra.Command, []string) { a.Listen() }
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return verdict.Fail(verdict.UsageFlag, nil, "%v%s", err, nearFlag(cmd, err)).WithHint("`" + cmd.CommandPath() + " --help` lists them")
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
