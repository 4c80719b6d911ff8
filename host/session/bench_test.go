package session_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/host/session"
)

// What an approved call costs beside the SDK's own CallTool: same server, same
// transport, same arguments. Approvals are made before the clock runs.

func BenchmarkCallStdio(b *testing.B) {
	s := stdio(b, "", "")
	benchmark(b, s, func(context.Context) (mcp.Transport, error) {
		cmd := exec.Command(s.Command)
		cmd.Env = append(os.Environ(), role+"=", "FAKE_LOG=")
		return &mcp.CommandTransport{Command: cmd}, nil
	})
}

func BenchmarkCallInMemory(b *testing.B) {
	s := piped("", "")
	benchmark(b, s, s.InProcess)
}

func benchmark(b *testing.B, s session.Server, bare func(context.Context) (mcp.Transport, error)) {
	const args = `{"text":"hello"}`
	b.Run("onestep", func(b *testing.B) {
		p := pool(b, long, s)
		l := discover(b, p)
		approvals := make([]approval, b.N)
		for i := range approvals {
			approvals[i] = approve(b, l, "srv", "echo", args)
		}
		b.ReportAllocs()
		b.ResetTimer()
		for _, a := range approvals {
			if _, _, err := p.Call(b.Context(), a.approved, a.receipt); err != nil {
				b.Fatal(err)
			}
		}
		b.StopTimer()
	})
	b.Run("bare SDK", func(b *testing.B) {
		t, err := bare(b.Context())
		must(b, err)
		c := mcp.NewClient(&mcp.Implementation{Name: "bench"}, nil)
		cs, err := c.Connect(b.Context(), t, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		must(b, err)
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			if _, err := cs.CallTool(b.Context(), &mcp.CallToolParams{Name: "echo", Arguments: json.RawMessage(args)}); err != nil {
				b.Fatal(err)
			}
		}
		b.StopTimer()
		must(b, cs.Close())
	})
}
