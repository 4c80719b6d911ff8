package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/cmd/cli/clitest"
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

// BenchmarkWrap is one call of a client, of the bare server and through `ask wrap`:
// the median, and what the median call has more.
func BenchmarkWrap(b *testing.B) {
	ask := filepath.Join(released(b), "ask")
	for _, n := range []int{10, 200, 600} {
		b.Run(fmt.Sprint(n, " tools"), func(b *testing.B) {
			home := b.TempDir()
			clitest.Write(b, home, "list.json", manyTools(n))
			clitest.Write(b, home, "mcp.json", fmt.Sprintf(`{"mcpServers":{"t":{"command":"talker","env":{"TALKER_LIST":%q,"TALKER_LOG":%q,"GORACE":%q}}}}`, home+"/list.json", home+"/log", clitest.AtOnce))
			var names []string
			for i := 1; i < n; i++ {
				names = append(names, fmt.Sprintf("tool_%d", i))
			}
			text, err := json.Marshal(map[string]any{"t": map[string]any{"read": append(names, "write")}})
			if err != nil {
				b.Fatal(err)
			}
			clitest.Write(b, home, "allowlist.json", string(text))
			clitest.Trust(b, home)
			bare := exec.Command("talker")
			bare.Env = append(os.Environ(), "TALKER_LIST="+home+"/list.json", "TALKER_LOG="+home+"/log")
			wrap := exec.Command(ask, "wrap", "t")
			wrap.Env = append(os.Environ(), "ASK_HOME="+home)
			without, with := speak(b, bare), speak(b, wrap)
			without.greet("2025-11-25")
			with.greet("2025-11-25")
			with.ask(calls("0", "write", "{}")) // which starts the server
			var plain, through []time.Duration
			b.ResetTimer()
			for b.Loop() {
				plain = append(plain, timed(without))
				through = append(through, timed(with))
			}
			b.ReportMetric(median(plain), "bare-ms")
			b.ReportMetric(median(through), "wrapped-ms")
			b.ReportMetric(median(through)-median(plain), "added-ms")
		})
	}
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
