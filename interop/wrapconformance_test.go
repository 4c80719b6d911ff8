//go:build interop

package interop_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// served is one scenario of the suite for servers, as scenario is for clients.
type served struct {
	name, version string
	passed        int
	failed        []string
}

// servedScenarios are those about tools. What is about resources, prompts, logging,
// completion, tasks and HTTP itself has nothing here to be about.
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

	{"json-schema-2020-12", "2026-07-28", 8, nil},

	// Refused on purpose: a server that asks back.
	{"tools-call-sampling", "2025-11-25", 1, []string{"ToolsCallSampling"}},
	{"tools-call-elicitation", "2025-11-25", 1, []string{"ToolsCallElicitation"}},
}

// conformanceTools are those that the scenarios call.
var conformanceTools = []string{
	"test_simple_text", "test_image_content", "test_audio_content", "test_embedded_resource", "test_multiple_content_types",
	"test_tool_with_progress", "test_error_handling", "json_schema_2020_12_tool", "test_sampling", "test_elicitation",
}

// TestConformanceOfAWrappedServer has the suite test a server that it was written
// with, through ask. The suite speaks HTTP alone, so a bridge is between.
func TestConformanceOfAWrappedServer(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	p := place{path: toolPath(t) + ":/usr/bin:/bin"}
	if err := os.MkdirAll(home+"/ask", 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, home+"/ask/mcp.json", object{"mcpServers": object{"everything": object{"command": "everything-server"}}})
	write(t, home+"/ask/allowlist.json", object{"everything": object{"read": conformanceTools}})
	digest, _ := p.run(t, home, "ask", "servers", "review", "everything", "--all-tools", "-q", "--jq", ".reviews[0].digest")
	p.must(t, home, "ask", "servers", "approve", "everything", "--digest", string(bytes.TrimSpace(digest)))
	for _, s := range servedScenarios {
		t.Run(s.name+"/"+s.version, func(t *testing.T) {
			t.Parallel()
			s.run(t, p, home)
		})
	}
}

func (s served) run(t *testing.T, p place, home string) {
	b := &bridge{t: t, sessions: map[string]*wrapped{}, start: func() *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "env", "ask", "wrap", "everything")
		cmd.Env = []string{"HOME=" + home, "ASK_HOME=" + home + "/ask", "PATH=" + p.path}
		return cmd
	}}
	server := httptest.NewServer(b)
	results := t.TempDir()
	suite := exec.Command(
		abs(t, "node_modules/.bin/node"), abs(t, "node_modules/@modelcontextprotocol/conformance/dist/index.js"),
		"server", "--url", server.URL+"/mcp", "--scenario", s.name, "--spec-version", s.version, "--output-dir", results,
	)
	suite.Env = []string{"HOME=" + results, "PATH=" + p.path}
	said, err := suite.CombinedOutput()
	server.Close()
	b.end()
	if passed := len(s.failed) == 0; passed != (err == nil) {
		t.Errorf("the suite ended with %v", err)
	}
	var checks []check
	read(t, results, "checks.json", &checks)
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

// bridge is a server over streamable HTTP in front of processes over stdio. It has one
// process for each session, and one for requests without a session. It passes messages
// on unchanged.
type bridge struct {
	t     *testing.T
	start func() *exec.Cmd

	mu       sync.Mutex
	sessions map[string]*wrapped
}

// wrapped is one process. What it says goes to the requests that are under way.
type wrapped struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	done  chan struct{}

	mu      sync.Mutex
	waiting map[string]chan []byte // by the request's id
}

func (b *bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var asked struct {
		ID     json.RawMessage
		Method string
	}
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(raw, &asked)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	session := r.Header.Get("Mcp-Session-Id")
	if asked.Method == "initialize" {
		session = b.open()
		w.Header().Set("Mcp-Session-Id", session)
	}
	to := b.session(session)
	line := new(bytes.Buffer)
	_ = json.Compact(line, raw) // it was read as JSON
	if asked.ID == nil {
		to.send(line.Bytes())
		w.WriteHeader(http.StatusAccepted)
		return
	}
	said := to.ask(string(asked.ID), line.Bytes())
	defer to.forget(string(asked.ID))
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		select {
		case line := <-said:
			_, _ = fmt.Fprintf(w, "data: %s\n\n", line)
			_ = http.NewResponseController(w).Flush()
			if answers(line) {
				return
			}
		case <-to.done:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// answers reports whether a message is a response.
func answers(line []byte) bool {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	return json.Unmarshal(line, &m) == nil && m.ID != nil && m.Method == ""
}

func (b *bridge) open() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := strconv.Itoa(len(b.sessions) + 1)
	b.sessions[name] = b.launch()
	return name
}

// session is the process of a session; that of "" is for all that have none.
func (b *bridge) session(name string) *wrapped {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sessions[name] == nil {
		b.sessions[name] = b.launch()
	}
	return b.sessions[name]
}

func (b *bridge) launch() *wrapped {
	p := &wrapped{cmd: b.start(), done: make(chan struct{}), waiting: map[string]chan []byte{}}
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		panic(err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if p.stdin = stdin; p.cmd.Start() != nil {
		panic("ask does not start")
	}
	go p.read(stdout)
	return p
}

func (p *wrapped) read(stdout io.Reader) {
	defer close(p.done)
	for lines := bufio.NewReader(stdout); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		line = bytes.TrimSpace(line)
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(line, &m)
		p.mu.Lock()
		for id, said := range p.waiting {
			if id == string(m.ID) || m.Method != "" {
				said <- line
			}
		}
		p.mu.Unlock()
	}
}

func (p *wrapped) send(line []byte) { _, _ = p.stdin.Write(append(line, '\n')) }

// ask sends a request, and gives where what is said meanwhile arrives.
func (p *wrapped) ask(id string, line []byte) <-chan []byte {
	said := make(chan []byte, 64)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting[id] = said
	p.send(line)
	return said
}

func (p *wrapped) forget(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, id)
}

// end closes every process's stdin, which ends it.
func (b *bridge) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.sessions {
		_ = p.stdin.Close()
		<-p.done
		if err := p.cmd.Wait(); err != nil {
			b.t.Errorf("ask ended with %v", err)
		}
	}
}
