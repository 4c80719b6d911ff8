package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
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

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// staller is a stdio MCP server that stops at one method: it tells the test
// that it has got there, over a connection that ends when its process does.
func staller() {
	conn, err := net.Dial("tcp", os.Getenv("STALL_TELL"))
	if err != nil {
		os.Exit(1)
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			os.Exit(1)
		}
		if m.Method == os.Getenv("STALL_AT") {
			fmt.Fprintln(conn, "stalled")
			select {}
		}
		if reply := stallerReply(m.Method); m.ID != nil && reply != "" {
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, reply)
		}
	}
	fmt.Fprintln(conn, "its input ended") // the stage "closing"
	select {}                             // a server that does not end with its input
}

func stallerReply(method string) string {
	switch method {
	case "initialize":
		return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"staller","version":"1"}}`
	case "tools/list":
		return `{"tools":[{"name":"fetch_entry","description":"Fetch an entry by its id.","inputSchema":{"type":"object","properties":{"id":{"type":"string","description":"The id of the entry."}},"required":["id"]}}]}`
	case "tools/call":
		return `{"content":[{"type":"text","text":"done"}]}`
	}
	return "{}"
}

// witness tells the test what it can read of a process, its parent if no other
// is named, and which files it was started with. It is started by `ask` as a
// server, and by the test.
func witness() {
	conn, err := net.Dial("tcp", os.Getenv("WITNESS_TELL"))
	if err != nil {
		os.Exit(1)
	}
	pid := os.Getenv("WITNESS_OF")
	if pid == "" {
		pid = fmt.Sprint(os.Getppid())
	}
	for _, file := range []string{"environ", "mem", "maps"} {
		f, err := os.Open("/proc/" + pid + "/" + file)
		if err == nil && file != "mem" { // of which nothing is at its beginning
			_, err = io.ReadAll(f)
		}
		fmt.Fprintf(conn, "%s: %v\n", file, err)
	}
	open, _ := os.ReadDir("/proc/self/fd")
	for _, fd := range open {
		file, _ := os.Readlink("/proc/self/fd/" + fd.Name())
		fmt.Fprintf(conn, "open: %s\n", file)
	}
	_ = conn.(*net.TCPConn).CloseWrite()
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// stalled is one `ask` that hangs at a stage of its run.
type stalled struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	server *bufio.Reader // the staller's connection
	home   string
}

// stallAt runs `ask` with a question, by way of another program if one is given.
func stallAt(t *testing.T, stage string, by ...string) *stalled {
	t.Helper()
	args := append(by, "ask", "Fetch the entry with id e-1")
	if stage == "planning" {
		args = append(args, "--model", "openai/test")
	}
	return stallOf(t, stage, args...)
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
		"mcp.json":       fmt.Sprintf(`{"mcpServers":{"kb":{"command":"staller","env":{"STALL_AT":%q,"STALL_TELL":%q}}}}`, stage, l.Addr()),
		"allowlist.json": `{"kb":{"read":["fetch_entry"]}}`,
	} {
		if err := os.WriteFile(filepath.Join(s.home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.cmd = exec.Command(args[0], args[1:]...)
	s.cmd.Env = append(os.Environ(), "ASK_HOME="+s.home, "LLM_BASE_URL="+model.URL)
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

// end sends the signal and waits until `ask` and its server are gone.
func (s *stalled) end(t *testing.T, sig syscall.Signal) (code int) {
	t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
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

var stages = []string{"initialize", "tools/list", "planning", "tools/call"}

func TestKilledAtAnyStageTheTraceHoldsUpToItsLastLine(t *testing.T) {
	t.Parallel()
	for _, stage := range stages {
		t.Run(strings.ReplaceAll(stage, "/", " "), func(t *testing.T) {
			t.Parallel()
			s := stallAt(t, stage)
			s.end(t, syscall.SIGKILL)
			events, err := s.trace(t)
			if verdict.CodeOf(err) != verdict.TraceIncomplete || len(events) == 0 {
				t.Errorf("%d lines, %v", len(events), err)
			}
			if approved(events) != (stage == "tools/call") {
				t.Errorf("at %s the trace holds an approval: %v", stage, approved(events))
			}
		})
	}
}

func TestInterruptedAtAnyStageTheRunEndsInOrder(t *testing.T) {
	t.Parallel()
	for _, stage := range stages {
		for sig, want := range map[syscall.Signal]int{syscall.SIGHUP: 129, syscall.SIGINT: 130, syscall.SIGQUIT: 131, syscall.SIGTERM: 143} {
			t.Run(strings.ReplaceAll(stage, "/", " ")+" "+sig.String(), func(t *testing.T) {
				t.Parallel()
				s := stallAt(t, stage)
				if code := s.end(t, sig); code != want {
					t.Errorf("exit %d, want %d: %s", code, want, &s.stderr)
				}
				events, err := s.trace(t)
				if err != nil || approved(events) != (stage == "tools/call") {
					t.Errorf("%d lines, approval %v, %v", len(events), approved(events), err)
				}
				unknown := strings.Contains(s.stderr.String(), string(verdict.CallOutcomeUnknown))
				if unknown != (stage == "tools/call") {
					t.Errorf("the call's outcome is unknown: %v: %s", unknown, &s.stderr)
				}
			})
		}
	}
}

// nohup starts a program so, and means it.
func TestASignalThatIsIgnoredAtTheStartStaysIgnored(t *testing.T) {
	t.Parallel()
	for name, ignored := range map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT} {
		s := stallAt(t, "tools/call", "sh", "-c", `trap "" `+name+`; exec "$@"`, "sh")
		if err := s.cmd.Process.Signal(ignored); err != nil {
			t.Fatal(err)
		}
		if code := s.end(t, syscall.SIGTERM); code != 143 {
			t.Errorf("%s ignored, and exit %d: %s", name, code, &s.stderr)
		}
	}
}

// TestTheAnswerIsPrintedBeforeTheServersAreEnded: when a server learns that it
// is to end, or is gone, the answer has been written. Nobody waits for it while
// a server takes its time.
func TestTheAnswerIsPrintedBeforeTheServersAreEnded(t *testing.T) {
	t.Parallel()
	for said, args := range map[string][]string{
		"done":                  {"Fetch the entry with id e-1"},
		"kb/fetch_entry":        {"tools"},
		"input":                 {"tools", "show", "kb/fetch_entry"},
		`"fetch_entry"`:         {"tools", "--undecided"},
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
