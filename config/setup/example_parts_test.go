package setup_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/trust"
	"github.com/onestep-run/onestep/planner"
)

// deletes plans one thing. What it says is not trusted: the gates read it as they
// read what a model says.
type deletes struct{}

func (deletes) Propose(_ context.Context, q input.Query, _ catalog.Catalog) (planner.Proposal, error) {
	id, found := strings.CutPrefix(q.Words(), "Delete ")
	if !found {
		return planner.Proposal{Said: plan.Decline("I delete policies, and nothing else.")}, nil
	}
	return planner.Proposal{Said: plan.Call("kb", "delete_policy_entry", fmt.Appendf(nil, `{"policy_id":%q}`, id))}, nil
}

// keeper approves what the rules of its house allow.
type keeper struct{}

func (keeper) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	if r.Question.Subject != "ada" {
		return gate.Yes{}, verdict.Deny(verdict.ApprovalRefused, "%s deletes nothing", r.Question.Subject)
	}
	return gate.Yes{Approval: r.Digest, By: "the keeper", How: gate.ByDigest}, nil
}

// memory has traces for as long as the program runs.
type memory struct{ runs sync.Map }

func (m *memory) Create(_ context.Context, runID string) (host.TraceSink, string, error) {
	t := &recorded{}
	m.runs.Store(runID, t)
	return t, "", nil
}

type recorded struct{ bytes.Buffer }

func (*recorded) Sync() error  { return nil } // where a record has to outlive the program: once it is stored
func (*recorded) Close() error { return nil }

// A host of a program's own parts reads and writes no file. Servers, allowlist, pins
// and key are values; secrets come from a function.
func Example_parts() {
	policies := demo.New()
	remote := serve(policies, "s3cret")
	defer remote.Close()
	vault := func(name string) (string, bool) {
		value, known := map[string]string{"KB_URL": remote.URL, "KB_TOKEN": "s3cret", "KB_KEY": "thirty-two bytes, best random..."}[name]
		return value, known
	}
	key, _ := vault("KB_KEY")

	servers, err := config.NewServers("/", map[string]config.Spec{
		"kb": {URL: "${KB_URL}", Headers: map[string]string{"Authorization": "Bearer ${KB_TOKEN}"}},
	})
	if err != nil {
		panic(err)
	}
	allow, err := catalog.ParseAllowlist([]byte(`{"kb": {"write": ["delete_policy_entry"]}}`))
	if err != nil {
		panic(err)
	}
	pins, err := trust.ParseFile(exported(servers, "kb")) // what `ask servers export` printed
	if err != nil {
		panic(err)
	}
	h, err := setup.Host(config.Settings{}, setup.Options{
		Env: vault, Approver: keeper{},
		Parts: setup.Parts{
			Registry: servers, Allowlist: &allow, Pins: pins, Key: new(pin.Key([]byte(key))),
			Proposer: deletes{}, Planner: "deletes", Traces: &memory{},
		},
	})
	if err != nil {
		panic(err)
	}
	defer h.Close()

	before := len(policies.Policies.All())
	for _, q := range []host.Question{
		{Text: "Delete policy-002", Subject: "mallory"},
		{Text: "Delete policy-002", Subject: "ada"},
		{Text: "What does policy-002 say?", Subject: "ada"},
	} {
		out := h.Ask(context.Background(), q)
		fmt.Println(out.Type, out.Call, before-len(policies.Policies.All()), "deleted")
	}
	// Output:
	// blocked none 0 deleted
	// tool_result answered 1 deleted
	// final_answer none 1 deleted
}
