package catalog

import (
	"sync"

	"github.com/onestep-run/onestep/gate/pin"
)

// Seen remembers what descriptors say, for a host that asks often and meets
// the same ones. What it remembers depends on the descriptor's own bytes
// alone; whether a tool is allowed is asked of the allowlist every time. Its
// zero value is ready, a nil one remembers nothing, and it is safe for
// concurrent use.
type Seen struct {
	mu    sync.Mutex
	known map[seenKey]*reading
	bytes int // of the descriptors kept
}

// seenKey is the descriptor itself, not a digest of it: another byte is
// another descriptor.
type seenKey struct{ server, raw string }

// maxSeen bounds the memory of a long-lived host, in bytes of descriptors: an
// admitted schema takes some twenty times its text. Past it the memory starts anew.
const maxSeen = 2 << 20

// reading is one descriptor as it was read, each part when it was first needed.
type reading struct {
	descriptor pin.Descriptor
	once       sync.Once
	fields     pin.Fields
	err        error
	contracts  [2]struct { // with unknown formats noted, and with strict ones
		sync.Once
		contract
	}
}

func (r *reading) read() (pin.Fields, error) {
	r.once.Do(func() { r.fields, r.err = r.descriptor.Fields() })
	return r.fields, r.err
}

func (r *reading) contract(strict bool) contract {
	i := 0
	if strict {
		i = 1
	}
	c := &r.contracts[i]
	c.Do(func() { c.contract = readContract(r.descriptor, r.fields, strict) })
	return c.contract
}

func (s *Seen) of(d pin.Descriptor) *reading {
	if s == nil {
		return &reading{descriptor: d}
	}
	key := seenKey{d.Server, string(d.Raw)}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.known[key]
	if !ok {
		if s.bytes += len(d.Raw); s.known == nil || s.bytes > maxSeen {
			s.known, s.bytes = map[seenKey]*reading{}, len(d.Raw)
		}
		// A copy: the listing's whole page would be kept with a part of it.
		r = &reading{descriptor: pin.Descriptor{Server: d.Server, Raw: d.Raw.Clone()}}
		s.known[key] = r
	}
	return r
}
