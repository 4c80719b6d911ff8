package confine

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/host/confine/shim"
)

// outside is a file that exists and no scope covers.
func outside(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "outside")
	if err := os.WriteFile(path, []byte("secret"), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func TestFilesOutsideTheScopesAreClosed(t *testing.T) {
	t.Parallel()
	path, dir := outside(t), t.TempDir()
	for _, c := range []struct {
		want string
		args []string
	}{
		{"EACCES", []string{"read", path}},
		{"EACCES", []string{"read", "/etc/passwd"}},
		{"EACCES", []string{"write", path}},
		{"EACCES", []string{"write", filepath.Join(dir, "new")}},
		{"EACCES", []string{"list", dir}},
		{"EACCES", []string{"list", "/proc"}},
		{"EACCES", []string{"list", "/"}},
		{"ENOSYS", []string{"openat2", path}},
		{"EACCES", []string{"reopen", path}},
		{"EACCES", []string{"mkdir", filepath.Join(dir, "d")}},
		{"EPERM", []string{"mknod", filepath.Join(dir, "d")}},
		{"EACCES", []string{"truncate", path}},
		{"EACCES", []string{"empty", path}},
		{"EACCES", []string{"neither", path}},
		{"EACCES", []string{"unlink", path}},
		{"EACCES", []string{"rmdir", dir}},
		{"EPERM", []string{"chmod", path}},
		{"EPERM", []string{"chown", path}},
		{"EPERM", []string{"utime", path}},
		{"EPERM", []string{"xattr", path}},
		{"EPERM", []string{"byhandle", path}},
		{"EPERM", []string{"inotify"}},
		{"EPERM", []string{"fanotify"}},
		{"EACCES", []string{"read", "/proc/1/environ"}},
		{"EACCES", []string{"read", "/proc/1/maps"}},
		{"EACCES", []string{"read", "/proc/" + strconv.Itoa(os.Getpid()) + "/environ"}},
		{"EACCES", []string{"read", "/proc/" + strconv.Itoa(os.Getpid()) + "/cmdline"}},
		{"EACCES", []string{"writememory"}},
		{"ok", []string{"temp"}},
		{"ok", []string{"read", "/proc/self/status"}},
		{"ok", []string{"descriptors"}},
		{"ok", []string{"capabilities"}},
	} {
		expect(t, strings.Join(c.args, " "), try(t, Scopes{}, c.args...), c.want)
	}
	for _, probe := range []string{"truncate", "empty", "neither"} {
		expect(t, probe+" what may be read", try(t, Scopes{ReadPaths: Paths{path}}, probe, path), "EACCES")
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "secret" {
		t.Errorf("the file outside holds %q, %v", b, err)
	}
}

func TestTricksWithLinksOpenNothing(t *testing.T) {
	t.Parallel()
	path, dir := outside(t), t.TempDir()
	all := Scopes{ReadPaths: []string{dir}, WritePaths: []string{dir}, DeletePaths: []string{dir}}
	expect(t, "a symbolic link of the server's own", try(t, all, "symlink-read", path, filepath.Join(dir, "s")), "EACCES")
	if got := try(t, all, "link", path, filepath.Join(dir, "h")); got != "EXDEV" && got != "EACCES" {
		t.Errorf("a hard link into a granted directory: %s", got)
	}
	if got := try(t, all, "rename", path, filepath.Join(dir, "r")); got != "EXDEV" && got != "EACCES" {
		t.Errorf("a rename into a granted directory: %s", got)
	}
	expect(t, "deleting through a link", try(t, all, "unlink", filepath.Join(dir, "s")+"/../outside"), "ENOTDIR")
	if err := os.Symlink(filepath.Dir(path), filepath.Join(dir, "up")); err != nil {
		t.Fatal(err)
	}
	expect(t, "deleting below a linked directory", try(t, all, "unlink", filepath.Join(dir, "up", "outside")), "EACCES")
	expect(t, "changing a mode below a linked directory", try(t, all, "chmod", filepath.Join(dir, "up", "outside")), "EPERM")
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestScopesOpenWhatTheyNameAndNoMore(t *testing.T) {
	t.Parallel()
	dir, other := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "file")
	for _, p := range []string{file, filepath.Join(other, "file")} {
		if err := os.WriteFile(p, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reads, writes := Scopes{ReadPaths: []string{dir}}, Scopes{WritePaths: []string{dir}}
	both := Scopes{WritePaths: []string{dir}, DeletePaths: []string{dir}}
	one := Scopes{ReadPaths: []string{file}}
	for _, c := range []struct {
		scopes Scopes
		want   string
		args   []string
	}{
		{reads, "ok", []string{"read", file}},
		{reads, "ok", []string{"list", dir}},
		{reads, "EACCES", []string{"write", file}},
		{reads, "EPERM", []string{"chmod", file}},
		{reads, "EPERM", []string{"fchmod", file, "r"}},
		{one, "ok", []string{"read", file}},
		{one, "EACCES", []string{"list", dir}},
		{writes, "ok", []string{"write", file}},
		{writes, "EACCES", []string{"read", file}},
		{writes, "ok", []string{"replace", file}},
		{writes, "ok", []string{"mkdir", filepath.Join(dir, "made")}},
		{writes, "EACCES", []string{"unlink", file}},
		{writes, "EACCES", []string{"rmdir", filepath.Join(dir, "made")}},
		{writes, "ok", []string{"chmod", file}},
		{writes, "ok", []string{"setuid", file}},
		{writes, "ok", []string{"fchmod", file, "w"}},
		{writes, "ok", []string{"utime", file}},
		{writes, "EACCES", []string{"write", filepath.Join(other, "file")}},
		{both, "ok", []string{"rmdir", filepath.Join(dir, "made")}},
		{both, "ok", []string{"unlink", file}},
		{both, "EACCES", []string{"unlink", filepath.Join(other, "file")}},
		{both, "EACCES", []string{"rmdir", dir}},
		{both, "EACCES", []string{"start", file}},
	} {
		if len(c.args) == 2 && c.args[0] == "start" {
			continue
		}
		expect(t, strings.Join(c.args, " "), try(t, c.scopes, c.args...), c.want)
		if c.args[0] != "setuid" {
			continue
		}
		if info, err := os.Stat(file); err != nil || info.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0 {
			t.Errorf("the server made a file with mode %v, %v", info.Mode(), err)
		}
	}
}

func TestTheKernelsSurfaceIsClosed(t *testing.T) {
	t.Parallel()
	parent := strconv.Itoa(os.Getpid())
	for want, all := range map[string][][]string{
		"EPERM": {
			{"ptrace", parent},
			{"processvm", parent},
			{"getfd"},
			{"unshare"},
			{"mount"},
			{"setns"},
			{"chroot"},
			{"bpf"},
			{"keyctl"},
			{"perf"},
			{"userfaultfd"},
			{"personality"},
			{"tiocsti"},
			{"tiocstihigh"},
			{"shm"},
			{"sem"},
			{"msg"},
			{"mqueue"},
			{"seccomp"},
			{"namespace"},
			{"deathsig"},
			{"dumpable"},
			{"kill", parent},
			{"tkill", parent},
			{"pidfdsignal", parent},
			{"prlimit", parent},
			{"setpriority", parent},
			{"prioritize"},
			{"ioprio", parent},
			{"affinity", parent},
			{"fork"},
			{"raw"},
			{"packet-"},
			{"passing"},
			{"handover"},
		},
		"ENOSYS":          {{"iouring"}, {"clone3"}, {"memfd"}, {"newer"}, {"newest"}},
		"EAFNOSUPPORT":    {{"vsock"}, {"netlink"}, {"packet"}},
		"EPROTONOSUPPORT": {{"ping"}, {"mptcp"}, {"sctp"}},
		"ok":              {{"thread"}, {"killself"}, {"setpriority", "0"}, {"prlimit", "0"}, {"affinity", "0"}, {"socketpair"}, {"unix"}, {"high"}},
	} {
		for _, args := range all {
			if args[0] == "packet-" {
				continue
			}
			expect(t, strings.Join(args, " "), try(t, Scopes{}, args...), want)
		}
	}
}

func TestWithoutACommandNoProcessIsMade(t *testing.T) {
	t.Parallel()
	r := server{args: []string{"start", "/bin/true"}}.run(t)
	if !strings.Contains(r.out, "operation not permitted") && strings.TrimSpace(r.out) != "EPERM" {
		t.Errorf("starting a program: %s", r.out)
	}
	if !slices.Contains(r.attempts, "blocked: start a program, which `ask manifest learn` names (needs system.exec with allowedCommands)") {
		t.Errorf("the attempts are %q", r.attempts)
	}
	expect(t, "replacing itself by another program", try(t, Scopes{}, "exec", "/bin/true"), "EACCES")
}

func TestAGrantedCommandStartsAndNoOtherDoes(t *testing.T) {
	t.Parallel()
	granted, err := exec.LookPath("true")
	if err != nil {
		t.Fatal(err)
	}
	scopes := Scopes{AllowedCommands: []string{"true"}}
	expect(t, "the granted command", try(t, scopes, "start", granted), "ok")
	r := server{scopes: scopes, args: []string{"start", "/bin/cat", "/etc/passwd"}}.run(t)
	expect(t, "another command", strings.TrimSpace(r.out), "EACCES")
	actual, err := filepath.EvalSymlinks("/bin/cat")
	if err != nil {
		t.Fatal(err)
	}
	if want := "blocked: start " + actual + " (needs system.exec with allowedCommands)"; !slices.Contains(r.attempts, want) {
		t.Errorf("the attempts are %q, without %q", r.attempts, want)
	}
	dir := t.TempDir()
	copied := filepath.Join(dir, "program")
	if err := copyProgram(copied); err != nil {
		t.Fatal(err)
	}
	expect(t, "a program that the server could have written", try(t, Scopes{AllowedCommands: []string{"true"}, WritePaths: []string{dir}}, "start", copied), "EACCES")
}

// A granted script has its interpreter and what that one loads, also where the kernel
// starts env for it.
func TestAGrantedScriptStartsWithWhatItLoads(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"granted": "#!/usr/bin/env perl\nuse strict;\nrequire($0 =~ s{granted$}{part}r);\n",
		"other":   "#!/usr/bin/env perl\n", "part": "1;\n", "package.json": "{}",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	script := filepath.Join(dir, "granted")
	scopes := Scopes{AllowedCommands: []string{script}}
	expect(t, "the granted script", try(t, scopes, "start", script), "ok")
	expect(t, "another script", try(t, scopes, "start", filepath.Join(dir, "other")), "EACCES")
	expect(t, "a script of a writable directory", try(t, Scopes{AllowedCommands: []string{"perl"}, WritePaths: []string{dir}}, "start", script), "EACCES")
}

// Another program under the name that was checked runs in none of 300 starts.
func TestAnExchangedCommandDoesNotRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	scopes := Scopes{AllowedCommands: []string{"true"}, WritePaths: []string{dir}}
	expect(t, "wins, and whether both were started", try(t, scopes, "swap", dir, "/bin/true", "/bin/echo"), "0 of true")
}

func TestTheEnvironmentIsWhatIsNamed(t *testing.T) {
	t.Parallel()
	env := []string{"SECRET=x", "GRANTED=y", "PATH=/usr/bin:/bin", "HOME=/root", "LD_PRELOAD=/x.so"}
	r := server{args: []string{"environment"}, env: env}.run(t)
	expect(t, "without a scope", strings.TrimSpace(r.out), "HOME PATH RES_OPTIONS TMPDIR")
	r = server{args: []string{"environment"}, env: env, scopes: Scopes{EnvVars: []string{"GRANTED", "ABSENT"}}}.run(t)
	expect(t, "with a scope", strings.TrimSpace(r.out), "GRANTED HOME PATH RES_OPTIONS TMPDIR")
}

// counted is a real HTTP server that counts its connections.
func counted(tb testing.TB) (address string, connections *atomic.Int32) {
	tb.Helper()
	connections = &atomic.Int32{}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) }))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.Start()
	tb.Cleanup(s.Close)
	return s.Listener.Addr().String(), connections
}

func port(tb testing.TB, address string) string {
	tb.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		tb.Fatal(err)
	}
	return port
}

func TestWithoutAHostNothingIsReached(t *testing.T) {
	t.Parallel()
	address, connections := counted(t)
	for _, c := range []struct{ probe, address, want string }{
		{"connect", address, "EACCES"},
		{"udp", address, "EACCES"},
		{"udpconnected", address, "EACCES"},
		{"fastopen", address, "ENOTSUP"},
		{"connect", "[::1]:" + port(t, address), "EACCES"},
		{"connect", "[::ffff:127.0.0.1]:" + port(t, address), "EACCES"},
		{"connect", "0.0.0.0:" + port(t, address), "EACCES"},
		{"connect", "169.254.169.254:80", "EACCES"},
		{"connect", "8.8.8.8:443", "EACCES"},
		{"listen", "127.0.0.1:0", "EACCES"},
		{"listenunbound", "", "EACCES"},
		{"bind", "18099", "EACCES"},
		{"resolve", "example.com", "no such host"},
	} {
		args := slices.DeleteFunc([]string{c.probe, c.address}, func(s string) bool { return s == "" })
		expect(t, c.probe+" "+c.address, try(t, Scopes{}, args...), c.want)
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections reached the server", n)
	}
}

func TestAGrantedAddressIsReachedAndItsNeighboursAreNot(t *testing.T) {
	t.Parallel()
	granted, reached := counted(t)
	other, missed := counted(t)
	scopes := Scopes{AllowedHosts: []string{granted}}
	expect(t, "the granted address", try(t, scopes, "get", "http://"+granted), "ok")
	expect(t, "as a mapped address", try(t, scopes, "connect", "[::ffff:127.0.0.1]:"+port(t, granted)), "ok")
	expect(t, "another port", try(t, scopes, "connect", other), "EACCES")
	expect(t, "another address", try(t, scopes, "connect", "127.0.0.2:"+port(t, granted)), "EACCES")
	expect(t, "over UDP", try(t, scopes, "udp", granted), "EACCES")
	if reached.Load() == 0 {
		t.Error("no connection reached the granted server")
	}
	if n := missed.Load(); n != 0 {
		t.Errorf("%d connections reached the other server", n)
	}
}

// resolver answers for tests, without a network.
func resolver(table map[string]string) lookup {
	return func(name string) ([]netip.Addr, error) {
		if addr, known := table[name]; known {
			return []netip.Addr{netip.MustParseAddr(addr)}, nil
		}
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
}

func TestNamesLeadWhereTheyAreGranted(t *testing.T) {
	t.Parallel()
	address, connections := counted(t)
	p := port(t, address)
	internal := resolver(map[string]string{"api.test": "127.0.0.1", "a.wild.test": "127.0.0.1", "wild.test": "127.0.0.1"})
	for _, c := range []struct {
		hosts []string
		name  string
		ok    bool
	}{
		{[]string{"api.test:" + p, address}, "api.test", true},
		{[]string{"api.test:" + p}, "api.test", false}, // resolves to an internal address, which is not granted
		{[]string{"api.test:1", address}, "api.test", false},
		{[]string{"*.wild.test:" + p, address}, "a.wild.test", true},
		{[]string{"*.wild.test:" + p, address}, "wild.test", false},
		{[]string{"wild.test:" + p, address}, "a.wild.test", false},
		{[]string{address}, "api.test", false},
	} {
		before := connections.Load()
		r := server{scopes: Scopes{AllowedHosts: c.hosts}, args: []string{"get", "http://" + c.name + ":" + p}, lookup: internal}.run(t)
		if got := strings.TrimSpace(r.out) == "ok"; got != c.ok {
			t.Errorf("%v, %s: %s", c.hosts, c.name, r.out)
		}
		if got := connections.Load() > before; got != c.ok {
			t.Errorf("%v, %s: a connection was made: %v", c.hosts, c.name, got)
		}
		if !c.ok && len(r.attempts) == 0 {
			t.Errorf("%v, %s: nothing was recorded", c.hosts, c.name)
		}
	}
}

// A program that finds localhost in /etc/hosts connects to the address.
func TestANameOfTheHostsFileIsItsAddress(t *testing.T) {
	t.Parallel()
	address, _ := counted(t)
	expect(t, "localhost", try(t, Scopes{AllowedHosts: []string{"localhost:" + port(t, address)}}, "get", "http://localhost:"+port(t, address)), "ok")
}

// What was checked is what is connected to, whatever another thread writes.
func TestAnAddressThatChangesReachesNothingElse(t *testing.T) {
	t.Parallel()
	granted, reached := counted(t)
	forbidden, missed := counted(t)
	through := try(t, Scopes{AllowedHosts: []string{granted}}, "flip", granted, forbidden, "3000")
	if n, err := strconv.Atoi(through); err != nil || n == 0 || n == 3000 {
		t.Errorf("%s of 3000 connections came about: the address did not change", through)
	}
	if reached.Load() == 0 {
		t.Error("the granted server was not reached")
	}
	if n := missed.Load(); n != 0 {
		t.Errorf("%d connections reached the forbidden port", n)
	}
}

// Calls that block hold up neither the end of a server nor this program's.
func TestCallsThatBlockAreCutOff(t *testing.T) {
	t.Parallel()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := errors.Join(unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}), unix.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	at, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	address := "127.0.0.1:" + strconv.Itoa(at.(*unix.SockaddrInet4).Port)
	p := server{scopes: Scopes{AllowedHosts: []string{address}}, args: []string{"stuck", address, "600"}}.policy(t)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = out.Read(make([]byte, 16)) // "stuck"
		cancel()
	}()
	status, err := Run(ctx, &exec.Cmd{Stdout: in}, p, Options{})
	_, _ = in.Close(), out.Close()
	if status != 128+int(unix.SIGTERM) && status != 128+int(unix.SIGKILL) || err != nil {
		t.Errorf("exit %d, %v", status, err)
	}
}

func TestAGrantedPortIsListenedAt(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseUint(port(t, at), 10, 16)
	if err != nil {
		t.Fatal(err)
	}
	scopes := Scopes{ListenPorts: []uint16{uint16(n)}}
	expect(t, "the granted port", try(t, scopes, "listen", at), "ok")
	expect(t, "any port", try(t, scopes, "listen", "127.0.0.1:0"), "EACCES")
	expect(t, "a port of the kernel's choice", try(t, scopes, "listenunbound"), "EACCES")
}

func TestLimitsAreHeld(t *testing.T) {
	t.Parallel()
	limits := Scopes{Limits: Limits{MemoryMiB: 256, FileMiB: 1, CPUSeconds: 600}}
	expect(t, "private memory over the limit", try(t, limits, "memory", "512", "private"), "ENOMEM")
	expect(t, "shared memory, which the limit would not count", try(t, limits, "memory", "1", "shared"), "ENOMEM")
	expect(t, "shared memory without a limit", try(t, Scopes{}, "memory", "1", "shared"), "ok")
	expect(t, "a file under the limit", try(t, limits, "disk", "100000"), "ok")
	if got := try(t, limits, "disk", "2000000"); got == "ok" {
		t.Error("a file over the limit was written")
	}
}

func TestAttemptsAreRecordedOnceWithWhatAllowsThem(t *testing.T) {
	t.Parallel()
	r := server{args: []string{"flood"}}.run(t)
	want := []string{
		"blocked: connect 192.0.2.1:1 (needs network.client with allowedHosts)",
		"blocked: read /etc/shadow (needs filesystem.read with readPaths)",
	}
	got := slices.DeleteFunc(slices.Sorted(slices.Values(r.attempts)), func(a string) bool { return !slices.Contains(want, a) })
	if !slices.Equal(got, want) {
		t.Errorf("the attempts are %q", r.attempts)
	}
	for _, a := range r.raw {
		if a.Resource == "192.0.2.1:0" || strings.Contains(a.Resource, shim.Forbidden) {
			t.Errorf("an attempt of the self-proof was recorded: %+v", a)
		}
		if a.PID == 0 || a.Time.IsZero() {
			t.Errorf("an attempt says not who or when: %+v", a)
		}
	}
	absent := server{args: []string{"read", "/etc/no-such-file"}}.run(t)
	for _, a := range absent.attempts {
		if strings.Contains(a, "no-such-file") {
			t.Errorf("an absent file was recorded: %s", a)
		}
	}
}

func TestTheProofIsOnTheReport(t *testing.T) {
	t.Parallel()
	r := server{args: []string{"temp"}}.run(t)
	want := []string{"open by path", "open by descriptor", "truncate", "connect", "local socket", "ptrace"}
	if !slices.Equal(r.report.Proved, want) {
		t.Errorf("proved were %q", r.report.Proved)
	}
	t.Logf("the machine is %+v", r.report.Machine)
	if r.report.Landlock == 0 || r.report.Kernel == "" || len(r.report.Manifest) != 64 {
		t.Errorf("the report is %+v", r.report)
	}
}

// What this mechanism cannot hold: docs/sandbox.md says so first.
func TestWhatIsOpen(t *testing.T) {
	t.Parallel()
	path := outside(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	expect(t, "stat", try(t, Scopes{}, "stat", path), "ok")
	expect(t, "access", try(t, Scopes{}, "access", path), "ok")
	expect(t, "readlink", try(t, Scopes{}, "readlink", link), "ok")
	expect(t, "statfs", try(t, Scopes{}, "statfs", path), "ok")
	expect(t, "an O_PATH descriptor", try(t, Scopes{}, "path", path), "ok")
	expect(t, "a file handle", try(t, Scopes{}, "handle", path), "ok")
	expect(t, "whether a process exists", try(t, Scopes{}, "stat", "/proc/"+strconv.Itoa(os.Getpid())), "ok")
	expect(t, "the machine's connections", try(t, Scopes{}, "read", "/proc/self/net/tcp"), "ok")
	dir := t.TempDir()
	for name, want := range map[string]string{"readable": "ok", "closed": ""} { // the loader runs what it may read
		loader := loaderOfSystem(t)
		program := filepath.Join(dir, name)
		b, err := os.ReadFile("/bin/true")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(program, b, 0o755); err != nil {
			t.Fatal(err)
		}
		scopes := Scopes{AllowedCommands: []string{"true"}}
		if name == "readable" {
			scopes.ReadPaths = []string{program}
		}
		if got := try(t, scopes, "start", loader, program); (got == "ok") != (want == "ok") {
			t.Errorf("the loader of a %s file: %s", name, got)
		}
		expect(t, "the same file itself", try(t, scopes, "start", program), "EACCES")
	}
}

func loaderOfSystem(t *testing.T) string {
	t.Helper()
	f, err := os.Open("/bin/true")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	loader := loaderOf(f)
	if loader == "" {
		t.Fatal("/bin/true names no loader")
	}
	return loader
}

// Without a command nothing outlives this program, killed or not: the kernel
// ends the server with the thread that started it.
func TestAKilledParentLeavesNoServer(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("/proc/self/exe", "walled", "orphan")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 64)
	n, err := out.Read(b) // the server's pid, which holds the same pipe
	if err != nil {
		t.Fatal(err)
	}
	if _, err := strconv.Atoi(strings.TrimSpace(string(b[:n]))); err != nil {
		t.Fatalf("the server was not started: %q", b[:n])
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if n, err := out.Read(b); err == nil { // ends when no process has it open
		t.Errorf("the server went on: %q", b[:n])
	}
	_ = cmd.Wait()
}
