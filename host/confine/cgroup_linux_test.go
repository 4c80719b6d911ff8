package confine

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func init() {
	probes["hoard"] = func(a []string) error { // so many processes, one in the other, that write to so many MiB each
		size := int(number(a[1])) << 20
		b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
		if err != nil {
			return err
		}
		for i := 0; i < size; i += 4096 {
			b[i] = 1
		}
		if n := number(a[0]); n > 1 {
			return child("hoard", strconv.FormatUint(uint64(n-1), 10), a[1]).Run()
		}
		return nil
	}
	probes["loosen"] = func(a []string) error { // a file of its own cgroup
		b, err := os.ReadFile("/proc/self/cgroup")
		if err != nil {
			return err
		}
		own := strings.TrimSpace(strings.TrimPrefix(string(b), "0::"))
		return probes["write"]([]string{filepath.Join(cgroupMount, own, a[0])})
	}
}

// needsCgroup skips where none is delegated. ASK_REQUIRE_SANDBOX does not make
// that a failure, as ASK_REQUIRE_CGROUP does: most machines delegate none to a
// test, and `make kernels` has kernels that do.
func needsCgroup(t *testing.T) {
	t.Helper()
	if delegated() != "" {
		return
	}
	if os.Getenv("ASK_REQUIRE_CGROUP") == "1" {
		t.Fatal("required and not here: a delegated cgroup of version 2")
	}
	t.Skip("not here: a delegated cgroup of version 2")
}

// Threads and processes are counted to the last, root's too, and Close ends
// those that outlive the server.
func TestACgroupCountsProcesses(t *testing.T) {
	t.Parallel()
	needsCgroup(t)
	runtime.LockOSThread() // the kernel ends the server with the thread that started it
	defer runtime.UnlockOSThread()
	s := server{
		scopes:  Scopes{AllowedCommands: []string{"sleep"}, Limits: Limits{Processes: 8}},
		program: "/bin/sh", args: []string{"-c", "while sleep 100 2>/dev/null & do echo started; done 2>/dev/null"},
	}
	cmd, c, out := piped(t, s, nil)
	err := cmd.Wait()
	if failed := (*exec.ExitError)(nil); !errors.As(err, &failed) {
		t.Errorf("the shell ended with %v", err)
	}
	if r := c.Report(); !r.Counted {
		t.Errorf("the report is %+v", r)
	}
	dir := c.group.dir
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	b, err := io.ReadAll(out) // until no process has the pipe
	if n := strings.Count(string(b), "started"); n != 7 || err != nil {
		t.Errorf("the shell started %d processes, %v", n, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the cgroup is left: %v", err)
	}
}

// Each process has less than the limit, all of them have more: they end
// together.
func TestACgroupCountsMemory(t *testing.T) {
	t.Parallel()
	needsCgroup(t)
	scopes := Scopes{AllowedCommands: []string{self_(t)}, Limits: Limits{MemoryMiB: 256}}
	expect(t, "little memory of three processes", try(t, scopes, "hoard", "3", "30"), "ok\nok\nok")
	r := server{scopes: scopes, args: []string{"hoard", "3", "120"}}.run(t)
	if r.code != -1 || r.out != "" {
		t.Errorf("much memory of three processes: status %d, %s%s", r.code, r.out, r.err)
	}
	for _, line := range r.report.NotHeld {
		if strings.Contains(line, "limits") {
			t.Errorf("not held: %s", line)
		}
	}
}

// The cgroups belong to the server's user, and the server changes none.
func TestAServerDoesNotLeaveItsCgroup(t *testing.T) {
	t.Parallel()
	needsCgroup(t)
	scopes := Scopes{Limits: Limits{MemoryMiB: 512, Processes: 50}}
	for _, file := range []string{"memory.max", "pids.max", "cgroup.procs", "../cgroup.procs"} {
		expect(t, "writing "+file, try(t, scopes, "loosen", file), "EACCES")
	}
}

func TestACgroupOfAKilledProgramIsRemoved(t *testing.T) {
	t.Parallel()
	ended := exec.Command("/bin/true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	parent := t.TempDir()
	abandoned := filepath.Join(parent, groupName+strconv.Itoa(ended.Process.Pid)+"-1")
	used := filepath.Join(parent, groupName+strconv.Itoa(os.Getpid())+"-1")
	foreign := filepath.Join(parent, groupName+"x-1")
	for _, dir := range []string{abandoned, used, foreign} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	removeAbandoned(parent)
	for dir, want := range map[string]bool{abandoned: false, used: true, foreign: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s is there: %v", filepath.Base(dir), err == nil)
		}
	}
}

// A cgroup is delegated if this user may write there. The search goes up to the first
// that gives both controllers, and stops at a cgroup without access.
func TestTheNearestDelegatedCgroupIsFound(t *testing.T) {
	t.Parallel()
	mount := t.TempDir()
	for path, controllers := range map[string]string{
		"": "cpu memory pids", "user": "memory pids\n", "user/app": "pids memory io", "user/app/one": "", "user/some": "memory", "user/some/one": "pids",
		"user/like": "memory.x pidsy", "shut": "memory pids", "shut/in": "", "bare": "",
	} {
		dir := filepath.Join(mount, path)
		err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "cgroup.procs"), nil, 0o600),
			os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte(controllers), 0o600))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(mount, "shut", "cgroup.procs")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/": "", "/user": "user", "/user/app": "user/app", "/user/app/one": "user/app", "/user/some": "user", "/user/some/one": "user",
		"/user/like": "user", "/bare": "", "/shut": "none", "/shut/in": "none", "/absent": "none", "/..": "none", "/../user": "none", "/user/../../x": "none",
	} {
		expected := filepath.Join(mount, want)
		if want == "none" {
			expected = ""
		}
		expect(t, path, nearest(mount, path), expected)
	}
}

// Where a server may write among the cgroups, its limits are of each process,
// and the report names what is not held.
func TestAServerThatWritesAmongCgroupsIsNotCounted(t *testing.T) {
	t.Parallel()
	limits := Limits{MemoryMiB: 1}
	for _, c := range []struct {
		grants []grant
		limits Limits
		want   bool
	}{
		{nil, limits, true},
		{nil, Limits{Processes: 1}, true},
		{nil, Limits{FileMiB: 1, CPUSeconds: 1}, false},
		{[]grant{{path: cgroupMount, access: read}, {path: "/srv", access: write}}, limits, true},
		{[]grant{{path: cgroupMount, access: write}}, limits, false},
		{[]grant{{path: "/sys", access: remove}}, limits, false},
		{[]grant{{path: cgroupMount + "/user/cgroup.procs", access: write}}, limits, false},
		{[]grant{{path: cgroupMount + "-2", access: write}}, limits, true},
	} {
		p := &Policy{grants: c.grants, scopes: Scopes{Limits: c.limits}}
		if got := p.counted(Machine{Cgroup: true}); got != c.want {
			t.Errorf("%+v, %+v: %v", c.grants, c.limits, got)
		}
		if p.counted(Machine{}) {
			t.Errorf("%+v: counted without a cgroup", c.grants)
		}
	}
}
