package session

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/onestep-run/onestep/gate/verdict"
)

// slot is the place of one server's connections. A process, a server inside this
// program, and one over HTTP+SSE, whose stream is the session, has one, which all
// questions share. Over HTTP each question under way has one to itself, so that what
// breaks it is that question's own; those of one credential share a session.
type slot struct {
	server Server
	shared bool
	dials  chan struct{} // holds who makes the shared connection
	strays strays        // of all its connections
	newer  atomic.Bool   // its tools can be listed in statelessVersion only

	mu    sync.Mutex
	conns []*conn
	// meetings are the sessions over HTTP, by the key of their connections.
	meetings map[string]*meeting
}

// maxIdle is how many connections to one server are kept for later questions.
const maxIdle = 8

func newSlot(s Server) *slot {
	kind := s.Kind()
	return &slot{server: s, shared: kind != typeHTTP, dials: make(chan struct{}, 1), meetings: map[string]*meeting{}}
}

// take is a connection to the server, made for no other subject's credential, and how to give it back. It is made again
// where there is none that can carry a request.
func (p *Pool) take(ctx context.Context, name, subject string) (*conn, func(), error) {
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
	for _, d := range dead { // two processes of one server may be in each other's way
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
		if s.release(c) { // one that broke is closed, and no caller waits for that
			p.discard(c)
		}
	}
	return c, give, nil
}

// takeListed is a connection on which list has listed tools or failed for good,
// nil where there is none. A server that was restarted has forgotten the sessions
// of all kept connections: at the first that it refuses for that, they are closed
// and list runs once more, on a new one. It also does after the token of a login was
// refused and refreshed. Nothing but handshakes and listings is repeated.
//
// A session in which a call was made is not replaced under the next call: that one is
// told that what the server kept there is gone.
func (p *Pool) takeListed(ctx context.Context, name, subject string, calls bool, list func(*conn) error) (*conn, func(), error) {
	var older error
	for first := true; ; first = false {
		c, give, err := p.takeWithin(ctx, name, subject, older)
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
		if kept && forgotten(err) && calls && c.meeting.wasCalled() {
			p.retire(name, c)
			lost := c.lost(err)
			return c, give, lost
		}
		if first && c.unlistable(err) {
			p.slots[name].newer.Store(true)
			c.outdated.Store(true)
			older, again = err, true
		}
		switch {
		case again, first && kept && forgotten(err):
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

// retire closes all connections to a server, those in use when they are given back:
// unless c, on which the server refused something, is of an earlier session than they.
func (p *Pool) retire(name string, c *conn) {
	for _, c := range p.slots[name].retire(c) {
		p.discard(c)
	}
}

// discard closes a connection that is no longer used.
func (p *Pool) discard(c *conn) (gone chan struct{}) {
	gone = make(chan struct{})
	p.users.Add(1) // not from zero: the caller is one of them
	go func() {
		defer p.users.Done()
		defer close(gone)
		p.ended(c.close())
	}()
	return gone
}

// dial makes a connection to the server, as it is for the key, and uses it.
func (s *slot) dial(ctx context.Context, of Server, key string, limits Limits) (*conn, error) {
	switch err := ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, hinting(verdict.Fail(verdict.RunTimeout, err, "the time for the run (%s) ended before server %s was asked", settingRun, s.server.Name), raiseRun)
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

// use finds a connection of this key that is whole and, unless it is shared, free. Those
// that broke while unused are forgotten, and are to be closed.
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
		if c.key == key && !c.retired && !c.broken() && (s.shared || c.users == 0) {
			c.users++
			return c, dead
		}
	}
	return nil, dead
}

// release reports whether the connection is to be closed at once; its slot has
// forgotten it then. A shared one may still bring others their answers.
func (s *slot) release(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.users--
	if s.shared || !c.broken() && !c.retired && s.idle() <= maxIdle {
		return false
	}
	s.conns = slices.DeleteFunc(s.conns, func(o *conn) bool { return o == c })
	return true
}

// retire takes out the connections that are not in use, and has release close the others.
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
