//go:build unix

package launch_test

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/onestep-run/onestep/host/launch"
)

// role makes this test binary play a server; see [play].
const role = "LAUNCH_TEST_ROLE"

// quick keeps a child built with the race detector from sleeping at its end.
const quick = "atexit_sleep_ms=0"

// adopting is false where the system knows no such thing.
var adopting bool

func TestMain(m *testing.M) {
	if r := os.Getenv(role); r != "" {
		os.Exit(play(r))
	}
	adopting = launch.AdoptOrphans() == nil
	goleak.VerifyTestMain(m)
}

// graces are short where the server is to run out of them.
var graces = map[string]time.Duration{
	"stubborn": time.Millisecond, "when killed": time.Millisecond, "tidy": time.Millisecond, "chain": time.Millisecond,
}

// start starts this binary in a role. It is closed at the end of the test in
// any case.
func start(t *testing.T, ctx context.Context, r string, env ...string) *launch.Process {
	t.Helper()
	all := map[string]string{role: r, "GORACE": quick}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		all[name] = value
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := launch.Start(ctx, launch.Command{Path: self, Env: all, Secrets: []string{all["API_KEY"]}, Grace: cmp.Or(graces[r], graces[all["END"]], 10*time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestAPoliteServerEndsWhenItsInputDoes(t *testing.T) {
	t.Parallel()
	p := start(t, t.Context(), "echo")
	if _, err := io.WriteString(p.Stdin, "hello\n"); err != nil {
		t.Fatal(err)
	}
	if got := line(t, p); got != "hello" {
		t.Errorf("the server echoed %q", got)
	}
	if s := p.Status(); s != "" {
		t.Errorf("a running server has the status %q", s)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if s := p.Status(); s != "exit status 0" {
		t.Errorf("the server ended with %s", s)
	}
}

func TestAStubbornServerIsKilled(t *testing.T) {
	t.Parallel()
	p := start(t, t.Context(), "stubborn")
	line(t, p)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if s := p.Status(); s != "signal: killed" {
		t.Errorf("the server ended with %s", s)
	}
}

// A server that keeps running after its input's end gets SIGTERM and time to end. The
// grace alone would be too short.
func TestAServerThatIsToldToTerminateMayTidyUp(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/tidied"
	p := start(t, t.Context(), "tidy", "FILE="+file)
	line(t, p)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if s := p.Status(); s != "exit status 0" {
		t.Errorf("the server ended with %s", s)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

// A server that saves its state at its input's end gets the grace for it.
func TestTheGraceIsForWhatAServerDoesAtItsEnd(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/saved"
	p := start(t, t.Context(), "saver", "FILE="+file)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(file); err != nil || len(b) != saved {
		t.Errorf("%d bytes are saved, %v", len(b), err)
	}
}

func TestTheEndOfTheContextEndsTheServer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	p := start(t, ctx, "stubborn")
	line(t, p)
	cancel()
	<-p.Done()
	if s := p.Status(); s != "signal: killed" { // by itself it ends after a minute
		t.Errorf("the server ended with %s", s)
	}
}

func TestNothingStartsUnderAContextThatIsOver(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	marker := t.TempDir() + "/started"
	_, err := launch.Start(ctx, launch.Command{Path: "touch", Args: []string{marker}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Start returns %v", err)
	}
	if _, err := os.Stat(marker); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the command ran")
	}
}

func TestGrandchildrenEndWithTheServer(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"same group", "own group", "own session"} {
		for _, end := range []string{"when asked", "when killed"} {
			t.Run(way+", server ends "+end, func(t *testing.T) {
				t.Parallel()
				p := start(t, t.Context(), "parent", "WAY="+way, "END="+end)
				pid := number(t, p)
				if err := p.Close(); err != nil {
					t.Error(err)
				}
				if runs(pid) {
					t.Errorf("process %d outlives its server", pid)
				}
			})
		}
	}
}

func TestGrandchildrenEndWithAServerThatEndsByItself(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"same group", "own group"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			p := start(t, t.Context(), "parent", "WAY="+way, "END=at once")
			pid := number(t, p)
			<-p.Done()
			if runs(pid) {
				t.Errorf("process %d outlives its server", pid)
			}
		})
	}
}

// Not parallel: the orphans are found when no server runs any more.
func TestOrphansEndWithTheLastServer(t *testing.T) {
	if !adopting {
		t.Skip("only Linux lets a program adopt its orphans; the package says so")
	}
	for _, c := range []struct{ way, end string }{
		{"daemon", "when asked"}, {"daemon", "when killed"}, {"daemon", "at once"}, {"own session", "at once"},
	} {
		p := start(t, t.Context(), "parent", "WAY="+c.way, "END="+c.end)
		pid := number(t, p)
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if runs(pid) {
			t.Errorf("%s, server ends %s: process %d outlives it", c.way, c.end, pid)
		}
	}
}

// Not parallel, and next to a server that keeps running. Otherwise the orphan would be
// found, and this test shows that the system ends it.
func TestTheServerDiesWithAKilledProgram(t *testing.T) {
	if !adopting {
		t.Skip("only Linux ends a process with its parent; the package says so")
	}
	start(t, t.Context(), "echo")
	launcher := start(t, t.Context(), "launcher")
	program, server := number(t, launcher), number(t, launcher)
	if err := syscall.Kill(program, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-launcher.Done()
	for runs(server) { // a server that outlives the program keeps this from ending
		time.Sleep(time.Millisecond)
	}
}

func TestTheServerHasNoTerminal(t *testing.T) {
	t.Parallel()
	p := start(t, t.Context(), "tty")
	if got := line(t, p); got != "no terminal, leads its group" {
		t.Errorf("the server has %s", got)
	}
}

func TestWhatWasWrittenBeforeTheEndIsRead(t *testing.T) {
	t.Parallel()
	p := start(t, t.Context(), "last words")
	<-p.Done()
	out, _ := io.ReadAll(p.Stdout)
	if string(out) != "the last words\n" {
		t.Errorf("stdout has %q", out)
	}
	if s := p.Status(); s != "exit status 3" {
		t.Errorf("the server ended with %s", s)
	}
	if tail := p.Tail(100); tail != "the cause" {
		t.Errorf("the tail is %q", tail)
	}
}

func TestTheTailIsBoundedAndHoldsNoSecret(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t-abcdefghijklm"
	p := start(t, t.Context(), "spam", "API_KEY="+secret, "DEBUG=1")
	<-p.Done()
	for _, max := range []int{10, 1000, 1 << 20} {
		tail := p.Tail(max)
		if len(tail) > max || len(tail) > 16<<10 {
			t.Errorf("a tail of %d bytes for %d", len(tail), max)
		}
		if strings.Contains(tail, "cr3t") || strings.Contains(tail, "klm") { // whatever part of it the cut would leave
			t.Errorf("the tail holds the secret: %.60q…", tail)
		}
		if !strings.HasSuffix(tail, "level=1") && max > 10 {
			t.Errorf("the tail ends with %q", tail[max-20:])
		}
	}
}
