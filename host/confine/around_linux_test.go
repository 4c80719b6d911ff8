package confine

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Options that send packets elsewhere than the address that was checked, or out
// of another interface, cannot be set. Bound to a device, a socket that was
// connected to the name server alone sent to any machine on that network that claims the address.
func TestNoOptionLeadsPacketsElsewhere(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"IP_OPTIONS", "SO_BINDTODEVICE", "SO_BINDTOIFINDEX", "IP_UNICAST_IF", "IP_ADD_MEMBERSHIP", "IPV6_RTHDR", "IPV6_UNICAST_IF"} {
		expect(t, name, try(t, Scopes{}, "option", name), "ENOPROTOOPT")
	}
	for _, name := range []string{"SO_REUSEADDR", "V6ONLY", "IP_TOS"} {
		expect(t, name, try(t, Scopes{}, "option", name), "ok")
	}
}

// A file that may only be read is not changed through its descriptor. Landlock has no
// rule for ioctl and fcntl on a file.
func TestAFileThatIsReadIsNotChanged(t *testing.T) {
	t.Parallel()
	path := outside(t)
	scopes := Scopes{ReadPaths: []string{path, filepath.Dir(path)}}
	expect(t, "its attributes", try(t, scopes, "attributes", path), "EPERM")
	expect(t, "a lease of it", try(t, scopes, "lease", path), "EPERM")
	expect(t, "news of its directory", try(t, scopes, "notify", filepath.Dir(path)), "EPERM")
}

// A program that runs with its owner's rights is not made, by whatever call a
// mode is given.
func TestNoSetUserIDProgramIsCreated(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	scopes := Scopes{WritePaths: []string{dir}, ReadPaths: []string{dir}}
	for _, mode := range []string{"04755", "02755", "06755"} {
		n, err := strconv.ParseUint(mode, 8, 16)
		if err != nil {
			t.Fatal(err)
		}
		number := strconv.FormatUint(n, 10)
		expect(t, "a file of mode "+mode, try(t, scopes, "create", filepath.Join(dir, "s"+mode), number), "EPERM")
		expect(t, "an unnamed file of mode "+mode, try(t, scopes, "inmemory", dir, number), "EPERM")
	}
	expect(t, "an ordinary file", try(t, scopes, "create", filepath.Join(dir, "plain"), strconv.Itoa(0o644)), "ok")
	expect(t, "a call that hides the mode behind a pointer", try(t, scopes, "openat2", dir), "ENOSYS")
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%d files were made, %v", len(entries), err)
	}
}

// Devices belong to the whole machine: as root, a server changed the mode of
// /dev/full for everyone.
func TestTheModeOfADeviceStays(t *testing.T) {
	t.Parallel()
	before, err := os.Stat("/dev/full")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "by its path", try(t, Scopes{}, "chmod", "/dev/full"), "EPERM")
	expect(t, "by a descriptor", try(t, Scopes{}, "fchmod", "/dev/full", "w"), "EPERM")
	expect(t, "its times", try(t, Scopes{}, "utime", "/dev/full"), "EPERM")
	after, err := os.Stat("/dev/full")
	if err != nil || after.Mode() != before.Mode() || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("/dev/full had %v and has %v, %v", before.Mode(), after.Mode(), err)
		_ = os.Chmod("/dev/full", before.Mode().Perm())
	}
}

// The queues and semaphores of other programs have small numbers, which can be guessed.
// So refusing to make new ones is not enough.
func TestQueuesOfOthersAreClosed(t *testing.T) {
	t.Parallel()
	queue, _, e := unix.Syscall(unix.SYS_MSGGET, unix.IPC_PRIVATE, 0o600, 0)
	if e != 0 {
		t.Fatal(e)
	}
	defer func() { _, _, _ = unix.Syscall(unix.SYS_MSGCTL, queue, unix.IPC_RMID, 0) }()
	expect(t, "sending to a queue", try(t, Scopes{}, "msgsnd", strconv.Itoa(int(queue))), "EPERM")
	m := message64{}
	_, _, e = unix.Syscall6(unix.SYS_MSGRCV, queue, uintptr(unsafe.Pointer(&m)), 8, 0, unix.IPC_NOWAIT, 0)
	if e != unix.ENOMSG {
		t.Errorf("the queue holds a message: %v", e)
	}
	set, _, e := unix.Syscall(unix.SYS_SEMGET, unix.IPC_PRIVATE, 1, 0o600)
	if e != 0 {
		t.Fatal(e)
	}
	defer func() { _, _, _ = unix.Syscall(unix.SYS_SEMCTL, set, 0, unix.IPC_RMID) }()
	expect(t, "a semaphore", try(t, Scopes{}, "semop", strconv.Itoa(int(set))), "EPERM")
}

// A second lock: without the filter and the supervisor, no TCP connection comes
// about either (Landlock ABI 4, Linux 6.7).
func TestLandlockAloneRefusesConnections(t *testing.T) {
	t.Parallel()
	address, connections := counted(t)
	out, err := exec.Command(self_(t), "probe", "landlocked", address).Output()
	if got := strings.TrimSpace(string(out)); abi() >= 4 && got != "EACCES" {
		t.Errorf("a connection: %s, %v", got, err)
	}
	if n := connections.Load(); abi() >= 4 && n != 0 {
		t.Errorf("%d connections reached the server", n)
	}
}

// Signals to its own group reach nothing of this program's, whatever attributes
// the caller of Start brings.
func TestAServerLeadsAGroupOfItsOwn(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread() // the kernel ends the server with the thread that started it
	defer runtime.UnlockOSThread()
	var out bytes.Buffer
	cmd := &exec.Cmd{Stdout: &out}
	c, err := Start(cmd, server{args: []string{"asgroup"}}.policy(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(cmd.Wait(), c.Close()); err != nil {
		t.Error(err)
	}
	expect(t, "its group", strings.TrimSpace(out.String()), "ok")
}

// A refused change of a name is an attempt, as an open is. Making an existing name or
// renaming an absent one is not an attempt.
func TestChangesOfNamesAreRecorded(t *testing.T) {
	t.Parallel()
	dir := filepath.Dir(outside(t))
	if actual, err := filepath.EvalSymlinks(dir); err == nil {
		dir = actual
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		want []string // the names that were written
		args []string
	}{
		{[]string{"new"}, []string{"mkdir", at("new")}},
		{nil, []string{"mkdir", dir}},
		{[]string{"outside", "new"}, []string{"rename", at("outside"), at("new")}},
		{[]string{"new"}, []string{"rename", at("none"), at("new")}},
		{[]string{"outside", "new"}, []string{"link", at("outside"), at("new")}},
		{[]string{"new"}, []string{"symlink-read", "/etc/passwd", at("new")}},
		{[]string{"outside"}, []string{"truncate", at("outside")}},
		{nil, []string{"truncate", at("none")}},
	} {
		r := server{args: c.args}.run(t)
		var got []string
		for _, a := range r.raw {
			if a.Action == "write" && filepath.Dir(a.Resource) == dir {
				got = append(got, filepath.Base(a.Resource))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.args, got, c.want)
		}
	}
}

// The shim is this program, and not confined yet. A variable of the server that names a
// library (LD_PRELOAD) would load it there, so the shim gets none of the variables.
func TestTheShimHasNoVariableOfTheServer(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread() // the kernel ends the server with the thread that started it
	defer runtime.UnlockOSThread()
	var out bytes.Buffer
	cmd := &exec.Cmd{Stdout: &out, Env: []string{"GRANTED=y"}}
	c, err := Start(cmd, server{scopes: Scopes{EnvVars: []string{"GRANTED"}}, args: []string{"environment"}}.policy(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(cmd.Wait(), c.Close()); err != nil {
		t.Error(err)
	}
	expect(t, "the server has", strings.TrimSpace(out.String()), "GRANTED HOME RES_OPTIONS TMPDIR")
	if len(cmd.Env) != 0 || cmd.Env == nil { // nil is all of this program's
		t.Errorf("the shim was started with %q", cmd.Env)
	}
}
