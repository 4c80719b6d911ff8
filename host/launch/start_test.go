//go:build unix

package launch_test

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/onestep-run/onestep/host/launch"
)

func TestTheEnvironmentIsWhatIsConfiguredAndThreeMore(t *testing.T) {
	for _, name := range []string{"ONESTEP_PARENT_SECRET", "LC_ALL", "USER", "SHELL", "TERM", "TMPDIR", "PWD", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR"} {
		t.Setenv(name, "do not pass this on")
	}
	t.Setenv("LANG", "C.UTF-8")
	t.Setenv("HOME", "/the/parents/home")
	p := start(t, t.Context(), "env", "TOKEN=from the configuration", "HOME=/configured")
	out, err := io.ReadAll(p.Stdout)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{"GORACE=" + quick, "HOME=/configured", "LANG=C.UTF-8", role + "=env", "PATH=" + os.Getenv("PATH"), "TOKEN=from the configuration"}, "\n") + "\n"
	if string(out) != want {
		t.Errorf("the server saw\n%swant\n%s", out, want)
	}
}

func TestAnEmptyEnvironmentIsNotTheParents(t *testing.T) {
	t.Setenv("ONESTEP_PARENT_SECRET", "do not pass this on")
	for _, name := range []string{"HOME", "LANG", "PATH"} {
		t.Setenv(name, "") // so that it is restored
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	p, err := launch.Start(t.Context(), launch.Command{Path: "/usr/bin/env"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if out, err := io.ReadAll(p.Stdout); err != nil || len(out) > 0 {
		t.Errorf("the server saw %q, %v", out, err)
	}
}

// A descriptor that C code opened, or that this program was started with, has
// no mark that closes it in a child.
func TestAnInheritedDescriptorIsNotHandedOn(t *testing.T) {
	t.Parallel()
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD, 200) // above what the child opens itself
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	p := start(t, t.Context(), "descriptor", "FD="+strconv.Itoa(fd))
	if got := line(t, p); got != "bad file descriptor" {
		t.Errorf("the descriptor in the server: %s", got)
	}
}

func TestACommandThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"no-such-server-anywhere", t.TempDir() + "/no-such-server-anywhere"} {
		for _, dir := range []string{"", t.TempDir()} {
			_, err := launch.Start(t.Context(), launch.Command{Path: path, Dir: dir})
			if err == nil || !strings.HasPrefix(err.Error(), "no-such-server-anywhere: ") {
				t.Errorf("Start returns %v", err)
			}
		}
	}
}

func TestADirectoryThatCannotBeEnteredIsNamed(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a-file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		t.TempDir() + "/no-such-folder": "its cwd no-such-folder: no such file or directory",
		file:                            "its cwd a-file: not a directory",
		file + "/below":                 "its cwd below: not a directory",
	} {
		for _, path := range []string{self, "no-such-server-anywhere"} {
			_, err := launch.Start(t.Context(), launch.Command{Path: path, Dir: dir})
			if err == nil || err.Error() != want {
				t.Errorf("%s in %s: %v", path, dir, err)
			}
		}
	}
}
