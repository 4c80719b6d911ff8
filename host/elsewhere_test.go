package host_test

import (
	"bytes"
	"context"
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
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/seal"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/internal/testing/pgtest"
	"github.com/onestep-run/onestep/trace"
)

// reached is a server on the network that never answers a call, and counts the calls.
func reached(t *testing.T) (url string, calls *atomic.Int64, arrived chan struct{}) {
	t.Helper()
	calls, arrived = new(atomic.Int64), make(chan struct{}, 10)
	inner, err := demo.New().Handler("mcp-policy-kb")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if bytes.Contains(body, []byte(`"tools/call"`)) {
			calls.Add(1)
			arrived <- struct{}{}
			<-r.Context().Done()
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, calls, arrived
}

// overNetwork is a host whose one server, approvals and traces are on the network.
func overNetwork(t *testing.T, address, url string) (*bench, *store.Store) {
	t.Helper()
	b := newBench(t)
	state := stateAt(t, address, seal.Keys{})
	pool := session.New([]session.Server{{Name: "mcp-policy-kb", URL: url}}, session.Limits{})
	t.Cleanup(func() { _ = pool.Close() })
	b.config.Source, b.config.Caller, b.config.Traces = pool, pool, runs.Rows{State: state}
	b.config.Policy.Allowlist, b.config.Approvals = allowedBy(t, writes1), state
	return b, state
}

// A process is killed while its call is under way, and its folder is deleted. What it asked
// for and who approved it is known elsewhere, and the call is not made again.
func TestAKilledProcessLeavesItsRecordElsewhere(t *testing.T) {
	t.Parallel()
	if address := os.Getenv("LEFT_ADDRESS"); address != "" {
		b, _ := overNetwork(t, address, os.Getenv("LEFT_URL"))
		q := deleting
		q.Hold = &inbox.Hold{For: time.Minute, Waiting: func(h inbox.Holding) { fmt.Println("waits", h.RunID, h.Digest) }}
		t.Fatalf("it lives on: %+v", b.put(t, q).Error)
	}
	address := pgtest.Schema(t, pgtest.Start(t))
	url, calls, arrived := reached(t)
	b, state := overNetwork(t, address, url)
	dir := t.TempDir()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Dir = dir
	child.Env = append(os.Environ(), "LEFT_ADDRESS="+address, "LEFT_URL="+url, "TMPDIR="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var h inbox.Holding
	if _, err := fmt.Fscanf(out, "waits %s %s\n", &h.RunID, &h.Digest); err != nil {
		_ = child.Process.Kill()
		t.Fatal(err)
	}
	rows := runs.Rows{State: state}
	if r, err := rows.Read(t.Context(), h.RunID); err != nil || r.Left() != "" {
		t.Errorf("it waits, and its trace says %q, %v", r.Left(), err)
	}
	if _, err := state.Move(t.Context(), h.RunID, h.Digest, approval.Step{To: approval.Approved, By: "ada", How: gate.ByDigest, Now: time.Now()}); err != nil {
		t.Fatal(err)
	}
	<-arrived
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}

	r, err := rows.Read(t.Context(), h.RunID)
	if err != nil || r.Left() != verdict.CallOutcomeUnknown {
		t.Fatalf("its trace says %q, %v", r.Left(), err)
	}
	p, err := replay.Waiting(upTo(r.Events, trace.Approval), r.Objects)
	if err != nil || !strings.Contains(string(p.Record), "policy-002") || p.Claim == "" {
		t.Errorf("%+v, %v", p, err)
	}
	q := deleting
	q.Approval = &host.Binding{RunID: h.RunID, Digest: h.Digest, By: "ada", How: gate.ByDigest}
	if out := b.put(t, q); out.Error == nil || out.Error.Code != verdict.ApprovalSpent {
		t.Errorf("the call again: %s %+v", out.Type, out.Error)
	}
	if n := calls.Load(); n != 1 {
		t.Errorf("%d calls arrived", n)
	}
}

// upTo are the events up to the first of a kind.
func upTo(events []trace.Event, kind trace.Kind) []trace.Event {
	for i, e := range events {
		if e.Kind == kind {
			return events[:i+1]
		}
	}
	return nil
}

// A trace in rows is the trace that a file would have, on both databases. A second trace of a
// run is an error, and so is a part that is missing.
func TestATraceInRowsIsWholeAndOne(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]func() string{
		"SQLite":     func() string { return filepath.Join(t.TempDir(), "state.db") },
		"PostgreSQL": func() string { return pgtest.Schema(t, pgtest.Start(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := stateAt(t, address(), seal.Keys{})
			b := newBench(t)
			rows := runs.Rows{State: state}
			b.config.Traces = rows
			out := b.put(t, host.Question{Text: "Look up policy-002"})
			r, err := rows.Read(t.Context(), out.RunID)
			if err != nil || r.Left() != "" || out.Type != host.ToolResult {
				t.Fatalf("%s: %q, %v", out.Type, r.Left(), err)
			}
			if last := r.Events[len(r.Events)-1]; last.Kind != trace.End || last.Hash.Digest() != out.TraceDigest {
				t.Errorf("it ends with %s %s, not %s", last.Kind, last.Hash.Digest(), out.TraceDigest)
			}
			if is, err := replay.Run(t.Context(), r.Events, replay.Options{Objects: r.Objects, Types: demo.Types()}); err != nil || len(is.Differences) > 0 {
				t.Errorf("%+v, %v", is.Differences, err)
			}
			again, _, err := rows.Create(context.WithoutCancel(t.Context()), out.RunID)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = again.Write([]byte("x")) // into memory
			if err := again.Sync(); err == nil {
				t.Error("a run has two traces")
			}
			if err := state.AddLines(t.Context(), out.RunID, 9, nil); err != nil {
				t.Error(err)
			}
			if _, err := rows.Read(t.Context(), out.RunID); verdict.CodeOf(err) != verdict.StateUnreadable {
				t.Errorf("a part is missing: %v", err)
			}
			if _, err := rows.Read(t.Context(), "unknown"); verdict.CodeOf(err) != verdict.TraceMissing {
				t.Error(err)
			}
		})
	}
}
