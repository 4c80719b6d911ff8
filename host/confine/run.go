package confine

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// lastGrace is the time that a server may take to end after SIGTERM.
const lastGrace = 2 * time.Second

// Run starts a policy's program, waits for its end and returns its exit status. If a
// signal ended it, the status is 128 plus the signal's number. cmd is as for [Start]. At
// the end of ctx the program gets SIGTERM, and is then killed.
func Run(ctx context.Context, cmd *exec.Cmd, p *Policy, o Options) (status int, err error) {
	runtime.LockOSThread() // the kernel ends the program with the thread that started it
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = alone()
	c, err := Start(cmd, p, o) //nolint:contextcheck // its lookups end with the server, which ctx ends
	if err != nil {
		return 0, err
	}
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(lastGrace):
			_ = cmd.Process.Kill()
		}
	})
	err = cmd.Wait()
	close(ended)
	stop()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = nil
	}
	return exitStatus(cmd.ProcessState), errors.Join(err, c.Close())
}
