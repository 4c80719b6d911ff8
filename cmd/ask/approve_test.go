package main

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/internal/testing/clitest"
	"github.com/onestep-run/onestep/trace"
)

// office is an HTTP server with one tool that changes something, and a home
// whose allowlist has it.
type office struct {
	*httptest.Server
	home  string
	calls atomic.Int32
	idle  atomic.Int32 // requests to another server, which is allowed too

	description atomic.Value
	listed      atomic.Value // func(*http.Request), called at each listing
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{home: t.TempDir()}
	o.listed.Store(func(*http.Request) {})
	o.description.Store("Pay a bill.")
	o.Server = httptest.NewServer(http.HandlerFunc(o.serve))
	t.Cleanup(o.Close)
	idle := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { o.idle.Add(1) }))
	t.Cleanup(func() {
		idle.Close()
		if n := o.idle.Load(); n > 0 {
			t.Errorf("a server that is not called got %d requests", n)
		}
	})
	o.write(t, "mcp.json", fmt.Sprintf(`{"mcpServers":{"pay":{"url":%q,"headers":{"X-Team":"${TEAM:-blue}"}},"idle":{"url":%q}}}`, o.URL, idle.URL))
	o.trust(t)
	return o
}

// trust approves what the office says of its tool, and asks no other server.
func (o *office) trust(t *testing.T) {
	t.Helper()
	o.write(t, "allowlist.json", `{"pay":{"write":["pay"]}}`)
	clitest.Trust(t, o.home)
	o.write(t, "allowlist.json", `{"pay":{"write":["pay"]},"idle":{"read":["see"]}}`)
}

func (o *office) write(t *testing.T, name, text string) {
	t.Helper()
	clitest.Write(t, o.home, name, text)
}

func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     jsontext.Value `json:"id"`
		Method string         `json:"method"`
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(body, &m) != nil || m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	result := `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"office","version":"1"}}`
	switch m.Method {
	case "tools/list":
		o.listed.Load().(func(*http.Request))(r)
		result = fmt.Sprintf(`{"tools":[{"name":"pay","description":%q,"inputSchema":{"type":"object","properties":{"bill":{"type":"string"}},"required":["bill"]}}]}`, o.description.Load())
	case "tools/call":
		o.calls.Add(1)
		result = `{"content":[{"type":"text","text":"paid"}]}`
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// run runs a program in the home, and gives its exit status.
func (o *office) run(t *testing.T, program string, args ...string) (code int, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "ASK_HOME="+o.home)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ended) {
		t.Error(err)
	}
	return cmd.ProcessState.ExitCode(), errs.String()
}

// allWaiting are the approvals that wait in a home, the oldest first.
func allWaiting(t *testing.T, home string) []approval.Approval {
	t.Helper()
	s := store.At(filepath.Join(home, "state.db"), time.Now)
	all, err := s.Waiting(t.Context())
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return all
}

// waitingIn is the newest of them.
func waitingIn(t *testing.T, home string) approval.Approval {
	t.Helper()
	all := allWaiting(t, home)
	if len(all) == 0 {
		t.Fatal("none waits")
	}
	return all[len(all)-1]
}

// asks leaves a pending approval, and gives its run and digest.
func (o *office) asks(t *testing.T, program string) (run, digest string) {
	t.Helper()
	if code, stderr := o.run(t, program, "call", "pay/pay", "--args", `{"bill":"b-1"}`); code != 4 || o.calls.Load() != 0 {
		t.Fatalf("exit %d, %d calls: %s", code, o.calls.Load(), stderr)
	}
	is := waitingIn(t, o.home)
	return is.RunID, is.Digest
}

// Of any number of processes one makes the call, and the others say that it is used up.
func TestOfManyApprovingProcessesOneMakesTheCall(t *testing.T) {
	t.Parallel()
	ask := filepath.Join(released(t), "ask")
	rounds := 15
	if os.Getenv("ASK_CI") == "full" {
		rounds = 2000
	}
	o := newOffice(t)
	for range rounds {
		o.calls.Store(0)
		run, digest := o.asks(t, ask)
		var all sync.WaitGroup
		var answered atomic.Int32
		for range 10 {
			all.Go(func() {
				code, stderr := o.run(t, ask, "approve", run, "--digest", digest)
				switch {
				case code == 0:
					answered.Add(1)
				case code != 4 || !strings.Contains(stderr, string(verdict.ApprovalSpent)) && !strings.Contains(stderr, string(verdict.ApprovalUnknown)):
					t.Errorf("exit %d: %s", code, stderr)
				}
			})
		}
		all.Wait()
		if n := o.calls.Load(); n != 1 || answered.Load() != 1 {
			t.Fatalf("%d calls, %d answers", n, answered.Load())
		}
	}
}

// The approval is used up before the call leaves: a process that is killed in between
// has made no call, and no other makes it after.
func TestAKillBetweenTheClaimAndTheCallMakesNone(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	run, digest := o.asks(t, "ask")
	reached := make(chan struct{})
	o.listed.Store(func(r *http.Request) { // right before the call, and only there
		close(reached)
		<-r.Context().Done()
	})
	cmd := exec.CommandContext(t.Context(), "ask", "approve", run, "--digest", digest)
	cmd.Env = append(os.Environ(), "ASK_HOME="+o.home)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-reached
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	o.listed.Store(func(*http.Request) {})
	code, stderr := o.run(t, "ask", "approve", run, "--digest", digest)
	if code != 4 || !strings.Contains(stderr, string(verdict.ApprovalSpent)) || !strings.Contains(stderr, "may have left") || o.calls.Load() != 0 {
		t.Errorf("exit %d, %d calls: %s", code, o.calls.Load(), stderr)
	}
}

func TestAnApprovalIsOfWhatWasShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(t *testing.T, o *office)
		args   []string
		code   int
		says   []string
	}{
		"nothing is changed":       {func(*testing.T, *office) {}, nil, 0, []string{"called pay/pay"}},
		"another word of the tool": {func(_ *testing.T, o *office) { o.description.Store("Pay every bill.") }, nil, 4, []string{"pin.changed"}},
		"another word, approved": {func(t *testing.T, o *office) {
			o.description.Store("Pay every bill.")
			o.trust(t)
		}, nil, 4, []string{"approval.changed", "descriptor: "}},
		"the server is reached so": {func(t *testing.T, o *office) {
			o.write(t, "mcp.json", fmt.Sprintf(`{"mcpServers":{"pay":{"url":%q}}}`, o.URL))
			o.trust(t)
		}, nil, 4, []string{"approval.changed", "identity: "}},
		"a variable has a value":   {func(t *testing.T, _ *office) {}, []string{"env", "TEAM=red"}, 4, []string{"approval.changed", "identity: "}},
		"the allowlist says less":  {func(t *testing.T, o *office) { o.write(t, "allowlist.json", `{"pay":["pay"]}`) }, nil, 4, []string{"approval.needed", "an approval is needed again: "}},
		"the allowlist says read":  {func(t *testing.T, o *office) { o.write(t, "allowlist.json", `{"pay":{"read":["pay"]}}`) }, nil, 4, []string{"approval.needed", "an approval is needed again: "}},
		"the allowlist has it not": {func(t *testing.T, o *office) { o.write(t, "allowlist.json", `{"pay":["other"]}`) }, nil, 3, []string{"allow.tool"}},
		"the state is gone": {func(t *testing.T, o *office) {
			for _, name := range []string{"state.db", "state.db-wal", "state.db-shm"} {
				if err := os.Remove(filepath.Join(o.home, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			}
		}, nil, 4, []string{"approval.unknown"}},
		"the row is another's": {func(t *testing.T, o *office) {
			o.edits(t, `UPDATE approval SET decided_by = 'eve', state = 'approved'`)
		}, nil, 2, []string{"state.unreadable", "is damaged"}},
		"the trace is gone":      {func(t *testing.T, o *office) { o.each(t, "trace_", os.Remove) }, nil, 2, []string{"trace.missing"}},
		"the trace says more":    {func(t *testing.T, o *office) { o.each(t, "trace_", appended) }, nil, 9, []string{"trace."}},
		"the trace is another's": {func(t *testing.T, o *office) { o.each(t, "trace_", swapped) }, nil, 9, []string{"trace.digest"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t)
			run, digest := o.asks(t, "ask")
			c.change(t, o)
			var command []string
			for _, arg := range c.args {
				command = append(command, strings.Replace(arg, "COPY", o.home+"/copy", 1))
			}
			command = append(command, "ask", "approve", run, "--digest", digest)
			code, stderr := o.run(t, command[0], command[1:]...)
			if code != c.code || (o.calls.Load() == 1) != (code == 0) {
				t.Errorf("exit %d, want %d; %d calls: %s", code, c.code, o.calls.Load(), stderr)
			}
			for _, say := range c.says {
				if !strings.Contains(stderr, say) {
					t.Errorf("it does not say %q: %s", say, stderr)
				}
			}
		})
	}
}

// each does something with the files of the traces that have a prefix.
func (o *office) each(t *testing.T, prefix string, do func(path string) error) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(o.home, "traces", prefix+"*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	if err := do(files[0]); err != nil {
		t.Fatal(err)
	}
}

func appended(path string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString("{}\n")
	return errors.Join(err, f.Close())
}

// edits changes the state behind its back, and leaves the sums as they were.
func (o *office) edits(t *testing.T, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(o.home, "state.db"))
	if err == nil {
		_, err = db.Exec(statement)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// swapped puts a whole trace of another run in the place of this one.
func swapped(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	l := trace.New(f, time.Now)
	err = errors.Join(l.Append(trace.Begin, trace.BeginBody{Format: trace.Format}), l.Append(trace.Outcome, struct{}{}))
	_, closed := l.Close()
	return errors.Join(err, closed, f.Close())
}

// A pending approval is a row that can be edited. What is shown of it, who asks
// for what and until when, is what the approval's digest covers.
func TestAnEditedPendingApprovalShowsWhatItsDigestCovers(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	run, _ := o.asks(t, "ask")
	whole := o.shown(t, run)
	if !strings.Contains(whole, "the server says of it: Pay a bill.") {
		t.Fatalf("the server's words are not shown:\n%s", whole)
	}
	s := store.At(filepath.Join(o.home, "state.db"), time.Now)
	is, err := s.Approval(t.Context(), run)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	o.edits(t, `DELETE FROM approval`)
	s = store.At(filepath.Join(o.home, "state.db"), time.Now)
	is.Expires = is.Expires.AddDate(900, 0, 0)
	if err := errors.Join(s.Ask(t.Context(), is), s.Close()); err != nil {
		t.Fatal(err)
	}
	if shown := o.shown(t, run); strings.Contains(shown, "2926") || !strings.Contains(shown, "the server says of it: Pay a bill.") {
		t.Errorf("it shows what the row says:\n%s", shown)
	}
}

// shown is all that is printed of a pending approval.
func (o *office) shown(t *testing.T, run string) string {
	t.Helper()
	var all strings.Builder
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"show", run}, {"show", run, "--json"}} {
		cmd := exec.CommandContext(t.Context(), "ask", append([]string{"approvals"}, args...)...)
		cmd.Env = append(os.Environ(), "ASK_HOME="+o.home)
		out, _ := cmd.CombinedOutput() // a refused command prints why
		all.Write(out)
	}
	return all.String()
}
