package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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

// BenchmarkWrap is one call of a client, of the bare server and through `ask wrap`, in
// turn: the medians, what the median call has more, and the time that `ask` itself was on
// a processor for it, which does not wait for the disk or for other programs.
func BenchmarkWrap(b *testing.B) {
	ask := filepath.Join(released(b), "ask")
	for _, n := range []int{10, 200, 600} {
		b.Run(fmt.Sprint(n, " tools"), func(b *testing.B) {
			home := talkingOf(b, n)
			bare := exec.Command("talker")
			bare.Env = append(os.Environ(), "TALKER_LIST="+home+"/list.json", "TALKER_LOG="+home+"/log")
			wrap := exec.Command(ask, "wrap", "t")
			wrap.Env = append(os.Environ(), "ASK_HOME="+home)
			without, with := speak(b, bare), speak(b, wrap)
			without.greet("2025-11-25")
			with.greet("2025-11-25")
			with.ask(calls("0", "write", "{}")) // which starts the server
			var plain, through []time.Duration
			began := onProcessor(wrap.Process.Pid)
			b.ResetTimer()
			for b.Loop() {
				plain = append(plain, timed(without))
				through = append(through, timed(with))
			}
			if used := onProcessor(wrap.Process.Pid) - began; used > 0 {
				b.ReportMetric(float64(used.Microseconds())/1000/float64(b.N), "cpu-ms")
			}
			b.ReportMetric(median(plain), "bare-ms")
			b.ReportMetric(median(through), "wrapped-ms")
			b.ReportMetric(median(through)-median(plain), "added-ms")
		})
	}
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

// onProcessor is how long a process was on a processor, in user and system mode; 0 where
// there is no /proc.
func onProcessor(pid int) time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(b), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // ticks, of which Linux reports a hundred a second
}

func timed(s *spoken) time.Duration {
	began := time.Now()
	s.ask(calls("1", "write", "{}"))
	return time.Since(began)
}

func median(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2].Microseconds()) / 1000
}
