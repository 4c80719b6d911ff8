package session

import (
	"context"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/trace"
)

// CallUnlisted is [Pool.Call] that takes an old descriptor for the live one, to
// measure what listing again costs.
func (p *Pool) CallUnlisted(ctx context.Context, a gate.Approved, old pin.Descriptor, on trace.Receipt) (gate.RawResult, error) {
	c, give, err := p.acquire(ctx, a.Server(), a.Subject())
	if err != nil {
		return gate.RawResult{}, err
	}
	defer give()
	return c.call(ctx, a, old, on, gate.Consent{})
}

// Kept is how many connections to a server are kept.
func (p *Pool) Kept(name string) int {
	s := p.slots[name]
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// ListAlone lists a tool on a connection that no other call uses, and ends it.
func (p *Pool) ListAlone(ctx context.Context, name, tool string) error {
	s := p.slots[name]
	c, _, err := p.alone(ctx, s, s.server, tool)
	if c != nil {
		<-p.discard(c)
	}
	return err
}
