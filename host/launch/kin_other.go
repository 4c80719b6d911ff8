//go:build unix && !linux

package launch

import (
	"errors"
	"syscall"
	"time"
)

// attributes put the server into a new session: a new process group, without a terminal
// to write to or to ask at.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func keepAll() error { return errors.New("descriptors are marked one by one here") }

// kin is the server's process group, the only part that can be identified portably.
type kin struct{}

func (kin) look(int) {}

// kill ends the group. Its id stays taken while a member lives. If all members have ended
// already, another group could in theory have got the id since the leader was reaped, an
// instant ago.
func (kin) kill(leader int) []int {
	for over := time.Now().Add(settle); syscall.Kill(-leader, syscall.SIGKILL) == nil; time.Sleep(time.Millisecond) {
		if time.Now().After(over) {
			return []int{leader}
		}
	}
	return nil
}

// awaitExit cannot wait without reaping on this system.
func awaitExit(int) bool { return false }

func becomeSubreaper() error {
	return errors.New("only Linux lets a program adopt the orphans among its descendants")
}

func killOrphans(time.Duration) []int { return nil }

// Seal keeps other processes of the same user from reading this program's memory and
// environment. It works on Linux only.
func Seal() error { return errors.New("only Linux lets a program keep its environment to itself") }
