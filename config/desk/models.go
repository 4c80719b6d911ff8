package desk

import (
	"cmp"
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
	Address      string        `json:"address"`                 // "" means the provider's own
	AddressError *host.Failure `json:"address_error,omitempty"` // why the address can neither be asked nor shown
	HasKey       bool          `json:"has_key"`
	KeyOrigin    string        `json:"key_origin,omitempty"`
	KeyNote      string        `json:"key_note,omitempty"`  // why a keyring gave no key
	KeyError     *host.Failure `json:"key_error,omitempty"` // why there is no key
	Chosen       string        `json:"chosen,omitempty"`    // the model's name, if it is this provider's
	Origin       string        `json:"origin,omitempty"`
}

// Models are the providers, and the chosen one.
func (d Desk) Models(ctx context.Context) []Model {
	all := []Model{}
	for _, provider := range setup.Providers() {
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
		all = append(all, r)
	}
	return all
}

// TestedModel is the result of a test of a model.
type TestedModel struct {
	SchemaVersion int           `json:"schema_version"`
	Model         string        `json:"model"`
	OK            bool          `json:"ok"`
	Milliseconds  int64         `json:"milliseconds"`
	Said          string        `json:"said,omitempty"` // verbatim: a model's free text
	Usage         planner.Usage `json:"usage"`
	Error         *host.Failure `json:"error,omitempty"`
}

// TestModel makes the chosen model plan one small question. The result is empty if the model
// was not asked.
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

// overtime is the error of a test that exceeded its time. The limit of one completion is
// another one, which a model's error names.
func overtime(ctx context.Context, err error) error {
	if err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	return verdict.Fail(verdict.RunTimeout, err, "the model did not plan within the time of the test (timeout)").
		WithHint("raise timeout in config.toml, or give --timeout")
}

// trial is a tool that no server has: its plan is approved and never redeemed.
const trial = `{"name":"look_up_word","description":"Look a word up in the dictionary.","inputSchema":{"type":"object",` +
	`"properties":{"word":{"type":"string","description":"The word to look up."}},"required":["word"],"additionalProperties":false}}`

// tryPlan makes the model plan one question, and checks the plan with the gates.
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

// Used is the result of the choice of a planner.
type Used struct {
	SchemaVersion int    `json:"schema_version"`
	Model         string `json:"model"`
	File          string `json:"file"`
	Changed       bool   `json:"changed"`
	OutrankedBy   string `json:"outranked_by,omitempty"` // the variable or flag that decides instead
	Address       string `json:"address,omitempty"`      // empty for the embedded planner and a provider's own
}

// UseModel writes the planner into the user's configuration, and returns the endpoint of a
// model. It does not need readable settings, and sends nothing to the model. "openai" alone
// is a name too: LLM_MODEL completes it when a question is asked.
func UseModel(name string, flags config.Flags, o setup.Options) (u Used, e setup.Endpoint, err error) {
	provider, err := providerOf(name, o)
	if err != nil {
		return u, e, err
	}
	set, wrong, err := written("model", flags, o, func(file string) (bool, error) { return config.SetModel(file, name) })
	u = Used{SchemaVersion: host.SchemaVersion, Model: name, File: set.File, Changed: set.Changed, OutrankedBy: set.OutrankedBy}
	return u, setup.EndpointOf(provider, o), cmp.Or(err, wrong)
}

// providerOf is the provider of a name for the configuration, "" for the embedded planner.
func providerOf(name string, o setup.Options) (provider string, err error) {
	if name == "openai" || name == setup.Embedded {
		return strings.TrimPrefix(name, setup.Embedded), nil
	}
	provider, _, err = setup.ModelNamed(config.Value[string]{V: name, Origin: config.Origin{Kind: config.FromArgument}}, o)
	return provider, err
}

// Set is the result of writing a setting.
type Set struct {
	SchemaVersion int    `json:"schema_version"`
	Key           string `json:"key"`
	File          string `json:"file"`
	Changed       bool   `json:"changed"`
	OutrankedBy   string `json:"outranked_by,omitempty"` // the variable or flag that decides instead
}

// SetSetting writes a setting into the user's configuration. It does not need readable
// settings.
func SetSetting(key, value string, flags config.Flags, o setup.Options) (set Set, err error) {
	if key == "model" {
		if _, err := providerOf(value, o); err != nil {
			return set, err
		}
	}
	// What else is wrong with the written settings is reported when they are used.
	set, _, err = written(key, flags, o, func(file string) (bool, error) { return config.Set(file, key, value) })
	return set, err
}

// written writes a setting, and reads the settings again. wrong is the error of reading.
func written(key string, flags config.Flags, o setup.Options, write func(file string) (bool, error)) (set Set, wrong, err error) {
	paths, err := config.FindPaths(o.Env)
	if err != nil {
		return set, nil, err
	}
	set = Set{SchemaVersion: host.SchemaVersion, Key: key, File: config.UserFile(paths, flags)}
	if set.Changed, err = write(set.File); err != nil {
		return set, nil, err
	}
	s, wrong := config.Load(paths, o.Env, flags)
	if shown := s.Lookup(key); len(shown) == 1 && shown[0].Origin.Named() { // several values are added up
		set.OutrankedBy = shown[0].Origin.String()
	}
	return set, wrong, nil
}
