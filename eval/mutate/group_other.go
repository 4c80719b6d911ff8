//go:build !unix

package mutate

import "os/exec"

// endTogether stops only the command itself: the processes that it started may go on.
func endTogether(*exec.Cmd) {}
