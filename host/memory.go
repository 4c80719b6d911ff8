package host

import (
	"sync"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/trace"
)

// Memory is what hosts read of tools: admitted descriptors, compiled schemas, and the
// digests of listings. Each is found by its bytes, so a descriptor that changed is read
// again. It decides nothing: every run asks the allowlist and the gates. Its zero value is
// ready, its size is bounded, and it is safe for concurrent use.
type Memory struct {
	seen       catalog.Seen
	validators gate.Validators
	listings   listings
}

// listings are the last listings of servers, as the trace keeps them.
type listings struct {
	mu    sync.Mutex
	last  map[string]known // by server
	bytes int
}

// known is the last listing of a server. catalog.Seen gives the same slice for
// the same bytes, and no caller writes into it.
type known struct {
	tools  []pin.Descriptor
	object trace.Object
	bytes  int
}

// maxKnown bounds the descriptors that are kept here, in bytes. A listing that
// does not fit has its digest computed in every run.
const maxKnown = 2 << 20

// object is the object of one server's tools.
func (s *listings) object(l catalog.Listing) trace.Object {
	s.mu.Lock()
	was := s.last[l.Server]
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes -= s.last[l.Server].bytes
	delete(s.last, l.Server)
	if s.last == nil {
		s.last = map[string]known{}
	}
	if s.bytes+now.bytes <= maxKnown {
		s.last[l.Server] = now
		s.bytes += now.bytes
	}
	return now.object
}
