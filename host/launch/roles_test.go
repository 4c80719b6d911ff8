package launch_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/onestep-run/onestep/host/launch"
)

// play is this test binary in the role of a server.
func play(r string) int {
	switch r {
	case "env":
		_, _ = fmt.Println(strings.Join(os.Environ(), "\n"))
	case "echo":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "stubborn", "grandchild":
		refuse()
	case "last words":
		fmt.Println("the last words")
		fmt.Fprintln(os.Stderr, "the cause")
		return 3
	case "spam":
		spam()
	case "parent":
		return parent(os.Getenv("WAY"), os.Getenv("END"))
	case "daemon's parent":
		fmt.Println(bear("own session"))
	case "launcher":
		return launcher()
	case "tty":
		tty()
	}
	return 0
}

// refuse prints its process id and ignores every polite way to be ended.
func refuse() {
	ignore()
	fmt.Println(os.Getpid())
	time.Sleep(time.Minute)
}

func ignore() { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP) }

func launcher() int {
	p, err := launch.Start(context.Background(), launch.Command{Path: os.Args[0], Env: map[string]string{role: "stubborn"}})
	if err != nil {
		return 1
	}
	fmt.Println(os.Getpid())
	_, _ = io.Copy(os.Stdout, p.Stdout)
	return 0
}

func tty() {
	has, leads := "no terminal", "leads its group"
	if f, err := os.Open("/dev/tty"); err == nil {
		_ = f.Close()
		has = "a terminal"
	}
	if syscall.Getpgrp() != os.Getpid() {
		leads = "is in another's group"
	}
	fmt.Println(has + ", " + leads)
}

func spam() {
	out := bufio.NewWriter(os.Stderr)
	defer out.Flush()
	for range 4 << 10 {
		fmt.Fprintf(out, "%s%s", os.Getenv("API_KEY"), os.Getenv("API_KEY"))
	}
	fmt.Fprint(out, strings.Repeat(".", 16<<10-len(os.Getenv("API_KEY"))-5))
	fmt.Fprintln(out, "level="+os.Getenv("DEBUG"))
}

func parent(way, end string) int {
	if end == "when killed" {
		ignore()
	}
	fmt.Println(bear(way))
	if end == "at once" {
		return 0
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	if end == "when killed" {
		time.Sleep(time.Minute)
	}
	return 0
}

// bear starts a grandchild, which holds stderr open, and returns its process
// id once it is deaf.
func bear(way string) string {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{role + "=grandchild", "GORACE=" + quick}
	switch way {
	case "own group":
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	case "own session":
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	case "daemon":
		cmd.Env[0] = role + "=daemon's parent"
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err.Error()
	}
	said, _, _ := bufio.NewReader(out).ReadLine()
	if way == "daemon" {
		_ = cmd.Wait()
	}
	return string(said)
}

// runs reports whether the process is there and no zombie.
func runs(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return !bytes.Contains(stat, []byte(") Z "))
	}
	return syscall.Kill(pid, 0) == nil
}

func number(t *testing.T, p *launch.Process) int {
	t.Helper()
	n, err := strconv.Atoi(line(t, p))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func line(t *testing.T, p *launch.Process) string {
	t.Helper()
	var got []byte
	for b := make([]byte, 1); ; {
		n, err := p.Stdout.Read(b)
		if err != nil {
			t.Fatalf("the server said %q, then %v; its stderr: %s", got, err, p.Tail(1000))
		}
		if n == 1 && b[0] == '\n' {
			return string(bytes.TrimSpace(got))
		}
		got = append(got, b[:n]...)
	}
}
