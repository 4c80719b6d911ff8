//go:build interop

package interop_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// client is a program that calls echo of server-everything over stdio and ends.
type client struct {
	name    string
	command []string
	answers []time.Duration // from its start to the answer on stdout
	exits   []time.Duration // from its start to its exit
}

// BenchmarkEverything is whole processes, one of each client in turn, and gives
// their medians. Most of each is what they have in common: the start of node and
// of the server.
func BenchmarkEverything(b *testing.B) {
	home := b.TempDir()
	for name, text := range map[string]string{
		"mcp.json": `{"mcpServers":{"everything":{"command":"mcp-server-everything"}}}`, "allowlist.json": `{"everything":{"read":["echo"]}}`,
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.Setenv("PATH", strings.Join([]string{abs(b, "../bin"), abs(b, "node_modules/.bin"), os.Getenv("PATH")}, string(os.PathListSeparator)))
	b.Setenv("ASK_HOME", home)
	approveEverything(b)
	clients := []*client{
		{name: "ask", command: []string{"ask", "call", "everything/echo", "--args", `{"message":"hi"}`}},
		{name: "bare", command: []string{bare(b), "echo", `{"message":"hi"}`, "mcp-server-everything"}},
		{name: "inspector", command: []string{
			abs(b, "inspector/node_modules/.bin/mcp-inspector"), "--cli", "mcp-server-everything", "--method", "tools/call", "--tool-name", "echo", "--tool-arg", "message=hi",
		}},
	}
	for b.Loop() {
		for _, c := range clients {
			c.run(b)
		}
	}
	b.ReportMetric(0, "ns/op") // the sum of them all says nothing
	for _, c := range clients {
		b.ReportMetric(median(c.answers), c.name+"-answer-ms")
		b.ReportMetric(median(c.exits), c.name+"-exit-ms")
	}
	b.ReportMetric(median(clients[0].exits)/median(clients[1].exits), "times-bare")
}

// approveEverything approves what the server says by the digest of its review,
// which exits 4.
func approveEverything(b *testing.B) {
	digest, _ := exec.CommandContext(b.Context(), "ask", "servers", "review", "everything", "-q", "--jq", ".reviews[0].digest").Output()
	if out, err := exec.CommandContext(b.Context(), "ask", "servers", "approve", "everything", "--digest", strings.TrimSpace(string(digest))).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
}

// run is one process, from its start to its exit.
func (c *client) run(b *testing.B) {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), c.command[0], c.command[1:]...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	said, answered := "", time.Duration(0)
	for buf := make([]byte, 4096); err == nil; {
		var n int
		n, err = stdout.Read(buf)
		said += string(buf[:n])
		if answered == 0 && strings.Contains(said, "Echo: hi") {
			answered = time.Since(start)
		}
	}
	if waited := cmd.Wait(); waited != nil || err != io.EOF || answered == 0 {
		b.Fatalf("%s: %v, %v, %q: %s", c.name, waited, err, said, &stderr)
	}
	c.answers, c.exits = append(c.answers, answered), append(c.exits, time.Since(start))
}

// median is in milliseconds.
func median(ds []time.Duration) float64 {
	return float64(slices.Sorted(slices.Values(ds))[len(ds)/2].Microseconds()) / 1e3
}

// bare is the SDK's own client with nothing around it.
func bare(b *testing.B) string {
	program := filepath.Join(b.TempDir(), "bare")
	cmd := exec.CommandContext(b.Context(), cmp.Or(os.Getenv("GO"), "go"), "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "../cmd/ask/testdata/bare")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatal(fmt.Errorf("%w: %s", err, out))
	}
	return program
}
