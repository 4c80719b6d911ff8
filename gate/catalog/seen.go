package catalog

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"github.com/onestep-run/onestep/gate/pin"
)

// Seen remembers what descriptors say, for a host that asks often and meets
// the same ones: of each server the last listing. What it remembers depends on
// the descriptors' own bytes alone; whether a tool is allowed is asked of the
// allowlist every time. Its zero value is ready, a nil one remembers nothing,
// and it is safe for concurrent use.
type Seen struct {
	mu    sync.Mutex
	known map[string]*remembered
	bytes int // of the descriptors kept
}

// remembered is one listing: the descriptors themselves, not digests of them.
// Another byte is another descriptor.
type remembered struct {
	tools    []pin.Descriptor
	readings []*reading // of the tools, in their order
	bytes    int
	once     sync.Once
	sorted   []*reading     // by name
	times    map[string]int // that a name is listed
	nameless error          // why a descriptor's name cannot be read
}

// names reads every descriptor's name, once: the readings by name, and how
// often each name is listed. A descriptor that cannot be read still counts,
// where its name can be.
func (m *remembered) names() (sorted []*reading, times map[string]int) {
	m.once.Do(func() {
		m.sorted, m.times = slices.Clone(m.readings), make(map[string]int, len(m.readings))
		for _, r := range m.readings {
			f, err := r.read() // look says what is wrong with it
			if m.times[f.Name]++; err != nil && f.Name == "" {
				m.nameless = err
			}
		}
		slices.SortStableFunc(m.sorted, func(a, b *reading) int { return cmp.Compare(a.fields.Name, b.fields.Name) })
	})
	return m.sorted, m.times
}

// mixed reports whether the tools do not all come with the same instructions.
func (m *remembered) mixed() bool {
	return slices.ContainsFunc(m.tools, func(d pin.Descriptor) bool { return d.Instructions != m.tools[0].Instructions })
}

// maxSeen bounds the memory of a long-lived host, in bytes of descriptors: an
// admitted schema takes some twenty times its text. What does not fit is read
// again each time.
const maxSeen = 2 << 20

// reading is one descriptor as it was read, each part when it was first needed.
type reading struct {
	descriptor pin.Descriptor
	once       sync.Once
	fields     pin.Fields
	err        error
	meaning    func() (pin.Digest, error)
	contracts  [2]struct { // with unknown formats noted, and with strict ones
		sync.Once
		contract
	}
}

func (r *reading) read() (*pin.Fields, error) {
	r.once.Do(func() { r.fields, r.err = r.descriptor.Fields() })
	return &r.fields, r.err
}

func (r *reading) contract(strict bool) *contract {
	i := 0
	if strict {
		i = 1
	}
	c := &r.contracts[i]
	c.Do(func() { c.contract = readContract(r.descriptor, r.fields, strict) })
	return &c.contract
}

// of is what is known of a listing. Its descriptors are the listing's, byte for
// byte, and they are the same slice for as long as the server lists the same.
func (s *Seen) of(l Listing) *remembered {
	if s == nil {
		return remember(l.Tools, nil)
	}
	s.mu.Lock()
	was := s.known[l.Server]
	s.mu.Unlock()
	var before []*reading
	if was != nil {
		if slices.EqualFunc(was.tools, l.Tools, same) {
			return was
		}
		before = was.readings
	}
	// Copies: the listing's whole page would be kept with a part of it.
	tools := slices.Clone(l.Tools)
	for i, d := range tools {
		tools[i].Raw = d.Raw.Clone()
	}
	now := remember(tools, before)
	s.keep(l.Server, now)
	return now
}

func (s *Seen) keep(server string, now *remembered) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was := s.known[server]; was != nil {
		delete(s.known, server)
		s.bytes -= was.bytes
	}
	if s.bytes+now.bytes > maxSeen {
		return
	}
	if s.known == nil {
		s.known = map[string]*remembered{}
	}
	s.known[server] = now
	s.bytes += now.bytes
}

// remember reads nothing yet. What is the same as before keeps its reading.
func remember(tools []pin.Descriptor, before []*reading) *remembered {
	known := map[string]*reading{}
	for _, r := range before {
		known[string(r.descriptor.Raw)] = r
	}
	m := &remembered{tools: tools, readings: make([]*reading, len(tools))}
	for i, d := range tools {
		m.bytes += len(d.Raw)
		if old := known[string(d.Raw)]; old != nil && same(old.descriptor, d) {
			m.readings[i] = old
			continue
		}
		m.readings[i] = &reading{descriptor: d, meaning: sync.OnceValues(d.Meaning)}
	}
	return m
}

func same(a, b pin.Descriptor) bool {
	return a.Server == b.Server && a.Instructions == b.Instructions && slices.Equal(a.OrderAt, b.OrderAt) && bytes.Equal(a.Raw, b.Raw)
}
