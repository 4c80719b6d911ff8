package launch

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

const (
	// DefaultGrace is how long a server may take to end by itself once its
	// stdin is closed. Programs without a runtime do in that time; node and
	// Python mostly do not, and hold nothing then that they had not written.
	DefaultGrace = 10 * time.Millisecond
	// lastGrace is how long a server that was told to terminate may take at
	// least: only one that has something to do then takes longer than an
	// instant.
	lastGrace = 500 * time.Millisecond
	// drain is how long what a dead server left in its pipes may take to be
	// read, where a process that got away still holds them open.
	drain = 100 * time.Millisecond
	// settle is how long killed processes may take to be gone.
	settle = 2 * time.Second
)

// fork starts the command and leaves a goroutine that waits for its end.
func (p *Process) fork() error {
	started := make(chan error)
	go func() {
		// Linux sends the parent-death signal when the thread that forked
		// ends, so this one is kept until the child is gone.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := family.start(p.begin, p.cmd, &p.kin)
		started <- err
		if err == nil {
			p.wait()
		}
	}()
	return <-started
}

// wait returns when the leader has ended. Nothing of its session outlives it:
// a server is the process that was started, not what it left behind.
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

// reap ends the leader's kin while the leader is still a zombie, where the
// system lets it: until then its id, which is their group's and session's,
// cannot be given to anyone else.
func (p *Process) reap() {
	if !awaitExit(p.cmd.Process.Pid) {
		_ = p.cmd.Wait()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = family.bury(p.cmd, &p.kin)
	p.reaped = true
}

// Close ends the server. It closes stdin and waits for the grace; sends
// SIGTERM to the server's group and waits for the grace again, or for half a
// second if that is longer; sends SIGKILL; and makes sure that nothing is
// left. It may be called more than once, and returns when all is over. The
// error says what could not be ended.
//
// A server that has more to do at its end than the grace allows, such as one
// that saves its state then and does not heed SIGTERM, does not get to do it.
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

// signal looks who belongs to the server, which cannot be found out once it is gone,
// and sends the signal to its group; 0 sends none.
func (p *Process) signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return
	}
	p.kin.look(p.cmd.Process.Pid) // also while it is alone: another server may be started before it is buried
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

// family counts the servers that run. While it forks, no sweep runs: a child
// that is not yet known would be taken for an orphan.
var family families

type families struct {
	mu       sync.Mutex
	adopting bool
	running  int // servers that were started and not yet waited for
}

// AdoptOrphans makes this program the parent of every descendant whose own
// parents have ended, so that a server's daemons can be found and ended too:
// when the last running server ends, every child of this program outside its
// own session is killed, until the system says that there is none.
//
// It changes the whole process and is therefore for main alone, in a program
// that puts no other children into sessions of their own. It is an error on
// systems other than Linux, where such daemons cannot be found.
func AdoptOrphans() error {
	family.mu.Lock()
	defer family.mu.Unlock()
	if err := becomeSubreaper(); err != nil {
		return err
	}
	family.adopting = true
	return nil
}

// FindsOrphans reports whether this program called [AdoptOrphans]. Where it
// did not, a process that left its server's session may live on, un-
// knows.
func FindsOrphans() bool {
	family.mu.Lock()
	defer family.mu.Unlock()
	return family.adopting
}

func (f *families) start(begin func() error, cmd *exec.Cmd, k *kin) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := keepDescriptors(); err != nil {
		return err
	}
	if err := begin(); err != nil {
		return err
	}
	if err := k.adopt(cmd.Process); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return err
	}
	f.running++
	return nil
}

// bury ends what outlives a server that has ended, waits for the server, and
// after the last one for the orphans too. It returns what could not be ended.
func (f *families) bury(leader *exec.Cmd, k *kin) (left []int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.adopting && f.running == 1 {
		k.signal(leader.Process.Pid, syscall.SIGKILL) // at once: no process of a group can fork away from it
	} else {
		f.mu.Unlock() // the others need not wait
		left = k.kill(leader.Process.Pid)
		f.mu.Lock()
	}
	_ = leader.Wait() // where it was waited for already, that changes nothing
	if f.running--; f.running == 0 && f.adopting {
		left = append(left, killOrphans(settle)...)
	}
	return left
}
