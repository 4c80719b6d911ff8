// Package launch starts the process of one stdio server, and ends it with everything that
// it started.
//
// It vouches that the server sees only the environment that the operator configured, and
// PATH, HOME and LANG; that
// it has no terminal and no open file of this program besides its three pipes; that a
// bounded tail of its stderr is kept, without the configured values; and that after
// [Process.Close] no process of it is left, with the limits below.
//
// The server leads a new session, which is also a new process group. With it end:
//
//   - every process of its group: everywhere;
//   - every process of its session, and every descendant of a living parent,
//     in any session: on Linux;
//   - a process that left the session and lost its parent (a daemon): on
//     Linux, if the program called [AdoptOrphans], at the latest when the
//     last running server ends. Otherwise the system gives the process to
//     init, and its server is unknown: [FindsOrphans].
//
// If this program itself is killed, Linux kills the server. The processes that the server
// had started then live until they notice that their pipes are closed. The watcher of a
// confined server ends them (host/confine). A server without a policy ([Command].Confine) has the user's rights while it
// runs.
//
// [Start] is a sequence of steps, and each has a file: the environment, the pipes, and
// the life of the process from its start to its end. host/session calls it; a main calls
// [AdoptOrphans] and [Seal] before that.
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

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/host/confine"
)

// Command describes the process to start.
type Command struct {
	Path  string // looked up in this program's PATH if it contains no slash
	Args  []string
	Env   map[string]string // the server's variables, besides the few that every server inherits
	Dir   string            // "" is this program's own
	Grace time.Duration     // see [Process.Close]; 0 means DefaultGrace

	Secrets []string // values that Tail must not quote

	// Log gets the server's stderr, unredacted, and is closed after its end; nil for no
	// log. It must not fail or block.
	Log io.WriteCloser

	// Confine limits the server to a policy, by the kernel. The policy's own program is
	// started in place of Path, Args and Dir. nil leaves the server the user's rights.
	// Blocked, which may be nil, gets each refused attempt, from any goroutine, before
	// Close returns.
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
	release  func() error // ends the supervisor of a confined server
	confined *confine.Confined
	stdout   *os.File
	stderr   *os.File
	tail     tail
	log      io.WriteCloser
	grace    time.Duration
	close    func() error
	done     chan struct{}

	mu     sync.Mutex
	reaped bool // from then on the leader's id may belong to another process
	kin    kin
	left   []int // processes that could not be ended

	released error // set before done is closed
}

// Start starts the command. The end of ctx ends the process, and so does [Process.Close],
// which the caller must call in any case. Start marks all open files of this program,
// except the standard ones, to be closed in children.
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

func (p *Process) confine(c Command) error {
	confined, err := confine.Start(p.cmd, c.Confine, confine.Options{Record: c.Blocked, FilesOnly: c.FilesOnly})
	if err == nil {
		p.confined, p.release = confined, confined.Close
	}
	return err
}

func command(c Command) *exec.Cmd {
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env = environment(c.Env, os.LookupEnv)
	cmd.Dir = c.Dir
	cmd.SysProcAttr = attributes()
	return cmd
}

// Confined returns the confinement of the server, or nil for a server without a policy.
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

// Tail returns the end of the server's stderr, at most max bytes. It contains no
// configured value. The rest is untrusted text.
func (p *Process) Tail(max int) string { return p.tail.last(max) }

// inherited are the variables that nearly every program needs.
var inherited = []string{"HOME", "LANG", "PATH"}

// environment returns the configured variables and the few that nearly every program
// needs. Nothing else of this program's environment passes: it may contain every secret
// of the user's session. The result is never nil, which os/exec would take for the whole
// environment.
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

// Unpassed returns the names of this process's variables that a command with the
// configured variables does not get. It leaves out variables of a shell, names that begin
// like ask's own, and names that are not plain: a hint repeats the names, and a plain
// name contains no value.
func Unpassed(configured map[string]string) (names []string) {
	for _, one := range os.Environ() {
		name, _, _ := strings.Cut(one, "=")
		_, given := configured[name]
		own := slices.ContainsFunc([]string{"ASK_", "SAFE_", "XDG_", "LC_", "DBUS_", "GNOME_", "KDE_", "="}, func(start string) bool { return strings.HasPrefix(name, start) })
		usual := given || slices.Contains(inherited, name) || slices.Contains(ordinary, name)
		if !own && !usual && plainName().MatchString(name) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(rank(a)-rank(b), strings.Compare(a, b)) })
	return names
}

// plainName matches a name that a shell could give a variable.
var plainName = lex.Pattern(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// lacked are words in the names of variables that programs read.
var lacked = strings.Fields("TOKEN KEY APIKEY SECRET CREDENTIAL CREDENTIALS PROXY HOST URL URI PROFILE AUTH SOCK REGION")

// rank sorts first the variables that a server most likely lacks.
func rank(name string) int {
	for word := range strings.SplitSeq(strings.ToUpper(name), "_") {
		if slices.Contains(lacked, word) || strings.HasSuffix(word, "CONFIG") || strings.HasSuffix(word, "PASSWORD") {
			return 0
		}
	}
	return 1
}

// Some returns the beginning of a list of variables, and the number of the others.
func Some(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// plain says why a command could not be started, without whole paths. For a missing
// directory the system reports a missing program.
func (c Command) plain(err error) error {
	if wrong := enter(c.Dir); wrong != nil {
		return fmt.Errorf("its cwd %s: %w", filepath.Base(c.Dir), wrong)
	}
	if look, is := errors.AsType[*exec.Error](err); is {
		return fmt.Errorf("%s: %w", filepath.Base(look.Name), look.Err)
	}
	if open, is := errors.AsType[*os.PathError](err); is {
		return fmt.Errorf("%s: %w", filepath.Base(open.Path), open.Err)
	}
	return err
}

func enter(dir string) error {
	if dir == "" {
		return nil
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return syscall.ENOTDIR
	}
	return unix.Access(dir, unix.X_OK)
}
