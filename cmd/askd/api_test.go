package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	orgs "github.com/onestep-run/onestep/config/org"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/seal"
	"github.com/onestep-run/onestep/host/store"
)

// world is a service over HTTP, with a token of an admin.
type world struct {
	*service
	*httptest.Server
	admin string
	dir   string
	said  strings.Builder // all answers
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	state, err := store.OpenAt(t.Context(), filepath.Join(dir, "state.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = state.Close() })
	keys, err := seal.Read(seal.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	o := &org.Org{State: state, Keys: keys, Now: time.Now}
	hosts, err := orgs.New(orgs.Options{Org: o, Home: dir, Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Key: new(pin.Key), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hosts.Close() })
	w := &world{service: &service{org: o, hosts: hosts, version: "test", log: func(err error) { t.Log(err) }}, dir: dir}
	var out bytes.Buffer
	if err := w.first(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	_, w.admin, _ = strings.Cut(strings.TrimSpace(out.String()), "once: ")
	h, err := w.handler()
	if err != nil {
		t.Fatal(err)
	}
	w.Server = httptest.NewServer(h)
	t.Cleanup(w.Server.Close)
	return w
}

// call sends a request, and returns the status and the answer.
func (w *world) call(t *testing.T, token, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, w.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := w.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	w.said.Write(b)
	return res.StatusCode, string(b)
}

func (w *world) must(t *testing.T, status int, method, path, body string) string {
	t.Helper()
	got, answer := w.call(t, w.admin, method, path, body)
	if got != status {
		t.Fatalf("%s %s: %d, not %d: %s", method, path, got, status, answer)
	}
	return answer
}

func (w *world) agent(t *testing.T, name string) (token string) {
	t.Helper()
	w.must(t, 201, "POST", "/api/agents", `{"name": "`+name+`"}`)
	var made madeToken
	if err := json.Unmarshal([]byte(w.must(t, 201, "POST", "/api/tokens", `{"name": "bot", "agent": "`+name+`"}`)), &made, json.RejectUnknownMembers(false)); err != nil {
		t.Fatal(err)
	}
	return made.Text
}

var value = regexp.MustCompile(`\{\w+\}`)

// A model with a shell must not approve its own call, nor read or change anything.
func TestEveryOperationRefusesAnAgentsToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.agent(t, "support")
	for _, o := range w.operations() {
		status, answer := w.call(t, token, o.Method, value.ReplaceAllString(o.Path, "support"), "")
		if status != http.StatusForbidden || !strings.Contains(answer, `"code":"api.`) {
			t.Errorf("%s %s: %d %s", o.Method, o.Path, status, answer)
		}
	}
	if status, _ := w.call(t, w.admin, "POST", "/mcp", `{}`); status != http.StatusUnauthorized {
		t.Errorf("a member's token calls tools: %d", status)
	}
	if status, _ := w.call(t, "", "POST", "/mcp", `{}`); status != http.StatusUnauthorized {
		t.Errorf("no token calls tools: %d", status)
	}
}

// catcher is a server that takes down what it is sent.
type catcher struct {
	*httptest.Server
	mu  sync.Mutex
	got strings.Builder
}

func newCatcher(t *testing.T) *catcher {
	t.Helper()
	c := &catcher{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		_ = r.Header.Write(&c.got)
		_, _ = io.Copy(&c.got, r.Body)
		http.Error(w, "no", http.StatusNotFound)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *catcher) has(text string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Contains(c.got.String(), text)
}

// A document that was read and is put back with another address takes no secret there.
func TestASecretDoesNotFollowAnotherAddress(t *testing.T) {
	t.Parallel()
	w, own, evil := newWorld(t), newCatcher(t), newCatcher(t)
	w.agent(t, "support")
	const servers, one = "/api/agents/support/mcp-servers", "/api/agents/support/mcp-servers/far"
	w.must(t, 201, "POST", servers, `{"name": "far", "transport_type": "http", "endpoint_config": {"url": "`+own.URL+`", "headers": {"X-Team": "canary-team"}},
		"auth_config": {"type": "bearer_token", "token": "canary-token"}}`)
	w.must(t, 200, "POST", one+"/test", "")
	if !own.has("canary-token") || !own.has("canary-team") {
		t.Fatalf("its own server gets no secret: %s", own.got.String())
	}
	var is struct {
		Transport string         `json:"transport_type"`
		Endpoint  map[string]any `json:"endpoint_config"`
		Auth      map[string]any `json:"auth_config"`
	}
	if err := json.Unmarshal([]byte(w.must(t, 200, "GET", one, "")), &is); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(is)
	if err != nil {
		t.Fatal(err)
	}
	w.must(t, 200, "PUT", one, string(again))
	if answer := w.must(t, 200, "GET", one, ""); !strings.Contains(answer, `"configured":true`) {
		t.Errorf("the same document loses the secret: %s", answer)
	}
	moved := strings.Replace(string(again), own.URL, evil.URL, 1)
	w.must(t, 200, "PUT", one, moved)
	w.must(t, 200, "POST", one+"/test", "")
	w.must(t, 200, "PUT", one, strings.Replace(moved, evil.URL, own.URL, 1)) // nor does it come back
	w.must(t, 200, "POST", one+"/test", "")
	if evil.has("canary") {
		t.Errorf("another address gets a secret: %s", evil.got.String())
	}
	if answer := w.must(t, 200, "GET", one, ""); strings.Contains(answer, `"configured":true`) {
		t.Errorf("the secret came back: %s", answer)
	}
}

// No secret is in an answer, in the database or in a log.
func TestNoAnswerHasASecret(t *testing.T) {
	t.Parallel()
	w, own := newWorld(t), newCatcher(t)
	w.agent(t, "support")
	const servers = "/api/agents/support/mcp-servers"
	w.must(t, 201, "POST", servers, `{"name": "far", "transport_type": "http", "endpoint_config": {"url": "`+own.URL+`"}, "auth_config": {"type": "api_key", "api_key": "canary-1"}}`)
	w.must(t, 201, "POST", servers, `{"name": "near", "transport_type": "stdio", "endpoint_config": {"command": "/bin/false", "args": ["--token=canary-2-abcdefghijklmnop"], "env": {"KEY": "canary-3"}}}`)
	for _, path := range []string{servers, servers + "/far", servers + "/near", "/api/audit", "/api/tokens", "/api/health"} {
		w.must(t, 200, "GET", path, "")
	}
	w.must(t, 200, "POST", servers+"/far/test", "")
	w.must(t, 200, "POST", servers+"/near/test", "")
	if strings.Contains(w.said.String(), "canary") {
		t.Errorf("an answer has a secret: %s", w.said.String())
	}
	files, err := filepath.Glob(filepath.Join(w.dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && (bytes.Contains(b, []byte("canary")) || bytes.Contains(b, []byte(w.admin))) {
			t.Errorf("%s has a secret", f)
		}
	}
}

// A foreign agent's server does not exist for another, and a private address is not dialled.
func TestWhatIsNotTheAgents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.agent(t, "a")
	w.agent(t, "b")
	w.must(t, 201, "POST", "/api/agents/a/mcp-servers", `{"name": "meta", "transport_type": "http", "endpoint_config": {"url": "http://169.254.169.254/mcp"}}`)
	if answer := w.must(t, 200, "POST", "/api/agents/a/mcp-servers/meta/test", ""); strings.Contains(answer, `"success":true`) || !strings.Contains(answer, "no network of the service has it") {
		t.Errorf("a metadata address: %s", answer)
	}
	for _, path := range []string{"/api/agents/b/mcp-servers/meta", "/api/agents/c", "/api/runs/none"} {
		if status, answer := w.call(t, w.admin, "GET", path, ""); status != http.StatusNotFound || !strings.Contains(answer, `"code":`) {
			t.Errorf("%s: %d %s", path, status, answer)
		}
	}
}

// The servers of a client's file are added with the secrets that it has, and those that it only
// names are named. What cannot be added is said.
func TestAFileIsImported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.agent(t, "support")
	answer := w.must(t, 200, "POST", "/api/agents/support/import", `{"document": {"mcpServers": {
		"far": {"url": "https://mcp.example/mcp", "headers": {"Authorization": "Bearer ${FAR_TOKEN}", "X-Team": "canary-team"}},
		"near": {"command": "near-server", "env": {"KEY": "canary-key"}}, "odd name": {"command": "x"}, "none": {}}}}`)
	var got imported
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	added := map[string][]string{}
	for _, s := range got.Servers {
		if s.Added == (s.Error != nil) {
			t.Errorf("%+v", s)
		}
		if s.Added {
			added[s.Name] = s.Needs
		}
	}
	want := map[string][]string{"far": {"HEADER_AUTHORIZATION"}, "near": nil}
	if diff := cmp.Diff(want, added); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(w.must(t, 200, "GET", "/api/agents/support/mcp-servers", ""), "canary") {
		t.Error("an answer has a secret")
	}
	if status, answer := w.call(t, w.admin, "POST", "/api/agents/support/import", `{"document": {"x": 1}}`); status != http.StatusBadRequest {
		t.Errorf("%d %s", status, answer)
	}
	if answer := w.must(t, 200, "GET", "/api/templates", ""); !strings.Contains(answer, `"transport_type":"stdio"`) {
		t.Error(answer)
	}
}

// A reader of the audit that was cut goes on after its last event, without a gap.
func TestAWatcherOfTheAuditMissesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	agents := func(names ...string) {
		for _, name := range names {
			w.must(t, 201, "POST", "/api/agents", `{"name": "`+name+`"}`)
		}
	}
	last, got := "", []string{}
	watch := func(n int) {
		t.Helper()
		ctx, cut := context.WithTimeout(t.Context(), 20*time.Second)
		defer cut()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.URL+"/api/audit/events?action=agent_created", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+w.admin)
		if last != "" {
			req.Header.Set("Last-Event-ID", last)
		}
		res, err := w.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		for lines := bufio.NewScanner(res.Body); n > 0 && lines.Scan(); {
			if id, is := strings.CutPrefix(lines.Text(), "id: "); is {
				last = id
			}
			if data, is := strings.CutPrefix(lines.Text(), "data: "); is {
				var e org.Event
				if err := json.Unmarshal([]byte(data), &e); err != nil {
					t.Fatal(err)
				}
				got, n = append(got, e.Resource), n-1
			}
		}
	}
	agents("a", "b", "c")
	watch(2)
	agents("d")
	watch(1)
	agents("e", "f")
	watch(3)
	if diff := cmp.Diff([]string{"a", "b", "c", "d", "e", "f"}, got); diff != "" {
		t.Error(diff)
	}
}
