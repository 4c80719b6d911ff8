// Package session speaks MCP to servers, as a client: over stdio, streamable
// HTTP and HTTP+SSE, protocol versions 2024-11-05 to 2026-07-28.
//
// It vouches that a server is started or dialled only when it is named to
// [Pool.Discover] or [Pool.Call]; that one approved call reaches a server at
// most once, whatever the server, the SDK or net/http would like; that it goes
// out with the name and arguments that [gate.Approved.Redeem] yielded, against
// the descriptor that the same connection listed; that configured headers go to
// the configured origin only; and that after [Pool.Close] nothing of the run is
// left (as far as launch promises). It does not vouch for a word that a server
// says: listings and results leave here as the server's own bytes.
//
// It is the only importer of the SDK's client and client transports. The SDK
// does the handshake, the framing and the HTTP streams; the type wire stands
// between the two and keeps what the SDK would decode, answer or repeat.
//
// No proxy is used, not even one that the environment names: it would see the
// configured headers.
//
// host calls Discover and Call, and whoever made the pool closes it.
package session

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Pool holds the connections of a run. It is safe for concurrent use.
type Pool struct {
	limits Limits
	slots  map[string]*slot
	twice  []string
	closed chan struct{} // is closed when Close begins
	close  sync.Once
}

// slot is the place of one server's connection.
type slot struct {
	server Server
	mu     sync.Mutex
	conn   *conn
}

// New makes a pool. Nothing is started or dialled yet, and no server is looked
// at: one that is not valid is reported when it is named.
func New(servers []Server, limits Limits) *Pool {
	p := &Pool{limits: limits.withDefaults(), slots: map[string]*slot{}, closed: make(chan struct{})}
	for _, s := range servers {
		if p.slots[s.Name] != nil {
			p.twice = append(p.twice, s.Name)
		}
		p.slots[s.Name] = &slot{server: s}
	}
	return p
}

// Discover lists the tools of these servers, all at the same time and each
// within its own limits, and of no other. Connections stay open for the call.
func (p *Pool) Discover(ctx context.Context, servers []string) []catalog.Listing {
	ctx, done := p.during(ctx)
	defer done()
	names := slices.Compact(slices.Sorted(slices.Values(servers)))
	listings := make([]catalog.Listing, len(names))
	var all errgroup.Group
	for i, name := range names {
		all.Go(func() error {
			tools, err := p.discover(ctx, name)
			listings[i] = catalog.Listing{Server: name, Tools: tools, Err: err}
			return nil // one server's failure is not another's
		})
	}
	_ = all.Wait()
	return listings
}

func (p *Pool) discover(ctx context.Context, name string) ([]pin.Descriptor, error) {
	c, err := p.connection(ctx, name, true)
	if err != nil {
		return nil, err
	}
	return c.list(ctx)
}

// Call redeems the approval and makes the one call, on the connection that
// listed the tool. It returns the descriptor that it redeemed against, also
// when that was refused. Errors before the call left are denials, or faults of
// the server.* codes; after that they are call.* and output.* faults.
func (p *Pool) Call(ctx context.Context, a gate.Approved, on trace.Receipt) (gate.RawResult, pin.Descriptor, error) {
	if a.Server() == "" {
		return gate.RawResult{}, pin.Descriptor{}, verdict.Deny(verdict.CallUnapproved, "there is no approval")
	}
	ctx, done := p.during(ctx)
	defer done()
	c, err := p.connection(ctx, a.Server(), false)
	if err != nil {
		return gate.RawResult{}, pin.Descriptor{}, err
	}
	live, err := c.live(ctx, a.Tool())
	if err != nil {
		return gate.RawResult{}, pin.Descriptor{}, err
	}
	raw, err := c.call(ctx, a, live, on)
	return raw, live, err
}

// connection is the server's connection; one that has ended is made anew only
// where that is asked for.
func (p *Pool) connection(ctx context.Context, name string, anew bool) (*conn, error) {
	s := p.slots[name]
	switch {
	case s == nil:
		return nil, verdict.Fail(verdict.ServerUnknown, nil, "no server %.128q is configured", name)
	case slices.Contains(p.twice, name):
		return nil, verdict.Fail(verdict.ConfigInvalid, nil, "server %s is configured more than once", name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil && (!anew || !s.conn.broken()) {
		return s.conn, nil
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, verdict.Fail(verdict.ServerTimeout, ctx.Err(), "the time for the run was over before server %s was asked", name)
	case p.isClosed() || ctx.Err() != nil:
		return nil, verdict.Fail(verdict.CallInterrupted, ctx.Err(), "the run was interrupted before server %s was asked", name)
	}
	if s.conn != nil {
		_ = s.conn.close() // nobody waits for what is left of it
		s.conn = nil
	}
	c, err := dial(ctx, s.server, p.limits)
	if err != nil {
		return nil, err
	}
	s.conn = c
	return c, nil
}

// Close ends every connection and every process, at the same time, and waits.
// What is under way is interrupted. A closed pool starts nothing any more.
func (p *Pool) Close() error {
	p.close.Do(func() { close(p.closed) })
	errs := make([]error, 0, len(p.slots))
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, s := range p.slots {
		all.Go(func() {
			if err := s.close(); err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs = append(errs, err)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

func (s *slot) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil
	}
	c := s.conn
	s.conn = nil
	return c.close()
}

func (p *Pool) isClosed() bool {
	select {
	case <-p.closed:
		return true
	default:
		return false
	}
}

// during is a context that ends when the pool is closed, too.
func (p *Pool) during(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-p.closed:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
