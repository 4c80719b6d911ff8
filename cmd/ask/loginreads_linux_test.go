package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/internal/testing/logintest"
)

// opened are the files of a directory that were opened while do ran.
func opened(t *testing.T, dir string, do func()) (names []string) {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if _, err := unix.InotifyAddWatch(fd, dir, unix.IN_OPEN); err != nil {
		t.Fatal(err)
	}
	do()
	buf := make([]byte, 64<<10)
	n, err := unix.Read(fd, buf)
	if err != nil {
		t.Fatalf("nothing was opened: %v", err)
	}
	for rest := buf[:n]; len(rest) >= unix.SizeofInotifyEvent; {
		end := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(rest[12:]))
		if name := string(bytes.TrimRight(rest[unix.SizeofInotifyEvent:end], "\x00")); name != "" {
			names = append(names, name)
		}
		rest = rest[end:]
	}
	return names
}

// TestAValidTokenCostsOneReadOfItsFileAndOneOfTheKey: in a whole run of the program.
func TestAValidTokenCostsOneReadOfItsFileAndOneOfTheKey(t *testing.T) {
	t.Parallel()
	dir, env := newHome(t)
	server := logintest.New(t, logintest.Options{})
	ask := func(exit int, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), filepath.Join(released(t), "ask"), args...)
		cmd.Env, cmd.Dir = env, dir
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != exit {
			t.Fatalf("%q: exit %d, want %d: %s", args, got, exit, out)
		}
		return string(out)
	}
	ask(0, "servers", "add", "tickets", "--url", server.URL())
	ask(0, "servers", "login", "tickets")
	if err := os.WriteFile(filepath.Join(dir, "allowlist.json"), []byte(`{"tickets":{"read":["echo","change"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	review := ask(4, "servers", "review", "tickets")
	ask(0, "servers", "approve", "tickets", "--digest", strings.Fields(review[strings.LastIndex(review, "sha256:"):])[0])
	before, grants := server.Requests(), server.Count("/token")
	names := opened(t, filepath.Join(dir, "logins"), func() { ask(0, "call", "tickets/echo", "--args", `{"text":"hello"}`) })
	if len(names) != 2 {
		t.Errorf("opened %q, want the login and the key, once each", names)
	}
	if n := server.Requests() - before; n != 4 || server.Count("/token") != grants { // a handshake of two, a listing, a call
		t.Errorf("%d requests", n)
	}
}
