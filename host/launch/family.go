package launch

import (
	"os/exec"
	"sync"
)

// family counts the servers that run. While it forks, nobody sweeps: a child
// that is not yet known would be taken for an orphan.
var family families

type families struct {
	mu       sync.Mutex
	adopting bool
	running  int
}

// AdoptOrphans makes this program the parent of every descendant whose own
// parents have ended, so that a server's daemons can be found and ended too:
// when the last running server ends, every child of this program is killed.
//
// It changes the whole process and is therefore for main alone, in a program
// that starts no children but servers. It is an error on systems other than
// Linux, where such daemons cannot be found.
func AdoptOrphans() error { return family.adopt() }

func (f *families) adopt() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := becomeSubreaper(); err != nil {
		return err
	}
	f.adopting = true
	return nil
}

func (f *families) start(cmd *exec.Cmd) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	f.running++
	return nil
}

// ended returns the orphans that could not be ended.
func (f *families) ended() []int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running--; f.running > 0 || !f.adopting {
		return nil
	}
	return killOrphans()
}
