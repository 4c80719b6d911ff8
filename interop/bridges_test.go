//go:build interop

package interop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// remote is a server with one tool, which notes the arguments of each call, byte for
// byte.
type remote struct {
	url string
	mu  sync.Mutex
	got []string
}

func newRemote(t *testing.T) *remote {
	t.Helper()
	r := &remote{}
	server := mcp.NewServer(&mcp.Implementation{Name: "remote", Version: "1"}, nil)
	input := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`)
	server.AddTool(&mcp.Tool{Name: "double", Description: "Doubles a number.", InputSchema: input}, func(_ context.Context, c *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got = append(r.got, string(c.Params.Arguments))
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "doubled"}}}, nil
	})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(web.Close)
	r.url = web.URL + "/mcp"
	return r
}

// calls are the arguments that reached the server.
func (r *remote) calls() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string{}, r.got...)
}

// TestBridges shows what a bridge makes of an integer that no float represents, alone
// and behind ask. It also runs the same server by the command that a review offers.
func TestBridges(t *testing.T) {
	t.Parallel()
	node := []string{abs(t, "node_modules/.bin/node")}
	for name, row := range map[string]struct {
		command []string // the address follows
		rounds  bool
	}{
		"mcp-remote":   {append(node, abs(t, "bridges/node_modules/mcp-remote/dist/proxy.js"), "--allow-http"), true},
		"supergateway": {append(node, abs(t, "bridges/node_modules/supergateway/dist/index.js"), "--logLevel", "none", "--streamableHttp"), true},
		"mcp-proxy":    {[]string{abs(t, "bridges/venv/bin/python"), "-m", "mcp_proxy", "--transport", "streamablehttp"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, home := newRemote(t), t.TempDir()
			command := append(append([]string{}, row.command...), r.url)
			if name == "mcp-remote" { // its address comes first
				command = append(append([]string{}, row.command[:2]...), r.url, "--allow-http", "--transport", "http-only")
			}
			const big = `{"n":9007199254740993}`
			inspected := place{path: toolPath(t) + ":" + abs(t, "inspector/node_modules/.bin") + ":/usr/bin:/bin"}
			client := mcp.NewClient(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
			direct(t, client, home, command, big)
			if got := r.calls(); len(got) != 1 || (got[0] != big) != row.rounds {
				t.Fatalf("bare, the server gets %q", got)
			}

			if err := os.Mkdir(home+"/ask", 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, home+"/ask/mcp.json", map[string]any{"mcpServers": map[string]any{"desk": map[string]any{"command": command[0], "args": command[1:], "env": map[string]string{"HOME": home}}}})
			write(t, home+"/ask/allowlist.json", map[string]any{"desk": map[string]any{"read": []string{"double"}}})
			shown, _ := inspected.run(t, home, "ask", "servers", "review", "desk", "--json")
			var review struct {
				Reviews []struct {
					Digest string
					Bridge struct{ Name, Command string }
				}
			}
			if err := json.Unmarshal(shown, &review); err != nil || len(review.Reviews) != 1 || review.Reviews[0].Bridge.Name != name {
				t.Fatalf("%v: %s", err, shown)
			}
			inspected.must(t, home, "ask", "servers", "approve", "desk", "--digest", review.Reviews[0].Digest)
			said, exit := inspected.run(t, home, "ask", "call", "desk/double", "--args", big, "--json")
			if refused := strings.Contains(string(said), "call.rounded"); refused != row.rounds || (exit == 3) != row.rounds {
				t.Errorf("exit %d: %s", exit, said)
			}
			inspected.must(t, home, "ask", "call", "desk/double", "--args", `{"n":9007199254740992}`)
			want := 2
			if !row.rounds {
				want = 3
			}
			if got := r.calls(); len(got) != want {
				t.Errorf("the server gets %q", got)
			}

			inspected.must(t, home, "ask", "servers", "remove", "desk")
			inspected.must(t, home, "sh", "-ec", review.Reviews[0].Bridge.Command)
			shown, _ = inspected.run(t, home, "ask", "servers", "review", "desk", "--json")
			digest := regexp.MustCompile(`"digest": *"(sha256:[0-9a-f]+)"`).FindSubmatch(shown)
			if digest == nil {
				t.Fatalf("%s", shown)
			}
			inspected.must(t, home, "ask", "servers", "approve", "desk", "--digest", string(digest[1]))
			inspected.must(t, home, "ask", "call", "desk/double", "--args", big)
			if got := r.calls(); got[len(got)-1] != big {
				t.Errorf("by its address, the server gets %q", got)
			}
		})
	}
}

// direct makes a call through a command without ask.
func direct(t *testing.T, c *mcp.Client, home string, command []string, args string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Env = []string{"HOME=" + home, "PATH=" + filepath.Dir(command[0]) + ":/usr/bin:/bin"}
	s, err := c.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "double", Arguments: json.RawMessage(args)})
	if err != nil || got.IsError {
		t.Fatal(fmt.Sprint(got, err))
	}
}
