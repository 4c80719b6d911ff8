package session_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// breaks are the ways in which an HTTP server can fail one call, and what that
// call comes to.
var breaks = map[string]struct {
	code verdict.Code
	fail func(w http.ResponseWriter, m message)
}{
	"is cut off": {verdict.CallOutcomeUnknown, func(w http.ResponseWriter, _ message) { cutOff(w, "") }},
	"is cut off in its body": {verdict.CallOutcomeUnknown, func(w http.ResponseWriter, _ message) {
		cutOff(w, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
	}},
	"is cut off in its stream": {verdict.CallOutcomeUnknown, func(w http.ResponseWriter, _ message) {
		cutOff(w, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 1000\r\n\r\nid: 1\ndata: {")
	}},
	"is no JSON": {verdict.CallOutcomeUnknown, func(w http.ResponseWriter, _ message) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("nothing of the kind"))
	}},
	"is a page":     {verdict.CallOutcomeUnknown, func(w http.ResponseWriter, _ message) { _, _ = w.Write([]byte("<html>")) }},
	"is HTTP 500":   {verdict.OutputRefused, func(w http.ResponseWriter, _ message) { w.WriteHeader(500) }},
	"is HTTP 404":   {verdict.OutputRefused, func(w http.ResponseWriter, _ message) { w.WriteHeader(404) }},
	"is a redirect": {verdict.CallOutcomeUnknown, func(w http.ResponseWriter, _ message) { w.WriteHeader(302) }},
	givenUp: {verdict.CallOutcomeUnknown, func(w http.ResponseWriter, _ message) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":4711,"result":{"content":[{"type":"text","text":"no"}]}}`))
	}},
	"is an error": {verdict.OutputRPCError, func(w http.ResponseWriter, m message) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":1,"message":"no"}}`, m.ID)
	}},
}

// givenUp is the call whose asker waits no longer, for its answer is another's.
const givenUp = "is for another"

func cutOff(w http.ResponseWriter, after string) {
	c, buf, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = buf.WriteString(after)
	_ = buf.Flush()
	_ = c.Close()
}

// TestABrokenConnectionFailsItsOwnQuestionOnly has many questions call over one
// pool at the same time. Those that are to be answered are so only once all
// others have failed.
func TestABrokenConnectionFailsItsOwnQuestionOnly(t *testing.T) {
	t.Parallel()
	var calls, failed sync.WaitGroup
	var mu sync.Mutex
	posts := map[string]int{}
	impatient, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	asker := map[bool]context.Context{false: t.Context(), true: impatient}
	const sound = 4
	calls.Add(len(breaks) + sound)
	failed.Add(len(breaks))
	s := newSite(t, "", func(w http.ResponseWriter, _ *http.Request, m message) bool {
		if m.Method != "tools/call" {
			return false
		}
		how := m.Params.Arguments.Text
		mu.Lock()
		posts[how]++
		mu.Unlock()
		if how == "later" {
			return false
		}
		calls.Done()
		calls.Wait() // all are under way
		if b, bad := breaks[how]; bad {
			b.fail(w, m)
			if how == givenUp {
				giveUp()
			}
			return true
		}
		failed.Wait()
		return false
	})
	p := pool(t, long, s.server())
	question := func(ctx context.Context, how string) error {
		a := approve(t, p.Discover(ctx, "", []string{"srv"})[0], "srv", "echo", fmt.Sprintf(`{"text":%q}`, how))
		raw, _, err := p.Call(ctx, a.approved, a.receipt, gate.Consent{})
		if err == nil && raw.RPC != nil {
			_, err = a.gate.Accept(a.approved, raw)
		}
		return err
	}
	var all sync.WaitGroup
	for how, b := range breaks {
		all.Go(func() {
			defer failed.Done()
			if err := question(asker[how == givenUp], how); verdict.CodeOf(err) != b.code {
				t.Errorf("a call whose answer %s came to %v", how, err)
			}
		})
	}
	for i := range sound {
		all.Go(func() {
			if err := question(t.Context(), fmt.Sprint("sound ", i)); err != nil {
				t.Errorf("a sound call came to %v", err)
			}
		})
	}
	all.Wait()
	if err := question(t.Context(), "later"); err != nil {
		t.Errorf("a later call came to %v", err)
	}
	for how, n := range posts {
		if n != 1 {
			t.Errorf("the call whose answer %s was posted %d times", how, n)
		}
	}
	if len(posts) != len(breaks)+sound+1 {
		t.Errorf("%d calls arrived", len(posts))
	}
}

// TestAStreamThatEndedIsOpenedAnew: nothing of the call had left on it.
func TestAStreamThatEndedIsOpenedAnew(t *testing.T) {
	t.Parallel()
	log := logFile(t)
	p := pool(t, long, legacy(t, "the first stream ends", log, sameOrigin))
	a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
	goOn(t, log)
	_, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
	for tries := 0; verdict.CodeOf(err) == verdict.ServerClosed && tries < 1000; tries++ { // its end is not yet seen
		time.Sleep(time.Millisecond)
		_, _, err = p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
	}
	must(t, err)
	if n := arrived(t, log, "tools/call"); n != 1 {
		t.Errorf("%d calls arrived", n)
	}
}

// Connections that many questions needed at once are not all kept, and the session
// that they share is left once.
func TestFewIdleConnectionsAreKept(t *testing.T) {
	t.Parallel()
	const questions, kept = 20, 8
	var together sync.WaitGroup
	together.Add(questions)
	left := make(chan struct{}, questions)
	s := newSite(t, "", func(_ http.ResponseWriter, r *http.Request, m message) bool {
		if m.Method == "tools/list" {
			together.Done()
			together.Wait()
		}
		if r.Method == http.MethodDelete {
			left <- struct{}{}
		}
		return false
	})
	patient := long
	patient.CloseGrace = time.Minute // for taking leave on a busy machine
	p := session.New([]session.Server{s.server()}, patient)
	var all sync.WaitGroup
	for range questions {
		all.Go(func() { must(t, discover(t, p).Err) })
	}
	all.Wait()
	if n := p.Kept("srv"); n != kept || len(left) != 0 {
		t.Errorf("%d are kept, and the session was left %d times", n, len(left))
	}
	must(t, p.Close())
	if n := len(left); n != 1 {
		t.Errorf("it was left %d times", n)
	}
}
