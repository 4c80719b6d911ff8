package desk

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
)

// Model is one provider. A key is never shown.
type Model struct {
	Provider     string        `json:"provider"`
	Address      string        `json:"address"`                 // "" is the provider's own
	AddressError *host.Failure `json:"address_error,omitempty"` // why it cannot be asked, and is not shown
	HasKey       bool          `json:"has_key"`
	KeyOrigin    string        `json:"key_origin,omitempty"`
	KeyNote      string        `json:"key_note,omitempty"`  // why a keyring gave none
	KeyError     *host.Failure `json:"key_error,omitempty"` // why no key can be had
	Chosen       string        `json:"chosen,omitempty"`    // the model's name, where it is this provider's
	Origin       string        `json:"origin,omitempty"`
}

// Models are the providers, and which one is chosen.
func (d Desk) Models(ctx context.Context) []Model {
	all := []Model{}
	for _, provider := range setup.Providers() {
		all = append(all, d.model(ctx, provider))
	}
	return all
}

func (d Desk) model(ctx context.Context, provider string) Model {
	e, r := setup.EndpointOf(provider, d.With), Model{Provider: provider}
	if err := e.Check(); err != nil {
		r.AddressError = host.FailureOf(err)
	} else if key, err := e.Key(ctx); err != nil {
		r.Address, r.KeyError = e.Address, host.FailureOf(err)
	} else {
		r.Address, r.HasKey, r.KeyOrigin, r.KeyNote = e.Address, key.Key != "", key.Origin, key.Note
	}
	if chosen, which, err := setup.ModelNamed(d.Settings.Model, d.With); err == nil && chosen == provider {
		r.Chosen, r.Origin = which.V, which.Origin.String()
	}
	return r
}

// TestedModel is what a test of a model found.
type TestedModel struct {
	SchemaVersion int           `json:"schema_version"`
	Model         string        `json:"model"`
	OK            bool          `json:"ok"`
	Milliseconds  int64         `json:"milliseconds"`
	Said          string        `json:"said,omitempty"` // verbatim: a model's free text
	Usage         planner.Usage `json:"usage"`
	Error         *host.Failure `json:"error,omitempty"`
}

// TestModel has the chosen model plan one small question. The result is empty where
// it was not asked.
func (d Desk) TestModel(ctx context.Context) (TestedModel, error) {
	s := d.Settings
	ctx, cancel := context.WithTimeout(ctx, s.Timeout.V)
	defer cancel()
	p, err := setup.Choose(s, d.With)
	if err != nil {
		return TestedModel{}, err
	}
	if err := p.Ready(ctx); err != nil {
		return TestedModel{}, overtime(ctx, err)
	}
	start := time.Now()
	said, err := tryPlan(ctx, p)
	err = overtime(ctx, err)
	return TestedModel{
		SchemaVersion: host.SchemaVersion, Model: p.Name, OK: err == nil, Milliseconds: time.Since(start).Milliseconds(),
		Said: string(said.Said), Usage: planner.Took(said.Replies), Error: host.FailureOf(err),
	}, err
}

// overtime is the error of a test whose own time is over: that is not the limit of
// one completion, which a model's error names.
func overtime(ctx context.Context, err error) error {
	if err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	f := verdict.Fail(verdict.RunTimeout, err, "the model did not plan within the time of the test (timeout)")
	f.Hint = "raise timeout in config.toml, or give --timeout"
	return f
}

// trial is a tool that no server has: the plan is approved and never redeemed.
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
		return said, verdict.Fail(verdict.ModelReply, nil, "it declined to plan, and asked for more information")
	}
	_, err = gate.New(gate.Options{}).Approve(gate.Asked{Query: q}, tools, proposed)
	return said, err
}

// Used is what became of a choice of who plans.
type Used struct {
	SchemaVersion int    `json:"schema_version"`
	Model         string `json:"model"`
	File          string `json:"file"`
	Changed       bool   `json:"changed"`
	OutrankedBy   string `json:"outranked_by,omitempty"` // the variable or flag that decides instead
	Address       string `json:"address,omitempty"`      // that is asked; left out for the embedded planner and a provider's own
}

// UseModel writes who plans into the user's configuration, and gives the endpoint
// of a model. It needs no settings that can be read, and asks nothing of the model.
// "openai" alone is a name too: LLM_MODEL completes it when a question is asked.
func UseModel(name string, flags config.Flags, o setup.Options) (u Used, e setup.Endpoint, err error) {
	provider, err := providerOf(name, o)
	if err != nil {
		return u, e, err
	}
	paths, err := config.FindPaths(o.Env)
	if err != nil {
		return u, e, err
	}
	u = Used{SchemaVersion: host.SchemaVersion, Model: name, File: config.UserFile(paths, flags)}
	if u.Changed, err = config.SetModel(u.File, name); err != nil {
		return u, e, err
	}
	s, err := config.Load(paths, o.Env, flags)
	if err == nil && s.Model.Origin.Named() {
		u.OutrankedBy = s.Model.Origin.String()
	}
	return u, setup.EndpointOf(provider, o), err
}

// providerOf is the provider of a name that can be written into the
// configuration; the embedded planner has none.
func providerOf(name string, o setup.Options) (provider string, err error) {
	if name == "openai" || name == setup.Embedded {
		return strings.TrimPrefix(name, setup.Embedded), nil
	}
	provider, _, err = setup.ModelNamed(config.Value[string]{V: name, Origin: config.Origin{Kind: config.FromArgument}}, o)
	return provider, err
}
