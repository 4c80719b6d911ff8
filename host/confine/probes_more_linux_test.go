package confine

import (
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestWhatAServerWritesItDoesNotRun(t *testing.T) {
	t.Parallel()
	expect(t, "a program in its private directory", try(t, Scopes{}, "execwritten"), "EACCES")
}

// A question to any name server goes to the stub, and no datagram elsewhere.
func TestEveryNameServerIsTheStub(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"8.8.8.8:53", "192.0.2.1:53", "169.254.169.254:53", "127.0.0.53:53"} {
		expect(t, address, try(t, Scopes{}, "peer", address), "127.0.0.1")
	}
	expect(t, "another port", try(t, Scopes{}, "peer", "8.8.8.8:54"), "EACCES")
}

// One end of a socketpair is a local socket that exists, and reaches no other.
func TestALocalSocketIsNotReached(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "s") //nolint:usetesting // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, path := range []string{filepath.Join(dir, "socket"), "\x00" + filepath.Base(dir)} {
		name := path
		if path[0] == 0 {
			name = "@" + path[1:]
		}
		l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
		if err != nil {
			t.Fatal(err)
		}
		if path[0] == 0 {
			expect(t, "the abstract socket "+name, try(t, Scopes{ReadPaths: Paths{dir}}, "abstract", name), "EACCES")
		} else {
			expect(t, "the socket "+name, try(t, Scopes{ReadPaths: Paths{dir}, WritePaths: Paths{dir}}, "unixto", path), "EACCES")
		}
		f, err := l.File()
		if err != nil {
			t.Fatal(err)
		}
		if n, _, err := unix.Recvfrom(int(f.Fd()), make([]byte, 8), unix.MSG_DONTWAIT); err != unix.EAGAIN {
			t.Errorf("%d bytes came to %s, %v", n, name, err)
		}
		_, _ = f.Close(), l.Close()
	}
}

// When the supervisor has ended, its calls end in an error. A server that outlives it has
// no network, and opens no file that would have been recorded.
func TestWithoutASupervisorCaughtCallsFail(t *testing.T) {
	t.Parallel()
	address, connections := counted(t)
	runtime.LockOSThread() // the kernel ends the server with the thread that started it
	defer runtime.UnlockOSThread()
	in, line, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	scopes := Scopes{AllowedHosts: []string{address}, ReadPaths: Paths{"/etc"}}
	cmd, c, out := piped(t, server{scopes: scopes, args: []string{"afterwards", address, "/etc/hosts"}}, in)
	ready, err := out.ReadString('\n')
	expect(t, "the server", ready, "ready\n")
	if err := errors.Join(err, c.Close()); err != nil {
		t.Error(err)
	}
	_, err = line.WriteString("go on\n")
	got, err2 := out.ReadString('\n')
	expect(t, "a connection and an open", strings.TrimSpace(got), "ENOSYS ENOSYS")
	if err := errors.Join(err, err2, cmd.Wait(), in.Close(), line.Close()); err != nil {
		t.Error(err)
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections reached the server", n)
	}
}

// A program that its own user may not read is closed to an ordinary user's supervisor.
// Its connections are refused, and not left to the kernel.
func TestAProgramThatIsClosedToTheSupervisorHasNoNetwork(t *testing.T) {
	t.Parallel()
	address, connections := counted(t)
	path := filepath.Join(t.TempDir(), "unreadable")
	b, err := os.ReadFile(self_(t))
	if err == nil {
		err = os.WriteFile(path, b, 0o700)
	}
	if err = errors.Join(err, os.Chmod(path, 0o111)); err != nil {
		t.Fatal(err)
	}
	want, reached := "EPERM", int32(0)
	if os.Geteuid() == 0 { // which may read it
		want, reached = "ok", 1
	}
	s := server{scopes: Scopes{AllowedHosts: []string{address}, AllowedCommands: []string{loaderOfSystem(t)}}, program: path, args: []string{"probe", "connect", address}}
	r := s.run(t)
	expect(t, "a connection", strings.TrimSpace(r.out), want)
	if line := "blocked: connect of a program that this user may not read (no permission allows it)"; slices.Contains(r.attempts, line) != (want == "EPERM") {
		t.Errorf("the attempts are %q", r.attempts)
	}
	if n := connections.Load(); n != reached {
		t.Errorf("%d connections reached the server", n)
	}
}

// Without a cgroup the number of processes is the user's, and root is not bound by it.
func TestTheLimitOfProcessesBindsUsers(t *testing.T) {
	t.Parallel()
	scopes := Scopes{AllowedCommands: []string{"/bin/sh", "true"}, Limits: Limits{Processes: 1}}
	r := server{scopes: scopes, program: "/bin/sh", args: []string{"-c", "(true) && (true) && echo started"}}.run(t)
	if started := strings.Contains(r.out, "started"); started != (os.Geteuid() == 0 && !r.report.Counted) {
		t.Errorf("as user %d: %s %s", os.Geteuid(), r.out, r.err)
	}
}

// What limits of one process cannot hold: docs/sandbox.md says so first.
func TestWhatLimitsLeaveOpen(t *testing.T) {
	t.Parallel()
	program := self_(t)
	limits := Limits{MemoryMiB: 512, FileMiB: 1}
	expect(t, "memory of two processes", try(t, Scopes{AllowedCommands: []string{program}, Limits: limits}, "twice", "300"), "ok")
	expect(t, "four files of 1 MB", try(t, Scopes{Limits: limits}, "files", "4", "1000000"), "ok")
	if got := try(t, Scopes{AllowedCommands: []string{"cat"}}, "start", "/bin/cat", "/proc/self/status"); got != "exit status 1" {
		t.Errorf("/proc/self of a child: %s", got)
	}
	expect(t, "the machine's process ids, in its cgroups", try(t, Scopes{}, "list", "/sys/fs/cgroup"), "ok")
}

// What Why answers of hosts and commands is what the kernel does, for scopes
// that chance puts together.
func TestWhyAgreesOnHostsAndCommands(t *testing.T) {
	t.Parallel()
	first, _ := counted(t)
	second, _ := counted(t)
	p := port(t, first)
	known := resolver(map[string]string{"api.test": "127.0.0.1", "a.wild.test": "127.0.0.1", "wild.test": "127.0.0.1"})
	hosts := []string{first, second, "api.test:" + p, "wild.test:" + p, "*.wild.test:" + p, "*.test:" + port(t, second)}
	reach := []string{first, second, "api.test:" + p, "wild.test:" + p, "a.wild.test:" + p, "127.0.0.2:" + p, "api.test:" + port(t, second)}
	commands := []string{"true", "pwd", "id", "ls", "sh"}
	chance := rand.New(rand.NewPCG(25, 1))
	some := func(all []string) (chosen []string) {
		for _, one := range all {
			if chance.IntN(3) == 0 {
				chosen = append(chosen, one)
			}
		}
		return chosen
	}
	for range 6 {
		scopes := Scopes{AllowedHosts: some(hosts), AllowedCommands: some(commands)}
		s := server{scopes: scopes, lookup: known}
		for _, host := range reach {
			s.args = []string{"get", "http://" + host}
			policy := s.policy(t)
			why := policy.Why(host)[0]
			got := strings.TrimSpace(runPolicy(t, policy, s).out) == "ok"
			name, _, _ := net.SplitHostPort(host)
			// a name that leads inside
			internal := net.ParseIP(name) == nil && !policy.hosts.allowsAddr(netip.MustParseAddrPort("127.0.0.1:"+port(t, host)))
			if got != (why.Allowed && !internal) {
				t.Errorf("%q: %s is reached: %v, and Why says %+v", scopes.AllowedHosts, host, got, why)
			}
		}
		for _, command := range commands {
			path, err := exec.LookPath(command)
			if err != nil {
				t.Fatal(err)
			}
			s.args = []string{"start", path, "-c", "exit 0"}
			if command != "sh" {
				s.args = s.args[:2]
			}
			policy := s.policy(t)
			why := policy.Why(command)[0]
			got := strings.TrimSpace(runPolicy(t, policy, s).out)
			started := got == "ok" || strings.HasPrefix(got, "exit status")
			if started != why.Allowed {
				t.Errorf("%q: %s is %s, and Why says %+v", scopes.AllowedCommands, command, got, why)
			}
		}
	}
}

// Landlock does not check the extended attributes of any file. So a server sees none,
// even of a file that it may read.
func TestExtendedAttributesAreClosed(t *testing.T) {
	t.Parallel()
	path := outside(t)
	_ = unix.Setxattr(path, "user.secret", []byte("known"), 0) // a file system without attributes gives the same error
	for name, want := range map[string]string{
		"attribute": "EOPNOTSUPP", "linkattribute": "EOPNOTSUPP", "listattributes": "EOPNOTSUPP", "linkattributes": "EOPNOTSUPP",
		"fdattribute": "EOPNOTSUPP", "fdattributes": "EOPNOTSUPP", "lateattribute": "ENOSYS",
	} {
		for _, scopes := range []Scopes{{}, {ReadPaths: Paths{path}}} {
			got := try(t, scopes, name, path)
			expect(t, name, strings.Replace(got, "ENOTSUP", "EOPNOTSUPP", 1), want)
		}
	}
}
