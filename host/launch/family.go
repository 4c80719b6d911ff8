package launch

import (
	"os/exec"
	"sync"
	"syscall"
)

// family counts the servers that run. While it forks, nobody sweeps: a child
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
// did not, a process that left its server's session may live on, and nobody
// knows.
func FindsOrphans() bool {
	family.mu.Lock()
	defer family.mu.Unlock()
	return family.adopting
}

func (f *families) start(cmd *exec.Cmd, k *kin) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := keepDescriptors(); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
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
		k.signal(leader.Process.Pid, syscall.SIGKILL) // at once: nobody of a group can fork away from it
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
