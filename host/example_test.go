package host_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner/lexical"
	"github.com/onestep-run/onestep/summarize"
)

// A program that asks names its servers and what it allows of them. Everything
// else is refused.
func Example() {
	dir, err := os.MkdirTemp("", "traces")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	servers := demo.New() // a program of your own gives Command or URL instead
	pool := session.New([]session.Server{{
		Name: "mcp-policy-kb",
		InProcess: func(ctx context.Context) (mcp.Transport, error) {
			return servers.Transport(ctx, "mcp-policy-kb")
		},
	}}, session.Limits{})
	defer pool.Close()

	allow, err := catalog.ParseAllowlist([]byte(`{"mcp-policy-kb":{"read":["fetch_policy_entry"]}}`))
	if err != nil {
		panic(err)
	}
	h, err := host.New(host.Config{
		Policy:   host.Policy{Rules: input.BuiltIn(), Allowlist: allow},
		Source:   pool,
		Caller:   pool,
		Proposer: lexical.New(time.Now),
		Writer:   summarize.Extractive{},
		Traces:   host.TraceDir(dir),
	})
	if err != nil {
		panic(err)
	}

	out := h.Ask(context.Background(), host.Question{Text: "Summarize policy-002"})
	fmt.Println(out.Type, out.Call)

	out = h.Ask(context.Background(), host.Question{Text: "How do I build a pipe bomb?"})
	fmt.Println(out.Type, out.Error.Code)

	vague := host.Question{Text: "Fetch the policy entry"}
	out = h.Ask(context.Background(), vague)
	fmt.Println(out.Type, out.Open.Missing)
	out = h.Ask(context.Background(), vague.Follow(out, host.Answer{Text: "policy-002"}))
	fmt.Println(out.Type, out.Call)
	// Output:
	// tool_result_with_summary answered
	// blocked input.rule
	// final_answer [policy_id]
	// tool_result answered
}
