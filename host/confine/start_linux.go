//go:build amd64 || arm64

package confine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine/shim"
)

const startTime = 20 * time.Second

// Confined is a server started under a policy.
type Confined struct {
	policy *Policy
	dir    string // private directories

	supervisor atomic.Pointer[supervisor] // nil before it serves and after Close
	audit      *audit
	report     Report
	env        []string      // the server's
	life       *net.UnixConn // the watcher's; nil without a watcher
	group      *group        // nil if its limits are for each process
}

// Start starts a policy's program under the policy. cmd provides the three streams, the
// environment to choose from and the attributes of the process. Start sets its program,
// arguments, directory and environment. The caller waits for cmd, and then closes the
// result. It must not end the calling thread while the server runs: the kernel ends the
// server with it.
//
// If Start returns an error, no program of the server ran, and no process of it is left.
func Start(cmd *exec.Cmd, p *Policy, o Options) (*Confined, error) {
	if p == nil || len(p.argv) == 0 {
		return nil, invalid("there is no policy", "resolve a manifest first")
	}
	m := ThisMachine()
	if err := m.holds(p, o.FilesOnly); err != nil {
		return nil, err
	}
	c := &Confined{policy: p, audit: &audit{policy: p, report: o.Record}}
	c.report = Report{Machine: m, FilesOnly: o.FilesOnly, Manifest: p.digest(), Bound: p.Bound(), NotHeld: p.NotHeld(m), Counted: p.counted(m)}
	if err := c.start(cmd); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func (c *Confined) start(cmd *exec.Cmd) error {
	if err := c.makePrivate(); err != nil {
		return err
	}
	if c.report.Counted {
		var err error
		if c.group, err = newGroup(c.policy.scopes.Limits); err != nil {
			return err
		}
	}
	rules, err := c.rules()
	if err != nil {
		return err
	}
	defer rules.file.Close()
	control, err := c.fork(cmd, rules)
	if err != nil {
		return err
	}
	defer func() { _ = control.Close() }()
	if err := c.confine(cmd.Process.Pid, rules, control); err != nil {
		_, _ = cmd.Process.Kill(), cmd.Wait()
		return err
	}
	return nil
}

// ends makes a stream between this program and its child.
func ends() (ours *net.UnixConn, theirs *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, unavailable(err, "no socket to it can be made: %v", err)
	}
	end := os.NewFile(uintptr(pair[0]), "control")
	defer end.Close()
	theirs = os.NewFile(uintptr(pair[1]), "control")
	conn, err := net.FileConn(end)
	ours, ok := conn.(*net.UnixConn)
	if err != nil || !ok {
		return nil, nil, errors.Join(unavailable(err, "no socket to it can be made: %v", err), theirs.Close())
	}
	return ours, theirs, nil
}

// makePrivate makes the server's HOME and TMPDIR in a directory that no scope covers. No
// rule grants that directory itself: it is the sentinel of the self-proof.
func (c *Confined) makePrivate() error {
	for _, above := range []string{os.TempDir(), fmt.Sprintf("/run/user/%d", os.Getuid()), "/dev/shm", "/var/tmp"} {
		actual, err := filepath.EvalSymlinks(above)
		if err != nil || c.policy.holds(actual, read|write|execute) {
			continue
		}
		dir, err := os.MkdirTemp(actual, "onestep-server-")
		if err != nil {
			continue
		}
		c.dir = dir
		err = errors.Join(os.Mkdir(c.home(), 0o700), os.Mkdir(c.tmp(), 0o700), os.WriteFile(filepath.Join(dir, shim.Forbidden), nil, 0o600))
		if err != nil {
			return unavailable(err, "its private directories cannot be made: %v", cause(err))
		}
		return nil
	}
	return unavailable(nil, "its private directories would be in a directory that its scopes cover, or cannot be made: grant less than the whole of %s", os.TempDir())
}

func (c *Confined) home() string { return filepath.Join(c.dir, "home") }
func (c *Confined) tmp() string  { return filepath.Join(c.dir, "tmp") }

// rules makes the part of the ruleset that does not need the process.
func (c *Confined) rules() (*ruleset, error) {
	r, err := newRuleset(c.report.Landlock, c.report.FilesOnly)
	if err != nil {
		return nil, unavailable(err, "Landlock refused a ruleset (%v)", err)
	}
	r.own = c.policy.own.find()
	for _, g := range c.policy.grants {
		if err := r.add(g); err != nil {
			_ = r.file.Close()
			if _, is := errors.AsType[*verdict.Fault](err); is {
				return nil, err
			}
			return nil, verdict.Fail(verdict.ManifestInvalid, err, "%.200q (%s) cannot be granted: %v", g.path, g.why, err).
				WithHint("make the policy again: it is for files that no longer exist")
		}
	}
	for _, dir := range []string{c.home(), c.tmp()} {
		if err := r.directory(dir, read|write|remove); err != nil {
			_ = r.file.Close()
			return nil, unavailable(err, "its private directories cannot be granted: %v", err)
		}
	}
	return r, nil
}

// fork starts this program again as the shim, which waits.
func (c *Confined) fork(cmd *exec.Cmd, rules *ruleset) (*net.UnixConn, error) {
	if len(cmd.ExtraFiles) > 0 {
		return nil, errors.New("a confined server inherits no descriptors")
	}
	conn, theirs, err := ends()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	sealed, err := unix.Open(c.dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, unavailable(err, "its sentinel cannot be opened: %v", err)
	}
	sentinel := os.NewFile(uintptr(sealed), "sentinel")
	defer sentinel.Close()
	cmd.Path, cmd.Err = "/proc/self/exe", nil
	cmd.Args = append([]string{shim.Name}, c.policy.argv...)
	c.env, cmd.Env = c.policy.environment(cmd.Env, c.home(), c.tmp()), []string{}
	cmd.ExtraFiles = []*os.File{theirs, rules.file, sentinel} // shim.Control, shim.Ruleset, shim.Sentinel
	if c.watched() {
		outer, life, err := c.watcher()
		if err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		defer outer.Close()
		defer life.Close()
		cmd.ExtraFiles = append(cmd.ExtraFiles, outer, life) // shim.Outer, shim.Life
	}
	if cmd.Dir = c.policy.dir; cmd.Dir == "" {
		cmd.Dir = c.home()
	}
	attributes := syscall.SysProcAttr{}
	if cmd.SysProcAttr != nil {
		attributes = *cmd.SysProcAttr
	}
	attributes.Setsid, attributes.Setpgid = true, false // a signal to its own group reaches no other process
	cmd.SysProcAttr = &attributes
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(verdict.Fail(verdict.ServerStart, err, "its process cannot be started: %v", cause(err)), conn.Close())
	}
	return conn, nil
}

// confine sends the shim its configuration, receives the listener, and waits until the
// server's own program runs.
func (c *Confined) confine(pid int, rules *ruleset, control *net.UnixConn) error {
	if err := rules.directory("/proc/"+strconv.Itoa(pid), read); err != nil { // exec keeps the pid
		return unavailable(err, "its entry of /proc cannot be granted: %v", err)
	}
	f := filter(c.policy, uint32(pid), c.report.Landlock)
	if c.report.FilesOnly {
		f = f.alone()
	}
	config := shim.Config{
		Alone:  c.report.FilesOnly,
		Watch:  c.watched(),
		Path:   filepath.Join(c.dir, shim.Forbidden),
		Filter: f.bytes(),
		Seal:   seal().bytes(),
		Env:    c.env,
		Limits: c.limits().resources(),
	}
	if err := control.SetDeadline(time.Now().Add(startTime)); err != nil {
		return err
	}
	if _, err := control.Write(config.Encode()); err != nil {
		return unavailable(err, "its process ended before it was confined")
	}
	if c.report.FilesOnly {
		return c.await(pid, control)
	}
	listener, err := receiveListener(control)
	if err != nil {
		return err
	}
	if err := c.supervise(pid, listener); err != nil {
		return err
	}
	if _, err := control.Write([]byte{1}); err != nil {
		return unavailable(err, "its process ended before it was confined")
	}
	return c.await(pid, control)
}

// receiveListener receives the filter's listener, or the reason why the shim has none.
func receiveListener(control *net.UnixConn) (int, error) {
	b, rights := make([]byte, 512), make([]byte, unix.CmsgSpace(4))
	n, oob, _, _, err := control.ReadMsgUnix(b, rights)
	if err != nil || n == 0 {
		return -1, unavailable(err, "its process ended before it was confined")
	}
	messages, err := unix.ParseSocketControlMessage(rights[:oob])
	if err != nil || len(messages) != 1 {
		return -1, failure(strings.TrimSuffix(string(b[:n]), "\n"))
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return -1, unavailable(err, "the listener of its filter did not arrive")
	}
	return fds[0], nil
}

func failure(line string) error {
	rest, failed := strings.CutPrefix(line, shim.Failed+" ")
	number, step, _ := strings.Cut(rest, " ")
	e, err := strconv.Atoi(number)
	if !failed || err != nil {
		return unavailable(nil, "its process said %.80q before it was confined", line)
	}
	return refusedStep(step, unix.Errno(e))
}

func (c *Confined) supervise(pid, listener int) error {
	s := &supervisor{listener: listener, pid: pid, policy: c.policy, audit: c.audit, sockets: c.report.Sockets, truncation: c.report.Landlock >= truncateABI, private: []string{c.home(), c.tmp()}}
	s.names = &names{hosts: c.policy.hosts, every: c.policy.learning, denied: func(name string) { c.audit.record("resolve", name, NetworkClient, pid, "") }}
	err := getfd(pid)
	if s.sockets = s.sockets && err == nil; !s.sockets && c.policy.connects() {
		_ = unix.Close(listener)
		return c.report.untouchable(err)
	}
	c.report.Sockets = s.sockets
	if s.stop, err = unix.Eventfd(0, unix.EFD_CLOEXEC); err != nil {
		_ = unix.Close(listener)
		return unavailable(err, "its supervisor cannot be started: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background()) // it outlives the start
	s.resolve, s.cancel = func(name string) ([]netip.Addr, error) { return c.policy.resolve(ctx, name) }, cancel
	s.serve()
	c.supervisor.Store(s)
	return nil
}

// await reads the shim's reports until exec closes the socket.
func (c *Confined) await(pid int, control *net.UnixConn) error {
	lines, ready := bufio.NewScanner(control), false
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		switch word {
		case shim.Proved:
			c.report.Proved = append(c.report.Proved, rest)
		case shim.Ready:
			ready = true
			if s := c.supervisor.Load(); s != nil {
				s.recording.Store(true)
			}
			if err := c.admit(pid, control); err != nil {
				return err
			}
		default:
			return failure(lines.Text())
		}
	}
	if err := lines.Err(); err != nil || !ready {
		return unavailable(err, "its process ended before its program ran")
	}
	return nil
}

// Report describes the server's confinement.
func (c *Confined) Report() Report { return c.report }

// Attempts returns the server's refused attempts so far, each once, and the number of
// further attempts that were not kept. After Close the list is final.
func (c *Confined) Attempts() (list []Attempt, unlisted int) {
	if s := c.supervisor.Load(); s != nil {
		s.settle()
	}
	return c.audit.list()
}

// Close ends the processes that the server left behind, ends the supervisor, and removes
// the server's private directories. A server that still runs has no network from then on:
// its caught calls fail.
func (c *Confined) Close() error {
	gone := errors.Join(c.endWatched(), c.closeGroup())
	if s := c.supervisor.Swap(nil); s != nil {
		s.close()
	}
	if c.dir == "" {
		return gone
	}
	err := os.RemoveAll(c.dir)
	c.dir = ""
	return errors.Join(gone, err)
}

// alone describes a process in a new session, without a terminal, that ends with the
// thread that starts it.
func alone() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// exitStatus returns a process's status as a shell reports it.
func exitStatus(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}

// resources are the limits in the kernel's form. Core dumps are always off: a dump would
// contain the secrets that the server was given.
func (l Limits) resources() []shim.Limit {
	all := []shim.Limit{{Resource: unix.RLIMIT_CORE}}
	for _, one := range []struct {
		resource uint32
		value    uint64
	}{
		{unix.RLIMIT_DATA, uint64(l.MemoryMiB) << 20},
		{unix.RLIMIT_FSIZE, uint64(l.FileMiB) << 20},
		{unix.RLIMIT_NPROC, uint64(l.Processes)},
		{unix.RLIMIT_CPU, uint64(l.CPUSeconds)},
	} {
		if one.value > 0 {
			all = append(all, shim.Limit{Resource: one.resource, Value: one.value})
		}
	}
	return all
}
