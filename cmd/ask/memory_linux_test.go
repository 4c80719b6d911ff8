package main

import (
	"bufio"
	"bytes"
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

// floods are answers that cost as much as one can, by what they are of. Each
// makes a value of n bytes.
var floods = map[string]func(n int) string{
	"zeros":   func(n int) string { return "[" + strings.Repeat("0,", n/2-1) + "0]" },
	"objects": func(n int) string { return "[" + strings.Repeat("{},", n/3-1) + "{}]" },
	"names": func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n-16; i++ {
			fmt.Fprintf(&b, `"%x":0,`, i)
		}
		return "{" + b.String() + `"":0}`
	},
	"quotes":    func(n int) string { return `"` + strings.Repeat(`\"`, n/2-1) + `"` },
	"lines":     func(n int) string { return `"` + strings.Repeat(`Keep a1.\n`, n/10) + `"` },
	"long tool": func(n int) string { return `{"name":"` + strings.Repeat("n", n) + `"}` },
}

// A run is measured as a process of its own, built as it is released.
func TestNoAnswerTakesMuchMemory(t *testing.T) {
	t.Parallel()
	ask := built(t, ".")
	const message, result = 16 << 20, 8 << 20
	for _, c := range []struct {
		method, of string
		bytes      int
		kind       string // the type of the result's member "a"
		code       int
	}{
		{"initialize", "zeros", message, "array", 6},
		{"tools/list", "names", message, "array", 6},
		{"tools/list", "long tool", message, "array", 5},
		{"tools/call", "quotes", message, "string", 5},
		{"tools/call", "zeros", result, "array", 5},
		{"tools/call", "objects", 740_000, "array", 5},
		{"tools/call", "lines", result, "string", 0},
	} {
		home := t.TempDir()
		flood := map[string]string{"FLOOD_AT": c.method, "FLOOD_OF": c.of, "FLOOD_BYTES": strconv.Itoa(c.bytes - 512), "FLOOD_TYPE": c.kind}
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
			t.Errorf("%s of %s: %v: %.2000s", c.method, c.of, err, &stderr)
		}
		took, err := strconv.Atoi(stdout.String())
		if err != nil || took > maxPeak {
			t.Errorf("%s of %s took %d MiB, %v", c.method, c.of, took>>20, err)
		}
		t.Logf("%s of %s took %d MiB", c.method, c.of, took>>20)
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
	water := func(method string) string {
		if method != os.Getenv("FLOOD_AT") {
			return `""`
		}
		return floods[os.Getenv("FLOOD_OF")](n)
	}
	tool := `{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":{"type":"` + os.Getenv("FLOOD_TYPE") + `","items":{"type":"null"}}}}}`
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     jsontext.Value `json:"id"`
			Method string         `json:"method"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil || m.ID == nil {
			continue
		}
		result := "{}"
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"experimental":{"a":` + water(m.Method) + `}},"serverInfo":{"name":"flood","version":"1"}}`
		case "tools/list":
			result = `{"tools":[` + tool + "," + water(m.Method) + `]}`
		case "tools/call":
			result = `{"content":[],"structuredContent":{"a":` + water(m.Method) + `}}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
}
