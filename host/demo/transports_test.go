package demo_test

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/host/demo"
)

// versions are all that the SDK speaks; 2026-07-28 has no handshake.
var versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// samples are one call of each tool that succeeds on fresh stores.
var samples = map[string]string{
	"mcp-policy-kb/search_policy_kb":           `{"query":"PII logging policy"}`,
	"mcp-policy-kb/fetch_policy_entry":         `{"policy_id":"policy-002"}`,
	"mcp-policy-kb/delete_policy_entry":        `{"policy_id":"policy-003"}`,
	"mcp-sharepoint/search_sharepoint":         `{"query":"release checklist","limit":1}`,
	"mcp-sharepoint/fetch_sharepoint_doc":      `{"document_id":"sp-001"}`,
	"mcp-sharepoint/delete_sharepoint_doc":     `{"document_id":"sp-002"}`,
	"mcp-servicenow/search_servicenow_tickets": `{"query":"payment error 503"}`,
	"mcp-servicenow/get_ticket":                `{"ticket_id":"INC0010001"}`,
	"mcp-servicenow/close_ticket":              `{"ticket_id":"INC0010002","resolution":"Confirmed by the team."}`,
}

// A dialler makes the client's end of a connection to one server.
type dialler func(t *testing.T, d *demo.Demo, server string) mcp.Transport

var transports = map[string]dialler{
	"in memory": inMemory,
	"stdio":     stdio, // a process and stores of its own: d is not used
	"http":      overHTTP,
}

func inMemory(t *testing.T, d *demo.Demo, server string) mcp.Transport {
	// The client's closing alone must end the session: this context never does.
	tr, err := d.Transport(context.WithoutCancel(t.Context()), server)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func stdio(t *testing.T, _ *demo.Demo, server string) mcp.Transport {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	// A race build otherwise waits a second before it exits.
	cmd.Env = []string{serveEnv + "=" + server, "GORACE=atexit_sleep_ms=0"}
	cmd.Stderr = t.Output()
	return &mcp.CommandTransport{Command: cmd}
}

func overHTTP(t *testing.T, d *demo.Demo, server string) mcp.Transport {
	h, err := d.Handler(server)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return &mcp.StreamableClientTransport{Endpoint: srv.URL, HTTPClient: srv.Client(), DisableStandaloneSSE: true}
}

func connect(t *testing.T, tr mcp.Transport, version string) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	cs, err := c.Connect(t.Context(), tr, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cs.Close(); err != nil {
			t.Errorf("the session did not end well: %v", err)
		}
	})
	return cs
}

// session connects in memory.
func session(t *testing.T, d *demo.Demo, server string) *mcp.ClientSession {
	t.Helper()
	return connect(t, inMemory(t, d, server), "")
}

func call(t *testing.T, cs *mcp.ClientSession, tool, args string) *mcp.CallToolResult {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: raw(args)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	return res
}

func text(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("%d content blocks, want 1", len(res.Content))
	}
	tc, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("content is %T, want text", res.Content[0])
	}
	return tc.Text
}

func TestEveryToolAnswersOverEveryTransportAndVersion(t *testing.T) {
	t.Parallel()
	for name, dial := range transports {
		for _, version := range versions {
			t.Run(name+" "+version, func(t *testing.T) {
				t.Parallel()
				d := demo.New()
				for _, server := range d.Servers() {
					cs := connect(t, dial(t, d, server), version)
					if got := cs.InitializeResult(); got == nil || got.ProtocolVersion != version {
						t.Fatalf("%s speaks %+v, want %s", server, got, version)
					}
					checkSamples(t, cs, server)
				}
			})
		}
	}
}

func checkSamples(t *testing.T, cs *mcp.ClientSession, server string) {
	t.Helper()
	for key, args := range samples {
		tool, ok := strings.CutPrefix(key, server+"/")
		if !ok {
			continue
		}
		res := call(t, cs, tool, args)
		if res.IsError || res.StructuredContent == nil {
			t.Fatalf("%s: %s", key, text(t, res))
		}
		// The text is what clients older than structured content read.
		if err := demo.Types()[key]([]byte(text(t, res))); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}

func TestASessionEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	tr, err := demo.New().Transport(ctx, "mcp-policy-kb")
	if err != nil {
		t.Fatal(err)
	}
	cs := connect(t, tr, "")
	cancel()
	_ = cs.Wait() // returns only when the server's end is closed
	if _, err := cs.ListTools(t.Context(), nil); err == nil {
		t.Error("the server still answers")
	}
}

func TestASessionThatNobodyTakesUpEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for range 3 { // what is left running, TestMain finds
		if _, err := demo.New().Transport(t.Context(), "mcp-policy-kb"); err != nil {
			t.Fatal(err)
		}
	}
}

func ping(pad string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"pad":"` + pad + `"}}}` + "\n"
}

func TestServeEndsWithItsInput(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in string
		ok bool
	}{
		"at once":            {"", true},
		"after a request":    {ping("short"), true},
		"in mid-message":     {`{"jsonrpc":"2.0",`, false},
		"on what is no JSON": {"hello\n", false},
		"on a long line":     {ping(strings.Repeat("a", 64<<10)), false},
	} {
		err := demo.New().Serve(t.Context(), "mcp-policy-kb", io.NopCloser(strings.NewReader(c.in)), io.Discard)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	t.Parallel()
	in, held := io.Pipe() // nothing is ever written
	defer held.Close()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- demo.New().Serve(ctx, "mcp-policy-kb", in, io.Discard) }()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}
