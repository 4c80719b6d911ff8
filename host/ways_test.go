package host_test

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/proxy"
)

// The two ways are walked alone, with the coverage of host, by TestWays of the module's
// root: docs/internals/architecture.md lists the functions that they pass.

func TestTheWayOfAQuestion(t *testing.T) {
	b, _ := writing(t, fetchWrites)
	b.config.Approver = person(func(r host.Request) (gate.Yes, error) {
		return gate.Yes{Approval: r.Digest, By: "ada", How: gate.AtTerminal}, nil
	})
	out := b.ask(t, "Summarize policy-002")
	if out.Type != host.ToolResultWithSummary || out.Approval.By != "ada" || b.calls() != 1 {
		t.Errorf("%s %+v, %d calls", out.Type, out.Error, b.calls())
	}
}

func TestTheWayOfAWrappedCall(t *testing.T) {
	b, kept := writing(t, writes1)
	h, err := host.New(b.config)
	if err != nil {
		t.Fatal(err)
	}
	in, client := io.Pipe()
	answers, out := io.Pipe()
	var once sync.Once
	approve := decides(t, kept, approval.Approved, gate.ByDigest)
	done := make(chan error, 1)
	go func() {
		done <- proxy.Serve(context.WithoutCancel(t.Context()), in, out, proxy.Options{
			Host: h, Server: "mcp-policy-kb", Conversation: "c1", Hold: time.Minute,
			Waiting: func(w inbox.Holding) { once.Do(func() { go approve(w) }) },
		})
	}()
	lines := bufio.NewReader(answers)
	ask := func(message string) string {
		if _, err := io.WriteString(client, message+"\n"); err != nil {
			t.Fatal(err)
		}
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	got := ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_policy_entry","arguments":{"policy_id":"policy-002"}}}`)
	if !strings.Contains(got, `"`+proxy.MetaVerdict+`":"allow"`) || b.calls() != 1 {
		t.Errorf("%d calls, %s", b.calls(), got)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
