package host_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/runs"
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

	// A program of its own loads settings, or gives servers, allowlist and pins.
	servers, err := setup.Open(config.Settings{}, setup.Options{Demo: true})
	if err != nil {
		panic(err)
	}
	c := host.Config{
		Policy:   host.Policy{Rules: input.BuiltIn(), Allowlist: servers.Allowlist},
		Proposer: lexical.New(time.Now),
		Writer:   summarize.Extractive{},
		Traces:   runs.Dir(dir),
	}
	pool, err := servers.Connect(&c) // what was approved is listed and called
	if err != nil {
		panic(err)
	}
	defer pool.Close()
	h, err := host.New(c)
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
