package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

const threeCases = `{"id":"one","query":"Get ticket INC0010001"}
{"id":"two","query":"Get ticket INC0010002"}
{"id":"three","query":"Get ticket INC0010003"}
`

// slowModel is a model that plans the same call for everybody. At one question
// it says so, and answers only to who waits until it is let go.
type slowModel struct {
	*httptest.Server
	asked   atomic.Int32
	reached chan struct{}
	let     chan struct{}
}

func newSlowModel(t *testing.T, stopAt int32) *slowModel {
	t.Helper()
	m := &slowModel{reached: make(chan struct{}), let: make(chan struct{})}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		if m.asked.Add(1) == stopAt {
			close(m.reached)
			select {
			case <-m.let:
			case <-r.Context().Done():
				return
			}
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"{\"type\":\"call_tool\",\"server\":\"mcp-servicenow\",\"tool\":\"get_ticket\",\"args\":{\"ticket_id\":\"INC0010002\"}}"}}]}`)
	}))
	t.Cleanup(m.Close)
	return m
}

// measuring is a suite of three cases that asks the model for each of them.
func measuring(t *testing.T, m *slowModel, dir string, more ...string) *exec.Cmd {
	t.Helper()
	clitest.Write(t, dir, "cases.jsonl", threeCases)
	args := []string{"e2e", "--demo", "--mode", "safe", "--planner", "model", "--model", "openai/test", "--jobs", "1", "--cases", "cases.jsonl", "--out", "out"}
	cmd, _ := clitest.Command(t, "ask-eval", append(args, more...)...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "LLM_BASE_URL="+m.URL, "TERM=xterm")
	return cmd
}

// rowsOf is the longest file of rows in a folder of results.
func rowsOf(t *testing.T, dir string) (longest string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "out", "*_runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > len(longest) {
			longest = string(b)
		}
	}
	return longest
}

// TestAnInterruptedSuiteWritesWhatIsDoneAndGoesOn: nothing that was measured
// is lost to a Ctrl-C, or asked again.
func TestAnInterruptedSuiteWritesWhatIsDoneAndGoesOn(t *testing.T) {
	t.Parallel()
	m, dir := newSlowModel(t, 3), t.TempDir()
	cmd := measuring(t, m, dir, "--report", "junit=out/junit.xml", "--report", "html=out/page.html")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-m.reached
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // its code says more
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(stderr.String(), "eval.incomplete") {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
	const arms = 2 // onestep, without an approver and with one
	if rows := rowsOf(t, dir); strings.Count(rows, "\n") != 2*arms || !strings.Contains(rows, `"id":"two"`) {
		t.Errorf("the rows are %s", rows)
	}
	for _, file := range []string{"junit.xml", "page.html"} {
		b, err := os.ReadFile(filepath.Join(dir, "out", file))
		if err != nil || !strings.Contains(string(b), "eval.incomplete") {
			t.Errorf("%s does not say that the suite was stopped, %v", file, err)
		}
	}
	out, err := measuring(t, m, dir, "--resume").CombinedOutput()
	if rows := rowsOf(t, dir); err != nil || strings.Count(rows, "\n") != 3*arms || m.asked.Load() != 4 {
		t.Errorf("%v: %d questions to the model, rows %s: %s", err, m.asked.Load(), rows, out)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "out", "*partial*")); err != nil || len(left) > 0 {
		t.Errorf("%v, %v are left", err, left)
	}
}

// TestProgressIsABarOnATerminalAndLinesElsewhere: with the rate and the
// remaining time, and gone when the table comes.
func TestProgressIsABarOnATerminalAndLinesElsewhere(t *testing.T) {
	t.Parallel()
	m := newSlowModel(t, 2)
	cmd := measuring(t, m, t.TempDir())
	keyboard, screen := clitest.Terminal(t)
	cmd.Stdin, cmd.Stderr = screen, screen
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	screen.Close()
	shown := bufio.NewReader(keyboard)
	bar := ""
	for !strings.Contains(bar, "cases/s) [") { // after the first case, while the second is on its way
		more, err := shown.ReadString('[')
		if bar += more; err != nil {
			t.Fatalf("%v: %q", err, bar)
		}
	}
	remaining, err := shown.ReadString(']')
	if err != nil || !strings.Contains(bar, "(1/3") || !strings.Contains(bar, "33%") || !strings.Contains(remaining, ":") {
		t.Errorf("%v: %q", err, bar+remaining)
	}
	close(m.let)
	rest, _ := io.ReadAll(shown) // EIO once the last writer is gone
	if err := cmd.Wait(); err != nil || !strings.Contains(string(rest), "Kept: ") {
		t.Errorf("%v: %q", err, rest)
	}

	m = newSlowModel(t, -1)
	out, err := measuring(t, m, t.TempDir()).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "e2e: 3 of 3 cases\n") || strings.Contains(string(out), "\r") {
		t.Errorf("%v: %q", err, out)
	}
}
