package main

import (
	"strings"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
)

// modelPlanner plans with the language model that was named.
func (a *app) modelPlanner(s config.Settings) (proposer, error) {
	cfg, err := a.modelConfig(s)
	if err != nil {
		return proposer{}, err
	}
	client, err := model.New(cfg)
	if err != nil {
		return proposer{}, err
	}
	p := planner.Model{Chat: client, Rank: lexical.New(time.Now).Rank, Today: time.Now().Format(time.DateOnly)}
	return proposer{Proposer: p, name: cfg.Provider + "/" + cfg.Model, chat: client}, nil
}

// modelConfig finds the address and the key of "provider/model"; for "openai"
// alone LLM_MODEL says which. A key goes to the endpoint that it was set for:
// OPENAI_API_KEY never to LLM_BASE_URL.
func (a *app) modelConfig(s config.Settings) (model.Config, error) {
	name := s.Model.V
	if name == "openai" {
		name += "/" + a.get("LLM_MODEL")
	}
	provider, which, ok := model.Named(name)
	if !ok {
		return model.Config{}, verdict.Fail(verdict.ModelUnconfigured, nil,
			"%q (%s) is not openai/MODEL, anthropic/MODEL or ollama/MODEL", s.Model.V, s.Model.Origin)
	}
	cfg := model.Config{Provider: provider, Model: which, Timeout: s.ModelTimeout.V}
	switch provider {
	case "openai":
		if cfg.BaseURL = a.get("LLM_BASE_URL"); cfg.BaseURL != "" {
			cfg.APIKey = model.Key(a.get("LLM_API_KEY"))
			return cfg, nil
		}
		cfg.BaseURL, cfg.APIKey = a.get("OPENAI_BASE_URL"), model.Key(a.get("OPENAI_API_KEY"))
	case "anthropic":
		cfg.BaseURL, cfg.APIKey = a.get("ANTHROPIC_BASE_URL"), model.Key(a.get("ANTHROPIC_API_KEY"))
	case "ollama":
		cfg.BaseURL = ollamaURL(a.get("OLLAMA_HOST"))
	}
	return cfg, nil
}

func (a *app) get(name string) string {
	v, _ := a.env(name)
	return v
}

// ollamaURL: OLLAMA_HOST is an address with or without a scheme.
func ollamaURL(host string) string {
	if host == "" || strings.Contains(host, "://") {
		return host
	}
	return "http://" + host
}
