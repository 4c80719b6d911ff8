package org

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Mode says which approved tools an agent may call.
type Mode string

// The modes. What no person approved is callable in none of them.
const (
	Nothing   Mode = "none"
	Allowlist Mode = "allowlist"
	Denylist  Mode = "denylist"
	All       Mode = "all"
)

// Agent is a program that calls tools with a token of its own.
type Agent struct {
	Name         string         `json:"name"`
	Enabled      bool           `json:"enabled"`
	Mode         Mode           `json:"mode"`
	List         []string       `json:"list"`         // server/tool
	Acknowledged bool           `json:"acknowledged"` // a person knows that later approvals widen the mode
	Rules        jsontext.Value `json:"rules"`        // a policy document, or null
	Budget       Budget         `json:"budget"`
	Number       int64          `json:"revision"`
	Created      time.Time      `json:"created_at"`
	Updated      time.Time      `json:"updated_at"`
}

// Budget bounds what an agent uses on a day; 0 is unbounded.
type Budget struct {
	Calls int64 `json:"calls"`
}

// maxList bounds the list of an agent.
const maxList = 10_000

// maxTool bounds the name of a tool in it.
const maxTool = 256

// wide reports whether the mode has tools that are approved later.
func (a Agent) wide() bool { return a.Mode == Denylist || a.Mode == All }

// check reports what is wrong with an agent. An acknowledgement is for a wide mode, and ends with it.
func (a *Agent) check() error {
	if !wellNamed(a.Name) {
		return badName("agent", a.Name)
	}
	a.Acknowledged = a.Acknowledged && a.wide()
	wrong := slices.IndexFunc(a.List, func(entry string) bool {
		server, tool, _ := strings.Cut(entry, "/")
		return !wellNamed(server) || tool == "" || len(tool) > maxTool
	})
	switch {
	case !slices.Contains([]Mode{Nothing, Allowlist, Denylist, All}, a.Mode):
		return verdict.Deny(verdict.OrgInvalid, "the mode %.40q is unknown: write none, allowlist, denylist or all", string(a.Mode))
	case a.wide() && !a.Acknowledged:
		return verdict.Deny(verdict.OrgInvalid, `in the mode %s every tool that is approved later is callable at once; with "acknowledged": true a person says so`, a.Mode)
	case a.Budget.Calls < 0:
		return verdict.Deny(verdict.OrgInvalid, "the budget of calls is negative")
	case len(a.List) > maxList:
		return verdict.Deny(verdict.OrgInvalid, "the list has more than %d tools", maxList)
	case wrong >= 0: // in a denylist it would deny nothing
		return verdict.Deny(verdict.OrgInvalid, "%.80q in the list is not a tool as server/tool", a.List[wrong])
	}
	return nil
}

// Allows reports whether the mode of an agent allows a tool, if a person approved it.
func (a Agent) Allows(server, tool string) bool {
	if !a.Enabled || a.wide() && !a.Acknowledged {
		return false
	}
	named := slices.Contains(a.List, server+"/"+tool)
	switch a.Mode {
	case All:
		return true
	case Allowlist:
		return named
	case Denylist:
		return !named
	}
	return false
}

// Agent is an agent by its name.
func (o *Org) Agent(ctx context.Context, name string) (Agent, error) {
	return one[Agent](ctx, o, agents, name)
}

// Agents are the agents after a name, in order, at most limit of them.
func (o *Org) Agents(ctx context.Context, after string, limit int) ([]Agent, error) {
	return some[Agent](ctx, o, agents, "", after, limit)
}

// CreateAgent adds an agent.
func (o *Org) CreateAgent(ctx context.Context, by By, a Agent) (Agent, error) {
	if err := a.check(); err != nil {
		return Agent{}, err
	}
	a.Created, a.Updated = o.now(), o.now()
	err := o.change(ctx, by, func(t *tx) error {
		if _, there, err := get[Agent](t, agents, a.Name); err != nil || there {
			return exists(err, "agent", a.Name)
		}
		if err := t.putAgent(&a); err != nil {
			return err
		}
		return t.event("agent_created", "agent", a.Name, nil)
	})
	return ifDone(a, err)
}

// UpdateAgent has change alter an agent. A revision other than 0 must be the agent's.
func (o *Org) UpdateAgent(ctx context.Context, by By, name string, revision int64, change func(*Agent)) (a Agent, err error) {
	err = o.change(ctx, by, func(t *tx) error {
		is, there, err := get[Agent](t, agents, name)
		if err != nil || !there {
			return missing(err, "agent", name)
		}
		if revision != 0 && revision != is.Number {
			return verdict.Deny(verdict.OrgMoved, "the agent %s has the revision %d by now, and not %d", name, is.Number, revision)
		}
		a = is
		a.List = slices.Clone(is.List)
		change(&a)
		a.Name, a.Created, a.Updated = is.Name, is.Created, o.now()
		if err := a.check(); err != nil {
			return err
		}
		if err := t.putAgent(&a); err != nil {
			return err
		}
		return t.event("agent_updated", "agent", name, map[string]string{"mode": string(a.Mode)})
	})
	return ifDone(a, err)
}

// ifDone is a value that was stored, and the zero value after an error.
func ifDone[T any](v T, err error) (T, error) {
	if err != nil {
		var zero T
		return zero, err
	}
	return v, nil
}

// DeleteAgent removes an agent with its tokens, and detaches its servers.
func (o *Org) DeleteAgent(ctx context.Context, by By, name string) error {
	return o.change(ctx, by, func(t *tx) error {
		if _, there, err := get[Agent](t, agents, name); err != nil || !there {
			return missing(err, "agent", name)
		}
		list, err := all[Use](t, uses, name+"/")
		if err != nil {
			return err
		}
		for _, u := range list {
			if err := t.detach(u); err != nil {
				return err
			}
		}
		if err := t.revokeAll(func(k Token) bool { return k.Agent == name }); err != nil {
			return err
		}
		if err := t.Remove(string(agents), name); err != nil {
			return err
		}
		if err := t.touch(name); err != nil { // a later agent of the same name has another revision
			return err
		}
		return t.event("agent_deleted", "agent", name, nil)
	})
}

// putAgent stores an agent with its next revision.
func (t *tx) putAgent(a *Agent) (err error) {
	if a.Number, err = t.next(revisions, a.Name); err != nil {
		return err
	}
	return put(t, agents, a.Name, *a)
}

func (o *Org) now() time.Time { return o.Now().UTC().Truncate(time.Millisecond) }

func exists(err error, what, name string) error {
	if err != nil {
		return err
	}
	return verdict.Deny(verdict.OrgConflict, "there is another %s %.80q", what, name)
}

func missing(err error, what, name string) error {
	if err != nil {
		return err
	}
	return unknown(what, name)
}
