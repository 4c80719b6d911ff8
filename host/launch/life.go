package launch

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// DefaultGrace is the time for a server to end by itself once its stdin is closed.
	// Programs without a runtime end in that time. Node and Python mostly do not, and by
	// then have written all their data.
	DefaultGrace = 10 * time.Millisecond
	// lastGrace is the minimum time for a server to end after SIGTERM. Only a server that
	// still has work to do needs more than an instant.
	lastGrace = 500 * time.Millisecond
	// drain bounds the reading of a dead server's pipes if an escaped process still has
	// them open.
	drain = 100 * time.Millisecond
	// settle is the time for killed processes to disappear.
	settle = 2 * time.Second
)

// fork starts the command and leaves a goroutine that waits for its end.
func (p *Process) fork() error {
	started := make(chan error)
	go func() {
		// Linux sends the parent-death signal when the thread that forked ends, so this
		// thread stays until the child has ended.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := family.start(p.begin)
		started <- err
		if err == nil {
			p.wait()
		}
	}()
	return <-started
}

// wait returns when the leader has ended. No process of its session outlives it: a server
// is the process that was started, not the processes that it left.
func (p *Process) wait() {
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		if p.log == nil {
			_, _ = io.Copy(&p.tail, p.stderr)
			return
		}
		_, _ = io.Copy(io.MultiWriter(&p.tail, p.log), p.stderr)
		_ = p.log.Close()
	}()
	p.reap()
	p.released = p.release()
	over := time.Now().Add(drain)
	_, _ = p.stderr.SetReadDeadline(over), p.stdout.SetReadDeadline(over)
	<-copied
	_ = p.stderr.Close()
	close(p.done)
}

// reap ends the leader's kin while the leader is still a zombie, if the system allows it.
// Until then the leader's id, which is also their group's and session's, cannot be
// reused.
func (p *Process) reap() {
	if !awaitExit(p.cmd.Process.Pid) {
		_ = p.cmd.Wait()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = family.bury(p.cmd, &p.kin)
	p.reaped = true
}

// Close ends the server. It closes stdin and waits for the grace. Then it sends SIGTERM
// to the server's group and waits for the grace again, or for half a second if that is
// longer. Then it sends SIGKILL, and makes sure that no process is left. It may be called
// more than once, and returns when all have ended. The error names the processes that
// could not be ended.
//
// A server that needs more time at its end is cut off, for example if it saves its state
// then and ignores SIGTERM.
func (p *Process) Close() error { return p.close() }

func (p *Process) end() error {
	p.signal(0)
	_ = p.Stdin.Close()
	if !p.ended(p.grace) {
		p.signal(syscall.SIGTERM)
	}
	if !p.ended(max(p.grace, lastGrace)) {
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
	if p.released != nil {
		return fmt.Errorf("its private directories could not be removed: %w", p.released)
	}
	return nil
}

// signal records the server's processes, which cannot be found once the server has ended.
// Then it sends the signal to its group; 0 sends none. The only server of this program
// needs no record before its first signal: if it ends, all orphans are its own. No other
// server starts meanwhile.
func (p *Process) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return
	}
	if s != 0 || !family.hold() {
		p.kin.look(p.cmd.Process.Pid)
		family.resume()
	}
	p.kin.signal(p.cmd.Process.Pid, s)
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

// family counts the running servers. While it forks, no sweep runs: a new child would be
// mistaken for an orphan.
var family families

type families struct {
	mu       sync.Mutex
	adopting bool
	running  int // number of servers that were started and not yet waited for

	held chan struct{} // closed when servers may start again; nil if they may
}

// hold keeps other servers from starting until resume. It returns false, and does not
// hold, if orphans are not adopted or another server runs.
func (f *families) hold() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.adopting || f.running != 1 {
		return false
	}
	if f.held == nil {
		f.held = make(chan struct{})
	}
	return true
}

func (f *families) resume() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.release()
}

// release needs the lock.
func (f *families) release() {
	if f.held != nil {
		close(f.held)
		f.held = nil
	}
}

// AdoptOrphans makes this program the parent of every descendant that lost its own
// parents. So a server's daemons can be found and ended, too. When the last running
// server ends, every child of this program outside its own session is killed, until the
// system reports none.
//
// It changes the whole process. Only main should call it, in a program that starts no
// other children in new sessions. On systems other than Linux, where such daemons cannot
// be found, it returns an error.
func AdoptOrphans() error {
	family.mu.Lock()
	defer family.mu.Unlock()
	if err := becomeSubreaper(); err != nil {
		return err
	}
	family.adopting = true
	return nil
}

// FindsOrphans reports whether this program called [AdoptOrphans]. Without it, a process
// that left its server's session may live on unnoticed.
func FindsOrphans() bool {
	family.mu.Lock()
	defer family.mu.Unlock()
	return family.adopting
}

func (f *families) start(begin func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.held != nil {
		ends := f.held
		f.mu.Unlock()
		<-ends
		f.mu.Lock()
	}
	if err := keepDescriptors(); err != nil {
		return err
	}
	if err := begin(); err != nil {
		return err
	}
	f.running++
	return nil
}

// bury ends the processes that outlive a server, waits for the server, and after the last
// server ends the orphans, too. It returns the processes that could not be ended.
func (f *families) bury(leader *exec.Cmd, k *kin) (left []int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.release()
	if f.adopting && f.running == 1 {
		k.signal(leader.Process.Pid, syscall.SIGKILL) // all at once: no process can fork out of its group
	} else {
		f.mu.Unlock() // other servers need not wait
		left = k.kill(leader.Process.Pid)
		f.mu.Lock()
	}
	_ = leader.Wait() // harmless if it was waited for already
	if f.running--; f.running == 0 && f.adopting {
		left = append(left, killOrphans(settle)...)
	}
	return left
}

// signal sends a signal to the server's group; 0 sends none.
func (*kin) signal(leader int, s syscall.Signal) { _ = syscall.Kill(-leader, s) }

// keepDescriptors makes sure that a child gets none of this program's open files. Go
// marks its own files to be closed in children. Files that this program was started with,
// or that C code opened, would otherwise be inherited. A file that C code opens at this
// very moment can slip through.
func keepDescriptors() error {
	if keepAll() == nil {
		return nil
	}
	open, err := os.ReadDir("/dev/fd")
	for _, f := range open {
		if fd, err := strconv.Atoi(f.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
	return err
}
