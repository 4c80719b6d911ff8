package store

import "sync"

// memory has the results of reads in the last known state of the database.
type memory struct {
	mu      sync.Mutex
	as      Stamp
	results map[any]any
}

// maxResults bounds the remembered results.
const maxResults = 256

// remembered is the result of a read in a state of the database. While the state is known and
// the same, it is read once for each key. An error is not kept. No caller may change the
// result.
func remembered[T any](s *Store, now Stamp, key any, read func() (T, error)) (T, error) {
	kept, _ := s.memory.get(now, key)
	if v, known := kept.(T); known {
		return v, nil
	}
	v, err := read()
	if err == nil {
		s.memory.put(now, key, v)
	}
	return v, err
}

func (m *memory) get(now Stamp, key any) (v any, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now == (Stamp{}) || now != m.as {
		return nil, false
	}
	v, known = m.results[key]
	return v, known
}

// put keeps what was read after the state was found: it is at least as new.
func (m *memory) put(now Stamp, key, v any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now == (Stamp{}) {
		return
	}
	if now != m.as || len(m.results) >= maxResults {
		m.as, m.results = now, map[any]any{}
	}
	m.results[key] = v
}
