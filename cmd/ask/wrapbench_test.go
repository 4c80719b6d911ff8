package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// manyTools are descriptors of the size that real ones have at the median.
func manyTools(n int) string {
	tools := make([]string, n)
	for i := range tools {
		tools[i] = fmt.Sprintf(`{"name":"tool_%d","description":%q,"inputSchema":{"type":"object","properties":{"id":{"type":"string","description":%q},"limit":{"type":"integer","minimum":1,"maximum":100,"default":10}},"additionalProperties":false}}`,
			i, strings.Repeat("What it is for, in some words. ", 6), strings.Repeat("What it takes. ", 30))
	}
	tools[0] = strings.Replace(tools[0], `"tool_0"`, `"write"`, 1)
	return "[" + strings.Join(tools, ",\n") + "]"
}

// talkingOf is a home with a talker that lists so many tools, all of them approved.
func talkingOf(t testing.TB, n int) (home string) {
	t.Helper()
	home = t.TempDir()
	clitest.Write(t, home, "list.json", manyTools(n))
	clitest.Write(t, home, "mcp.json", fmt.Sprintf(`{"mcpServers":{"t":{"command":"talker","env":{"TALKER_LIST":%q,"TALKER_LOG":%q,"GORACE":%q}}}}`, home+"/list.json", home+"/log", clitest.AtOnce))
	var names []string
	for i := 1; i < n; i++ {
		names = append(names, fmt.Sprintf("tool_%d", i))
	}
	text, err := json.Marshal(map[string]any{"t": map[string]any{"read": append(names, "write")}})
	if err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, home, "allowlist.json", string(text))
	clitest.Trust(t, home)
	return home
}

// BenchmarkWrapMemory is what is resident of `ask wrap` after a hundred calls, and after
// a thousand more.
func BenchmarkWrapMemory(b *testing.B) {
	for b.Loop() {
		cmd := exec.Command(filepath.Join(released(b), "ask"), "wrap", "t")
		cmd.Env = append(os.Environ(), "ASK_HOME="+talkingOf(b, 200))
		first, last := after(speak(b, cmd), cmd)
		b.ReportMetric(float64(first), "first-bytes")
		b.ReportMetric(float64(last), "last-bytes")
		b.ReportMetric(float64(last)/float64(first), "last/first")
	}
}

// after is the resident size, in bytes, after a hundred calls and after a thousand more.
func after(s *spoken, cmd *exec.Cmd) (first, last int) {
	s.greet("2025-11-25")
	for i := range 1100 {
		if i == 100 {
			first = resident(s.t, cmd.Process.Pid)
		}
		if got := s.ask(calls("1", "write", "{}")).text; !strings.Contains(got, "written") {
			s.t.Fatalf("call %d: %s", i, got)
		}
	}
	return first, resident(s.t, cmd.Process.Pid)
}

// resident is how much of a process is in memory, in bytes.
func resident(t testing.TB, pid int) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the size of another process is read from /proc")
	}
	fields := strings.Fields(string(b))
	if err != nil || len(fields) < 2 {
		t.Fatalf("%q, %v", b, err)
	}
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
