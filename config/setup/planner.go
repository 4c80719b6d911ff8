package setup

import (
	"cmp"
	"context"
	"net"
	"strings"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/keys"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
	"github.com/onestep-run/onestep/summarize"
)

// Embedded is the name of the planner inside the binary.
const Embedded = "embedded"

// NamesModel reports whether a setting names a language model instead of the embedded
// planner.
func NamesModel(name string) bool { return name != "" && name != Embedded }

// Planner is the planner, with its name in the trace.
type Planner struct {
	host.Proposer
	Name  string
	Chat  planner.Chat // the model, if one plans
	ready func(context.Context) error
}

// Choose returns the embedded planner, unless a flag, ASK_MODEL or the configuration
// names a model. A model's key in the environment chooses nothing, and is not read
// here.
func Choose(s config.Settings, o Options) (Planner, error) {
	if NamesModel(s.Model.V) {
		return modelPlanner(s, o)
	}
	p := lexical.New(o.Clock())
	if o.Explain != nil {
		return Planner{Proposer: explained{p, o.Explain}, Name: Embedded}, nil
	}
	return Planner{Proposer: p, Name: Embedded}, nil
}

func modelPlanner(s config.Settings, o Options) (Planner, error) {
	cfg, err := modelConfig(s, o)
	if err != nil {
		return Planner{}, err
	}
	client, err := model.New(cfg)
	if err != nil {
		return Planner{}, err
	}
	asked, now := waitedChat{client, cfg.Provider + "/" + cfg.Model, o.Waits}, o.Clock()
	p := planner.Model{
		Chat: asked, Rank: lexical.New(now).Rank, Today: now().Format(time.DateOnly), MaxData: s.MaxPrompt.V,
		Narrow: s.Constrain.V == config.ConstrainArguments, SuggestMarked: s.ModelMarks.V == config.MarksSuggest,
	}
	return Planner{Proposer: p, Name: asked.name, Chat: asked, ready: client.Ready}, nil
}

// Ready finds a model's key, and reports an error with it. It does not ask the model.
func (p Planner) Ready(ctx context.Context) error {
	if p.ready == nil {
		return nil
	}
	return p.ready(ctx)
}

// Writer returns the writer of summaries: the embedded writer, unless the
// configuration assigns that to the model, too.
func (p Planner) Writer(s config.Settings, level summarize.Level) (host.Writer, error) {
	switch {
	case s.Writer.V != "model":
		return summarize.Extractive{}, nil
	case p.Chat == nil:
		return nil, verdict.Fail(verdict.ModelUnconfigured, nil, "writer is %q (%s), and no model is chosen", s.Writer.V, s.Writer.Origin)
	}
	return summarize.Model{Chat: p.Chat, Level: level}, nil
}

// explained is the embedded planner that also explains its choice.
type explained struct {
	*lexical.Proposer
	tell func(lexical.Explanation)
}

// Propose explains, then proposes.
func (e explained) Propose(ctx context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error) {
	e.tell(e.Explain(q, c))
	return e.Proposer.Propose(ctx, q, c)
}

// modelConfig finds the address of the named model, and where to look for its key when
// the model is asked.
func modelConfig(s config.Settings, o Options) (model.Config, error) {
	provider, which, err := ModelNamed(s.Model, o)
	if err != nil {
		return model.Config{}, err
	}
	e := EndpointOf(provider, o)
	if err := e.Check(); err != nil {
		return model.Config{}, err
	}
	constrain := model.Constraint(s.Constrain.V)
	if s.Constrain.V == config.ConstrainArguments { // the planner's schema is stricter; the request is the same
		constrain = model.Schema
	}
	return model.Config{
		Provider: provider, BaseURL: e.Address, Model: which.V, FindKey: e.Key,
		Timeout: s.ModelTimeout.V, MaxTokens: s.MaxOutput.V, Constrain: constrain, Sampling: model.Sampling(s.Sampling.V),
		Origins: e.origins(which.Origin.String()),
	}, nil
}

// ModelNamed splits "provider/model". For "openai" alone, LLM_MODEL names the model.
func ModelNamed(name config.Value[string], o Options) (provider string, which config.Value[string], err error) {
	which.Origin = name.Origin
	if name.V == "openai" {
		which = config.Value[string]{V: o.Env.Get("LLM_MODEL"), Origin: config.Origin{Kind: config.FromVariable, Name: "LLM_MODEL"}}
		if which.V == "" {
			return "", which, verdict.Fail(verdict.ModelUnconfigured, nil, `"openai" alone (%s) takes the model's name from LLM_MODEL, which is not set`, name.Origin)
		}
		return name.V, which, nil
	}
	provider, which.V, _ = model.Named(name.V)
	if provider == "" {
		return "", which, verdict.Fail(verdict.ModelUnconfigured, nil, "%.256q (%s) is not openai/MODEL, anthropic/MODEL or ollama/MODEL", name.V, name.Origin).
			WithHint("`ask models list` shows the providers; any endpoint with OpenAI's format is openai/MODEL, with its address in LLM_BASE_URL")
	}
	return provider, which, nil
}

// Providers are the supported names of providers.
func Providers() []string { return []string{"openai", "anthropic", "ollama"} }

// Endpoint is the address of a provider's model, and the place of its key. A key goes
// only to the endpoint that it was set for: OPENAI_API_KEY never goes to LLM_BASE_URL.
type Endpoint struct {
	Provider string
	Address  string // "" means the provider's own
	Variable string // the variable that has the address, or can have it
	Slot     keys.Slot
	env      config.Environ
}

// EndpointOf returns the endpoint of a provider in this environment.
func EndpointOf(provider string, o Options) Endpoint {
	e := Endpoint{Provider: provider, env: o.environ()}
	switch provider {
	case "openai":
		e.Variable, e.Slot.Variable = "OPENAI_BASE_URL", "OPENAI_API_KEY"
		if o.Env.Get("LLM_BASE_URL") != "" {
			e.Variable, e.Slot.Variable = "LLM_BASE_URL", "LLM_API_KEY"
		}
	case "anthropic":
		e.Variable, e.Slot.Variable = "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"
	case "ollama":
		e.Variable = "OLLAMA_HOST"
	}
	e.Address = o.Env.Get(e.Variable)
	if provider == "ollama" {
		e.Address = ollamaURL(e.Address)
	}
	e.Slot.Address = strings.TrimRight(e.Address, "/")
	return e
}

// Check refuses an address that no client may ask, such as one with a password. It
// runs before the address is shown or becomes part of a keyring's account.
func (e Endpoint) Check() error {
	_, err := model.New(model.Config{Provider: e.Provider, BaseURL: e.Address, Model: "any", APIKey: "any", Origins: e.origins("")})
	return err
}

// Key looks for the endpoint's key, if it has one.
func (e Endpoint) Key(ctx context.Context) (model.Found, error) {
	if e.Slot.Variable == "" {
		return model.Found{}, nil
	}
	return e.Slot.Find(ctx, e.env)
}

func (e Endpoint) origins(ofModel string) model.Origins {
	o := model.Origins{Model: ofModel, SetAddress: e.Variable, SetKey: "LLM_API_KEY, as openai/MODEL at LLM_BASE_URL: " + e.Provider + " is asked without one"}
	if e.Address != "" {
		o.Address = "variable " + e.Variable
	} else if e.Provider == "openai" {
		o.SetAddress += " or LLM_BASE_URL"
	}
	if e.Slot.Variable != "" {
		o.SetKey = e.Slot.Variable + ", " + e.Slot.FileVariable() + " or `ask models key set " + e.Provider + "`"
	}
	return o
}

// Where names the endpoint in a message. The endpoint must have passed Check.
func (e Endpoint) Where() string {
	if e.Address == "" {
		return e.Provider + "'s own address"
	}
	return e.Address + " (" + e.Variable + ")"
}

// ollamaURL returns the URL for OLLAMA_HOST, which is an address with or without a
// scheme. Without a scheme it may lack a port or a host, which then are Ollama's
// defaults.
func ollamaURL(address string) string {
	if address == "" || strings.Contains(address, "://") {
		return address
	}
	at, path, _ := strings.Cut(address, "/")
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		host, port = strings.Trim(at, "[]"), "11434"
	}
	return "http://" + net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port) + strings.TrimRight("/"+path, "/")
}
