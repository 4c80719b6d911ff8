package confine

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func init() {
	probes["many"] = func(a []string) error { // each new file has a descriptor that can be written
		var w sync.WaitGroup
		var bad atomic.Int32
		var first sync.Once
		for thread := range 4 {
			w.Go(func() {
				for i := range 400 {
					if err := os.WriteFile(filepath.Join(a[0], fmt.Sprint(thread, "-", i)), []byte("x"), 0o600); err != nil {
						bad.Add(1)
						first.Do(func() { fmt.Fprintln(os.Stderr, err) })
					}
				}
			})
		}
		w.Wait()
		fmt.Printf("%d failed\n", bad.Load())
		return nil
	}
	probes["session"] = func(a []string) error { // what it makes in a directory, and what it then may delete
		dir := a[0]
		in := bufio.NewReader(os.Stdin)
		at := func(name string) string { return filepath.Join(dir, name) }
		show := func(name string, err error) { fmt.Printf("%s: %s\n", name, said(err)) }
		show("make", opened(at("file"), unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY))
		show("delete", unix.Unlink(at("file")))
		show("delete again", unix.Unlink(at("file")))
		show("make in place", opened(at("lock"), unix.O_CREAT|unix.O_RDWR|unix.O_TRUNC))
		show("rename", unix.Rename(at("lock"), at("renamed")))
		show("delete the renamed", unix.Unlink(at("renamed")))
		show("directory", unix.Mkdir(at("new"), 0o755))
		show("file in it", opened(at("new/x"), unix.O_CREAT|unix.O_WRONLY))
		show("delete it", unix.Unlink(at("new/x")))
		show("delete the directory", unix.Rmdir(at("new")))
		show("link", unix.Symlink("old", at("link")))
		show("delete the link", unix.Unlink(at("link")))
		show("lock of another", opened(at("held"), unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY))
		show("delete the lock of another", unix.Unlink(at("held")))
		show("delete what was there", unix.Unlink(at("old")))
		show("write what was there", opened(at("old"), unix.O_CREAT|unix.O_WRONLY))
		show("delete what was written", unix.Unlink(at("old")))
		show("another name of what was there", unix.Link(at("old"), at("second")))
		show("delete the other name", unix.Unlink(at("second")))
		show("make and wait", opened(at("mine"), unix.O_CREAT|unix.O_WRONLY))
		_, _ = in.ReadString('\n')
		show("delete the other's", unix.Unlink(at("mine")))
		unix.Umask(0o027)
		show("make with a mask", opened2(at("masked"), 0o666))
		return nil
	}
}

func opened2(path string, mode uint32) error {
	fd, err := unix.Open(path, unix.O_CREAT|unix.O_WRONLY|unix.O_CLOEXEC, mode)
	if err == nil {
		_ = unix.Close(fd)
	}
	return err
}

// A server may delete only the files that it made in this session. It may not delete an
// older file, a lock of another program, or a file that replaced its own.
func TestAServerDeletesWhatItMadeAndNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"old", "held"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("kept"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := server{scopes: Scopes{ReadPaths: Paths{dir}, WritePaths: Paths{dir}}, args: []string{"session", dir}}.policy(t)
	out, lines, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := &exec.Cmd{Stdin: answers, Stdout: lines, Stderr: os.Stderr, SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}}
	c, err := Start(cmd, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	_ = lines.Close()
	got := map[string]string{}
	for s := bufio.NewScanner(out); s.Scan(); {
		name, said, _ := strings.Cut(s.Text(), ": ")
		got[name] = said
		if name == "make and wait" {
			other := filepath.Join(dir, "mine")
			if err := os.Remove(other); err != nil {
				t.Error(err)
			}
			if err := os.WriteFile(other, []byte("another's"), 0o600); err != nil {
				t.Error(err)
			}
			_, _ = in.WriteString("\n")
		}
	}
	_ = cmd.Wait()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"make": "ok", "delete": "ok", "delete again": "EACCES", "make in place": "ok", "rename": "ok", "delete the renamed": "ok", "directory": "ok", "file in it": "ok",
		"delete it": "ok", "delete the directory": "ok", "link": "ok", "delete the link": "ok", "lock of another": "EEXIST", "delete the lock of another": "EACCES",
		"delete what was there": "EACCES", "write what was there": "ok", "delete what was written": "EACCES", "another name of what was there": "ok",
		"delete the other name": "EACCES", "make and wait": "ok", "delete the other's": "EACCES", "make with a mask": "ok",
	} {
		expect(t, name, got[name], want)
	}
	for _, name := range []string{"old", "held", "mine"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); len(b) == 0 || err != nil {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "masked")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("masked: %v %v", info, err)
	}
	attempts, _ := c.Attempts()
	for _, a := range attempts {
		if a.Action != "delete" || strings.HasSuffix(a.Resource, "/file") {
			t.Errorf("%s", a)
		}
	}
}

// A confined git leaves no lock in a repository that it may write.
func TestAConfinedGitLeavesNoLock(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		required(t, "git is not installed")
	}
	dir := t.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"config", "user.email", "a@example.com"}, {"config", "user.name", "a"}, {"config", "gc.auto", "0"}} {
		if out, err := exec.Command(git, append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "a"}, {"status"}, {"commit", "-q", "-m", "x"}, {"status"}, {"branch", "b"}, {"checkout", "-q", "b"}} {
		r := server{
			scopes:  Scopes{ReadPaths: Paths{dir}, WritePaths: Paths{dir}, EnvVars: []string{"GIT_CONFIG_NOSYSTEM"}},
			program: git, args: append([]string{"-C", dir}, args...), env: []string{"GIT_CONFIG_NOSYSTEM=1"},
		}.run(t)
		left, err := filepath.Glob(dir + "/.git/*.lock")
		if r.code != 0 || len(left) > 0 || err != nil {
			t.Errorf("%v: exit %d, left %v: %s%s %v", args, r.code, left, r.out, r.err, r.attempts)
		}
	}
}

// A signal that reaches the supervisor while it hands over a descriptor does not have
// the server's call return another one. Go interrupts its own threads by a signal
// whenever one has worked for long, and at each collection of garbage.
func TestASignalLosesNoDescriptor(t *testing.T) { //nolint:paralleltest // its signals reach every thread
	dir, over := t.TempDir(), make(chan struct{})
	var w sync.WaitGroup
	w.Go(func() {
		for {
			select {
			case <-over:
				return
			default:
				all, _ := os.ReadDir("/proc/self/task")
				for _, thread := range all {
					id, _ := strconv.Atoi(thread.Name())
					_ = unix.Tgkill(os.Getpid(), id, unix.SIGURG)
				}
			}
		}
	})
	got := strings.TrimSpace(try(t, Scopes{WritePaths: []string{dir}}, "many", dir))
	close(over)
	w.Wait()
	if made, err := os.ReadDir(dir); err != nil || len(made) != 1600 || !strings.HasPrefix(got, "0 failed") {
		t.Errorf("%s; %d files, %v", got, len(made), err)
	}
}

// A new file with the name, the number and the tick of a removed file is another file.
func TestAFileMadeInTheSameTickIsAnother(t *testing.T) {
	t.Parallel()
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	is := func() string {
		fd, err := unix.Openat(int(dir.Fd()), "file", unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY|unix.O_CLOEXEC, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		id, _, err := identityOf(fd, "")
		named, _, failed := identityOf(int(dir.Fd()), "file")
		if err != nil || failed != nil || id != named {
			t.Fatalf("%q, %v and %q, %v", id, err, named, failed)
		}
		if err := errors.Join(unix.Close(fd), unix.Unlinkat(int(dir.Fd()), "file", 0)); err != nil {
			t.Fatal(err)
		}
		return id
	}
	was := map[string]bool{}
	for range 200 {
		id := is()
		if was[id] {
			t.Fatalf("two files are %s", id)
		}
		was[id] = true
	}
}
