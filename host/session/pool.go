// Package session speaks MCP to servers, as a client: over stdio, streamable HTTP and
// HTTP+SSE, protocol versions 2024-11-05 to 2026-07-28.
//
// It vouches that a server is started or dialled only when it is named to [Pool.Discover]
// or [Pool.Call]; that one approved call reaches a server at most once, even if the
// server, the SDK or net/http would repeat it; that the call has the name and arguments
// that [gate.Approved.Redeem] yielded, against the descriptor that the same connection
// listed right before; that configured headers go to the configured origin only; that no
// wait for a server, writing included, is longer than its context and the limits allow;
// and that after [Pool.Close] nothing of the run is left (as far as launch promises). It
// does not vouch for anything that a server says: it returns listings and results as the
// server's own bytes.
//
// It is the only importer of the SDK's client and client transports. The SDK does the
// handshake, the framing and the HTTP streams; the type wire is between the two and keeps
// from the SDK what it would decode, answer or repeat.
//
// A proxy is used only if the server's own configuration names it. A proxy of the
// environment is never used: over http it would see the configured headers.
//
// host calls Discover and Call, and the maker of the pool closes it.
package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/launch"
	"github.com/onestep-run/onestep/trace"
)

// Pool is the set of connections of a run. It is safe for concurrent use.
type Pool struct {
	limits Limits
	slots  map[string]*slot
	twice  []string
	life   context.Context //nolint:containedctx // the pool's own: it ends when Close begins
	end    context.CancelFunc
	forked atomic.Bool // the pool started a process, or tried to

	mu    sync.Mutex
	users sync.WaitGroup // operations under way; added to with mu held, and not after the end
	errs  []error        // from connections that were closed before the pool
}

// New makes a pool. It starts, dials and validates no server: an invalid server is
// reported when it is named.
func New(servers []Server, limits Limits) *Pool {
	p := &Pool{limits: limits.withDefaults(), slots: map[string]*slot{}}
	p.life, p.end = context.WithCancel(context.Background())
	for _, s := range servers {
		if p.slots[s.Name] != nil {
			p.twice = append(p.twice, s.Name)
		}
		p.slots[s.Name] = &slot{server: s, shared: s.Kind() != typeHTTP, dials: make(chan struct{}, 1), meetings: map[string]*meeting{}}
	}
	return p
}

// Discover lists the tools of these servers for a subject, and of no other server. It
// asks all servers at the same time, each within its own limits. Connections stay open
// for the call.
func (p *Pool) Discover(ctx context.Context, subject string, servers []string) []catalog.Listing {
	ctx, done := p.during(ctx)
	defer done()
	names := slices.Compact(slices.Sorted(slices.Values(servers)))
	listings := make([]catalog.Listing, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { // the failure of one server does not affect another
			listings[i] = p.discover(ctx, name, subject)
		})
	}
	all.Wait()
	return listings
}

func (p *Pool) discover(ctx context.Context, name, subject string) catalog.Listing {
	var tools []pin.Descriptor
	c, give, err := p.acquireListed(ctx, name, subject, false, func(c *conn) (err error) {
		l, err := c.list(ctx)
		if err == nil {
			tools = slices.Collect(l.tools())
		}
		return err
	})
	if c == nil {
		return catalog.Listing{Server: name, Err: err}
	}
	defer give()
	return catalog.Listing{Server: name, Protocol: c.wire.version(), Info: c.info, Tools: tools, Err: err}
}

// Call redeems the approval and makes the one call, on a connection that has listed the
// tool right before. It returns the descriptor that it redeemed against, even if the
// redemption failed. Errors before the call left are denials, or faults of the server.*
// codes. Later errors are call.* and output.* faults.
func (p *Pool) Call(ctx context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	if a.Server() == "" {
		return gate.RawResult{}, pin.Descriptor{}, verdict.Deny(verdict.CallUnapproved, "there is no approval")
	}
	ctx, done := p.during(ctx)
	defer done()
	if s := p.slots[a.Server()]; s != nil && s.server.Sandbox.Argued() && !slices.Contains(p.twice, a.Server()) {
		return p.callAlone(ctx, s, a, on, yes)
	}
	var live pin.Descriptor
	c, give, err := p.acquireListed(ctx, a.Server(), a.Subject(), true, func(c *conn) (err error) {
		live, err = c.settled(ctx, a.Tool())
		return err
	})
	if c == nil {
		return gate.RawResult{}, pin.Descriptor{}, err
	}
	defer give()
	if err != nil {
		return gate.RawResult{}, live, err
	}
	before := len(c.refusals())
	announced := c.wire.changes.Load()
	raw, err := c.call(ctx, a, live, on, yes)
	if err == nil {
		raw.Grown, raw.Listed = c.grown(ctx, announced)
	}
	raw.Login, raw.Sandbox = c.login(), c.sandbox(before)
	if forgotten(err) {
		p.retire(a.Server(), c)
	}
	return raw, live, err
}

// Close ends every connection and every process, at the same time, and waits. It
// interrupts operations under way. A closed pool starts nothing.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.end()
	p.mu.Unlock()
	p.users.Wait()
	var all sync.WaitGroup
	for _, s := range p.slots {
		for _, c := range s.empty() {
			all.Go(func() { p.ended(c.close()) })
		}
	}
	all.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Join(p.errs...)
}

// Caveat says what Close does not promise for the servers that were started, or "". It is
// for the outcome of a run in a program that did not call [launch.AdoptOrphans].
func (p *Pool) Caveat() string {
	if !p.forked.Load() || launch.FindsOrphans() {
		return ""
	}
	return "A process that left its server's session may outlive this run: this program waits only for the servers that it starts."
}

// during is a context that also ends with the pool. The pool waits until the returned
// function is called. On a closed pool the context has ended already.
func (p *Pool) during(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.life.Err() != nil {
		cancel()
		return ctx, cancel
	}
	p.users.Add(1)
	stop := context.AfterFunc(p.life, cancel)
	return ctx, func() { stop(); cancel(); p.users.Done() }
}

func (p *Pool) ended(err error) {
	if err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.errs = append(p.errs, err)
	}
}
