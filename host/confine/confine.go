// Package confine starts a server with access only to what its manifest and the
// operator's scopes grant. The Linux kernel enforces it.
//
//	manifest, err := confine.Parse(file)                        // what the author asks for
//	policy, err := confine.Resolve(manifest, scopes, program)   // what the operator grants of it
//	answers := policy.Why("/etc/passwd")
//	call, err := policy.Bind(arguments)                         // where scopes name arguments of a call
//	server, err := confine.Start(cmd, call, confine.Options{})
//	err = cmd.Wait()
//	err = server.Close()
//	attempts, _ := server.Attempts()
//
// It vouches that a server which [Start] returned runs under a Landlock ruleset and a
// seccomp filter that were proved in its own process right before its program was
// executed; that every connection it makes was decided on this program's own copy of the
// address; and that without a scope it has no network, writes nothing outside its private
// HOME and TMPDIR, starts no process, and sees no variable but PATH, LANG and the
// variables set here. After [Confined.Close] no process that it started is left, from
// Linux 6.12 on.
//
// Only three parts decide: Landlock on files, seccomp on arguments by value, and the
// supervisor on its own copy of the memory that the caller pointed to. A call that the
// kernel may continue (SECCOMP_USER_NOTIF_FLAG_CONTINUE) was only recorded.
//
// It does not vouch for a server's use of its grants, for the kernel, or for the gaps
// that docs/sandbox.md lists: the existence, size and times of any file are visible, and
// data can leave by an allowed host. host/launch and `ask manifest run` call it.
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
	if _, failed := errors.AsType[*exec.ExitError](err); failed {
		err = nil
	}
	return exitStatus(cmd.ProcessState), errors.Join(err, c.Close())
}
