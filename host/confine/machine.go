package confine

// Machine is what the kernel and a container around this program give.
type Machine struct {
	Kernel   string `json:"kernel"`
	Landlock int    `json:"landlock_abi"` // 0: none
	Notify   bool   `json:"seccomp_notify"`
	Sockets  bool   `json:"pidfd_getfd"` // the supervisor may take a copy of a server's socket
	Ptrace   string `json:"yama_ptrace_scope,omitempty"`
}
