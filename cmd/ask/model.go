package main

import (
	"cmp"
	"context"
	"net"
	"strings"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/keys"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
)

// modelPlanner plans with the language model that was named.
func (a *app) modelPlanner(ctx context.Context, s config.Settings) (proposer, error) {
	cfg, err := a.modelConfig(ctx, s)
	if err != nil {
		return proposer{}, err
	}
	client, err := model.New(cfg)
	if err != nil {
		return proposer{}, err
	}
	p := planner.Model{Chat: client, Rank: lexical.New(time.Now).Rank, Today: time.Now().Format(time.DateOnly), MaxData: s.MaxPrompt.V}
	return proposer{Proposer: p, name: cfg.Provider + "/" + cfg.Model, chat: client}, nil
}

// modelConfig finds the address and the key of the model that was named.
func (a *app) modelConfig(ctx context.Context, s config.Settings) (model.Config, error) {
	provider, which, err := a.modelNamed(s.Model)
	if err != nil {
		return model.Config{}, err
	}
	e := a.endpoint(provider)
	if err := e.check(); err != nil {
		return model.Config{}, err
	}
	key, err := e.key(ctx, a.env)
	if err != nil {
		return model.Config{}, err
	}
	return model.Config{
		Provider: provider, BaseURL: e.address, Model: which.V, APIKey: key.Key,
		Timeout: s.ModelTimeout.V, Constrain: model.Constraint(s.Constrain.V), Sampling: model.Sampling(s.Sampling.V),
		Origins: e.origins(which.Origin, key),
	}, nil
}

// modelNamed splits "provider/model". For "openai" alone LLM_MODEL says which.
func (a *app) modelNamed(name config.Value[string]) (provider string, which config.Value[string], err error) {
	which.Origin = name.Origin
	if name.V == "openai" {
		which = config.Value[string]{V: a.get("LLM_MODEL"), Origin: "variable LLM_MODEL"}
		if which.V == "" {
			return "", which, verdict.Fail(verdict.ModelUnconfigured, nil, `"openai" alone (%s) takes the model's name from LLM_MODEL, which is not set`, name.Origin)
		}
		return name.V, which, nil
	}
	provider, which.V, _ = model.Named(name.V)
	if provider == "" {
		f := verdict.Fail(verdict.ModelUnconfigured, nil, "%.256q (%s) is not openai/MODEL, anthropic/MODEL or ollama/MODEL", name.V, name.Origin)
		f.Hint = "`ask models list` shows the providers; whatever speaks OpenAI's format is openai/MODEL, with its address in LLM_BASE_URL"
		return "", which, f
	}
	return provider, which, nil
}

// providers are the ones that can be named.
var providers = []string{"openai", "anthropic", "ollama"}

// endpoint is where a provider's model is asked, and where its key is kept. A
// key goes to the endpoint that it was set for: OPENAI_API_KEY never to
// LLM_BASE_URL.
type endpoint struct {
	provider string
	address  string // "" is the provider's own
	variable string // that the address is from, or could be
	slot     keys.Slot
}

func (a *app) endpoint(provider string) endpoint {
	e := endpoint{provider: provider}
	switch provider {
	case "openai":
		e.variable, e.slot.Variable = "OPENAI_BASE_URL", "OPENAI_API_KEY"
		if a.get("LLM_BASE_URL") != "" {
			e.variable, e.slot.Variable = "LLM_BASE_URL", "LLM_API_KEY"
		}
	case "anthropic":
		e.variable, e.slot.Variable = "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"
	case "ollama":
		e.variable = "OLLAMA_HOST"
	}
	e.address = a.get(e.variable)
	if provider == "ollama" {
		e.address = ollamaURL(e.address)
	}
	e.slot.Address = strings.TrimRight(e.address, "/")
	return e
}

// check refuses an address that no client asks, one with a password in it say,
// before it is shown or made part of a keyring's account.
func (e endpoint) check() error {
	_, err := model.New(model.Config{Provider: e.provider, BaseURL: e.address, Model: "any", APIKey: "any", Origins: e.origins("", keys.Found{})})
	return err
}

// key looks for the endpoint's key, where it has one.
func (e endpoint) key(ctx context.Context, env config.Environ) (keys.Found, error) {
	if e.slot.Variable == "" {
		return keys.Found{}, nil
	}
	return e.slot.Find(ctx, env)
}

func (e endpoint) origins(ofModel string, key keys.Found) model.Origins {
	o := model.Origins{Model: ofModel, Key: key.Origin, NoKey: key.Note, SetAddress: e.variable, SetKey: "LLM_API_KEY, as openai/MODEL at LLM_BASE_URL: " + e.provider + " is asked without one"}
	if e.address != "" {
		o.Address = "variable " + e.variable
	} else if e.provider == "openai" {
		o.SetAddress += " or LLM_BASE_URL"
	}
	if e.slot.Variable != "" {
		o.SetKey = e.slot.Variable + ", " + e.slot.FileVariable() + " or `ask models key set " + e.provider + "`"
	}
	return o
}

// where names the endpoint for a message, once it was checked.
func (e endpoint) where() string {
	if e.address == "" {
		return e.provider + "'s own address"
	}
	return e.address + " (" + e.variable + ")"
}

// namedProvider holds an argument to the providers that have a key. Another is
// not repeated: it may be the key, which belongs on stdin.
func (a *app) namedProvider(name string) (endpoint, error) {
	e := a.endpoint(name)
	if e.slot.Variable == "" {
		return endpoint{}, usage(verdict.UsageArgument, "PROVIDER is openai or anthropic, whose endpoints take a key")
	}
	return e, e.check()
}

func (a *app) get(name string) string {
	v, _ := a.env(name)
	return v
}

// ollamaURL: OLLAMA_HOST is an address with or without a scheme, and without
// one it may lack a port or a host: Ollama then takes its own.
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
