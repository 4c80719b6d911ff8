//go:build unix

package launch_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

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
	case "tidy":
		tidy()
	case "saver":
		return save()
	case "descriptor":
		descriptor()
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
	case "chain":
		return chain(os.Getenv("WAY"), os.Getenv("END"))
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

// tidy ignores the end of its input, and does its work on SIGTERM.
func tidy() {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM)
	fmt.Println("ready")
	<-told
	time.Sleep(20 * time.Millisecond) // as long as the grace allows for nothing
	_ = os.WriteFile(os.Getenv("FILE"), nil, 0o600)
}

// saved is what a saver saves at the end of its input, a byte at a time.
const saved = 2000

func save() int {
	_, _ = io.Copy(io.Discard, os.Stdin)
	f, err := os.Create(os.Getenv("FILE"))
	for range saved {
		if err == nil {
			_, err = f.Write([]byte{'.'})
		}
	}
	if err != nil {
		return 1
	}
	return 0
}

// descriptor prints whether a descriptor is open here.
func descriptor() {
	fd, _ := strconv.Atoi(os.Getenv("FD"))
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("open")
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

// chain is a server, and then a process that forks and exits at once, again and again.
// All of them keep the server's connection to the test open; the third reports to the
// test that it has started.
func chain(way, end string) int {
	hop, err := strconv.Atoi(os.Getenv("HOP"))
	tell := os.NewFile(3, "connection")
	if err != nil {
		conn, err := net.Dial("tcp", os.Getenv("TELL"))
		if err != nil {
			return 1
		}
		tell, _ = conn.(*net.TCPConn).File()
	}
	if hop == 3 {
		_, _ = tell.WriteString("going")
	}
	next := exec.Command(os.Args[0])
	next.Env = append(os.Environ(), fmt.Sprintf("HOP=%d", hop+1))
	next.ExtraFiles = []*os.File{tell}
	next.SysProcAttr = &syscall.SysProcAttr{Setsid: way == "own session", Setpgid: way == "own group"}
	if hop == chainMax || next.Start() != nil {
		return 1
	}
	if hop == 0 && end == "when asked" {
		_ = tell.Close()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	return 0
}

// chainMax ends a chain that nothing else ends.
const chainMax = 5000

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

// runs reports whether the process exists and is not a zombie.
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
