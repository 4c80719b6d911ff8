package main

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	orgs "github.com/onestep-run/onestep/config/org"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/proxy"
)

// handlers answer the MCP clients of agents, one for each host and address.
type handlers struct {
	mu   sync.Mutex
	open map[address]http.Handler
}

// address is where a client reaches an agent: all its servers, or one of them.
type address struct {
	host   *orgs.Host
	server string
}

// mcp serves the agent of a token: /mcp has all its servers, and /mcp/NAME one.
func (s *service) mcp(w http.ResponseWriter, r *http.Request) {
	k, err := s.agentOf(r)
	if err != nil {
		if verdict.CodeOf(err) != verdict.OrgToken {
			s.log(err)
			http.Error(w, "the service failed", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "the request has no valid token of an agent", http.StatusUnauthorized)
		return
	}
	is, release, err := s.hosts.Acquire(r.Context(), k.Agent)
	if err != nil {
		s.log(err)
		w.Header().Set("Retry-After", "5")
		http.Error(w, "the agent's servers cannot be read now", http.StatusServiceUnavailable)
		return
	}
	defer release()
	server := r.PathValue("server")
	switch {
	case !is.Agent.Enabled:
		http.Error(w, "the agent is disabled", http.StatusForbidden)
	case server != "" && !slices.Contains(is.Servers, server):
		http.Error(w, "the agent has no such server", http.StatusNotFound)
	default:
		again := r.Clone(context.WithValue(r.Context(), tokenKey{}, k.ID))
		again.Header.Del("Authorization")                 // no server and no log sees it
		s.served(is, k.Agent, server).ServeHTTP(w, again) //nolint:contextcheck // it serves for as long as the host
	}
}

type tokenKey struct{}

// agentOf is the token of an agent that a request has.
func (s *service) agentOf(r *http.Request) (org.Token, error) {
	text, is := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !is || len(r.Header.Values("Authorization")) != 1 {
		return org.Token{}, verdict.Deny(verdict.OrgToken, "the request has no token")
	}
	k, err := s.org.Bearer(r.Context(), text)
	if err == nil && (k.Agent == "" || !slices.Contains(k.Scopes, org.Calls)) {
		err = verdict.Deny(verdict.OrgToken, "the token is not an agent's")
	}
	return k, err
}

// served is the handler of a host. It is forgotten with the host.
func (s *service) served(is *orgs.Host, agent, server string) http.Handler {
	s.open.mu.Lock()
	defer s.open.mu.Unlock()
	at := address{is, server}
	if h := s.open.open[at]; h != nil {
		return h
	}
	o := proxy.Options{
		Host: acting{s, agent}, Server: server, Subject: orgs.OfAgent(agent), Version: s.version,
		Review: "an admin of the service", Hold: min(shortHold, s.hosts.Hold), LongHold: s.hosts.Hold,
	}
	if server == "" {
		o.Server, o.Servers = agent, is.Servers
	}
	h := proxy.Handler(is.Life(), proxy.HTTP{Options: o, Token: tokenID, Sessions: proxy.Rows(s.org.State), Hosts: s.names})
	if s.open.open == nil {
		s.open.open = map[address]http.Handler{}
	}
	s.open.open[at] = h
	context.AfterFunc(is.Life(), func() {
		s.open.mu.Lock()
		defer s.open.mu.Unlock()
		delete(s.open.open, at)
	})
	return h
}

// shortHold is how long a call waits whose client gets no progress meanwhile.
const shortHold = 45 * time.Second

func tokenID(r *http.Request) string {
	id, _ := r.Context().Value(tokenKey{}).(string)
	return id
}

// acting is the current host of an agent.
type acting struct {
	*service
	agent string
}

// Ask implements [proxy.Host].
func (a acting) Ask(ctx context.Context, q host.Question) host.Outcome {
	id, _ := ctx.Value(tokenKey{}).(string)
	out, err := a.hosts.Ask(ctx, a.agent, org.Caller{Token: id, Scope: org.Calls}, q)
	if err != nil {
		return host.Outcome{SchemaVersion: host.SchemaVersion, Type: host.Blocked, Call: "none", Error: host.FailureOf(err)}
	}
	return out
}

// Catalog implements [proxy.Host].
func (a acting) Catalog(ctx context.Context, subject string, servers ...string) (all catalog.Catalog) {
	is, release, err := a.hosts.Acquire(ctx, a.agent)
	if err != nil {
		return all
	}
	defer release()
	return is.Catalog(ctx, subject, servers...)
}

// Undelivered implements [proxy.Host].
func (a acting) Undelivered(out host.Outcome) {
	is, release, err := a.hosts.Acquire(context.Background(), a.agent)
	if err == nil {
		defer release()
		is.Undelivered(out)
	}
}

// Words implements [proxy.Host].
func (a acting) Words(server, words string) string {
	is, release, err := a.hosts.Acquire(context.Background(), a.agent)
	if err != nil {
		return "[withheld]" // nothing was removed from them
	}
	defer release()
	return is.Words(server, words)
}
