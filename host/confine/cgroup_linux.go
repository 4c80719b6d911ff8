//go:build amd64 || arm64

package confine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// group is the cgroup of one server. Its limits count all processes of the server
// together, and root's as well. The server cannot move a process out of it: no rule
// grants writing there (see [Policy.counted]), and clone3, which could name another
// cgroup, is refused.
type group struct{ dir string }

// delegated returns the nearest cgroup, from this program's own up, in which this user
// may make cgroups with limits. It is "" without one.
func delegated() string {
	var f unix.Statfs_t
	if unix.Statfs(cgroupMount, &f) != nil || f.Type != unix.CGROUP2_SUPER_MAGIC {
		return ""
	}
	b, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(b)) {
		if path, is := strings.CutPrefix(line, "0::"); is {
			return nearest(cgroupMount, strings.TrimSuffix(path, "\n"))
		}
	}
	return ""
}

// nearest walks up from a path beneath mount while this user may move processes there. It
// returns the first cgroup that gives its children both controllers.
func nearest(mount, path string) string {
	if strings.Contains(path+"/", "/../") { // the cgroup is outside this namespace
		return ""
	}
	for dir := filepath.Join(mount, path); beneath(mount, dir); dir = filepath.Dir(dir) {
		if unix.Access(dir, unix.W_OK) != nil || unix.Access(filepath.Join(dir, "cgroup.procs"), unix.W_OK) != nil {
			return ""
		}
		b, err := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
		if given := strings.Fields(string(b)); err == nil && slices.Contains(given, "memory") && slices.Contains(given, "pids") {
			return dir
		}
	}
	return ""
}

// groupName begins a cgroup's name. The number of the process that made it follows.
const groupName = "onestep-server-"

// newGroup makes the cgroup of a server, with no process in it.
func newGroup(l Limits) (*group, error) {
	parent := delegated()
	if parent == "" {
		return nil, unavailable(nil, "the cgroup for its limits is no longer delegated to this program")
	}
	removeAbandoned(parent)
	dir, err := os.MkdirTemp(parent, groupName+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, unavailable(err, "no cgroup for its limits can be made in %s: %v", parent, cause(err))
	}
	g := &group{dir: dir}
	if l.MemoryMiB > 0 {
		limit := strconv.FormatUint(uint64(l.MemoryMiB)<<20, 10)
		err = errors.Join(g.write("memory.max", limit), g.write("memory.oom.group", "1"))
		// a kernel without accounting of swap has no such file
		if swap := g.write("memory.swap.max", "0"); !errors.Is(swap, fs.ErrNotExist) {
			err = errors.Join(err, swap)
		}
	}
	if l.Processes > 0 {
		err = errors.Join(err, g.write("pids.max", strconv.FormatUint(uint64(l.Processes), 10)))
	}
	if err != nil {
		return nil, errors.Join(unavailable(err, "the limits of its cgroup cannot be set: %v", err), os.Remove(dir))
	}
	return g, nil
}

// removeAbandoned removes the cgroups of programs that were killed. A cgroup with
// processes stays: the kernel does not remove it.
func removeAbandoned(parent string) {
	all, _ := filepath.Glob(filepath.Join(parent, groupName+"*")) // the pattern is well formed
	for _, dir := range all {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), groupName), "-")
		if n, err := strconv.Atoi(pid); err == nil && unix.Kill(n, 0) == unix.ESRCH {
			_ = unix.Rmdir(dir)
		}
	}
}

func (g *group) write(file, text string) error {
	f, err := os.OpenFile(filepath.Join(g.dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// limits are the limits of each single process. If a cgroup counts the server's
// processes, the kernel must not count all of the user's processes.
func (c *Confined) limits() Limits {
	l := c.policy.scopes.Limits
	if c.group != nil {
		l.Processes = 0
	}
	return l
}

// admit moves the shim into the server's cgroup and lets it execute the server's program.
// The shim's own use before does not count.
func (c *Confined) admit(pid int, control *net.UnixConn) error {
	if c.group != nil {
		if err := c.group.write("cgroup.procs", strconv.Itoa(pid)); err != nil {
			return unavailable(err, "its process cannot be moved to the cgroup of its limits: %v", err)
		}
	}
	if _, err := control.Write([]byte{1}); err != nil {
		return unavailable(err, "its process ended before its program ran")
	}
	return nil
}

// closeGroup ends the processes in the server's cgroup, and removes it.
func (c *Confined) closeGroup() error {
	if c.group == nil {
		return nil
	}
	g := c.group
	c.group = nil
	if err := g.write("cgroup.kill", "1"); err != nil && !errors.Is(err, fs.ErrNotExist) { // since Linux 5.14
		return err
	}
	err := unix.Rmdir(g.dir)
	for until := time.Now().Add(lastGrace); err == unix.EBUSY && time.Now().Before(until); err = unix.Rmdir(g.dir) {
		time.Sleep(time.Millisecond)
	}
	if err != nil {
		return fmt.Errorf("what the server started may still run: the cgroup %s cannot be removed: %w", g.dir, err)
	}
	return nil
}

// watched reports whether a watcher ends the processes that the server starts. Without a
// command it starts none. Older kernels cannot confine signals.
func (c *Confined) watched() bool { return c.policy.runs() && c.report.Landlock >= scopedABI }

// watcher makes the inputs of a watcher. The watcher ends with this program.
func (c *Confined) watcher() (outer, life *os.File, err error) {
	if outer, err = createRuleset(unix.LandlockRulesetAttr{Scoped: unix.LANDLOCK_SCOPE_SIGNAL}); err != nil {
		return nil, nil, unavailable(err, "Landlock refused a ruleset (%v)", err)
	}
	if c.life, life, err = ends(); err != nil {
		return nil, nil, errors.Join(err, outer.Close())
	}
	return outer, life, nil
}

// endWatched makes the watcher end the server's processes, and waits for that.
func (c *Confined) endWatched() error {
	if c.life == nil {
		return nil
	}
	life := c.life
	c.life = nil
	defer func() { _ = life.Close() }()
	if err := errors.Join(life.CloseWrite(), life.SetReadDeadline(time.Now().Add(lastGrace))); err != nil {
		return err
	}
	if _, err := life.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		return fmt.Errorf("processes that the server started may still run: %w", err)
	}
	return nil
}
