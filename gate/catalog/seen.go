package catalog

import (
	"bytes"
	"cmp"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/onestep-run/onestep/gate/pin"
)

// Seen remembers what descriptors say, for a host that reads the same ones often. It
// keeps the last listing of each server. Its memory depends on the descriptors' bytes
// alone; the allowlist decides every time whether a tool is allowed. Its zero value is
// ready, a nil one remembers nothing, and it is safe for concurrent use.
type Seen struct {
	mu    sync.Mutex
	known map[string]*remembered
	bytes int // sum over the kept descriptors
}

// remembered is one listing. It has the descriptors themselves, not their digests, so
// a descriptor with another byte is another descriptor.
type remembered struct {
	tools    []pin.Descriptor
	readings []*reading // of the tools, in their order
	bytes    int
	version  any // of the listing; guarded by the mutex of Seen
	once     sync.Once
	sorted   []*reading     // by name
	times    map[string]int // how often a name is listed
	nameless error          // why a descriptor's name cannot be read
	ahead    sync.Once
}

// few is a number of descriptors that one processor reads sooner than several.
const few = 16

// readAhead reads on all processors what [Admit] will ask of the descriptors: the schemas
// of allowed tools. It decides nothing, and leaves the rest to Admit when opt.Stop fails.
func (m *remembered) readAhead(allow Allowlist, opt Options) {
	var next atomic.Int64
	var stop sync.Mutex // a caller's Stop is not for concurrent use
	stopped := func() bool {
		stop.Lock()
		defer stop.Unlock()
		return opt.Stop != nil && opt.Stop() != nil
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(m.readings)/few) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(m.readings)) && !stopped(); i = next.Add(1) - 1 {
				_, _ = look(m.readings[i], allow, opt) // it is remembered
			}
		})
	}
	workers.Wait()
}

// names reads every descriptor's name once. It returns the readings sorted by name,
// and how often each name is listed. A descriptor that cannot be read still counts if
// its name can be read.
func (m *remembered) names() (sorted []*reading, times map[string]int) {
	m.once.Do(func() {
		m.sorted, m.times = slices.Clone(m.readings), make(map[string]int, len(m.readings))
		for _, r := range m.readings {
			f, err := r.read() // look reports the error
			if m.times[f.Name]++; err != nil && f.Name == "" {
				m.nameless = err
			}
		}
		slices.SortStableFunc(m.sorted, func(a, b *reading) int { return cmp.Compare(a.fields.Name, b.fields.Name) })
	})
	return m.sorted, m.times
}

// maxSeen bounds the memory of a long-lived host, in bytes of descriptors: an admitted
// schema takes some twenty times its text. Descriptors beyond it are read again each
// time.
const maxSeen = 2 << 20

// reading is one descriptor; each part is read when it is first needed.
type reading struct {
	descriptor pin.Descriptor
	once       sync.Once
	fields     pin.Fields
	err        error
	meaning    func() (pin.Digest, error)
	looked     sync.Once
	unshowable bool        // see [Tool.Unshowable]
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

// of returns the remembered form of a listing. Its descriptors equal the listing's
// byte for byte. The slice stays the same as long as the server lists the same tools.
func (s *Seen) of(l Listing) *remembered {
	if s == nil {
		return remember(l.Tools, nil)
	}
	s.mu.Lock()
	was := s.known[l.Server]
	known := was != nil && l.Version != nil && was.version == l.Version
	s.mu.Unlock()
	if known {
		return was
	}
	var before []*reading
	if was != nil {
		if slices.EqualFunc(was.tools, l.Tools, same) {
			s.mu.Lock()
			defer s.mu.Unlock()
			was.version = l.Version
			return was
		}
		before = was.readings
	}
	// Copies, because a part would keep the listing's whole page in memory.
	tools := slices.Clone(l.Tools)
	for i, d := range tools {
		tools[i].Raw = d.Raw.Clone()
	}
	now := remember(tools, before)
	now.version = l.Version
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

// remember reads nothing yet. Descriptors that did not change keep their reading.
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
