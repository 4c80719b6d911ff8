package servers

import (
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/host/confine"
)

// examineSandbox reports which confinement this machine supports, and which servers of the
// allowlist run with the user's rights. Neither is a fault: a server that cannot be confined
// as its entry states does not start, and reports that itself.
func (s Servers) examineSandbox() []desk.Check {
	var loose, held []string
	for _, name := range s.Allowlist.Servers() {
		switch c := s.Command(name); {
		case c.Path == "": // remote, or part of this program
		case c.Sandbox.Confines():
			held = append(held, name)
		default:
			loose = append(loose, name)
		}
	}
	found := []desk.Check{desk.NewCheck("sandbox", machine(confine.ThisMachine()), nil)}
	if len(held) > 0 {
		found = append(found, desk.NewCheck("sandbox", "confined: "+strings.Join(held, ", "), nil))
	}
	if len(loose) > 0 {
		found = append(found, desk.NewCheck("sandbox", "not confined, with all of your rights: "+strings.Join(loose, ", ")+` ("manifest" in an entry, or sandbox = "all" in config.toml, confines one)`, nil))
	}
	return found
}

// machine describes a machine's confinement on one line.
func machine(m confine.Machine) string {
	lacks := []string{}
	if m.Landlock == 0 {
		lacks = append(lacks, "Landlock")
	}
	if !m.Notify {
		lacks = append(lacks, "notifications of seccomp")
	}
	switch {
	case len(lacks) > 0:
		return fmt.Sprintf("%s has no %s: no server can be confined here (docs/sandbox.md)", m.Kernel, strings.Join(lacks, " and no "))
	case !m.Sockets:
		return fmt.Sprintf("%s, Landlock ABI %d: servers without hosts and ports can be confined; pidfd_getfd is refused here (docs/sandbox.md); %s", m.Kernel, m.Landlock, limits(m))
	}
	return fmt.Sprintf("%s, Landlock ABI %d: servers can be confined; %s", m.Kernel, m.Landlock, limits(m))
}

// limits describes the scope of a confined server's limits.
func limits(m confine.Machine) string {
	if m.Cgroup {
		return "limits count all processes of a server (a cgroup is delegated)"
	}
	return "limits are of each process (no cgroup of version 2 is delegated)"
}
