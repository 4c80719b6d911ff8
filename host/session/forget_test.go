package session_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// forgetful is an HTTP server that forgets its sessions when it is restarted. It
// refuses a session that it does not know with a status, before the fake behind
// it sees the request.
type forgetful struct {
	*httptest.Server
	log    string
	status int
	fail   string // a method at which it forgets all sessions each time it is asked

	mu     sync.Mutex
	opened int
	known  map[string]bool
}

func newForgetful(t *testing.T, status int) *forgetful {
	s := &forgetful{log: logFile(t), status: status, known: map[string]bool{}}
	inner := newFake("", s.log)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var m message
		_ = json.Unmarshal(body, &m)
		if id := s.session(r, m); id == "" {
			w.WriteHeader(s.status)
			return
		} else if m.Method == "initialize" {
			w.Header().Set("Mcp-Session-Id", id)
		}
		w.Header().Set("Content-Type", "application/json")
		if m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		inner.receive(body, func(answer string) { _, _ = io.WriteString(w, answer) })
	}))
	t.Cleanup(s.Close)
	return s
}

// session is the session of a request, a new one for a handshake, "" for an unknown
// session.
func (s *forgetful) session(r *http.Request, m message) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != "" && m.Method == s.fail { // a DELETE has no method of MCP
		s.known = map[string]bool{}
	}
	id := r.Header.Get("Mcp-Session-Id")
	if m.Method == "initialize" {
		s.opened++
		id = fmt.Sprint("session-", s.opened)
		s.known[id] = true
	}
	if !s.known[id] {
		return ""
	}
	return id
}

func (s *forgetful) restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = map[string]bool{}
}

func (s *forgetful) server() session.Server {
	return session.Server{Name: "srv", URL: s.URL + "/mcp"}
}

// sent is what arrived behind the check of the session.
type sent struct{ Handshakes, Calls int }

func (s *forgetful) sent(t *testing.T) sent {
	t.Helper()
	return sent{arrived(t, s.log, "initialize"), arrived(t, s.log, "tools/call")}
}

// Some servers refuse an unknown session with 400 instead of the 404 of the
// specification.
func TestALostSessionIsReplacedBeforeTheCall(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusBadRequest} {
		for _, when := range []string{"before the listing", "before the call"} {
			t.Run(fmt.Sprint(status, " ", when), func(t *testing.T) {
				t.Parallel()
				s := newForgetful(t, status)
				p := pool(t, long, s.server())
				l := discover(t, p)
				a := approve(t, l, "srv", "echo", `{"text":"hello"}`)
				s.restart()
				if when == "before the listing" {
					must(t, discover(t, p).Err)
				}
				_, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
				must(t, err)
				if diff := cmp.Diff(sent{Handshakes: 2, Calls: 1}, s.sent(t)); diff != "" {
					t.Errorf("what arrived (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestARestartCostsNoQuestion: the kept connections share a session, which is lost at
// once and replaced once.
func TestARestartCostsNoQuestion(t *testing.T) {
	t.Parallel()
	s := newForgetful(t, http.StatusNotFound)
	p := pool(t, long, s.server())
	const kept = 8
	var all sync.WaitGroup
	for range kept {
		all.Go(func() { _ = p.Discover(t.Context(), "", []string{"srv"}) })
	}
	all.Wait()
	s.restart()
	for range kept {
		must(t, discover(t, p).Err)
	}
	if diff := cmp.Diff(sent{Handshakes: 2}, s.sent(t)); diff != "" {
		t.Errorf("what arrived (-want +got):\n%s", diff)
	}
}

// TestACallThatMeetsALostSessionIsNotRepeated: the session is lost between the
// listing and the call.
func TestACallThatMeetsALostSessionIsNotRepeated(t *testing.T) {
	t.Parallel()
	s := newForgetful(t, http.StatusNotFound)
	s.fail = "tools/call"
	p := pool(t, long, s.server())
	a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
	_, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
	_, f := verdict.First(err)
	if f == nil || f.Code != verdict.OutputRefused {
		t.Fatalf("the call came to %v", err)
	}
	if want := "the call may have run: the allowlist says that the tool only reads: ask again"; !strings.Contains(f.Advice(), want) {
		t.Errorf("next: %s", f.Advice())
	}
	must(t, discover(t, p).Err)
	if diff := cmp.Diff(sent{Handshakes: 2, Calls: 0}, s.sent(t)); diff != "" {
		t.Errorf("what arrived (-want +got):\n%s", diff)
	}
}

// TestAServerThatForgetsEachSessionIsReported: a new session is opened once, and not for
// a connection that was never of use.
func TestAServerThatForgetsEachSessionIsReported(t *testing.T) {
	t.Parallel()
	s := newForgetful(t, http.StatusNotFound)
	p := pool(t, long, s.server())
	must(t, discover(t, p).Err)
	s.mu.Lock()
	s.fail = "tools/list"
	s.mu.Unlock()
	_, f := verdict.First(discover(t, p).Err)
	if f == nil || f.Code != verdict.ServerProtocol {
		t.Fatalf("the listing came to %v", f)
	}
	if !strings.Contains(f.Advice(), "does not know the session") {
		t.Errorf("next: %s", f.Advice())
	}
	if diff := cmp.Diff(sent{Handshakes: 2}, s.sent(t)); diff != "" {
		t.Errorf("what arrived (-want +got):\n%s", diff)
	}
}
