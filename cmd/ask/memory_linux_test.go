package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// maxPeak is what a run may take at default limits, whatever a server answers.
const maxPeak = 200 << 20

func init() { programs["flood"], programs["peak"] = floodStdio, peak }

// shape is a value of any length: what opens it, what is repeated, and what
// closes it. A # is the number of the repetition.
type shape struct{ open, item, end string }

// floods are answers that cost as much as one can, by what they are of.
var floods = map[string]shape{
	"zeros":    {"[0", ",0", "]"},
	"brackets": {"", "[", ""},
	"objects":  {"[{}", ",{}", "]"},
	"names":    {`{"":0`, `,"#":0`, "}"},
	"text":     {`"`, "x", `"`},
	"escapes":  {`"`, `\u0041`, `"`},
	"quotes":   {`"`, `\"`, `"`},
	"lines":    {`"`, `Keep a1.\n`, `"`},
	"tools":    {`{"name":"first","inputSchema":{"type":"object"}}`, `,{"name":"t-#","description":"` + strings.Repeat("d", 3300) + `","inputSchema":{"type":"object"}}`, ""},
}

// write writes the value with n bytes or a few more, from a small buffer: what
// memory is measured is not the server's, and neither is the time.
func (s shape) write(w io.Writer, n int) {
	out := bufio.NewWriterSize(w, 64<<10)
	defer out.Flush()
	_, _ = out.WriteString(s.open)
	before, after, numbered := strings.Cut(s.item, "#")
	if !numbered {
		repeat(out, s.item, (n+len(s.item)-1)/len(s.item))
	}
	var number []byte
	for i := int64(0); numbered && n > 0; i++ {
		number = strconv.AppendInt(number[:0], i, 16)
		n -= len(before) + len(number) + len(after)
		_, _ = out.WriteString(before)
		_, _ = out.Write(number)
		_, _ = out.WriteString(after)
	}
	_, _ = out.WriteString(s.end)
}

// repeat writes the text so many times, a thousand at a time.
func repeat(w io.StringWriter, text string, times int) {
	const many = 1000
	block := strings.Repeat(text, many)
	for ; times > many; times -= many {
		_, _ = w.WriteString(block)
	}
	_, _ = w.WriteString(block[:times*len(text)])
}

// flood is a server of which the answer to one method is of one thing. Without
// a method it is a server like others.
type flood struct {
	method, of string
	bytes      int
	kind       string // the type of the result's member "a"
}

// answer answers a message.
func (f flood) answer(w io.Writer, message []byte) {
	var m struct {
		ID     jsontext.Value `json:"id"`
		Method string         `json:"method"`
	}
	if err := json.Unmarshal(message, &m); err != nil || m.ID == nil {
		return
	}
	before, after := "{", "}"
	switch m.Method {
	case "initialize":
		before, after = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"experimental":{"a":`, `}},"serverInfo":{"name":"flood","version":"1"}}`
	case "tools/list":
		before = `{"tools":[{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":{"type":"` + f.kind + `","items":{"type":"null"}}}}}`
		if after = "]}"; m.Method == f.method {
			before += ","
		}
	case "tools/call":
		before, after = `{"content":[],"structuredContent":{"a":`, "}}"
	}
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s`, m.ID, before)
	switch {
	case m.Method == f.method:
		floods[f.of].write(w, f.bytes)
	case strings.HasSuffix(before, ":"):
		_, _ = io.WriteString(w, `""`)
	}
	_, _ = io.WriteString(w, after+"}\n")
}

// floodStdio is given a type, and by FLOOD what it answers with what.
func floodStdio() {
	f := flood{kind: os.Args[1]}
	if says := os.Getenv("FLOOD"); says != "" {
		if _, err := fmt.Sscan(says, &f.method, &f.of, &f.bytes); err != nil {
			os.Exit(1)
		}
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		f.answer(os.Stdout, in.Bytes())
	}
}

func (f flood) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	message, _ := io.ReadAll(r.Body)
	if !bytes.Contains(message, []byte(`"id"`)) {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	f.answer(w, message)
}

// reached is the server's entry in an mcp.json. Over HTTP it floods after begin is called.
func (f flood) reached(t testing.TB, overHTTP bool) (entry map[string]any, begin func()) {
	if !overHTTP {
		return map[string]any{"command": "flood", "args": []string{f.kind}, "env": map[string]string{"FLOOD": "${FLOOD:-}", "GORACE": clitest.AtOnce}}, func() {}
	}
	var now atomic.Value
	now.Store(flood{kind: f.kind})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { now.Load().(flood).ServeHTTP(w, r) }))
	t.Cleanup(s.Close)
	return map[string]any{"url": s.URL}, func() { now.Store(f) }
}

// peakOf is the greatest resident memory, in bytes, of a run that asks the
// server what it says now and calls it, and the run's exit code. The server was
// approved before it floods. It is a process of its own, built as it is
// released.
func peakOf(t testing.TB, ask string, f flood, overHTTP bool) (took, code int) {
	t.Helper()
	home := t.TempDir()
	entry, begin := f.reached(t, overHTTP)
	servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"s": entry}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"mcp.json": string(servers), "allowlist.json": `{"s":{"read":["t"]}}`} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	clitest.Trust(t, home)
	begin()
	return peakIn(t, home, "env", fmt.Sprintf("FLOOD=%s %s %d", f.method, f.of, f.bytes), ask, "--live", "call", "s/t", "--args", "{}", "--summarize")
}

// peakIn is the same of any command, with its files in home.
func peakIn(t testing.TB, home string, command ...string) (took, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "peak", command...)
	cmd.Env = append(os.Environ(), "ASK_HOME="+home)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the code says more
	took, err := strconv.Atoi(stdout.String())
	if err != nil {
		t.Fatalf("%q: %v: %.2000s", command, err, &stderr)
	}
	return took, cmd.ProcessState.ExitCode()
}

const (
	fullMessage = 16<<20 - 512
	fullResult  = 8<<20 - 512
)

func TestNoAnswerTakesMuchMemory(t *testing.T) {
	t.Parallel()
	ask := filepath.Join(released(t), "ask")
	for _, c := range []struct {
		flood
		overHTTP bool
		code     int
	}{
		{flood{"initialize", "zeros", fullMessage, "array"}, false, 6},
		{flood{"tools/list", "names", fullMessage, "array"}, false, 6},
		{flood{"tools/list", "tools", fullMessage, "array"}, true, 5},
		{flood{"tools/call", "quotes", fullMessage, "string"}, false, 5},
		{flood{"tools/call", "quotes", fullMessage, "string"}, true, 5},
		{flood{"tools/call", "zeros", fullResult, "array"}, false, 5},
		{flood{"tools/call", "objects", 740_000, "array"}, false, 5},
		{flood{"tools/call", "lines", fullResult, "string"}, false, 0},
	} {
		took, code := peakOf(t, ask, c.flood, c.overHTTP)
		t.Logf("%+v took %d MiB", c.flood, took>>20)
		if took > maxPeak || code != c.code {
			t.Errorf("%+v took %d MiB; exit %d, want %d", c.flood, took>>20, code, c.code)
		}
	}
}

// BenchmarkMemory is the greatest resident memory of a question to the demo's
// servers.
func BenchmarkMemory(b *testing.B) {
	ask, most := filepath.Join(released(b), "ask"), 0
	for b.Loop() {
		took, code := peakIn(b, b.TempDir(), ask, "--demo", "-q", "Summarize policy-002")
		if code != 0 {
			b.Fatalf("exit %d", code)
		}
		most = max(most, took)
	}
	b.ReportMetric(0, "ns/op") // internal/bench measures the start
	b.ReportMetric(float64(most), "peak-bytes")
}

// BenchmarkPeak says what each kind of answer takes, in a listing and in a
// result, of the longest message that is read.
func BenchmarkPeak(b *testing.B) {
	ask := filepath.Join(released(b), "ask")
	for _, of := range []string{"zeros", "brackets", "names", "text", "escapes", "quotes", "tools"} {
		for _, at := range []string{"tools/list", "tools/call"} {
			if of+" "+at == "tools tools/call" {
				continue
			}
			for _, way := range []string{"stdio", "HTTP"} {
				b.Run(of+"/"+at+"/"+way, func(b *testing.B) {
					most := 0
					for b.Loop() {
						took, _ := peakOf(b, ask, flood{at, of, fullMessage, "string"}, way == "HTTP")
						most = max(most, took)
					}
					b.ReportMetric(0, "ns/op") // the server takes most of it
					b.ReportMetric(float64(most), "peak-bytes")
				})
			}
		}
	}
}

// peak runs a command and prints its greatest resident memory in bytes. A child
// of the tests themselves would be counted with what they held when they
// started it.
func peak() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stderr = os.Stderr
	_ = cmd.Run() // the code is passed on
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		fmt.Print(usage.Maxrss << 10)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}
