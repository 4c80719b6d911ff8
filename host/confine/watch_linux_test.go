package confine

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/host/confine/shim"
)

func init() {
	probes["leaving"] = func(a []string) error { // a process in another session, whose parent has ended
		err := child("between").Run()
		if err != nil || len(a) > 0 {
			return err
		}
		return forEver()
	}
	probes["between"] = func([]string) error {
		cmd := child("lingering")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			return err
		}
		os.Exit(0)
		return nil
	}
	probes["lingering"] = func([]string) error { // the supervisor answers none of its calls
		signal.Ignore(unix.SIGHUP, unix.SIGTERM)
		fmt.Println("left")
		time.Sleep(5 * time.Second)
		return errors.New("survived")
	}
	probes["signalled"] = func([]string) error { // the process whose number is on stdin
		line, err := bufio.NewReader(os.Stdin).ReadString('\n')
		if err != nil {
			return err
		}
		return unix.Kill(int(number(strings.TrimSpace(line))), unix.SIGKILL)
	}
	probes["children"] = func([]string) error {
		_, err := unix.Wait4(-1, nil, 0, nil)
		return err
	}
}

// child starts this program again, with the same output.
func child(probe ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, append([]string{"probe"}, probe...)...)
	cmd.Stdout = os.Stdout
	return cmd
}

// leaves is what a server needs that leaves a process behind.
func leaves(program string) Scopes { return Scopes{AllowedCommands: []string{program}} }

// needsWatcher skips where the kernel holds no signals inside.
func needsWatcher(t *testing.T) {
	t.Helper()
	if abi() < scopedABI {
		required(t, "Linux 6.12, whose Landlock holds signals inside")
	}
}

// piped starts a server whose output is a pipe that ends with its last process.
func piped(t *testing.T, s server, stdin io.Reader) (*exec.Cmd, *Confined, *bufio.Reader) {
	t.Helper()
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = out.Close() })
	cmd := &exec.Cmd{Stdin: stdin, Stdout: in}
	c, err := Start(cmd, s.policy(t), Options{})
	if err = errors.Join(err, in.Close()); err != nil {
		t.Fatal(err)
	}
	return cmd, c, bufio.NewReader(out)
}

func TestCloseEndsWhatAServerLeftBehind(t *testing.T) {
	t.Parallel()
	needsWatcher(t)
	runtime.LockOSThread() // the kernel ends the server with the thread that started it
	defer runtime.UnlockOSThread()
	cmd, c, out := piped(t, server{scopes: leaves(self_(t)), args: []string{"leaving", "and ends"}}, nil)
	first, err := out.ReadString('\n')
	second, err2 := out.ReadString('\n')
	if lines := first + second; lines != "left\nok\n" && lines != "ok\nleft\n" {
		t.Errorf("the server wrote %q", lines)
	}
	if err := errors.Join(err, err2, cmd.Wait()); err != nil {
		t.Error(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 { // until no process has the pipe
		t.Errorf("the server wrote %q, %v", rest, err)
	}
}

// kill -9 leaves nothing: not a process in another session, nor one whose
// parents have ended.
func TestAKilledParentLeavesNoGrandchild(t *testing.T) {
	t.Parallel()
	needsWatcher(t)
	cmd := exec.Command("/proc/self/exe", "walled", "leaving")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "left\n" {
		t.Fatalf("the server was not started: %q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 { // ends when no process has it open
		t.Errorf("the server went on: %q, %v", rest, err)
	}
	_ = cmd.Wait()
}

// watcherOf finds the watcher of a server by a word of the server's arguments.
func watcherOf(t *testing.T, word string, server int) int {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		b, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(b), shim.Name+"\x00") || !strings.Contains(string(b), word) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && pid != server {
			return pid
		}
	}
	t.Fatal("there is no watcher")
	return 0
}

func TestAWatcherIsOutOfTheServersReach(t *testing.T) {
	t.Parallel()
	needsWatcher(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	word := filepath.Base(filepath.Dir(t.TempDir()))
	in, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd, c, out := piped(t, server{scopes: leaves("/bin/true"), args: []string{"signalled", word}}, in)
	pid := watcherOf(t, word, cmd.Process.Pid)
	if _, err := fmt.Fprintln(pipe, pid); err != nil {
		t.Error(err)
	}
	line, err := out.ReadString('\n')
	expect(t, "a signal to the watcher", strings.TrimSpace(line), "EPERM")
	if err := errors.Join(err, cmd.Wait(), c.Close(), in.Close(), pipe.Close()); err != nil {
		t.Error(err)
	}
}

func TestAWatcherIsNoChildOfTheServer(t *testing.T) {
	t.Parallel()
	expect(t, "waiting for a child", try(t, leaves("/bin/true"), "children"), "ECHILD")
}

// What a machine cannot hold is named, and not silently left out.
func TestWhatIsNotHeldIsNamed(t *testing.T) {
	t.Parallel()
	root := 0
	if os.Geteuid() == 0 {
		root = 1
	}
	for _, c := range []struct {
		scopes Scopes
		abi    int
		want   int
	}{
		{Scopes{}, 1, 0},
		{Scopes{Limits: Limits{MemoryMiB: 1}}, 7, 0},
		{Scopes{AllowedCommands: []string{"true"}}, 6, 0},
		{Scopes{AllowedCommands: []string{"true"}}, 5, 1},
		{Scopes{AllowedCommands: []string{"true"}, Limits: Limits{MemoryMiB: 1}}, 5, 2},
		{Scopes{Limits: Limits{Processes: 1}}, 7, root},
	} {
		p := &Policy{scopes: c.scopes}
		if got := p.NotHeld(Machine{Landlock: c.abi}); len(got) != c.want {
			t.Errorf("%+v, ABI %d: %q", c.scopes, c.abi, got)
		}
		if got := p.NotHeld(Machine{Landlock: 7, Cgroup: true}); len(got) != 0 {
			t.Errorf("%+v, with a cgroup: %q", c.scopes, got)
		}
	}
}
