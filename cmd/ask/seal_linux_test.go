package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// watched is a place that other users can run programs from, and a listener for the reports
// of a witness.
type watched struct {
	dir   string
	heard net.Listener
}

func newWatched(t *testing.T) watched {
	t.Helper()
	dir, err := os.MkdirTemp(shared(t), "ask-seal-") //nolint:usetesting // into a t.TempDir no other user can go
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	for _, err := range []error{
		os.Chmod(dir, 0o755),
		os.WriteFile(filepath.Join(dir, "ask"), program, 0o755),
		os.Chmod(filepath.Join(dir, "ask"), 0o755),
		os.Symlink("ask", filepath.Join(dir, "witness")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return watched{dir, l}
}

// shared is a directory for temporary files that every user can reach.
func shared(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{os.TempDir(), "/tmp", "/var/tmp"} {
		reachable := true
		for d := dir; d != "/"; d = filepath.Dir(d) {
			info, err := os.Stat(d)
			reachable = reachable && err == nil && (info.Mode().Perm()&1 != 0 || os.Getuid() != 0)
		}
		if reachable {
			return dir
		}
	}
	t.Fatal("no directory for temporary files that other users can reach")
	return ""
}

// as are the attributes of a process of this user; for root, of another user.
func as(uid uint32) *syscall.SysProcAttr {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
}

// told holds the report of the next witness.
func (w watched) told(t *testing.T) string {
	t.Helper()
	if err := w.heard.(*net.TCPListener).SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	conn, err := w.heard.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	said, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

// ask starts `ask` with the witness as its one server. It is not approved, for
// it describes no tool: it is started to be compared.
func (w watched) ask(t *testing.T, uid uint32, extra ...*os.File) *exec.Cmd {
	t.Helper()
	home := filepath.Join(w.dir, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"mcp.json":       fmt.Sprintf(`{"mcpServers":{"kb":{"command":%q,"env":{"WITNESS_TELL":%q}}}}`, filepath.Join(w.dir, "witness"), w.heard.Addr()),
		"allowlist.json": `{"kb":{"read":["fetch_entry"]}}`,
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if os.Getuid() == 0 {
		if err := os.Chown(home, int(uid), int(uid)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := w.start(t, "ask", uid, "ASK_HOME="+home)
	cmd.Args = append(cmd.Args, "--live", "Fetch the entry with id e-1")
	cmd.ExtraFiles = extra
	return run(t, cmd)
}

func (w watched) start(t *testing.T, program string, uid uint32, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(w.dir, program))
	cmd.Args[0] = program
	cmd.Dir = "/"
	cmd.Env = append(env, "PARENT_SECRET=of the parent", "GORACE="+clitest.AtOnce)
	cmd.SysProcAttr = as(uid)
	return cmd
}

// run starts a program, which is killed at the end of the test.
func run(t *testing.T, cmd *exec.Cmd) *exec.Cmd {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s: %s", cmd.Args[0], &stderr)
		}
	})
	return cmd
}

// Of root a process can read everything, so what is started here is not root's.
const nobody, another = 65534, 65533

func TestAServerReadsNothingOfAskAndGetsNoFileOfIts(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	marker, err := os.Create(filepath.Join(t.TempDir(), "inherited-by-ask"))
	if err != nil {
		t.Fatal(err)
	}
	defer marker.Close()
	w.ask(t, nobody, marker)
	said := w.told(t)
	for _, file := range []string{"environ", "mem", "maps"} {
		if !strings.Contains(said, file+": open /proc/") || !strings.Contains(said, "permission denied") {
			t.Errorf("a server of the same user can read %s:\n%s", file, said)
		}
	}
	if !strings.Contains(said, "open: ") || strings.Contains(said, "inherited-by-ask") {
		t.Errorf("a server has a file that `ask` was started with:\n%s", said)
	}
}

// The witness is not a child of `ask`: a server may be another user's by a
// set-user-ID bit. A test that is not root's has one user only.
func TestNoUserButRootReadsTheEnvironmentOfAsk(t *testing.T) {
	t.Parallel()
	w := newWatched(t)
	sealed := w.ask(t, nobody)
	w.told(t)
	open := run(t, w.start(t, "witness", nobody, "WITNESS_TELL="+w.heard.Addr().String()))
	w.told(t)
	for name, c := range map[string]struct {
		of     *exec.Cmd
		uid    uint32
		denied bool
	}{
		"the same user":                   {sealed, nobody, true},
		"another user":                    {sealed, another, true},
		"the same, of a program unsealed": {open, nobody, false}, // else the test would show nothing
	} {
		run(t, w.start(t, "witness", c.uid, "WITNESS_TELL="+w.heard.Addr().String(), fmt.Sprintf("WITNESS_OF=%d", c.of.Process.Pid)))
		if said := w.told(t); strings.Contains(said, "environ: <nil>") == c.denied {
			t.Errorf("%s:\n%s", name, said)
		}
	}
}
