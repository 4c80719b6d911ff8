package session_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/host/session"
)

// The cost of an approved call next to the SDK's own CallTool: same server, same
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

// What listing again right before a call costs: calls with and without it, in
// turn. Approvals are not counted.
func BenchmarkListAgain(b *testing.B) {
	for _, way := range []string{"stdio", "streamable HTTP"} {
		for _, tools := range []string{"10 tools", "200 tools"} {
			b.Run(way+", "+tools, func(b *testing.B) {
				p := pool(b, long, ways[way](b, tools, ""))
				l := discover(b, p)
				var with, without time.Duration
				for b.Loop() {
					one, other := approve(b, l, "srv", "echo", `{"text":"hello"}`), approve(b, l, "srv", "echo", `{"text":"hello"}`)
					start := time.Now()
					_, err := p.CallUnlisted(b.Context(), one.approved, l.Tools[0], one.receipt)
					must(b, err)
					between := time.Now()
					_, _, err = p.Call(b.Context(), other.approved, other.receipt, gate.Consent{})
					must(b, err)
					without += between.Sub(start)
					with += time.Since(between)
				}
				b.ReportMetric(0, "ns/op") // of both, and the approvals
				b.ReportMetric(float64(without.Microseconds())/float64(b.N), "us/call-without")
				b.ReportMetric(float64(with.Microseconds())/float64(b.N), "us/call")
			})
		}
	}
}

// The cost of taking leave of a server over HTTP: with an answer, and without, which
// costs the grace.
func BenchmarkLeave(b *testing.B) {
	for _, name := range []string{"answered", "unanswered"} {
		s := newSite(b, "", func(_ http.ResponseWriter, r *http.Request, _ message) bool {
			if r.Method == http.MethodDelete && name == "unanswered" {
				<-r.Context().Done()
			}
			return false
		})
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				p := session.New([]session.Server{s.server()}, session.Limits{})
				must(b, discover(b, p).Err)
				b.StartTimer()
				must(b, p.Close())
			}
		})
	}
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
			if _, _, err := p.Call(b.Context(), a.approved, a.receipt, gate.Consent{}); err != nil {
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
