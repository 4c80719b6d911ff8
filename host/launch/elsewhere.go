//go:build !linux

package launch

import (
	"errors"
	"time"
)

// awaitExit cannot wait without reaping on this system.
func awaitExit(int) bool { return false }

func becomeSubreaper() error {
	return errors.New("only Linux lets a program adopt the orphans among its descendants")
}

func killOrphans(time.Duration) []int { return nil }

// Seal keeps other processes of the same user from reading this program's memory and
// environment. It works on Linux only.
func Seal() error { return errors.New("only Linux lets a program keep its environment to itself") }
