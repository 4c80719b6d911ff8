package catalog

import (
	"sync"

	"github.com/onestep-run/onestep/gate/pin"
)

// Seen remembers what each descriptor came to, for a host that asks often and
// meets the same ones. It holds for one allowlist and one set of options. Its
// zero value is ready; a nil one remembers nothing. It is safe for concurrent use.
type Seen struct {
	mu    sync.Mutex
	found map[seenKey]finding
	bytes int // of the descriptors kept
}

// seenKey is the descriptor itself, not a digest of it: another byte is
// another descriptor.
type seenKey struct{ server, raw string }

// maxSeen bounds the memory of a long-lived host, in bytes of descriptors.
// Past it the memory starts anew.
const maxSeen = 16 << 20

func (s *Seen) look(d pin.Descriptor, allow Allowlist, opt Options) finding {
	if s == nil {
		return look(d, allow, opt)
	}
	key := seenKey{d.Server, string(d.Raw)}
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.found[key]
	if !ok {
		f = look(d, allow, opt)
		if s.bytes += len(d.Raw); s.found == nil || s.bytes > maxSeen {
			s.found, s.bytes = map[seenKey]finding{}, len(d.Raw)
		}
		s.found[key] = f
	}
	return f
}
