package session

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/onestep-run/onestep/gate/pin"
)

// newerTime bounds a connection in the newer version: a server of the older version may
// not answer at all.
const newerTime = 10 * time.Second

// version is the version of the protocol that is tried first.
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
	var r *refusal
	if !errors.As(err, &r) || r.rpc == nil {
		return false
	}
	return c.wire.version() == handshakeVersion && r.rpc.Code == jsonrpc.CodeInternalError
}

// takeWithin calls take. After a failure in the older version it waits for newerTime
// only.
func (p *Pool) takeWithin(ctx context.Context, name, subject string, older error) (*conn, func(), error) {
	if older != nil {
		bounded, done := context.WithTimeout(ctx, newerTime)
		defer done()
		ctx = bounded
	}
	return p.take(ctx, name, subject)
}

// alone returns a connection that no other call uses, and the tool as the server lists it
// there.
func (p *Pool) alone(ctx context.Context, s *slot, server Server, tool string) (*conn, pin.Descriptor, error) {
	c, err := dial(ctx, server, p.limits, &s.strays, nil, s.version())
	if err != nil {
		return nil, pin.Descriptor{}, err
	}
	live, err := c.settled(ctx, tool)
	if !c.unlistable(err) {
		return c, live, err
	}
	<-p.discard(c)
	bounded, done := context.WithTimeout(ctx, newerTime)
	defer done()
	newer, dialled := dial(bounded, server, p.limits, &s.strays, nil, statelessVersion)
	if dialled != nil {
		return nil, live, err
	}
	if found, failed := newer.settled(ctx, tool); failed == nil {
		s.newer.Store(true)
		return newer, found, nil
	}
	return newer, live, err
}
