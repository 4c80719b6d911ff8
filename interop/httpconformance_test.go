//go:build interop

package interop_test

import (
	"bytes"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/host/proxy"
)

// served is one scenario of the suite for servers, as scenario is for clients.
type served struct {
	name, version string
	passed        int
	failed        []string
}

// servedScenarios are those about tools and HTTP. What is about resources, prompts,
// completion and tasks has nothing here to be about.
var servedScenarios = []served{
	{"server-initialize", "2025-11-25", 3, nil},
	{"ping", "2025-11-25", 2, nil},
	{"tools-list", "2025-06-18", 2, nil},
	{"tools-list", "2025-11-25", 3, nil},
	{"tools-list", "2026-07-28", 4, nil},
	{"tools-call-simple-text", "2025-11-25", 2, nil},
	{"tools-call-simple-text", "2026-07-28", 2, nil},
	{"tools-call-image", "2026-07-28", 2, nil},
	{"tools-call-audio", "2026-07-28", 2, nil},
	{"tools-call-embedded-resource", "2026-07-28", 2, nil},
	{"tools-call-mixed-content", "2025-11-25", 2, nil},
	{"tools-call-mixed-content", "2026-07-28", 2, nil},
	{"tools-call-error", "2025-11-25", 2, nil},
	{"tools-call-error", "2026-07-28", 2, nil},
	{"tools-call-with-progress", "2025-11-25", 2, nil},
	{"tools-call-with-progress", "2026-07-28", 2, nil},

	// Tools are all that is served.
	{"caching", "2026-07-28", 4, []string{"PromptsListCachingHints", "ResourcesListCachingHints", "ResourcesTemplatesListCachingHints"}},

	{"server-session-lifecycle", "2025-03-26", 3, nil},
	{"server-session-lifecycle", "2025-06-18", 3, nil},
	{"server-session-lifecycle", "2025-11-25", 3, nil},
	{"logging-set-level", "2025-11-25", 2, nil},
	{"server-sse-multiple-streams", "2025-11-25", 2, nil},
	{"server-sse-multiple-streams", "2026-07-28", 2, nil},
	{"dns-rebinding-protection", "2025-11-25", 2, nil},
	{"dns-rebinding-protection", "2026-07-28", 2, nil},
	{"http-header-validation", "2026-07-28", 14, nil},
	{"http-custom-header-server-validation", "2026-07-28", 10, nil},
	{"tools-call-image", "2025-11-25", 2, nil},
	{"tools-call-audio", "2025-11-25", 2, nil},
	{"tools-call-embedded-resource", "2025-11-25", 2, nil},
	{"json-schema-2020-12", "2026-07-28", 8, nil},

	// A stream is not resumed: a call whose connection ends is asked again, and gets its result.
	{"server-sse-polling", "2025-11-25", 0, []string{"ServerSendsPrimingEvent", "ServerSendsRetryField"}},

	// No level is set at the server, and this one logs nothing without.
	{"tools-call-with-logging", "2025-11-25", 1, []string{"ToolsCallWithLogging"}},

	// Refused on purpose: a server that asks back. Its error comes as the result of the call, which a model reads. And the
	// list that a client sees changes with what a person approves, not with what the server lists.
	{"server-stateless", "2026-07-28", 26, []string{"MissingCapabilityHttp400", "ServerRejectsUndeclaredCapability", "ServerSendsToolsListChangedOnSubscription"}},
	{"tools-call-sampling", "2025-11-25", 1, []string{"ToolsCallSampling"}},
	{"tools-call-elicitation", "2025-11-25", 1, []string{"ToolsCallElicitation"}},
}

// conformanceTools are those that the scenarios call.
var conformanceTools = []string{
	"test_simple_text", "test_image_content", "test_audio_content", "test_embedded_resource", "test_multiple_content_types",
	"test_tool_with_progress", "test_error_handling", "json_schema_2020_12_tool", "test_sampling", "test_elicitation",
	"test_tool_with_logging", "test_x_mcp_header", "test_missing_capability", "test_streaming_elicitation", "test_logging_tool", "test_trigger_tool_change", "test_reconnection",
}

// TestConformanceOfAServedServer has the suite test a server that it was written with,
// through the gates and over HTTP.
func TestConformanceOfAServedServer(t *testing.T) {
	t.Parallel()
	url := face(t, map[string]behind{"everything": {object{"command": abs(t, "../bin/interop/everything-server")}, conformanceTools}})
	for _, s := range servedScenarios {
		t.Run(s.name+"/"+s.version, func(t *testing.T) {
			t.Parallel()
			s.run(t, url)
		})
	}
}

// behind is a server behind the face over HTTP, and its tools that only read.
type behind struct {
	entry object
	tools []string
}

// face has a person approve servers, and serves them over HTTP as a service does.
func face(t *testing.T, servers map[string]behind) (url string) {
	t.Helper()
	home := t.TempDir()
	p := place{path: toolPath(t) + ":/usr/bin:/bin"}
	if err := os.MkdirAll(home+"/ask", 0o700); err != nil {
		t.Fatal(err)
	}
	entries, allowed, names := object{}, object{}, slices.Sorted(maps.Keys(servers))
	for name, of := range servers {
		entries[name], allowed[name] = of.entry, object{"read": of.tools}
	}
	write(t, home+"/ask/mcp.json", object{"mcpServers": entries})
	write(t, home+"/ask/allowlist.json", allowed)
	for _, name := range names {
		digest, _ := p.run(t, home, "ask", "servers", "review", name, "--all-tools", "-q", "--jq", ".reviews[0].digest")
		p.must(t, home, "ask", "servers", "approve", name, "--digest", string(bytes.TrimSpace(digest)))
	}
	options := proxy.Options{Server: names[0], Subject: "agent", Version: "1"}
	if len(names) > 1 {
		options.Server, options.Servers = "team", names
	}
	vars := map[string]string{"HOME": home, "ASK_HOME": home + "/ask", "PATH": p.path}
	env := config.Environ(func(name string) (string, bool) { value, is := vars[name]; return value, is })
	paths, err := config.FindPaths(env)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := config.Load(paths, env, config.Flags{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := setup.Host(settings, setup.Options{Env: env, Mode: setup.Plans})
	if err != nil {
		t.Fatal(err)
	}
	options.Host = h
	server := httptest.NewServer(proxy.Handler(t.Context(), proxy.HTTP{
		Options: options,
		Token:   func(*http.Request) string { return "" }, Sessions: proxy.Rows(h.Inventory.State),
	}))
	t.Cleanup(func() {
		server.Close()
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return server.URL + "/mcp"
}

// TestTwoPublicServersBehindOneAddress: the client of another SDK sees the tools of both under
// public names, and calls one of each.
func TestTwoPublicServersBehindOneAddress(t *testing.T) {
	t.Parallel()
	node, notes := abs(t, "node_modules/.bin/node"), t.TempDir()+"/notes.jsonl"
	url := face(t, map[string]behind{
		"every-thing": {object{"command": abs(t, "../bin/interop/everything-server")}, []string{"test_simple_text"}},
		"memory": {
			object{"command": node, "args": []string{abs(t, "node_modules/@modelcontextprotocol/server-memory/dist/index.js")}, "env": object{"MEMORY_FILE_PATH": notes}},
			[]string{"read_graph"},
		},
	})
	for tool, want := range map[string]string{
		"mcp_every_thing_test_simple_text": "This is a simple text response for testing.",
		"mcp_memory_read_graph":            `"structuredContent":{"entities":[],"relations":[]}`,
	} {
		p := place{path: toolPath(t) + ":/usr/bin:/bin"}
		out := string(p.must(t, t.TempDir(), "node", abs(t, "meet/client.mjs"), tool, url))
		for _, part := range []string{want, "mcp_every_thing_test_simple_text {", "mcp_memory_read_graph {"} {
			if !strings.Contains(out, part) {
				t.Errorf("%s lacks %s", out, part)
			}
		}
		if strings.Contains(out, "create_entities") || strings.Contains(out, "test_image_content") {
			t.Errorf("tools that are not allowed: %s", out)
		}
	}
}

func (s served) run(t *testing.T, url string) {
	results := t.TempDir()
	suite := exec.Command(
		abs(t, "node_modules/.bin/node"), abs(t, "node_modules/@modelcontextprotocol/conformance/dist/index.js"),
		"server", "--url", url, "--scenario", s.name, "--spec-version", s.version, "--output-dir", results,
	)
	suite.Env = []string{"HOME=" + results, "PATH=" + toolPath(t) + ":/usr/bin:/bin"}
	said, err := suite.CombinedOutput()
	var checks []check
	read(t, results, "checks.json", &checks)
	if passed := len(with(checks, "FAILURE")) == 0; passed != (err == nil) {
		t.Errorf("the suite ended with %v", err)
	}
	if got := with(checks, "SUCCESS"); len(got) != s.passed {
		t.Errorf("%d checks passed, want %d: %q", len(got), s.passed, got)
	}
	if diff := cmp.Diff(s.failed, with(checks, "FAILURE", "WARNING")); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	if t.Failed() {
		t.Logf("%s", said)
	}
}
