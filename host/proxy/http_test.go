package proxy_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/proxy"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/trace"
)

// sessions keeps sessions in memory, at most two of a token.
type sessions struct {
	mu  sync.Mutex
	all map[[sha256.Size]byte]proxy.Session
}

func (s *sessions) Begin(_ context.Context, one proxy.Session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	of := 0
	for _, other := range s.all {
		if other.Token == one.Token {
			of++
		}
	}
	if of >= 2 {
		return proxy.ErrSessions
	}
	s.all[one.ID] = one
	return nil
}

func (s *sessions) Find(_ context.Context, id [sha256.Size]byte, token string, expires time.Time) (proxy.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one, is := s.all[id]
	if !is || one.Token != token || time.Now().After(one.Expires) {
		return proxy.Session{}, proxy.ErrNoSession
	}
	one.Expires = expires
	s.all[id] = one
	return one, nil
}

func (s *sessions) End(_ context.Context, id [sha256.Size]byte, token string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[id].Token == token {
		delete(s.all, id)
	}
	return nil
}

// address is a handler of an operator at an address of its own.
type address struct {
	*httptest.Server

	t    *testing.T
	kept *sessions
	left chan struct{} // closed when a client that leaves has left
}

func serveHTTP(t *testing.T, o *operator, options proxy.HTTP) *address {
	t.Helper()
	options.Server = "t"
	return httpOf(t, o, options)
}

func httpOf(t *testing.T, o proxy.Host, options proxy.HTTP) *address {
	t.Helper()
	options.Host = o
	kept := &sessions{all: map[[sha256.Size]byte]proxy.Session{}}
	options.Sessions = kept
	options.Token = func(r *http.Request) string { return r.Header.Get("Authorization") }
	a := &address{t: t, kept: kept, left: make(chan struct{})}
	handler := proxy.Handler(t.Context(), options)
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Leaves") != "" { // the server notices it some time after the client did
			defer context.AfterFunc(r.Context(), func() { close(a.left) })()
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(a.Close)
	return a
}

// answered is the answer to one request over HTTP.
type answered struct {
	status  int
	session string
	body    string
}

// send sends one message, under headers given as name and value.
func (a *address) send(ctx context.Context, body string, headers ...string) (got answered, err error) {
	a.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.URL, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	response, err := a.Client().Do(r)
	if err != nil {
		return answered{}, err
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	return answered{response.StatusCode, response.Header.Get("Mcp-Session-Id"), string(b)}, err
}

func (a *address) must(status int, body string, headers ...string) answered {
	a.t.Helper()
	got, err := a.send(a.t.Context(), body, headers...)
	if err != nil {
		a.t.Fatal(err)
	}
	if got.status != status {
		a.t.Errorf("%.200s under %q: status %d, want %d: %s", body, headers, got.status, status, got.body)
	}
	return got
}

const greeting = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`

// greet begins a session.
func (a *address) greet(headers ...string) (session string) {
	a.t.Helper()
	return a.must(200, greeting, headers...).session
}

// modern is a call of a client without a handshake, and its headers.
func modern(tool, args string) (body string, headers []string) {
	body = fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, tool, args)
	return body, []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool}
}

// A client of each version lists and calls. The arguments and the result are the bytes of
// either side.
func TestClientsOfEveryVersionCallOverHTTP(t *testing.T) {
	t.Parallel()
	o := &operator{tools: []string{one, two}, answer: answers([]byte(`{"content":[{"type":"text","text":"done"}],"x":9007199254740993}`))}
	a := serveHTTP(t, o, proxy.HTTP{Options: proxy.Options{Subject: "ada"}})
	body, headers := modern("one", `{"n":9007199254740993}`)
	a.must(200, body, headers...)
	got := a.must(200, body, headers...)
	for _, want := range []string{`"x":9007199254740993`, `"run.onestep/run_id":"run1"`, `"resultType":"complete"`} {
		if !strings.Contains(got.body, want) {
			t.Errorf("the answer lacks %s: %s", want, got.body)
		}
	}
	for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25"} {
		client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "7"}, nil)
		s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: a.URL, DisableStandaloneSSE: true}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		all, err := s.ListTools(t.Context(), nil)
		if err != nil || len(all.Tools) != 2 {
			t.Errorf("%s: %d tools, %v", version, len(all.Tools), err)
		}
		result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "one", Arguments: map[string]any{"n": 1}})
		if err != nil || result.IsError {
			t.Errorf("%s: %v, %v", version, result, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(a.kept.all) != 0 {
		t.Errorf("%d sessions are left of clients that ended theirs", len(a.kept.all))
	}
	if q := o.asked[0]; string(q.Plan) != `{"type":"call_tool","server":"t","tool":"one","args":{"n":9007199254740993}}` || q.Subject != "ada" {
		t.Errorf("the question is %+v", q)
	}
	conversations := map[string]bool{}
	for _, q := range o.asked {
		conversations[q.Facts.Conversation] = true
	}
	if o.asked[0].Facts.Conversation != "" || o.asked[1].Facts.Conversation != "" {
		t.Error("a call without a session is part of a conversation")
	}
	if q := o.asked[4]; len(conversations) != 4 || q.Facts.Client != "agent" || q.Facts.ClientVersion != "7" {
		t.Errorf("%d conversations of three and none, the last of %+v", len(conversations), q.Facts)
	}
}

// A session belongs to one token, and is bounded in number and time.
func TestASessionIsOfOneToken(t *testing.T) {
	t.Parallel()
	o := &operator{tools: []string{one}, answer: answers(text("done"))}
	a := serveHTTP(t, o, proxy.HTTP{})
	mine := a.greet("Authorization", "ada")
	ask := call("1", "one", "{}")
	a.must(200, ask, "Authorization", "ada", "Mcp-Session-Id", mine)
	a.must(404, ask, "Authorization", "bob", "Mcp-Session-Id", mine)
	a.must(404, ask, "Authorization", "ada", "Mcp-Session-Id", mine+"x")
	a.must(400, ask, "Authorization", "ada")
	a.greet("Authorization", "ada")
	if got := a.must(429, greeting, "Authorization", "ada"); got.session != "" || !strings.Contains(got.body, "too many sessions") {
		t.Errorf("a third session: %+v", got)
	}
	end := func(token, session string) int {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodDelete, a.URL, nil)
		r.Header.Set("Authorization", token)
		r.Header.Set("Mcp-Session-Id", session)
		response, err := a.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		return response.StatusCode
	}
	end("bob", mine)
	a.must(200, ask, "Authorization", "ada", "Mcp-Session-Id", mine)
	if status := end("ada", mine); status != 204 {
		t.Errorf("the end of a session: %d", status)
	}
	a.must(404, ask, "Authorization", "ada", "Mcp-Session-Id", mine)
	if len(o.asked) != 2 {
		t.Errorf("%d questions, want 2", len(o.asked))
	}
	for id := range a.kept.all {
		if strings.Contains(mine, string(id[:])) {
			t.Error("the session is kept under its id")
		}
	}
}

// What is refused reaches no question.
func TestWhatHTTPRefuses(t *testing.T) {
	t.Parallel()
	o := &operator{tools: []string{one}, answer: answers(text("done"))}
	a := serveHTTP(t, o, proxy.HTTP{Origins: []string{"https://a.example"}})
	s := a.greet()
	good, headers := modern("one", "{}")
	other, _ := modern("two", "{}")
	for name, c := range map[string]struct {
		status  int
		body    string
		headers []string
	}{
		"a page of another site":          {403, good, append([]string{"Origin", "https://b.example"}, headers...)},
		"another name of the server":      {403, good, append([]string{"Host", "b.example"}, headers...)},
		"another tool in the header":      {400, other, headers},
		"no method in the header":         {400, good, headers[:2]},
		"another version in the header":   {400, good, append([]string{"Mcp-Session-Id", s}, "Mcp-Protocol-Version", "2025-11-25")},
		"an unknown version":              {400, call("1", "one", "{}"), []string{"Mcp-Session-Id", s, "Mcp-Protocol-Version", "2025-01-01"}},
		"a tool that is named twice":      {400, strings.Replace(call("1", "one", "{}"), `"name":"one"`, `"name":"one","name":"two"`, 1), []string{"Mcp-Session-Id", s}},
		"two methods":                     {400, `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"one"}}`, []string{"Mcp-Session-Id", s}},
		"a batch":                         {400, "[" + call("1", "one", "{}") + "]", []string{"Mcp-Session-Id", s}},
		"no JSON":                         {400, `{"jsonrpc":`, []string{"Mcp-Session-Id", s}},
		"an id that no float can hold":    {400, call("9007199254740993", "one", "{}"), []string{"Mcp-Session-Id", s}},
		"a form":                          {415, good, append([]string{"Content-Type", "text/plain"}, headers...)},
		"a client that reads JSON alone":  {400, good, append([]string{"Accept", "application/json"}, headers...)},
		"a message of 17 MiB":             {413, strings.Repeat(" ", 17<<20), headers},
		"an answer to nothing":            {202, `{"jsonrpc":"2.0","id":1,"result":{}}`, []string{"Mcp-Session-Id", s}},
		"a call without an id":            {202, `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"one"}}`, []string{"Mcp-Session-Id", s}},
		"a page that may":                 {200, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"Mcp-Session-Id", s, "Origin", "https://a.example"}},
		"a method that no one can answer": {200, `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`, []string{"Mcp-Session-Id", s}},
	} {
		if got := a.must(c.status, c.body, c.headers...); c.status == 200 && name[:6] == "a meth" && !strings.Contains(got.body, "-32601") {
			t.Errorf("%s: %s", name, got.body)
		}
	}
	if len(o.asked) != 0 {
		t.Errorf("%d questions of what is refused: %+v", len(o.asked), o.asked)
	}
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, a.URL, nil)
	response, err := a.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _ = response.Body.Close(); response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") != "POST, DELETE" {
		t.Errorf("a stream of its own: %d", response.StatusCode)
	}
}

// A header that a tool's schema names repeats an argument of the call.
func TestHeadersRepeatArgumentsOverHTTP(t *testing.T) {
	t.Parallel()
	const tool = `{"name":"one","inputSchema":{"type":"object","properties":{"place":{"type":"string","x-mcp-header":"Place"}}}}`
	o := &operator{tools: []string{tool}, answer: answers(text("done"))}
	a := serveHTTP(t, o, proxy.HTTP{})
	body, headers := modern("one", `{"place":"Kiel"}`)
	a.must(200, body, append([]string{"Mcp-Param-Place", "Kiel"}, headers...)...)
	for _, wrong := range []string{"kiel", "", "=?base64?S2ll?="} {
		if got := a.must(400, body, append([]string{"Mcp-Param-Place", wrong}, headers...)...).body; !strings.Contains(got, "-32020") {
			t.Errorf("%q: %s", wrong, got)
		}
	}
	a.must(400, body, headers...)
	bare, headers := modern("one", `{}`)
	a.must(400, bare, append([]string{"Mcp-Param-Place", "Kiel"}, headers...)...)
	a.must(200, bare, append([]string{"Mcp-Param-Other", "Kiel"}, headers...)...)
	a.must(200, call("1", "one", `{"place":"Kiel"}`), "Mcp-Session-Id", a.greet())
	if len(o.asked) != 3 {
		t.Errorf("%d questions, want 3", len(o.asked))
	}
}

// Pages of this server may send requests, and those of no other without a word.
func TestAPageOfTheServerItself(t *testing.T) {
	t.Parallel()
	o := &operator{tools: []string{one}, answer: answers(text("done"))}
	a := serveHTTP(t, o, proxy.HTTP{})
	body, headers := modern("one", "{}")
	a.must(200, body, append([]string{"Origin", a.URL}, headers...)...)
	for _, other := range []string{"null", "http://127.0.0.1", "https" + strings.TrimPrefix(a.URL, "http"), a.URL + "0", "http://b.example"} {
		a.must(403, body, append([]string{"Origin", other}, headers...)...)
	}
	a.must(403, body, append([]string{"Host", "b.example", "Origin", "http://b.example"}, headers...)...)
}

// waiting is an operator whose calls wait until they end, or are let go.
func waiting() (o *operator, begun chan struct{}, ended chan error, letGo chan struct{}) {
	begun, ended, letGo = make(chan struct{}), make(chan error, 1), make(chan struct{})
	return &operator{tools: []string{one}, answer: func(ctx context.Context, _ host.Question) host.Outcome {
		close(begun)
		select {
		case <-ctx.Done():
		case <-letGo:
		}
		ended <- ctx.Err()
		return host.Outcome{RunID: "run1", Result: text("done")}
	}}, begun, ended, letGo
}

// undelivered waits until a result was left.
func (o *operator) undelivered(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range time.Tick(time.Millisecond) {
		o.mu.Lock()
		n := len(o.lost)
		o.mu.Unlock()
		if n == 1 {
			return
		}
		if ctx.Err() != nil {
			t.Fatal("no result was left for the next call")
		}
	}
}

// A cancellation ends the call of an older client; the end of its connection does not. The
// end of the connection ends the call of a client without a session.
func TestWhatEndsACallOverHTTP(t *testing.T) {
	t.Parallel()
	t.Run("a cancellation", func(t *testing.T) {
		t.Parallel()
		o, begun, ended, _ := waiting()
		a := serveHTTP(t, o, proxy.HTTP{})
		s := a.greet()
		go func() {
			<-begun
			a.must(202, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, "Mcp-Session-Id", a.greet())
			a.must(202, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, "Mcp-Session-Id", s)
		}()
		a.must(200, call("1", "one", "{}"), "Mcp-Session-Id", s)
		if err := <-ended; err == nil {
			t.Error("the call went on")
		}
		o.undelivered(t)
	})
	t.Run("the connection of an older client", func(t *testing.T) {
		t.Parallel()
		o, begun, ended, letGo := waiting()
		a := serveHTTP(t, o, proxy.HTTP{})
		s := a.greet()
		ctx, leave := context.WithCancel(t.Context())
		go func() { <-begun; leave() }()
		if _, err := a.send(ctx, call("1", "one", "{}"), "Mcp-Session-Id", s, "Leaves", "yes"); err == nil {
			t.Error("the client got an answer")
		}
		<-a.left
		close(letGo)
		if err := <-ended; err != nil {
			t.Errorf("the call ended with its connection: %v", err)
		}
		o.undelivered(t)
	})
	t.Run("the connection of a client without a session", func(t *testing.T) {
		t.Parallel()
		o, begun, ended, _ := waiting()
		a := serveHTTP(t, o, proxy.HTTP{})
		ctx, leave := context.WithCancel(t.Context())
		go func() { <-begun; leave() }()
		body, headers := modern("one", "{}")
		if _, err := a.send(ctx, body, headers...); err == nil {
			t.Error("the client got an answer")
		}
		if err := <-ended; err == nil {
			t.Error("the call went on")
		}
		o.undelivered(t)
	})
}

// What the server says of its progress is on the stream of the call, before the answer.
func TestProgressIsOnTheStreamOfItsCall(t *testing.T) {
	t.Parallel()
	o := &operator{tools: []string{one}, answer: func(ctx context.Context, _ host.Question) host.Outcome {
		if report, wanted := session.ProgressOf(ctx); wanted {
			report(session.Progress{Done: 1, Total: 2, Message: "half"})
		}
		return host.Outcome{RunID: "run1", Result: text("done")}
	}}
	a := serveHTTP(t, o, proxy.HTTP{})
	s := a.greet()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one","_meta":{"progressToken":"p"}}}`
	got := a.must(200, body, "Mcp-Session-Id", s).body
	at, end := strings.Index(got, `"message":"half"`), strings.Index(got, `"done"`)
	if at < 0 || end < at || !strings.Contains(got, `"progressToken":"p"`) {
		t.Errorf("the stream is %s", got)
	}
}

// The level that one client wants is not that of another.
func TestALevelIsOfOneClient(t *testing.T) {
	t.Parallel()
	o := &operator{tools: []string{one}, answer: func(context.Context, host.Question) host.Outcome {
		return host.Outcome{RunID: "run1", Result: text("done"), Logs: []trace.LogBody{{Level: "warning", Text: "slow"}}}
	}}
	a := serveHTTP(t, o, proxy.HTTP{})
	a.must(200, `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"emergency"}}`, "Mcp-Session-Id", a.greet())
	if got := a.must(200, call("1", "one", "{}"), "Mcp-Session-Id", a.greet()).body; !strings.Contains(got, "slow") {
		t.Errorf("another client gets %s", got)
	}
}
