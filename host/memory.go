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
	known map[string]known
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
	was := s.known[l.Server]
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

func (s *listings) keep(server string, now known) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes -= s.known[server].bytes
	delete(s.known, server)
	if s.bytes+now.bytes > maxKnown {
		return
	}
	if s.known == nil {
		s.known = map[string]known{}
	}
	s.known[server] = now
	s.bytes += now.bytes
}
