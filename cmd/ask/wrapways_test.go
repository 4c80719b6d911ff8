package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/internal/testing/clitest"
	"github.com/onestep-run/onestep/internal/testing/logintest"
)

var (
	digestIn = lex.Pattern(`"digest": *"(sha256:[0-9a-f]+)"`)
	runIn    = lex.Pattern("ask approve ([^`]+)`")
)

// A remote server with a login is wrapped as any: its token goes to it and nowhere else.
func TestAServerWithALoginIsWrapped(t *testing.T) {
	t.Parallel()
	server := logintest.New(t, logintest.Options{Closed: true, Clients: map[string]string{"ci-job": "hush-hush-91bc"}})
	home := t.TempDir()
	clitest.Write(t, home, "config.toml", "token_key = \"file\"\n")
	clitest.Write(t, home, "mcp.json", fmt.Sprintf(`{"mcpServers":{"p":{"url":%q,"oauth":{"grant":"client_credentials","clientId":"ci-job","clientSecret":"hush-hush-91bc"}}}}`, server.URL()))
	clitest.Write(t, home, "allowlist.json", `{"p":{"read":["echo"],"write":["change"]}}`)
	before := speak(t, wrapped(t.Context(), home, "p"))
	before.greet("2025-11-25")
	if got := before.ask(calls("1", "echo", `{"text":"x"}`)).text; !strings.Contains(got, "onestep refused: ") || strings.Contains(got, `"text":"x"`) {
		t.Errorf("before a login: %s", got)
	}
	if out, err := askIn(t, home, "servers", "login", "p"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	clitest.Trust(t, home)
	s := speak(t, wrapped(t.Context(), home, "p", "--hold", "1ms"))
	s.greet("2025-11-25")
	all := s.ask(list).text + s.ask(calls("1", "echo", `{"text":"hello there"}`)).text + s.ask(calls("2", "change", `{"text":"y"}`)).text
	server.EndAll() // no token is worth anything now
	lost := s.ask(calls("3", "echo", `{"text":"z"}`)).text
	for _, want := range []string{`"name":"echo"`, `"text":"hello there"`, "approval.needed"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in %s", want, all)
		}
	}
	for _, secret := range server.Issued() {
		if strings.Contains(all+lost, secret) {
			t.Errorf("the client is given %s", secret)
		}
	}
	if n := server.Count("echo hello there"); n != 1 {
		t.Errorf("the server was called %d times", n)
	}
	if n := server.Count("change y"); n != 0 {
		t.Errorf("the change was made %d times", n)
	}
	if wrongs := server.Wrongs(); len(wrongs) > 0 {
		t.Errorf("the servers saw: %q", wrongs)
	}
}

// A server over streamable HTTP and one over SSE, without an entry.
func TestAServerByItsAddressIsWrapped(t *testing.T) {
	t.Parallel()
	for flag, handler := range map[string]func(func(*http.Request) *mcp.Server) http.Handler{
		"--url":     func(get func(*http.Request) *mcp.Server) http.Handler { return mcp.NewStreamableHTTPHandler(get, nil) },
		"--sse-url": func(get func(*http.Request) *mcp.Server) http.Handler { return mcp.NewSSEHandler(get, nil) },
	} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			got := map[string]int{}
			count := func(what string) int {
				mu.Lock()
				defer mu.Unlock()
				return got[what]
			}
			server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
			for _, name := range []string{"get", "put"} {
				server.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					mu.Lock()
					defer mu.Unlock()
					got[name]++
					return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "did " + name}}}, nil
				})
			}
			inner := handler(func(*http.Request) *mcp.Server { return server })
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "" {
					mu.Lock()
					got["authorization"]++
					mu.Unlock()
				}
				inner.ServeHTTP(w, r)
			}))
			t.Cleanup(web.Close)
			t.Cleanup(web.CloseClientConnections)
			home := t.TempDir()
			clitest.Write(t, home, "allowlist.json", `{"other":{"read":["get"],"write":["put"]}}`)
			flags := []string{"--name", "other", flag, web.URL}
			review, _ := askIn(t, home, append([]string{"servers", "review", "--json"}, flags...)...)
			digest := digestIn().FindStringSubmatch(review)
			if digest == nil {
				t.Fatalf("the review: %s", review)
			}
			if out, err := askIn(t, home, append([]string{"servers", "approve", "--digest", digest[1]}, flags...)...); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			cmd := wrapped(t.Context(), home, append(flags, "--hold", "1ms")...)
			cmd.Env = append(cmd.Env, "AUTHORIZATION=Bearer theirs")
			s := speak(t, cmd)
			s.greet("2025-11-25")
			if got := s.ask(calls("1", "get", "{}")).text; !strings.Contains(got, "did get") {
				t.Errorf("a read: %s", got)
			}
			if got := s.ask(calls("2", "put", "{}")).text; !strings.Contains(got, "approval.needed") {
				t.Errorf("a write: %s", got)
			}
			if get, put, auth := count("get"), count("put"), count("authorization"); get != 1 || put != 0 || auth != 0 {
				t.Errorf("%d reads, %d writes, %d requests with an Authorization", get, put, auth)
			}
		})
	}
}

// A version without a handshake gets what it demands, each time.
func TestAModernClientMayCacheNothing(t *testing.T) {
	t.Parallel()
	s := speak(t, wrapped(t.Context(), talking(t), "t"))
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	for _, method := range []string{"server/discover", "tools/list"} {
		got := s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, method, meta)).text
		for _, want := range []string{`"ttlMs":0`, `"cacheScope":"private"`, `"resultType":"complete"`} {
			if strings.Count(got, want) != 1 {
				t.Errorf("%s: %d times %s: %.400s", method, strings.Count(got, want), want, got)
			}
		}
	}
	got := s.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",` + meta + `}}`).text
	if strings.Count(got, `"resultType":"complete"`) != 1 || strings.Contains(got, "ttlMs") {
		t.Errorf("a call: %s", got)
	}
}

// A change that needs no approval, and a read under strict, ask a person all the
// same: the arguments are a model's words.
func TestArgumentsOfAClientAreAMark(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ tool, allow, config string }{
		"a write that asks nobody": {"write", `{"t":{"write":[{"name":"write","approval":"none"}]}}`, ""},
		"a read under strict":      {"echo", `{"t":{"read":["echo"]}}`, "intent = \"strict\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := talking(t)
			clitest.Write(t, home, "allowlist.json", c.allow)
			clitest.Write(t, home, "config.toml", c.config)
			s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1ms"))
			s.greet("2025-11-25")
			args := map[string]string{"write": `{"to":"x"}`, "echo": `{"s":"x"}`}[c.tool]
			got := s.ask(calls("1", c.tool, args)).text
			if !strings.Contains(got, "approval.needed") || happened(t, home, "call "+c.tool) != 0 {
				t.Fatalf("%s", got)
			}
			run := runIn().FindStringSubmatch(got)[1]
			if out, err := askIn(t, home, "approvals", "show", run); err != nil || !strings.Contains(out, "client's model") {
				t.Errorf("%v: %s", err, out)
			}
			sayYes(t, home, run)
			s.send(calls("2", c.tool, args))
			if got := s.answered("2"); got.Result == nil || happened(t, home, "call "+c.tool) != 1 {
				t.Errorf("approved: %s", got.text)
			}
		})
	}
}

// Whatever a hostile server says, a client gets lines of JSON without a control
// character, and its session goes on.
func TestAHostileServerReachesAClientAsJSONWithoutControls(t *testing.T) {
	t.Parallel()
	for where := range liars {
		for _, is := range []string{"", "1"} {
			t.Run(where+" "+is, func(t *testing.T) {
				t.Parallel()
				home := t.TempDir()
				clitest.Write(t, home, "mcp.json", lying(where, is))
				clitest.Write(t, home, "allowlist.json", `{"s":{"read":["t","keyword","place","twice","absent"]}}`)
				clitest.Trust(t, home)
				s := speak(t, wrapped(t.Context(), home, "s"))
				var said strings.Builder
				said.WriteString(s.greet("2025-11-25").text)
				for i, line := range []string{calls("0", "t", `{}`), list, calls("2", "onestep_status", "{}"), calls("3", "t", `{}`), calls("4", "absent", "{}")} {
					s.send(line)
					a := s.answered([]string{"0", `"l"`, "2", "3", "4"}[i])
					if a.Result == nil {
						t.Errorf("%d has no result: %s", i, a.text)
					}
					said.WriteString(a.text)
				}
				if got := string(escape.Controls([]byte(said.String()))); got != said.String() {
					t.Errorf("a control character reaches the client: %s", got)
				}
				s.send(`{"jsonrpc":"2.0","id":9,"method":"ping"}`)
				if got := s.answered("9"); string(got.Result) != "{}" { // the list may have changed meanwhile
					t.Errorf("afterwards: %s", got.text)
				}
			})
		}
	}
}
