//go:build unix

package launch_test

import (
	"io"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// Not parallel: the orphans are found when no server runs any more. A chain of
// processes of which each forks the next and exits is between any two looks at
// a list of processes, so it is tried often.
func TestAChainOfForksEndsWithTheLastServer(t *testing.T) {
	if !adopting {
		t.Skip("only Linux lets a program adopt its orphans; the package says so")
	}
	for _, way := range []string{"same group", "own group", "own session"} {
		for _, end := range []string{"when asked", "at once"} {
			for range 7 { // of each, so 42 in all
				conn, tell := listen(t)
				p := start(t, t.Context(), "chain", "WAY="+way, "END="+end, "TELL="+tell)
				c := <-conn
				if end == "when asked" {
					if _, err := io.ReadFull(c, make([]byte, 5)); err != nil {
						t.Fatalf("the chain does not get going: %v", err)
					}
				} else {
					<-p.Done()
				}
				if err := p.Close(); err != nil {
					t.Error(err)
				}
				// What is left of the chain would hold the connection open.
				if _, err := io.Copy(io.Discard, c); err != nil {
					t.Errorf("%s, server ends %s: a process outlives it: %v", way, end, err)
				}
				_ = c.Close()
			}
		}
	}
}

// listen accepts one connection, which is given up after a while.
func listen(t *testing.T) (<-chan net.Conn, string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	accepted := make(chan net.Conn, 1)
	go func() {
		defer l.Close()
		c, err := l.Accept()
		if err == nil {
			_ = c.SetDeadline(time.Now().Add(10 * time.Second))
			accepted <- c
		}
	}()
	return accepted, l.Addr().String()
}

// Not parallel, for the same reason.
func TestTheSweepLeavesOtherChildrenAlone(t *testing.T) {
	if !adopting {
		t.Skip("only Linux lets a program adopt its orphans; the package says so")
	}
	for range 20 {
		living, finished := child(t, "echo"), child(t, "")
		in, err := living.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*exec.Cmd{living, finished} {
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
		}
		other := start(t, t.Context(), "echo")
		p := start(t, t.Context(), "parent", "WAY=daemon", "END=when asked")
		pid := number(t, p)
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if s := other.Status(); s != "" {
			t.Errorf("another server ended too: %s", s)
		}
		if _, err := io.WriteString(other.Stdin, "still there\n"); err != nil || line(t, other) != "still there" {
			t.Errorf("another server does not answer: %v", err)
		}
		if err := other.Close(); err != nil {
			t.Error(err)
		}
		if runs(pid) {
			t.Errorf("process %d outlives its server", pid)
		}
		if err := syscall.Kill(living.Process.Pid, 0); err != nil {
			t.Errorf("the program's own child: %v", err)
		}
		_ = in.Close()
		for _, c := range []*exec.Cmd{living, finished} {
			if err := c.Wait(); err != nil {
				t.Errorf("the program's own child was waited for: %v", err)
			}
		}
	}
}

// child is a process of this program's own session.
func child(t *testing.T, r string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = []string{role + "=" + r, "GORACE=" + quick}
	if r == "" {
		c = exec.Command("true")
	}
	return c
}
