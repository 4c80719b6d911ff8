package session_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// Not parallel: the orphans are found when no server runs any more.
func TestNothingOfAServerOutlivesThePool(t *testing.T) {
	for _, mode := range []string{"stubborn", "grandchild", "daemon"} {
		if mode == "daemon" && !adopting {
			continue // launch says so
		}
		log := logFile(t)
		p := pool(t, long, stdio(t, mode, log))
		must(t, discover(t, p).Err)
		must(t, p.Close())
		b, err := os.ReadFile(log + ".pid")
		must(t, err)
		pid, err := strconv.Atoi(string(b))
		must(t, err)
		if runs(pid) {
			t.Errorf("%s: process %d outlives the pool", mode, pid)
		}
	}
}

// A stop comes while the server is silent: in the handshake, the listing, the
// call.
func TestAStopIsHeededAtEveryStage(t *testing.T) {
	t.Parallel()
	stops := map[string]func(context.CancelFunc, *session.Pool){
		"interrupted": func(cancel context.CancelFunc, _ *session.Pool) { cancel() },
		"closed":      func(_ context.CancelFunc, p *session.Pool) { _ = p.Close() },
	}
	for _, c := range []struct{ mode, at, code string }{
		{"silent", "initialize", "call.interrupted"},
		{"silent list", "tools/list", "call.interrupted"},
		{"silent call", "tools/call", "call.outcome_unknown"},
	} {
		for how, stop := range stops {
			t.Run(how, func(t *testing.T) {
				t.Parallel()
				each(t, c.mode, nil, func(t *testing.T, s session.Server, log string) {
					p := pool(t, long, s)
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					go func() {
						for arrived(t, log, c.at) == 0 && ctx.Err() == nil {
							time.Sleep(time.Millisecond)
						}
						stop(cancel, p)
					}()
					if err := untilTheEnd(t, ctx, p); string(verdict.CodeOf(err)) != c.code {
						t.Errorf("it came to %v, want %s", err, c.code)
					}
					must(t, p.Close())
				})
			})
		}
	}
}

func TestTheTimeForTheRunBoundsEveryStage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode, code string
		limit      time.Duration
	}{
		{"", "run.timeout", -time.Second},
		{"silent", "run.timeout", time.Second},
		{"silent list", "run.timeout", time.Second},
		{"silent call", "run.timeout", 5 * time.Second},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), c.limit)
		defer cancel()
		if err := untilTheEnd(t, ctx, pool(t, long, piped(c.mode, logFile(t)))); string(verdict.CodeOf(err)) != c.code {
			t.Errorf("%q came to %v, want %s", c.mode, err, c.code)
		}
	}
}

// untilTheEnd lists and calls, as far as it gets.
func untilTheEnd(t *testing.T, ctx context.Context, p *session.Pool) error {
	l := p.Discover(ctx, "", []string{"srv"})[0]
	if l.Err != nil {
		return l.Err
	}
	a := approve(t, l, "srv", "echo", `{"text":"hello"}`)
	raw, _, err := p.Call(ctx, a.approved, a.receipt, gate.Consent{})
	if err == nil && raw.RPC != nil {
		_, err = a.gate.Accept(a.approved, raw)
	}
	return err
}

// Not parallel: it measures what the whole program allocates.
func TestAHugeMessageCostsNoMoreThanTheLimit(t *testing.T) {
	limits := long
	limits.MaxMessage = 1 << 20
	for _, way := range []string{"stdio", "streamable HTTP", "HTTP stream", "HTTP+SSE"} {
		log := logFile(t)
		s := ways[way](t, "list of 100 MiB", log)
		if way != "stdio" { // the server's own memory is not what is measured
			s = endless(t, way)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := discover(t, pool(t, limits, s)).Err
		runtime.ReadMemStats(&after)
		if verdict.CodeOf(err) != verdict.ServerTooLarge {
			t.Errorf("%s: the listing has the error %v", way, err)
		}
		if spent := after.TotalAlloc - before.TotalAlloc; spent > 24<<20 {
			t.Errorf("%s: %d MiB were allocated for a limit of 1 MiB", way, spent>>20)
		}
	}
}

// endless answers tools/list with a message that has no end, written from one
// small buffer.
func endless(t testing.TB, way string) session.Server {
	chunk := []byte(strings.Repeat("x", 64<<10))
	flood := func(w http.ResponseWriter, r *http.Request, before string) {
		_, err := w.Write([]byte(before))
		for err == nil && r.Context().Err() == nil {
			_, err = w.Write(chunk)
		}
	}
	if way == "HTTP+SSE" {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				w.WriteHeader(http.StatusAccepted)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			flood(w, r, "event: endpoint\ndata: /message\n\nevent: message\ndata: {")
		}))
		t.Cleanup(s.Close)
		return session.Server{Name: "srv", URL: s.URL, Type: "sse"}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if way == "HTTP stream" {
			w.Header().Set("Content-Type", "text/event-stream")
			flood(w, r, "data: {")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		flood(w, r, "{")
	}))
	t.Cleanup(s.Close)
	return session.Server{Name: "srv", URL: s.URL}
}

func TestABodyWithoutEndIsATimeout(t *testing.T) {
	t.Parallel()
	const limit = 4 * time.Second // what comes before the body has to fit in, on a busy machine too
	for _, start := range []string{"", " ", `{"jsonrpc":"2.0","id":`} {
		for method, want := range map[string]verdict.Code{"initialize": verdict.ServerTimeout, "tools/list": verdict.ServerTimeout, "tools/call": verdict.CallOutcomeUnknown} {
			t.Run(fmt.Sprintf("%s %q", method, start), func(t *testing.T) {
				t.Parallel()
				s := newSite(t, "", func(w http.ResponseWriter, r *http.Request, m message) bool {
					if m.Method != method {
						return false
					}
					w.Header().Set("Content-Type", "application/json")
					_, _ = io.WriteString(w, start)
					w.(http.Flusher).Flush()
					<-r.Context().Done()
					return true
				})
				limits := long
				limits.CallTimeout = limit
				if method == "initialize" {
					limits.ConnectTimeout = limit
				}
				err := untilTheEnd(t, t.Context(), pool(t, limits, s.server()))
				if verdict.CodeOf(err) != want || !strings.Contains(err.Error(), "longer than "+limit.String()) {
					t.Errorf("it came to %v", err)
				}
			})
		}
	}
}

func TestADeadServersLastWordsAreTold(t *testing.T) {
	t.Parallel()
	for mode, words := range map[string][]string{
		"exit at start":   {"exit status 3", "its stderr ends: fatal: the database is gone; key=[redacted]"},
		"exit on list":    {"exit status 5", "key=[redacted]"},
		"banner and exit": {"exit status 3", "it printed a line of 47 bytes to stdout that is not a message: Server listening on stdio! key=[redacted]"},
	} {
		err := discover(t, pool(t, long, stdio(t, mode, logFile(t)))).Err
		for _, w := range words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v does not say %s", mode, err, w)
			}
		}
	}
}
