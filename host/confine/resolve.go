package confine

import (
	"context"
	"net"
	"net/netip"
	"time"
)

// lookupTime bounds one lookup of a granted name: the server's connect waits
// for it.
const lookupTime = 10 * time.Second

// resolve returns a granted name's addresses.
func (p *Policy) resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	if p.lookup != nil {
		return p.lookup(name)
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	return net.DefaultResolver.LookupNetIP(ctx, "ip", name+".") // absolute: no search list
}
