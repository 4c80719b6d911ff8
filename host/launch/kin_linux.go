package launch

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// attributes put the server into a new session: a new process group, without a terminal
// to write to or to ask at. The server dies with the thread that forked it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitExit blocks until the process has ended and leaves it a zombie. It returns false
// if the system does not allow this.
func awaitExit(pid int) bool {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err == nil
		}
	}
}

type process struct {
	pid, parent, group, session int
	started                     uint64 // in ticks since boot; with the pid it identifies a process uniquely
	zombie                      bool
}

// kin are the processes of one server's session or group, and their descendants.
type kin struct{ seen map[int]uint64 }

// look finds the server's processes and returns the living ones, except the leader.
func (k *kin) look(leader int) []process {
	found := belonging(processes(), leader, func(p process) bool {
		started, known := k.seen[p.pid]
		if p.session == leader || p.group == leader {
			return true
		}
		return known && started == p.started
	})
	k.seen = map[int]uint64{}
	for _, p := range found {
		k.seen[p.pid] = p.started
	}
	return alive(found)
}

// kill ends all of them, and the processes that they start meanwhile.
func (k *kin) kill(leader int) []int {
	_ = syscall.Kill(-leader, syscall.SIGKILL) // enough if /proc cannot be read
	return killAll(func() []process { return k.look(leader) })
}

// belonging returns the members, and the descendants of members and root, without root.
func belonging(all []process, root int, member func(process) bool) []process {
	in := map[int]bool{root: true}
	for grew := true; grew; {
		grew = false
		for _, p := range all {
			if !in[p.pid] && (in[p.parent] || member(p)) {
				in[p.pid], grew = true, true
			}
		}
	}
	return slices.DeleteFunc(all, func(p process) bool { return p.pid == root || !in[p.pid] })
}

// alive leaves out zombies, and reaps the zombies that this program adopted.
func alive(all []process) []process {
	return slices.DeleteFunc(all, func(p process) bool {
		if p.zombie && p.parent == os.Getpid() {
			_, _ = syscall.Wait4(p.pid, nil, syscall.WNOHANG, nil)
		}
		return p.zombie
	})
}

func killAll(look func() []process) []int {
	for over := time.Now().Add(settle); ; time.Sleep(time.Millisecond) {
		alive := look()
		if len(alive) == 0 {
			return nil
		}
		var left []int
		for _, p := range alive {
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
			left = append(left, p.pid)
		}
		if time.Now().After(over) {
			return left
		}
	}
}

// processes returns every process that can belong to a server. Once this program adopts
// orphans, each of them is its descendant. Where the kernel lists no children, it reads
// every process of the machine.
func processes() []process {
	if adopts.Load() {
		if all, ok := descendants(os.Getpid()); ok {
			return all
		}
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var all []process
	for _, e := range entries {
		if e.Name()[0] < '0' || e.Name()[0] > '9' {
			continue
		}
		all = appendProcess(all, e.Name())
	}
	return all
}

// appendProcess adds a process. A process that ended meanwhile is not an error.
func appendProcess(all []process, pid string) []process {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return all
	}
	if p, ok := parseStat(stat); ok {
		all = append(all, p)
	}
	return all
}

// descendants returns root and the processes below it. It returns false if the kernel does not
// list the children of root. A process that forks meanwhile may be missing, as it may be
// in any list; [killOrphans] proves that none is left.
func descendants(root int) (all []process, ok bool) {
	all = appendProcess(nil, strconv.Itoa(root))
	below, ok := children(root)
	for seen := map[string]bool{}; ok && len(below) > 0; {
		pid := below[len(below)-1]
		below = below[:len(below)-1]
		if n, err := strconv.Atoi(pid); err == nil && !seen[pid] {
			seen[pid] = true
			all = appendProcess(all, pid)
			more, _ := children(n) // a process that ended has none
			below = append(below, more...)
		}
	}
	return all, ok
}

// children returns the children of all threads of a process (Linux 4.2, with
// CONFIG_PROC_CHILDREN).
func children(pid int) (all []string, ok bool) {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil, false
	}
	for _, t := range threads {
		list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, t.Name()))
		ok = ok || err == nil // a thread may have ended
		all = append(all, strings.Fields(string(list))...)
	}
	return all, ok
}

// parseStat reads the fields of proc_pid_stat(5). The second field is the name of the
// program in parentheses, which may itself contain spaces and parentheses.
func parseStat(stat []byte) (process, bool) {
	head, _, ok := bytes.Cut(stat, []byte{' '})
	end := bytes.LastIndexByte(stat, ')')
	if !ok || end < 0 {
		return process{}, false
	}
	fields := bytes.Fields(stat[end+1:]) // the third field is the first here
	if len(fields) < 20 {
		return process{}, false
	}
	number := func(b []byte) int {
		n, err := strconv.Atoi(string(b))
		ok = ok && err == nil
		return n
	}
	p := process{pid: number(head), parent: number(fields[1]), group: number(fields[2]), session: number(fields[3])}
	p.started = uint64(number(fields[19]))
	p.zombie = fields[0][0] == 'Z' || fields[0][0] == 'X'
	return p, ok
}

// adopts is set once this program adopts orphans.
var adopts atomic.Bool

func becomeSubreaper() error {
	err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	adopts.Store(err == nil)
	return err
}

// killOrphans ends every child of this program outside its own session, including
// processes that become such a child. It continues until the system reports that no child
// is left. Only that is proof. A process that forks and exits again and again is between
// two entries of any list, but it, or its ancestor, is always a child.
//
// Each server leads its own session, so its leftovers are never in this program's
// session. A child in this program's session belongs to another part of the program,
// which waits for it itself. With such a child, two searches that find no orphan replace
// the proof. killOrphans returns the processes that are left when the time is over.
func killOrphans(within time.Duration) []int {
	own, _ := unix.Getsid(0)
	for over, clean := time.Now().Add(within), 0; ; time.Sleep(100 * time.Microsecond) {
		if errors.Is(childState(unix.P_ALL, 0), unix.ECHILD) {
			return nil
		}
		found, err := orphans(own)
		if err != nil {
			return []int{0} // a child exists, but which one is unknown
		}
		if clean++; len(found) > 0 {
			clean = 0
		}
		switch {
		case clean == 2:
			return nil
		case time.Now().After(over):
			return found
		}
		for _, pid := range found {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
	}
}

// orphans are the children of this program in other sessions than its own, including dead
// ones. The id of a dead child is not reused until it is waited for.
func orphans(own int) (found []int, err error) {
	all, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	names, err := all.Readdirnames(-1) // unsorted, without reading files: it must be fast
	_ = all.Close()
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || childState(unix.P_PID, pid) != nil {
			continue
		}
		if session, err := unix.Getsid(pid); err == nil && session != own {
			found = append(found, pid)
		}
	}
	return found, err
}

// childState returns ECHILD if no such child exists, alive or dead. It does not wait.
func childState(kind, pid int) error {
	for {
		err := unix.Waitid(kind, pid, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return err
		}
	}
}

// Seal keeps other processes of the same user, including servers, from reading this
// program's memory and environment through /proc. They may contain keys. It also keeps
// them from attaching to this program. Processes of root still can, so a server that runs
// as root next to a program of root can read everything.
//
// It changes the whole process and disables core dumps; only main should call it. On
// systems other than Linux it returns an error. A program that this one starts is not
// sealed.
func Seal() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }

// keepAll marks all descriptors but the standard ones as closed in children (Linux 5.11).
func keepAll() error { return unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) }
