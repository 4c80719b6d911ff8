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
	known map[seenKey]remembered
	bytes int // of the descriptors kept
}

// seenKey is the descriptor itself, not a digest of it: another byte is
// another descriptor.
type seenKey struct{ server, raw string }

// remembered is what was read of one descriptor so far.
type remembered struct {
	fields    pin.Fields
	err       error
	contracts [2]*contract // with formats noted, and with strict formats
}

// maxSeen bounds the memory of a long-lived host, in bytes of descriptors: an
// admitted schema takes some twenty times its text. Past it the memory starts anew.
const maxSeen = 2 << 20

func (s *Seen) fields(d pin.Descriptor) (pin.Fields, error) {
	if r, ok := s.get(d); ok {
		return r.fields, r.err
	}
	f, err := d.Fields()
	s.put(d, remembered{fields: f, err: err})
	return f, err
}

func (s *Seen) contract(d pin.Descriptor, f pin.Fields, strict bool) contract {
	i := 0
	if strict {
		i = 1
	}
	r, _ := s.get(d)
	if r.contracts[i] == nil {
		c := readContract(d, f, strict)
		r.fields, r.contracts[i] = f, &c
		s.put(d, r)
	}
	return *r.contracts[i]
}

func (s *Seen) get(d pin.Descriptor) (remembered, bool) {
	if s == nil {
		return remembered{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.known[seenKey{d.Server, string(d.Raw)}]
	return r, ok
}

func (s *Seen) put(d pin.Descriptor, r remembered) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := seenKey{d.Server, string(d.Raw)}
	if _, known := s.known[key]; !known {
		s.bytes += len(d.Raw)
	}
	if s.known == nil || s.bytes > maxSeen {
		s.known, s.bytes = map[seenKey]remembered{}, len(d.Raw)
	}
	s.known[key] = r
}
