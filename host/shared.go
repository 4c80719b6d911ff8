package host

import (
	"sync"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/trace"
)

// shared is what the runs of a host have in common, as the trace keeps it. Its
// digests are computed once.
type shared struct {
	policy, servers trace.Object

	mu       sync.Mutex
	listings map[string]known
	bytes    int
}

// known is the last listing of a server. catalog.Seen gives the same slice for
// the same bytes, and nobody writes into it.
type known struct {
	tools  []pin.Descriptor
	object trace.Object
	bytes  int
}

// maxKnown bounds the descriptors that are kept here, in bytes. A listing that
// does not fit has its digest computed in every run.
const maxKnown = 2 << 20

// listing is the object of one server's tools.
func (s *shared) listing(l catalog.Listing) trace.Object {
	s.mu.Lock()
	was := s.listings[l.Server]
	s.mu.Unlock()
	if len(was.tools) > 0 && len(was.tools) == len(l.Tools) && &was.tools[0] == &l.Tools[0] {
		return was.object
	}
	now := known{tools: l.Tools}
	raws := make([][]byte, len(l.Tools))
	for i, d := range l.Tools {
		raws[i] = d.Raw
		now.bytes += len(d.Raw)
	}
	now.object = trace.Tools(raws)
	s.keep(l.Server, now)
	return now.object
}

func (s *shared) keep(server string, now known) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes -= s.listings[server].bytes
	delete(s.listings, server)
	if s.bytes+now.bytes <= maxKnown {
		s.listings[server] = now
		s.bytes += now.bytes
	}
}
