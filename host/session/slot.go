package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/onestep-run/onestep/gate/verdict"
)

// slot contains one server's connections. All questions share one connection to a
// process, to a server inside this program, and to a server over HTTP+SSE, where the
// stream is the session. Over HTTP each question under way has a separate connection, so
// that a broken connection affects no other question. Those with the same credential
// share a session.
type slot struct {
	server Server
	shared bool
	dials  chan struct{} // a semaphore for making the shared connection
	strays strays        // from all its connections
	newer  atomic.Bool   // the server can list its tools in statelessVersion only

	mu    sync.Mutex
	conns []*conn
	// meetings are the sessions over HTTP, by the key of their connections.
	meetings map[string]*meeting
}

// maxIdle is the number of unused connections to one server that are kept.
const maxIdle = 8

// acquire returns a connection to the server with the subject's credential, and a function
// that gives it back. It makes a new connection if no existing one can carry a request.
func (p *Pool) acquire(ctx context.Context, name, subject string) (*conn, func(), error) {
	s := p.slots[name]
	switch {
	case s == nil:
		return nil, nil, verdict.Fail(verdict.ServerUnknown, nil, "no server %.128q is configured", name)
	case slices.Contains(p.twice, name):
		return nil, nil, verdict.Fail(verdict.ConfigInvalid, nil, "server %s is configured more than once", name)
	}
	if s.shared {
		select {
		case s.dials <- struct{}{}:
			defer func() { <-s.dials }()
		case <-ctx.Done():
		}
	}
	of, key := s.server.as(subject)
	if err := s.server.freshen(ctx); err != nil {
		return nil, nil, err
	}
	c, dead := s.use(key)
	for _, d := range dead { // two processes of one server may conflict
		select {
		case <-p.discard(d):
		case <-ctx.Done():
		}
	}
	if c == nil {
		p.forked.CompareAndSwap(false, s.server.Kind() == typeStdio)
		var err error
		if c, err = s.dial(ctx, of, key, p.limits); err != nil {
			return nil, nil, err
		}
	}
	give := func() {
		if s.release(c) { // a broken connection is closed in the background
			p.discard(c)
		}
	}
	return c, give, nil
}

// acquireListed returns a connection on which list has listed tools or failed for good, or
// nil. A restarted server has forgotten the sessions of all kept connections. When it
// refuses the first for that reason, all are closed, and list runs once more, on a new
// connection. It also runs again after a login's token was refused and refreshed. Only
// handshakes and listings are repeated.
//
// If a call was made in the lost session, the next call fails instead: its fault says
// that the server's state for the session is gone.
func (p *Pool) acquireListed(ctx context.Context, name, subject string, calls bool, list func(*conn) error) (*conn, func(), error) {
	var older error
	for first := true; ; first = false {
		c, give, err := p.acquireWithin(ctx, name, subject, older)
		kept := err == nil && (c.listed.Load() || c.joins)
		if err == nil {
			if err = list(c); err == nil {
				c.listed.Store(true)
			}
		}
		again := false
		if first && err != nil {
			again, err = p.renewed(ctx, name, err)
		}
		lost := kept && forgotten(err)
		if lost && calls && c.meeting.wasCalled() {
			p.retire(name, c)
			err = c.lost(err)
			return c, give, err
		}
		if first && c.unlistable(err) {
			p.slots[name].newer.Store(true)
			c.outdated.Store(true)
			older, again = err, true
		}
		switch {
		case again, first && lost:
			p.retire(name, c)
			if give != nil {
				give()
			}
		case older != nil && err != nil:
			p.slots[name].newer.Store(false)
			return c, give, older
		case c == nil:
			return nil, nil, err
		default:
			return c, give, err
		}
	}
}

// retire closes all connections to a server. Connections in use are closed when they are
// given back. c is the connection on which the server refused something. If its session
// is not the current one, only c is retired.
func (p *Pool) retire(name string, c *conn) {
	for _, c := range p.slots[name].retire(c) {
		p.discard(c)
	}
}

// discard closes a connection that is no longer used.
func (p *Pool) discard(c *conn) (gone chan struct{}) {
	gone = make(chan struct{})
	p.users.Add(1) // not from zero: the caller counts already
	go func() {
		defer p.users.Done()
		defer close(gone)
		p.ended(c.close())
	}()
	return gone
}

// dial makes a connection to the server for a key, and uses it.
func (s *slot) dial(ctx context.Context, of Server, key string, limits Limits) (*conn, error) {
	switch err := ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, verdict.Fail(verdict.RunTimeout, err, "the time for the run (%s) ended before server %s was asked", settingRun, s.server.Name).WithHint(raiseRun)
	case err != nil:
		return nil, verdict.Fail(verdict.CallInterrupted, err, "the run was interrupted before server %s was asked", s.server.Name)
	}
	m, first := s.meet(key)
	if !first {
		m = m.wait(ctx)
	}
	joined := m
	if first {
		joined = nil
	}
	c, err := dial(ctx, of, limits, &s.strays, joined, s.version())
	if first {
		s.opened(m, key, c)
	}
	if err != nil {
		return nil, err
	}
	c.users, c.key = 1, key
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = append(s.conns, c)
	return c, nil
}

// use finds an intact connection of this key which, unless it is shared, is free. It also
// removes and returns connections that broke while unused, which the caller closes.
func (s *slot) use(key string) (c *conn, dead []*conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = slices.DeleteFunc(s.conns, func(c *conn) bool {
		idle := c.users == 0 && c.broken()
		if idle {
			dead = append(dead, c)
		}
		return idle
	})
	for _, c := range s.conns {
		free := s.shared || c.users == 0
		if free && c.key == key && c.usable() {
			c.users++
			return c, dead
		}
	}
	return nil, dead
}

// release reports whether the connection must be closed at once; then the slot has
// removed it. A shared connection may still bring answers to other callers.
func (s *slot) release(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.users--
	if s.shared || c.usable() && s.idle() <= maxIdle {
		return false
	}
	s.conns = slices.DeleteFunc(s.conns, func(o *conn) bool { return o == c })
	return true
}

// retire removes and returns the connections not in use. release closes the others.
func (s *slot) retire(of *conn) (old []*conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if of != nil && of.meeting != nil && s.meetings[of.key] != of.meeting {
		of.retired = true
		return nil
	}
	clear(s.meetings)
	s.conns = slices.DeleteFunc(s.conns, func(c *conn) bool {
		c.retired = true
		if c.users == 0 {
			old = append(old, c)
		}
		return c.users == 0
	})
	return old
}

func (c *conn) usable() bool { return !c.retired && !c.broken() }

func (s *slot) idle() (n int) {
	for _, c := range s.conns {
		if c.users == 0 {
			n++
		}
	}
	return n
}

func (s *slot) empty() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.conns
	s.conns = nil
	left := map[*meeting]bool{}
	for _, c := range all {
		if c.carrier != nil && !left[c.meeting] {
			left[c.meeting] = true
			c.carrier.leaves.Store(true)
		}
	}
	return all
}

// newerTime bounds a connection in the newer version, which a server may never answer.
const newerTime = 10 * time.Second

func (s *slot) version() string {
	if s.newer.Load() {
		return statelessVersion
	}
	return handshakeVersion
}

// unlistable reports whether the server may be unable to list its tools in the older
// version only. The Python SDK 2.3.0 answers with an internal error if one tool's output
// is not an object, which only the newer version permits. A connection that has listed
// tools is not replaced: the server may keep state for it.
func (c *conn) unlistable(err error) bool {
	if c == nil || c.joins || c.listed.Load() {
		return false
	}
	r, is := errors.AsType[*refusal](err)
	if !is || r.rpc == nil {
		return false
	}
	return c.wire.version() == handshakeVersion && r.rpc.Code == jsonrpc.CodeInternalError
}

// acquireWithin is acquire, for at most newerTime after a failure in the older version.
func (p *Pool) acquireWithin(ctx context.Context, name, subject string, older error) (*conn, func(), error) {
	if older != nil {
		bounded, done := context.WithTimeout(ctx, newerTime)
		defer done()
		ctx = bounded
	}
	return p.acquire(ctx, name, subject)
}
