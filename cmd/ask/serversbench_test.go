package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// BenchmarkServers is whole processes with so many servers that are configured
// and approved, each another place. One of them fits the question. With --live
// all are asked as well, as without approvals they had to be.
func BenchmarkServers(b *testing.B) {
	ask := filepath.Join(released(b), "ask")
	for _, n := range []int{1, 10, 50} {
		home := b.TempDir()
		servers, allowed := officeOf(n, ask)
		clitest.Write(b, home, "mcp.json", servers)
		clitest.Write(b, home, "allowlist.json", allowed)
		clitest.Trust(b, home)
		for name, flags := range map[string][]string{"approved": nil, "live": {"--live"}} {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				clitest.Write(b, home, "started", "")
				for b.Loop() {
					cmd := exec.CommandContext(b.Context(), ask, append(flags, "--no-input", "-q", "Get ticket INC0010001")...)
					cmd.Env = append(os.Environ(), "ASK_HOME="+home)
					if out, err := cmd.CombinedOutput(); err != nil {
						b.Fatalf("%v: %s", err, out)
					}
				}
				started, err := os.ReadFile(filepath.Join(home, "started"))
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(bytes.Count(started, []byte("x")))/float64(b.N), "servers/op")
			})
		}
	}
}

// officeOf are a servers file and an allowlist: one server of tickets, and the
// rest of policies. Each notes in a file that it was started.
func officeOf(n int, ask string) (servers, allowed string) {
	var entries, tools []string
	for i := range n {
		which, tool := "mcp-policy-kb", "fetch_policy_entry"
		if i == 0 {
			which, tool = "mcp-servicenow", "get_ticket"
		}
		name, line := strconv.Quote("s"+strconv.Itoa(i)), strconv.Quote("echo x >> started; exec "+ask+" demo serve "+which)
		entries = append(entries, fmt.Sprintf(`%s:{"command":"sh","args":["-c",%s],"env":{"NUMBER":"%d"}}`, name, line, i))
		tools = append(tools, fmt.Sprintf(`%s:{"read":[%q]}`, name, tool))
	}
	return `{"mcpServers":{` + strings.Join(entries, ",") + `}}`, "{" + strings.Join(tools, ",") + "}"
}
