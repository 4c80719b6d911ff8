package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/internal/testing/pgtest"
)

// counter is an MCP server without sessions, which counts its calls by their argument id.
type counter struct {
	*httptest.Server
	mu    sync.Mutex
	calls map[string]int
}

const (
	initialized = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"counter","version":"1"}}`
	listed      = `{"tools":[{"name":"change","description":"Change one thing by its id.","inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false}},` +
		`{"name":"note","description":"Count one thing by its id.","inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false}}]}`
)

func newCounter(t *testing.T) *counter {
	t.Helper()
	c := &counter{calls: map[string]int{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
			Params struct {
				Arguments struct {
					ID string `json:"id"`
				} `json:"arguments"`
			} `json:"params"`
		}
		if err := json.UnmarshalRead(r.Body, &asked); err != nil || asked.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		result := `{}`
		switch asked.Method {
		case "initialize":
			result = initialized
		case "tools/list":
			result = listed
		case "tools/call":
			c.mu.Lock()
			c.calls[asked.Params.Arguments.ID]++
			c.mu.Unlock()
			result = `{"content":[{"type":"text","text":"done"}]}`
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, result)
	}))
	t.Cleanup(c.Close)
	return c
}

// process is a running askd.
type process struct {
	*exec.Cmd
	address, token string
}

func startProcess(t *testing.T, state, key string) *process {
	t.Helper()
	programs, err := built()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	c := exec.CommandContext(context.WithoutCancel(t.Context()), filepath.Join(programs, "askd"),
		"--state", state, "--home", home, "--key-file", key, "--listen", "127.0.0.1:0", "--network", "127.0.0.0/8")
	c.Env = append(os.Environ(), "ASKD_TEST_FLAGS=")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: c}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	lines := bufio.NewScanner(out)
	for p.address == "" && lines.Scan() {
		if _, token, is := strings.Cut(lines.Text(), "shown once: "); is {
			p.token = token
		}
		if _, at, is := strings.Cut(lines.Text(), "serving at "); is {
			p.address = at
		}
	}
	if p.address == "" {
		t.Fatal("askd does not serve")
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return p
}

// empty has [send] send a POST without a body.
const empty = "-"

// send sends a request of the API or of MCP; an error is that of a process that was killed.
func send(address, token, session, body string) (answer []byte, head http.Header, err error) {
	method := http.MethodGet
	if body != "" {
		method, body = http.MethodPost, strings.TrimPrefix(body, empty)
	}
	r, err := http.NewRequestWithContext(context.Background(), method, address, strings.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept", "application/json, text/event-stream")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	res, err := (&http.Client{Timeout: time.Minute}).Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	return answer, res.Header, err
}

// Two processes share one database, and one is killed while calls are made directly and wait for
// an approval: no call is made without its record, and none twice.
func TestAKilledProcessMakesNoCallTwice(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	server := pgtest.Start(t)
	for round := range 3 {
		after := time.Duration(random.IntN(3000)) * time.Millisecond
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			t.Parallel()
			killed(t, pgtest.Schema(t, server), after)
		})
	}
}

const writes = 60 // of each kind

func killed(t *testing.T, state string, after time.Duration) {
	t.Helper()
	upstream := newCounter(t)
	key := filepath.Join(t.TempDir(), "key")
	first := startProcess(t, state, key)
	second := startProcess(t, state, key)
	api := func(path, body string) []byte {
		answer, _, err := send(second.address+"/api"+path, first.token, "", body)
		if err != nil || bytes.HasPrefix(answer, []byte(`{"type":"about:blank"`)) {
			t.Fatalf("%s: %v %s", path, err, answer)
		}
		return answer
	}
	api("/agents", `{"name": "bot", "mode": "all", "acknowledged": true}`)
	api("/agents/bot/mcp-servers", `{"name": "far", "transport_type": "http", "endpoint_config": {"url": "`+upstream.URL+`"}}`)
	var seen review
	read(t, api("/agents/bot/mcp-servers/far/review", empty), &seen)
	decision, err := json.Marshal(map[string]any{"digests": digests(seen), "effects": map[string]string{"note": "read"}})
	if err != nil {
		t.Fatal(err)
	}
	api("/agents/bot/mcp-servers/far/approve", string(decision))
	var made madeToken
	read(t, api("/tokens", `{"name": "bot", "agent": "bot"}`), &made)

	var clients sync.WaitGroup
	for n := range 2 * writes {
		p := []*process{first, second}[n%2]
		tool := []string{"change", "note"}[n/2%2]
		clients.Go(func() {
			_, head, err := send(p.address+"/mcp/far", made.Text, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
			if err == nil {
				_, _, _ = send(p.address+"/mcp/far", made.Text, head.Get("Mcp-Session-Id"), fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":{"id":"thing-%d-"}}}`, tool, n))
			}
		})
	}
	done := make(chan struct{})
	go func() { clients.Wait(); close(done) }()
	kill := time.After(after)
	for over := false; !over; {
		select {
		case <-done:
			over = true
		case <-kill:
			_ = first.Process.Kill()
		case <-time.After(50 * time.Millisecond):
		}
		var list struct {
			Approvals []waiting `json:"approvals"`
		}
		read(t, api("/approvals", ""), &list)
		for _, w := range list.Approvals {
			answer, _, err := send(second.address+"/api/approvals/"+w.Run+"/approve", first.token, "", `{"digest": "`+w.Digest+`"}`)
			if err != nil {
				t.Errorf("%v %s", err, answer)
			}
		}
	}
	records := recorded(t, state)
	upstream.mu.Lock()
	defer upstream.mu.Unlock()
	for id, n := range upstream.calls {
		if n != 1 {
			t.Errorf("%s was called %d times", id, n)
		}
		if !bytes.Contains(records, []byte(id)) {
			t.Errorf("the call of %s has no record", id)
		}
	}
	t.Logf("%d calls reached the server; the kill came after %v", len(upstream.calls), after)
	if len(upstream.calls) < writes/2 {
		t.Errorf("only %d calls were made", len(upstream.calls))
	}
}

func read(t *testing.T, b []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
}

func digests(r review) []string {
	all := []string{r.Digest}
	for _, p := range r.Parts {
		if p.Alone {
			all = append(all, p.Digest)
		}
	}
	return slices.Compact(all)
}

// recorded are the traces of all runs.
func recorded(t *testing.T, state string) (all []byte) {
	t.Helper()
	db, err := sql.Open("pgx", state)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), `SELECT lines FROM run`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var lines []byte
		if err := rows.Scan(&lines); err != nil {
			t.Fatal(err)
		}
		all = append(all, lines...)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
