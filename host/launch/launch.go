// Package launch starts the process of one stdio server and ends it again,
// with everything that it started.
//
// It vouches that the server sees only the environment that the operator
// configured, and PATH, HOME and LANG (on Windows PATH, PATHEXT, TEMP,
// USERPROFILE and SystemRoot); that it has no terminal and no open
// file of this program's besides its three pipes; that of what it prints to
// stderr a bounded tail is kept, free of the configured values; and that after
// [Process.Close] nothing of it is left, as far as the list below goes.
//
// The server leads a session of its own, which is a process group of its own
// too. What ends with it:
//
//   - every process of its group, or on Windows of its job object: everywhere;
//   - every process of its session, and every descendant whose parents still
//     live, whatever session it moved to: on Linux;
//   - a process that left the session and whose parent has ended (a daemon):
//     on Linux, where the program called [AdoptOrphans], and at the latest
//     when the last running server ends. Without that the system gives such a
//     process to init, and nothing tells whose it was: [FindsOrphans].
//
// If this program itself is killed, Linux kills the server; what the server had
// started then lives until it notices that its pipes are closed, unless the
// server is confined, whose watcher ends it (host/confine). Windows ends
// all of the job. What is for Windows is compiled and vetted, and was never
// run: there the server is suspended until it is in its job, is not asked to
// end before it is ended, and a write to it has no deadline. A server
// without a policy ([Command].Confine) has the user's rights while it runs.
//
// [Start] is a sequence of steps, and each has a file: the environment, the
// pipes, and the life of the process from its start to its end. host/session
// calls it; a main calls [AdoptOrphans] and [Seal] before that.
package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/host/confine"
)

// Command says what to start.
type Command struct {
	Path  string // looked up in this program's PATH where it holds no slash
	Args  []string
	Env   map[string]string // all that the server sees, besides the few that every server inherits
	Dir   string            // "" means this program's own
	Grace time.Duration     // see [Process.Close]; 0 means DefaultGrace

	Secrets []string // that Tail must not quote

	// Log gets what the server writes to stderr, with nothing redacted, and is closed
	// after its end; nil for no log. It must not fail and not wait.
	Log io.WriteCloser

	// Confine has the kernel hold the server to a policy, whose own program is
	// started in place of Path, Args and Dir; nil leaves it the user's rights.
	// Blocked, which may be nil, gets each attempt that is refused, from any
	// goroutine, before Close returns.
	Confine   *confine.Policy
	FilesOnly bool // see [confine.Options]
	Blocked   func(confine.Attempt)
}

// Process is a started server. Its methods are safe for concurrent use.
type Process struct {
	Stdin  *os.File // heeds a deadline for writing
	Stdout io.ReadCloser

	cmd      *exec.Cmd
	begin    func() error // starts cmd, confined or not
	release  func() error // of a confined server: ends what answers its calls
	confined *confine.Confined
	stdout   *os.File
	stderr   *os.File
	tail     tail
	log      io.WriteCloser
	grace    time.Duration
	close    func() error
	done     chan struct{}

	mu     sync.Mutex
	reaped bool // the leader's id may belong to another process from here on
	kin    kin
	left   []int // what could not be ended

	released error // is set before done is closed
}

// Start starts the command. The process is ended when ctx is, or by
// [Process.Close], which the caller must call in any case. It marks all open
// files of this program, the standard ones left out, to be closed in children.
func Start(ctx context.Context, c Command) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &Process{cmd: command(c), log: c.Log, grace: c.Grace, done: make(chan struct{})}
	if p.grace <= 0 {
		p.grace = DefaultGrace
	}
	p.begin, p.release = p.cmd.Start, func() error { return nil }
	if c.Confine != nil {
		p.begin = func() error { return p.confine(c) } //nolint:contextcheck // its lookups end with the server, which ctx ends
	}
	p.tail.secrets = secret.ValuesOf(c.Secrets...).Words(c.Secrets...)
	if err := p.connected(p.fork); err != nil {
		return nil, c.plain(err)
	}
	p.close = sync.OnceValue(p.end)
	context.AfterFunc(ctx, func() { _ = p.Close() })
	return p, nil
}

// confine starts the command under its policy.
func (p *Process) confine(c Command) error {
	confined, err := confine.Start(p.cmd, c.Confine, confine.Options{Record: c.Blocked, FilesOnly: c.FilesOnly})
	if err == nil {
		p.confined, p.release = confined, confined.Close
	}
	return err
}

// command is what is forked.
func command(c Command) *exec.Cmd {
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env = environment(c.Env, os.LookupEnv)
	cmd.Dir = c.Dir
	cmd.SysProcAttr = attributes()
	return cmd
}

// Confined is what holds the server to its policy; nil for one without.
func (p *Process) Confined() *confine.Confined { return p.confined }

// Done is closed when the server has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Status says how the server ended, or "" while it runs.
func (p *Process) Status() string {
	select {
	case <-p.done:
		return p.cmd.ProcessState.String()
	default:
		return ""
	}
}

// Tail is the end of what the server wrote to stderr, at most max bytes of it.
// No configured value is in it; what else it holds is strangers' text.
func (p *Process) Tail(max int) string { return p.tail.last(max) }

// environment is the configured variables and those few that nearly every
// program needs. Nothing else of this program's environment passes: it may
// hold every secret of the user's session. The result is never nil, which
// os/exec would take for all of it.
func environment(configured map[string]string, lookup func(string) (string, bool)) []string {
	env := []string{}
	for _, name := range inherited {
		if value, set := lookup(name); set {
			if _, ours := configured[name]; !ours {
				env = append(env, name+"="+value)
			}
		}
	}
	for name, value := range configured {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env
}

// ordinary are variables that a shell or a desktop sets for itself.
var ordinary = strings.Fields("PWD OLDPWD SHLVL _ SHELL TERM USER LOGNAME MAIL COLORTERM LS_COLORS LESSOPEN LESSCLOSE PS1 EDITOR VISUAL PAGER HOSTNAME " +
	"DISPLAY WAYLAND_DISPLAY XAUTHORITY WINDOWID DESKTOP_SESSION TERM_PROGRAM TERM_PROGRAM_VERSION NO_COLOR COLUMNS LINES GORACE")

// Unpassed are the names of the variables that this process has, and that a command
// with the configured ones does not get. Variables of a shell, and those that begin
// like ask's own, are left out, and so is whatever is not a plain name: a hint repeats
// the names, and no such name holds a value.
func Unpassed(configured map[string]string) (names []string) {
	for _, one := range os.Environ() {
		name, _, _ := strings.Cut(one, "=")
		_, given := configured[name]
		own := slices.ContainsFunc([]string{"ASK_", "SAFE_", "XDG_", "LC_", "DBUS_", "GNOME_", "KDE_", "="}, func(start string) bool { return strings.HasPrefix(name, start) })
		if !plainName(name) || given || own || slices.Contains(inherited, name) || slices.Contains(ordinary, name) {
			continue
		}
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a, b)) })
	return names
}

// plainName reports whether a variable has a name that a shell could give it.
func plainName(name string) bool {
	rest := strings.TrimLeft(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
	return name != "" && rest == "" && (name[0] < '0' || name[0] > '9') && len(name) <= 64
}

// lacked are words in the names of variables that programs read.
var lacked = strings.Fields("TOKEN KEY APIKEY SECRET CREDENTIAL CREDENTIALS PROXY HOST URL URI PROFILE AUTH SOCK REGION")

// rank puts first what a server most likely lacks.
func rank(name string) int {
	for word := range strings.SplitSeq(strings.ToUpper(name), "_") {
		if slices.Contains(lacked, word) || strings.HasSuffix(word, "CONFIG") || strings.HasSuffix(word, "PASSWORD") {
			return 0
		}
	}
	return 1
}

// Some is the beginning of a list of variables, and how many more there are.
func Some(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// plain says why a command could not be started, without whole paths. The
// system reports a directory that is not there as if the program were not.
func (c Command) plain(err error) error {
	if wrong := enter(c.Dir); wrong != nil {
		return fmt.Errorf("its cwd %s: %w", filepath.Base(c.Dir), wrong)
	}
	var look *exec.Error
	var open *os.PathError
	switch {
	case errors.As(err, &look):
		return fmt.Errorf("%s: %w", filepath.Base(look.Name), look.Err)
	case errors.As(err, &open):
		return fmt.Errorf("%s: %w", filepath.Base(open.Path), open.Err)
	}
	return err
}

// enter reports why a process could not start in a directory.
func enter(dir string) error {
	if dir == "" {
		return nil
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return syscall.ENOTDIR
	}
	return enterable(dir)
}
