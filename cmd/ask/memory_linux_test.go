package main

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxPeak is what a run may take at default limits, whatever a server answers.
const maxPeak = 200 << 20

func init() { programs["flood"], programs["peak"] = flood, peak }

// floods are results of a method that cost as much as one can, each of some n
// bytes.
var floods = map[string]struct {
	method string
	result func(n int) string
}{
	"a handshake of zeros": {"initialize", func(n int) string {
		return `{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"a":` + zeros(n) + `}},"serverInfo":{"name":"flood","version":"1"}}`
	}},
	"a listing of names": {"tools/list", func(n int) string { return `{"tools":[{"name":"u","x":` + names(n) + `}]}` }},
	"a listing of tools": {"tools/list", func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n-128<<10; i++ {
			fmt.Fprintf(&b, `,{"name":"t%d","description":"%s"}`, i, strings.Repeat("d", 120<<10))
		}
		return `{"tools":[` + flooded("array") + b.String() + `]}`
	}},
	"a result of quotes": {"tools/call", func(n int) string { return answer(`"` + strings.Repeat(`\"`, n/2-1) + `"`) }},
	"a result of zeros":  {"tools/call", func(n int) string { return answer(zeros(n)) }},
	"a result of misfits": {"tools/call", func(n int) string {
		return answer("[" + strings.Repeat("{},", n/3-1) + "{}]")
	}},
	"a result of lines": {"tools/call", func(n int) string { return answer(`"` + strings.Repeat(`Keep a1.\n`, n/10) + `"`) }},
}

func zeros(n int) string { return "[" + strings.Repeat("0,", n/2-1) + "0]" }

func names(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n-16; i++ {
		fmt.Fprintf(&b, `"%x":0,`, i)
	}
	return "{" + b.String() + `"":0}`
}

func answer(a string) string { return `{"content":[],"structuredContent":{"a":` + a + `}}` }

// flooded is the tool that is called, with the type of what it answers.
func flooded(kind string) string {
	return `{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":{"type":"` + kind + `","items":{"type":"null"}}}}}`
}

// A run is measured as a process of its own, built as it is released.
func TestNoAnswerTakesMuchMemory(t *testing.T) {
	t.Parallel()
	ask := built(t, ".")
	for _, c := range []struct {
		of    string
		bytes int
		kind  string // the type that is declared of the result
		code  int
	}{
		{"a handshake of zeros", 16 << 20, "array", 6},
		{"a listing of names", 16 << 20, "array", 6},
		{"a listing of tools", 16 << 20, "array", 5},
		{"a result of quotes", 16 << 20, "string", 5},
		{"a result of zeros", 8 << 20, "array", 5},
		{"a result of misfits", 740_000, "array", 5},
		{"a result of lines", 8 << 20, "string", 0},
	} {
		home := t.TempDir()
		flood := map[string]string{"FLOOD_OF": c.of, "FLOOD_BYTES": strconv.Itoa(c.bytes - 512), "FLOOD_TYPE": c.kind}
		servers, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"s": map[string]any{"command": "flood", "env": flood}}})
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"mcp.json": string(servers), "allowlist.json": `{"s":["t"]}`} {
			if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), "peak", ask, "call", "s/t", "--args", "{}", "--summarize")
		cmd.Env = append(os.Environ(), "ASK_HOME="+home)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != c.code {
			t.Errorf("%s: %v: %.2000s", c.of, err, &stderr)
		}
		took, err := strconv.Atoi(stdout.String())
		if err != nil || took > maxPeak {
			t.Errorf("%s took %d MiB, %v", c.of, took>>20, err)
		}
		t.Logf("%s took %d MiB", c.of, took>>20)
	}
}

// peak runs a command and prints its greatest resident memory in bytes. A child
// of the tests themselves would be counted with what they held when they
// started it.
func peak() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...) //nolint:gosec,noctx // of the test above
	cmd.Stderr = os.Stderr
	_ = cmd.Run() // the code is passed on
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		fmt.Print(usage.Maxrss << 10)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

// flood is a stdio MCP server of which one answer is as FLOOD_OF says.
func flood() {
	n, err := strconv.Atoi(os.Getenv("FLOOD_BYTES"))
	if err != nil {
		os.Exit(1)
	}
	water := floods[os.Getenv("FLOOD_OF")]
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil || m.ID == nil {
			continue
		}
		result := map[string]string{
			"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"flood","version":"1"}}`,
			"tools/list": `{"tools":[` + flooded(os.Getenv("FLOOD_TYPE")) + `]}`,
		}[m.Method]
		if m.Method == water.method {
			result = water.result(n)
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, cmp.Or(result, "{}"))
	}
}
