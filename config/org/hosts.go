// Package org makes a ready host for each agent of an organisation, from its rows.
//
// A host is made when an agent first calls, made again when the agent's revision changes, and
// closed when it is idle. It has the servers that the agent uses, and an allowlist of the approved
// tools that the agent's mode allows. The package vouches that no call leaves by a host of an
// older revision, that no agent reaches another's servers or secrets, and that no program starts
// whose command no admin approved. It decides nothing else: the gates do.
//
// cmd/askd calls it.
package org

import (
	"cmp"
	"context"
	"net/netip"
	"path/filepath"
	"sync"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/store"
)

// Options are what hosts are made with besides the rows.
type Options struct {
	Org      *org.Org
	Home     string                 // of the service's files: caches and the logs of servers
	Networks []netip.Prefix         // private addresses that servers may have
	Alive    int                    // hosts at a time; 0 is 100
	Idle     time.Duration          // after which a host is closed; 0 is ten minutes
	Hold     time.Duration          // how long a call waits for an approval
	Bounds   host.Bounds            // how many questions of one agent run and wait at once
	Key      *pin.Key               // of identities and sealed answers
	Version  string                 // of the program
	Settings func(*config.Settings) // changes the settings of every host; nil changes none
}

// Hosts are the hosts of an organisation. They are for many goroutines.
type Hosts struct {
	Options

	settings config.Settings
	env      config.Environ

	mu     sync.Mutex
	alive  map[string]*Host // by agent
	ending sync.WaitGroup
	closed bool
}

// Host is the host of one agent at one revision.
type Host struct {
	*setup.Ready
	Agent   org.Agent
	Servers []string         // that it can reach
	Left    map[string]error // servers that it cannot reach, and why

	revision string
	made     chan struct{} // is closed when it is ready, or err is set
	err      error
	users    int
	used     time.Time
	retired  bool
	life     context.Context //nolint:containedctx // ends with the host
	end      context.CancelFunc
}

// New makes the hosts. It starts nothing.
func New(o Options) (*Hosts, error) {
	o.Alive, o.Idle = cmp.Or(o.Alive, 100), cmp.Or(o.Idle, 10*time.Minute)
	o.Hold = cmp.Or(o.Hold, 4*time.Minute)
	env := config.Environ(func(name string) (string, bool) {
		if name == "ASK_HOME" {
			return o.Home, o.Home != ""
		}
		return "", false
	})
	if !filepath.IsAbs(o.Home) {
		return nil, verdict.Fail(verdict.ConfigInvalid, nil, "the directory of the service, %.300q, is not an absolute path", o.Home)
	}
	s, err := config.Load(config.Paths{Config: o.Home, State: o.Home, Cache: filepath.Join(o.Home, "cache")}, env, config.Flags{})
	if err != nil {
		return nil, err
	}
	s.Sandbox.V, s.Policy, s.Rules, s.AuditRequired.V = config.SandboxAll, nil, nil, true
	if o.Settings != nil {
		o.Settings(&s)
	}
	return &Hosts{Options: o, settings: s, env: env, alive: map[string]*Host{}}, nil
}

// Acquire is the host of an agent at its current revision. The caller calls release when it no
// longer uses the host.
func (h *Hosts) Acquire(ctx context.Context, agent string) (is *Host, release func(), err error) {
	revision, err := h.Org.Revision(ctx, agent)
	if err != nil {
		return nil, nil, err
	}
	is, mine, err := h.find(agent, revision)
	if err != nil {
		return nil, nil, err
	}
	release = sync.OnceFunc(func() { h.release(is) })
	if mine {
		h.ready(ctx, is, agent)
	}
	select {
	case <-is.made:
		err = is.err
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	return is, release, nil
}

// ready makes a host, for all who wait for it. A panic leaves none that is half made.
func (h *Hosts) ready(ctx context.Context, is *Host, agent string) {
	making, cancel := context.WithTimeout(context.WithoutCancel(ctx), makeTime)
	is.err = verdict.Fail(verdict.Internal, nil, "the host of the agent could not be made")
	defer func() {
		cancel()
		if is.err != nil {
			h.drop(agent, is)
		}
		close(is.made)
	}()
	is.err = h.make(making, is, agent)
}

// makeTime bounds the reading of an agent's rows.
const makeTime = 30 * time.Second

// find finds the host of an agent, or has the caller make it.
func (h *Hosts) find(agent, revision string) (is *Host, mine bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, false, verdict.Fail(verdict.RunBusy, nil, "the service is ending")
	}
	if was := h.alive[agent]; was != nil {
		if was.revision == revision {
			was.users++
			return was, false, nil
		}
		h.retire(agent, was)
	}
	if len(h.alive) >= h.Alive && !h.evict() {
		return nil, false, verdict.Fail(verdict.RunBusy, nil, "%d agents are at work, and no more fit", len(h.alive))
	}
	life, end := context.WithCancel(context.Background())
	is = &Host{revision: revision, made: make(chan struct{}), users: 1, life: life, end: end}
	h.alive[agent] = is
	return is, true, nil
}

// evict retires the host that was unused the longest. It reports false if all are in use.
func (h *Hosts) evict() bool {
	oldest := ""
	for agent, is := range h.alive {
		if is.users == 0 && (oldest == "" || is.used.Before(h.alive[oldest].used)) {
			oldest = agent
		}
	}
	if oldest != "" {
		h.retire(oldest, h.alive[oldest])
	}
	return oldest != ""
}

// retire has a host closed when its last user has released it.
func (h *Hosts) retire(agent string, is *Host) {
	if h.alive[agent] == is {
		delete(h.alive, agent)
	}
	is.retired = true
	if is.users == 0 {
		h.close(is)
	}
}

func (h *Hosts) drop(agent string, is *Host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !is.retired {
		h.retire(agent, is)
	}
}

func (h *Hosts) release(is *Host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	is.users--
	if is.used = h.Org.Now(); is.users == 0 && is.retired {
		h.close(is)
	}
}

// close ends the servers of a host, without the lock.
func (h *Hosts) close(is *Host) {
	is.end()
	h.ending.Go(func() {
		if is.Ready != nil {
			_ = is.Ready.Close() // its servers were asked to end, and then killed
		}
	})
}

// Sweep closes the hosts that were unused for too long. The caller calls it now and then.
func (h *Hosts) Sweep() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for agent, is := range h.alive {
		if is.users == 0 && h.Org.Now().Sub(is.used) > h.Idle {
			h.retire(agent, is)
		}
	}
}

// Close closes all hosts when their last users have released them.
func (h *Hosts) Close() error {
	h.mu.Lock()
	h.closed = true
	for agent, is := range h.alive {
		h.retire(agent, is)
	}
	h.mu.Unlock()
	h.ending.Wait()
	return nil
}

// make reads the rows of an agent and makes its host.
func (h *Hosts) make(ctx context.Context, is *Host, agent string) error {
	rows, err := h.rowsOf(ctx, agent)
	if err != nil {
		return err
	}
	is.Agent, is.Servers, is.Left = rows.agent, rows.names(), rows.left
	allow, err := h.allowlist(ctx, rows)
	if err != nil {
		return err
	}
	is.Ready, err = setup.Host(h.settings, setup.Options{
		Env: h.env, Now: h.Org.Now, Version: h.Version, Servers: is.Servers, Bounds: h.Bounds,
		Parts: setup.Parts{
			Registry: rows.registry, Allowlist: &allow, CallRules: callRules(rows.agent), State: h.Org.State, Counts: agent + "\n", Key: h.Key,
			Traces: runs.Rows{State: h.Org.State}, Approvals: approvals{h.Org.State, h.Org, agent, is.revision}, Audit: audit{h.Org, agent},
		},
	})
	return err
}

// Ask answers a question by the current host of an agent. No call leaves unless the caller's token
// still has its scope, in the transaction of the call.
func (h *Hosts) Ask(ctx context.Context, agent string, by org.Caller, q host.Question) (host.Outcome, error) {
	is, release, err := h.Acquire(ctx, agent)
	if err != nil {
		return host.Outcome{}, err
	}
	defer release()
	if !is.Agent.Enabled {
		return host.Outcome{}, errDisabled
	}
	ctx = context.WithValue(ctx, callerKey{}, by)
	if err := h.Org.State.Change(ctx, func(t *store.Tx) error { return h.Org.Holds(t, by) }); err != nil {
		return host.Outcome{}, err
	}
	return is.Ask(ctx, q), nil
}

// callerKey is the key of a call's caller in its context. A call without one is not made.
type callerKey struct{}

var errDisabled = error(verdict.Deny(verdict.OrgToken, "the agent is disabled"))

// Life ends with the host.
func (h *Host) Life() context.Context { return h.life }
