package confine

import "os"

// scopedABI is where Landlock keeps signals and abstract sockets inside.
const scopedABI = 6

// Machine is what the kernel and a container around this program give.
type Machine struct {
	Kernel   string `json:"kernel"`
	Landlock int    `json:"landlock_abi"` // 0: none
	Notify   bool   `json:"seccomp_notify"`
	Sockets  bool   `json:"pidfd_getfd"` // the supervisor may take a copy of a server's socket
	Ptrace   string `json:"yama_ptrace_scope,omitempty"`
}

// NotHeld lists what a policy asks for and this machine cannot hold, or holds
// for each process alone.
func (p *Policy) NotHeld(m Machine) []string {
	var all []string
	for _, one := range []struct {
		not bool
		why string
	}{
		{p.runs() && m.Landlock < scopedABI, "processes that outlive the server when this program is killed: that needs Linux 6.12 (Landlock ABI 6)"},
		{p.runs() && p.scopes.Limits.MemoryMiB > 0, "limits.memoryMiB of several processes together: each has the limit by itself"},
		{p.scopes.Limits.Processes > 0 && os.Geteuid() == 0, "limits.processes: the kernel does not bind root by it"},
	} {
		if one.not {
			all = append(all, one.why)
		}
	}
	return all
}
