package main

import (
	"context"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/cmd/askd/rest"
	"github.com/onestep-run/onestep/host/org"
)

// agent is an agent as the API has it.
type agent struct {
	Name         string         `json:"name"`
	Enabled      bool           `json:"enabled"`
	Mode         org.Mode       `json:"mode" jsonschema:"none, allowlist, denylist or all: which approved tools it may call"`
	List         []string       `json:"list" jsonschema:"server/tool, of the modes allowlist and denylist"`
	Acknowledged bool           `json:"acknowledged" jsonschema:"a person knows that the mode allows tools that are approved later"`
	Rules        jsontext.Value `json:"rules,omitempty" jsonschema:"a policy document"`
	Budget       org.Budget     `json:"budget" jsonschema:"for each day; 0 is unbounded"`
	Number       int64          `json:"revision"`
	Created      time.Time      `json:"created_at"`
	Updated      time.Time      `json:"updated_at"`
}

// Revision is the ETag of an agent.
func (a agent) Revision() string { return strconv.FormatInt(a.Number, 10) }

func agentOf(a org.Agent) agent {
	if a.List == nil {
		a.List = []string{}
	}
	return agent{a.Name, a.Enabled, a.Mode, a.List, a.Acknowledged, a.Rules, a.Budget, a.Number, a.Created, a.Updated}
}

// agentChange is what a caller may set of an agent. What it leaves out stays, or is the default.
type agentChange struct {
	Enabled      *bool          `json:"enabled,omitempty"`
	Mode         *org.Mode      `json:"mode,omitempty"`
	List         *[]string      `json:"list,omitempty"`
	Acknowledged *bool          `json:"acknowledged,omitempty"`
	Rules        jsontext.Value `json:"rules,omitempty"`
	Budget       *org.Budget    `json:"budget,omitempty"`
}

func (c agentChange) on(a *org.Agent) {
	set(&a.Enabled, c.Enabled)
	set(&a.Mode, c.Mode)
	set(&a.List, c.List)
	set(&a.Acknowledged, c.Acknowledged)
	set(&a.Budget, c.Budget)
	if c.Rules != nil {
		a.Rules = c.Rules
	}
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

type newAgent struct {
	Name string `json:"name"`
	agentChange
}

// none is the input or the answer of an operation without one.
type none struct{}

func (s *service) agents() []rest.Operation {
	return []rest.Operation{
		rest.List(reads("GET /api/agents", "listAgents", "List agents"), "agents", func(ctx context.Context, r *rest.Request, _ none) (rest.Page[agent], error) {
			all, err := s.org.Agents(ctx, r.After, r.Limit+1)
			return page(all, err, r.Limit, agentOf, func(a agent) string { return a.Name })
		}),
		rest.Do(changes("POST /api/agents", "createAgent", "Create an agent", 201), func(ctx context.Context, r *rest.Request, in newAgent) (agent, error) {
			a := org.Agent{Name: in.Name, Enabled: true, Mode: org.Nothing}
			in.on(&a)
			if err := ruled(a); err != nil {
				return agent{}, err
			}
			a, err := s.org.CreateAgent(ctx, by(r), a)
			return agentOf(a), err
		}),
		rest.Do(reads("GET /api/agents/{agent}", "getAgent", "Get an agent"), func(ctx context.Context, r *rest.Request, _ none) (agent, error) {
			a, err := s.org.Agent(ctx, r.PathValue("agent"))
			return agentOf(a), err
		}),
		rest.Do(matches(changes("PUT /api/agents/{agent}", "updateAgent", "Change an agent", 0)), s.updateAgent),
		rest.Do(changes("DELETE /api/agents/{agent}", "deleteAgent", "Delete an agent, its tokens and its secrets", 0), func(ctx context.Context, r *rest.Request, _ none) (none, error) {
			return none{}, s.org.DeleteAgent(ctx, by(r), r.PathValue("agent"))
		}),
	}
}

func (s *service) updateAgent(ctx context.Context, r *rest.Request, in agentChange) (agent, error) {
	name := r.PathValue("agent")
	is, err := s.org.Agent(ctx, name)
	if err != nil {
		return agent{}, err
	}
	if err := r.Match(agentOf(is).Revision()); err != nil {
		return agent{}, err
	}
	in.on(&is)
	if err := ruled(is); err != nil {
		return agent{}, err
	}
	a, err := s.org.UpdateAgent(ctx, by(r), name, is.Number, in.on)
	return agentOf(a), err
}
