package main

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
)

// tested is what `ask models test` found.
type tested struct {
	SchemaVersion int           `json:"schema_version"`
	Model         string        `json:"model"`
	OK            bool          `json:"ok"`
	Milliseconds  int64         `json:"milliseconds"`
	Said          string        `json:"said,omitempty"` // verbatim: a model's free text
	Usage         planner.Usage `json:"usage"`
	Error         *host.Failure `json:"error,omitempty"`
}

func (a *app) testModel(ctx context.Context, args []string) error {
	s, _, err := a.Settings()
	switch {
	case err != nil:
		return err
	case len(args) > 1:
		return cli.Usage(verdict.UsageArgument, "test takes one PROVIDER/MODEL")
	case len(args) == 1:
		s.Model = config.Value[string]{V: args[0], Origin: config.Origin{Kind: config.FromArgument}}
	case !setup.NamesModel(s.Model.V):
		return cli.Usage(verdict.UsageArgument, "no model is chosen: ask models test PROVIDER/MODEL")
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout.V)
	defer cancel()
	p, err := setup.Choose(s, a.Options())
	if err != nil {
		return err
	}
	if err := p.Ready(ctx); err != nil {
		return err
	}
	start := time.Now()
	said, err := tryPlan(ctx, p)
	t := tested{SchemaVersion: host.SchemaVersion, Model: p.Name, OK: err == nil, Milliseconds: time.Since(start).Milliseconds(), Said: string(said.Said), Usage: planner.Took(said.Replies)}
	if err != nil {
		t.Error = host.FailureOf(err)
	}
	return a.showTested(t, err)
}

func (a *app) showTested(t tested, err error) error {
	if a.JSON {
		a.Document(t)
		return a.EndWith(err)
	}
	if err != nil {
		if t.Said != "" {
			a.Say("it said: %s", t.Said)
		}
		return err
	}
	cost := ""
	if t.Usage.Cost != "" {
		cost = ", cost " + t.Usage.Cost
	}
	fmt.Fprintln(a.Out, guard.Line(fmt.Sprintf("%s planned a call in %d ms (%d tokens in, %d out%s)", t.Model, t.Milliseconds, t.Usage.Input, t.Usage.Output, cost), cli.MaxLine))
	return nil
}

// trial is a tool that nobody serves: the plan is approved and never redeemed.
const trial = `{"name":"look_up_word","description":"Look a word up in the dictionary.","inputSchema":{"type":"object",` +
	`"properties":{"word":{"type":"string","description":"The word to look up."}},"required":["word"],"additionalProperties":false}}`

// tryPlan has the model plan one question, and holds the plan to the gates.
func tryPlan(ctx context.Context, p setup.Planner) (planner.Proposal, error) {
	allow, err := catalog.ParseAllowlist([]byte(`{"dictionary":["look_up_word"]}`))
	if err != nil {
		return planner.Proposal{}, err
	}
	tools := catalog.Admit([]catalog.Listing{{Server: "dictionary", Tools: []pin.Descriptor{{Server: "dictionary", Raw: jsontext.Value(trial)}}}}, allow, catalog.Options{})
	q, err := input.Admit(input.Asked{Words: `Look up the word "lattice" in the dictionary.`}, input.BuiltIn())
	if err != nil {
		return planner.Proposal{}, err
	}
	said, err := p.Propose(ctx, q, tools)
	if err != nil {
		return said, err
	}
	proposed, err := plan.Parse(said.Said)
	if err != nil {
		return said, err
	}
	if proposed.Declines() {
		return said, verdict.Fail(verdict.ModelReply, nil, "it declined to plan: %.200s", proposed.Answer())
	}
	_, err = gate.New(gate.Options{}).Approve(gate.Asked{Query: q}, tools, proposed)
	return said, err
}
