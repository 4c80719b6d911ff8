package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/internal/testing/clitest"
	"github.com/onestep-run/onestep/trace"
)

// stalled is one `ask` that hangs at a stage of its run.
type stalled struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	server *bufio.Reader // the staller's connection
	home   string
}

// stage is where a run hangs.
type stage struct {
	at       string // a method of the server, or "planning"
	live     bool   // the server is asked before the run plans
	approved bool   // the trace holds the approval of the call
	called   bool   // the call has left
}

func (s stage) String() string {
	name := strings.ReplaceAll(s.at, "/", " ")
	if s.approved && !s.called {
		name += " before the call"
	}
	return name
}

var stages = []stage{
	{at: "initialize", live: true},
	{at: "tools/list", live: true},
	{at: "planning", live: true},
	{at: "initialize", approved: true},
	{at: "tools/list", approved: true},
	{at: "tools/call", approved: true, called: true},
}

// stallAt runs `ask` with a question, by way of another program if one is given.
func stallAt(t *testing.T, s stage, by ...string) *stalled {
	t.Helper()
	args := append(by, "ask", "Fetch the entry with id e-1")
	if s.live {
		args = append(args, "--live")
	}
	if s.at == "planning" {
		args = append(args, "--model", "openai/test")
	}
	return stallOf(t, s.at, args...)
}

// stallOf is the same of any command.
func stallOf(t *testing.T, stage string, args ...string) *stalled {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	reached := make(chan struct{})
	model := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err == nil {
			close(reached)
		}
		<-r.Context().Done()
	}))
	t.Cleanup(model.Close)
	s := &stalled{home: t.TempDir()}
	for name, text := range map[string]string{
		"mcp.json":       `{"mcpServers":{"kb":{"command":"staller","env":{"STALL_AT":"${STALL_AT:-}","STALL_TELL":"${STALL_TELL:-}"}}}}`,
		"allowlist.json": `{"kb":{"read":["fetch_entry"]}}`,
	} {
		if err := os.WriteFile(filepath.Join(s.home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	clitest.Trust(t, s.home)
	s.cmd = exec.Command(args[0], args[1:]...)
	s.cmd.Env = append(os.Environ(), "ASK_HOME="+s.home, "LLM_BASE_URL="+model.URL, "STALL_AT="+stage, "STALL_TELL="+l.Addr().String())
	s.cmd.Stderr = &s.stderr
	stdout, err := os.Create(filepath.Join(s.home, "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	s.cmd.Stdout = stdout
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	s.server = bufio.NewReader(conn)
	if stage == "planning" {
		<-reached
	} else if line, err := s.server.ReadString('\n'); err != nil && stage != "closing" { // where it may be gone already
		t.Fatalf("%q, %v, %s", line, err, &s.stderr)
	}
	return s
}

// end sends the signal, unless that is 0, and waits until `ask` and its server are gone.
func (s *stalled) end(t *testing.T, sig syscall.Signal) (code int) {
	t.Helper()
	if sig != 0 {
		if err := s.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	var exit *exec.ExitError
	if err := s.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, s.server); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the server outlived the run: %v", err)
	}
	return s.cmd.ProcessState.ExitCode()
}

func (s *stalled) trace(t *testing.T) ([]trace.Event, error) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(s.home, "traces", "*.jsonl"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v, %s", found, err, &s.stderr)
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return trace.Read(bytes.NewReader(b))
}

func TestKilledAtAnyStageTheTraceHoldsUpToItsLastLine(t *testing.T) {
	t.Parallel()
	for _, stage := range stages {
		t.Run(stage.String(), func(t *testing.T) {
			t.Parallel()
			s := stallAt(t, stage)
			s.end(t, syscall.SIGKILL)
			events, err := s.trace(t)
			if verdict.CodeOf(err) != verdict.TraceIncomplete || len(events) == 0 {
				t.Errorf("%d lines, %v", len(events), err)
			}
			if approved(events) != stage.approved {
				t.Errorf("the trace holds an approval: %v", approved(events))
			}
		})
	}
}

func TestInterruptedAtAnyStageTheRunEndsInOrder(t *testing.T) {
	t.Parallel()
	for _, stage := range stages {
		for sig, want := range map[syscall.Signal]int{syscall.SIGHUP: 129, syscall.SIGINT: 130, syscall.SIGQUIT: 131, syscall.SIGTERM: 143} {
			t.Run(stage.String()+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				s := stallAt(t, stage)
				if code := s.end(t, sig); code != want {
					t.Errorf("exit %d, want %d: %s", code, want, &s.stderr)
				}
				events, err := s.trace(t)
				if err != nil || approved(events) != stage.approved {
					t.Errorf("%d lines, approval %v, %v", len(events), approved(events), err)
				}
				unknown := strings.Contains(s.stderr.String(), string(verdict.CallOutcomeUnknown))
				if unknown != stage.called {
					t.Errorf("the call's outcome is unknown: %v: %s", unknown, &s.stderr)
				}
			})
		}
	}
}

// ending is what a test compares of how a run ended.
type ending struct {
	Exit     int
	Code     verdict.Code
	Call     string
	SaysLeft string
}

// TestTheTimeLimitEndsTheRunAtAnyStage: it is not an interrupt, and the message says
// whether a call left.
func TestTheTimeLimitEndsTheRunAtAnyStage(t *testing.T) {
	t.Parallel()
	for _, stage := range stages {
		t.Run(stage.String(), func(t *testing.T) {
			t.Parallel()
			args := []string{"ask", "Fetch the entry with id e-1", "--json", "--timeout", "8s"} // it has to get to its stage
			if stage.live {
				args = append(args, "--live")
			}
			if stage.at == "planning" {
				args = append(args, "--model", "openai/test")
			}
			s := stallOf(t, stage.at, args...)
			want := ending{124, verdict.RunTimeout, host.None, "no call left"}
			if stage.called {
				want.Call, want.SaysLeft = host.Unknown, "the call left"
			}
			got := ending{Exit: s.end(t, 0)}
			b, err := os.ReadFile(filepath.Join(s.home, "stdout"))
			if err != nil {
				t.Fatal(err)
			}
			var out struct {
				Call  string
				Error struct {
					Code    verdict.Code
					Message string
				}
			}
			if err := json.Unmarshal(b, &out); err != nil {
				t.Fatalf("%s: %v", b, err)
			}
			got.Code, got.Call = out.Error.Code, out.Call
			for _, says := range []string{"no call left", "the call left"} {
				if strings.Contains(out.Error.Message, says) {
					got.SaysLeft = says
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\n(-want +got):\n%s", out.Error.Message, diff)
			}
		})
	}
}

// nohup starts a program so, and means it.
func TestASignalThatIsIgnoredAtTheStartStaysIgnored(t *testing.T) {
	t.Parallel()
	for name, ignored := range map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT} {
		s := stallAt(t, stage{at: "tools/call"}, "sh", "-c", `trap "" `+name+`; exec "$@"`, "sh")
		if err := s.cmd.Process.Signal(ignored); err != nil {
			t.Fatal(err)
		}
		if code := s.end(t, syscall.SIGTERM); code != 143 {
			t.Errorf("%s ignored, and exit %d: %s", name, code, &s.stderr)
		}
	}
}

// TestTheAnswerIsPrintedBeforeTheServersAreEnded: when a server learns that it
// is to end, or is gone, the answer has been written. The user does not wait while
// a server takes its time.
func TestTheAnswerIsPrintedBeforeTheServersAreEnded(t *testing.T) {
	t.Parallel()
	for said, args := range map[string][]string{
		"done":                  {"Fetch the entry with id e-1"},
		"kb/fetch_entry":        {"--live", "tools"},
		"input":                 {"--live", "tools", "show", "kb/fetch_entry"},
		`"fetch_entry"`:         {"--live", "tools", "--undecided"},
		"1 listed, 1 allowed\n": {"servers", "test"},
	} {
		s := stallOf(t, "closing", append([]string{"ask"}, args...)...)
		answer, err := os.ReadFile(filepath.Join(s.home, "stdout"))
		if err != nil || !strings.Contains(string(answer), said) {
			t.Errorf("%q, %v: the answer is %q", args, err, answer)
		}
		if err := s.cmd.Wait(); err != nil {
			t.Errorf("%q, %v: %s", args, err, &s.stderr)
		}
	}
}

func approved(events []trace.Event) bool {
	for _, e := range events {
		if e.Kind == trace.Approval {
			return true
		}
	}
	return false
}
