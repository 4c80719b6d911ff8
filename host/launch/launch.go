// Package launch starts the process of one stdio server and ends it again,
// with everything that it started.
//
// It vouches that the server sees only the environment that the operator
// configured, and PATH, HOME and LANG; that it has no terminal; that of what it
// prints to stderr a bounded tail is kept, free of the configured values; and
// that after [Process.Close] nothing of it is left, as far as the list below
// goes.
//
// The server leads a session of its own, which is a process group of its own
// too. What ends with it:
//
//   - every process of its group: on every system;
//   - every process of its session, and every descendant whose parents still
//     live, whatever session it moved to: on Linux;
//   - a process that left the session and whose parent has ended (a daemon):
//     on Linux, where the program called [AdoptOrphans]. Without that the
//     system gives such a process to init, and nothing tells whose it was.
//
// If this program itself is killed, Linux kills the server; what the server had
// started then lives until it notices that its pipes are closed. launch does
// not confine what a server can do while it runs: it has the user's rights.
//
// host/session calls it; a main calls [AdoptOrphans] before that.
package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/onestep-run/onestep/gate/guard"
)

// DefaultGrace is how long a server may take to end by itself once its stdin
// is closed, and again once it was told to terminate.
const DefaultGrace = 500 * time.Millisecond

// Command says what to start.
type Command struct {
	Path  string // looked up in this program's PATH where it holds no slash
	Args  []string
	Env   map[string]string // all that the server sees, besides PATH, HOME and LANG
	Dir   string            // "" means this program's own
	Grace time.Duration     // 0 means DefaultGrace

	Secrets []string // further texts, besides the values of Env, that Tail must not quote
}

// Process is a started server. Its methods are safe for concurrent use.
type Process struct {
	Stdin  *os.File // heeds a deadline for writing
	Stdout io.ReadCloser

	cmd    *exec.Cmd
	stdout *os.File
	stderr *os.File
	tail   tail
	grace  time.Duration
	close  func() error
	done   chan struct{}

	mu     sync.Mutex
	reaped bool // the leader's id may belong to another process from here on
	kin    kin
	left   []int // what could not be ended
}

// Start starts the command. The process is ended when ctx is, or by
// [Process.Close], which the caller must call in any case.
func Start(ctx context.Context, c Command) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := &Process{grace: c.Grace, done: make(chan struct{})}
	if p.grace <= 0 {
		p.grace = DefaultGrace
	}
	p.tail.secrets = guard.SecretsOf(slices.Concat(c.Secrets, slices.Collect(maps.Values(c.Env)))...)
	p.cmd = exec.Command(c.Path, c.Args...)
	p.cmd.Env = environment(c.Env)
	p.cmd.Dir = c.Dir
	p.cmd.SysProcAttr = attributes()
	if err := p.start(); err != nil {
		return nil, plain(err)
	}
	p.close = sync.OnceValue(p.end)
	context.AfterFunc(ctx, func() { _ = p.Close() })
	return p, nil
}

// start connects the three pipes, forks, and leaves a goroutine that waits.
func (p *Process) start() error {
	var in, out, err pipe
	if e := errors.Join(in.open(), out.open(), err.open()); e != nil {
		closeFiles(in.r, in.w, out.r, out.w, err.r, err.w)
		return e
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in.r, out.w, err.w
	p.Stdin, p.Stdout, p.stdout, p.stderr = in.w, out.r, out.r, err.r

	started := make(chan error)
	go func() {
		// Linux sends the parent-death signal when the thread that forked
		// ends, so this one is kept until the child is gone.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		e := family.start(p.cmd)
		started <- e
		if e == nil {
			p.wait()
		}
	}()
	e := <-started
	closeFiles(in.r, out.w, err.w) // the child's ends
	if e != nil {
		closeFiles(in.w, out.r, err.r)
	}
	return e
}

const (
	// drain is how long what a dead server left in its pipes may take to be
	// read, where a process that got away still holds them open.
	drain = 100 * time.Millisecond
	// settle is how long killed processes may take to be gone.
	settle = 2 * time.Second
)

// wait returns when the leader has ended. Nothing of its session outlives it:
// a server is the process that was started, not what it left behind.
func (p *Process) wait() {
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(&p.tail, p.stderr)
	}()
	p.reap()
	over := time.Now().Add(drain)
	_, _ = p.stderr.SetReadDeadline(over), p.stdout.SetReadDeadline(over)
	<-copied
	_ = p.stderr.Close()
	close(p.done)
}

// reap ends the leader's kin while the leader is still a zombie, where the
// system lets it: until then its id, which is their group's and session's,
// cannot be given to anyone else.
func (p *Process) reap() {
	zombie := awaitExit(p.cmd.Process.Pid)
	if !zombie {
		_ = p.cmd.Wait()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = p.kin.kill(p.cmd.Process.Pid)
	if zombie {
		_ = p.cmd.Wait()
	}
	p.reaped = true
	p.left = append(p.left, family.ended()...)
}

// Close ends the server: it closes stdin, waits for the grace, sends SIGTERM,
// waits again, and sends SIGKILL; then it makes sure that nothing is left. It
// may be called more than once, and returns when all is over. The error says
// what could not be ended.
func (p *Process) Close() error { return p.close() }

func (p *Process) end() error {
	p.signal(0)
	_ = p.Stdin.Close()
	if !p.ended(p.grace) {
		p.signal(syscall.SIGTERM)
	}
	if !p.ended(p.grace) {
		p.signal(syscall.SIGKILL)
	}
	ended := p.ended(2*settle + drain)
	_ = p.Stdout.Close()
	if !ended {
		return fmt.Errorf("process %d could not be ended", p.cmd.Process.Pid)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.left) > 0 {
		return fmt.Errorf("processes that the server started could not be ended: %v", p.left)
	}
	return nil
}

// signal looks who belongs to the server, as nobody can tell once it is gone,
// and sends the signal to its group; 0 sends none.
func (p *Process) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped {
		p.kin.look(p.cmd.Process.Pid)
		_ = syscall.Kill(-p.cmd.Process.Pid, s)
	}
}

func (p *Process) ended(within time.Duration) bool {
	t := time.NewTimer(within)
	defer t.Stop()
	select {
	case <-p.done:
		return true
	case <-t.C:
		return false
	}
}

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
// No configured value stands in it; what else it holds is strangers' text.
func (p *Process) Tail(max int) string { return p.tail.last(max) }

// environment is the configured variables and the three that nearly every
// program needs. Nothing else of this program's environment passes: it may
// hold every secret of the user's session.
func environment(configured map[string]string) []string {
	var env []string
	for _, name := range []string{"HOME", "LANG", "PATH"} {
		if value, set := os.LookupEnv(name); set {
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

// pipe is the two ends of one pipe.
type pipe struct{ r, w *os.File }

func (p *pipe) open() (err error) {
	p.r, p.w, err = os.Pipe()
	return err
}

func closeFiles(files ...*os.File) {
	for _, f := range files {
		_ = f.Close() // of a nil file too: that is an error, and harmless
	}
}

// plain says why a command could not be started without its whole path.
func plain(err error) error {
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
