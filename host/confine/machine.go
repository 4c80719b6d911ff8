package confine

import (
	"os"
	"slices"
)

// scopedABI is the ABI from which Landlock can confine signals and abstract sockets.
const scopedABI = 6

// Machine describes the support of the kernel and of a container around this program.
type Machine struct {
	Kernel   string `json:"kernel"`
	Landlock int    `json:"landlock_abi"` // 0: none
	Notify   bool   `json:"seccomp_notify"`
	Sockets  bool   `json:"pidfd_getfd"` // the supervisor may copy a server's socket
	Ptrace   string `json:"yama_ptrace_scope,omitempty"`
	Cgroup   bool   `json:"cgroup"` // a cgroup of version 2 is delegated, with controllers of memory and processes
}

// cgroupMount is where the hierarchy of version 2 is mounted.
const cgroupMount = "/sys/fs/cgroup"

// counted reports whether a cgroup limits the memory and processes of the server as a
// whole. A server that may write to the cgroups could leave its own. Then the limits are
// for each process.
func (p *Policy) counted(m Machine) bool {
	limits := p.scopes.Limits
	return m.Cgroup && (limits.MemoryMiB > 0 || limits.Processes > 0) && !slices.ContainsFunc(p.grants, func(g grant) bool {
		return g.gives()&(write|remove) != 0 && (beneath(g.path, cgroupMount) || beneath(cgroupMount, g.path))
	})
}

// NotHeld lists the parts of a policy that this machine cannot enforce, or enforces only
// for each process.
func (p *Policy) NotHeld(m Machine) []string {
	var all []string
	counted := p.counted(m)
	for _, one := range []struct {
		not bool
		why string
	}{
		{p.runs() && m.Landlock < scopedABI, "processes that outlive the server when this program is killed: that needs Linux 6.12 (Landlock ABI 6)"},
		{p.runs() && p.scopes.Limits.MemoryMiB > 0 && !counted, "limits.memoryMiB of several processes together: the limit is per process, because no cgroup of version 2 is delegated to this program, or the server may write in it"},
		{p.scopes.Limits.Processes > 0 && os.Geteuid() == 0 && !counted, "limits.processes: without a cgroup the kernel does not bind root by it"},
	} {
		if one.not {
			all = append(all, one.why)
		}
	}
	return all
}
