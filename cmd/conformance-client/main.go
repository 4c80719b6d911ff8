// Command conformance-client is the client that the official MCP conformance
// suite tests. It is a consumer of onestep like any other: every scenario is one
// question, or a few in turn, each with an operator's own plan, and goes through
// the same gates, the same session and onto a trace of its own. Nothing is bent
// to please the suite.
//
// The suite names the scenario in MCP_CONFORMANCE_SCENARIO and gives the
// server's address as the only argument. The last outcome goes to stdout. The exit
// code is 0 where every question ended as the table says, which for some is with
// a refusal: see scenarios.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
)

// server is what the allowlist calls the server under the given address.
const server = "referee"

// limits end a scenario before the suite does, which waits for 30 s.
var limits = session.Limits{CallTimeout: 5 * time.Second}

func main() {
	if err := run(context.Background(), os.Args[1:], os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "conformance-client:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, name string, stdout io.Writer) error {
	questions, known := scenarios[name]
	authorization := strings.HasPrefix(name, "auth/")
	if len(args) != 1 || !known && !authorization {
		return fmt.Errorf("usage: MCP_CONFORMANCE_SCENARIO=NAME conformance-client URL; it has no scenario %q", name)
	}
	traces, err := os.MkdirTemp("", "conformance-client-")
	if err != nil {
		return err
	}
	var out host.Outcome
	if authorization {
		out, err = runLogin(ctx, args[0], name, traces, runs.Dir(traces))
	} else {
		pool := session.New([]session.Server{{Name: server, URL: args[0]}}, limits)
		out, err = playAll(ctx, questions, pool, runs.Dir(traces), name)
		err = errors.Join(err, pool.Close())
	}
	if err := errors.Join(err, os.RemoveAll(traces)); err != nil {
		return err
	}
	return json.MarshalWrite(stdout, out, jsontext.Multiline(true))
}

// playAll asks one question after the other, and gives the last outcome.
func playAll(ctx context.Context, questions []scenario, pool *session.Pool, traces host.Traces, name string) (out host.Outcome, err error) {
	for _, s := range questions {
		if out, err = s.play(ctx, pool, traces, name); err != nil {
			return out, err
		}
		if ended := ending(out); ended != s.ends {
			return out, fmt.Errorf("scenario %s, tool %s, ended with %q, not with %q", name, s.tool, ended, s.ends)
		}
	}
	return out, nil
}

// play asks the scenario's question. The operator looks at the server first,
// as with `ask tools`, because a plan may quote what it lists.
func (s scenario) play(ctx context.Context, pool *session.Pool, traces host.Traces, name string) (host.Outcome, error) {
	args, err := s.args(pool.Discover(ctx, "", []string{server})[0])
	if err != nil {
		return host.Outcome{}, err
	}
	allow, err := catalog.ParseAllowlist(fmt.Appendf(nil, "{%q: {\"read\": [%q]}}", server, s.tool))
	if err != nil {
		return host.Outcome{}, err
	}
	h, err := host.New(host.Config{
		Policy:   host.Policy{Rules: input.BuiltIn(), Allowlist: allow},
		Source:   pool,
		Caller:   pool,
		Proposer: planner.Constant(nil), // the question brings its plan
		Writer:   summarize.Extractive{},
		Traces:   traces,
	})
	if err != nil {
		return host.Outcome{}, err
	}
	return h.Ask(ctx, host.Question{Text: "conformance scenario " + name, Plan: plan.Call(server, s.tool, args)}), nil
}

// ending is the code that an outcome ended with, "" where it has an answer.
func ending(out host.Outcome) verdict.Code {
	if out.Error == nil {
		return ""
	}
	return out.Error.Code
}
