package session_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// One client has one session. Calls under way at the same time share it, with different
// ids, and it is left once, at the end.
func TestCallsAtOnceShareOneSession(t *testing.T) {
	t.Parallel()
	const questions = 6
	var together sync.WaitGroup
	together.Add(questions)
	var mu sync.Mutex
	ids, handshakes, left := map[string]int{}, 0, 0
	sessions := map[string]bool{}
	s := newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
		mu.Lock()
		if m.ID != nil {
			ids[string(m.ID)]++
		}
		if m.Method == "initialize" {
			handshakes++
		} else {
			sessions[r.Header.Get("Mcp-Session-Id")] = true
		}
		if r.Method == http.MethodDelete {
			left++
		}
		mu.Unlock()
		if m.Method == "tools/call" {
			together.Done()
			together.Wait() // all are under way
		}
		return false
	})
	patient := long
	patient.CloseGrace = time.Minute // for taking leave on a busy machine
	p := session.New([]session.Server{s.server()}, patient)
	a := make([]approval, questions)
	l := discover(t, p)
	for i := range a {
		a[i] = approve(t, l, "srv", "echo", fmt.Sprintf(`{"text":"%d"}`, i))
	}
	var all sync.WaitGroup
	for _, one := range a {
		all.Go(func() {
			_, _, err := p.Call(t.Context(), one.approved, one.receipt, gate.Consent{})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	must(t, p.Close())
	mu.Lock()
	defer mu.Unlock()
	if handshakes != 1 || len(sessions) != 1 || left != 1 {
		t.Errorf("%d handshakes, %d sessions, left %d times", handshakes, len(sessions), left)
	}
	for id, n := range ids {
		if n != 1 {
			t.Errorf("the id %s came %d times", id, n)
		}
	}
}

// A call that meets a lost session with earlier calls is reported. Nothing is sent again;
// the next call opens another session.
func TestALostSessionWithCallsInItIsReported(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusBadRequest} {
		s := newForgetful(t, status)
		p := pool(t, long, s.server())
		l := discover(t, p)
		call := func() error {
			a := approve(t, l, "srv", "echo", `{"text":"hello"}`)
			_, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
			return err
		}
		must(t, call())
		s.restart()
		err := call()
		if verdict.CodeOf(err) != verdict.ServerClosed || !strings.Contains(err.Error(), "forgotten the session") || !strings.Contains(err.Error(), "no call left") {
			t.Errorf("%d: the call that meets it: %v", status, err)
		}
		must(t, call())
		if got := s.sent(t); got.Handshakes != 2 || got.Calls != 2 {
			t.Errorf("%d: %+v arrived", status, got)
		}
	}
}

// A call that is cancelled is so under the id that the server knows.
func TestACallOfAJoinedSessionIsCancelledByItsID(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	calls, cancelled := []string{}, make(chan string, 1)
	began, goOn := make(chan bool, 2), make(chan bool)
	s := newSite(t, "", func(_ http.ResponseWriter, _ *http.Request, m message) bool {
		if m.Method == "tools/call" {
			mu.Lock()
			calls = append(calls, string(m.ID))
			mu.Unlock()
			began <- true
			<-goOn
		}
		return false
	})
	inner := s.Config.Handler
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "notifications/cancelled") {
			cancelled <- string(body)
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		inner.ServeHTTP(w, r)
	})
	p := pool(t, long, s.server())
	l := discover(t, p)
	first := approve(t, l, "srv", "echo", `{"text":"1"}`)
	second := approve(t, l, "srv", "echo", `{"text":"2"}`)
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() { _, _, _ = p.Call(t.Context(), first.approved, first.receipt, gate.Consent{}) })
	<-began
	all.Go(func() { _, _, _ = p.Call(ctx, second.approved, second.receipt, gate.Consent{}) })
	<-began
	cancel()
	got := <-cancelled
	close(goOn)
	all.Wait()
	mu.Lock()
	defer mu.Unlock()
	if !strings.Contains(got, `"requestId":`+calls[1]+"}") && !strings.Contains(got, `"requestId":`+calls[1]+",") {
		t.Errorf("of the calls %q this one is cancelled: %s", calls, got)
	}
}
