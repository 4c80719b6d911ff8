package demo

import (
	"embed"
	"fmt"
	"slices"
	"sync"
)

//go:embed data/*.json
var dataFiles embed.FS

// entry is what a [Store] can hold.
type entry interface{ page() page }

// page is the side of an entry that is searched.
type page struct{ id, title, text string }

// Store holds the entries of one server. Tools change it for good, as far as
// one [Demo] reaches: the next one starts full again.
type Store[E entry] struct {
	kind string // what messages call an entry

	mu      sync.Mutex
	entries []E
}

func newStore[E entry](kind, file string) *Store[E] {
	s := &Store[E]{kind: kind}
	load(dataFiles, "data/"+file, &s.entries)
	return s
}

// All are the entries as they are now, in the order of the store.
func (s *Store[E]) All() []E {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.entries)
}

// Put adds an entry, in the place of the one with its id if there is one.
// Nothing is checked: a tool that is asked for an entry which does not fit its
// output schema fails.
func (s *Store[E]) Put(e E) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(e.page().id); i >= 0 {
		s.entries[i] = e
		return
	}
	s.entries = append(s.entries, e)
}

// Get is the entry with that id, and whether there is one.
func (s *Store[E]) Get(id string) (E, bool) {
	e, err := s.fetch(id)
	return e, err == nil
}

func (s *Store[E]) fetch(id string) (E, error) {
	return s.change(id, func(*E) error { return nil })
}

// change lets fn edit the entry in place, and returns what it has become.
func (s *Store[E]) change(id string, fn func(*E) error) (E, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var none E
	i := s.index(id)
	if i < 0 {
		return none, s.unknown(id)
	}
	if err := fn(&s.entries[i]); err != nil {
		return none, err
	}
	return s.entries[i], nil
}

func (s *Store[E]) remove(id string) (Deleted, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.index(id)
	if i < 0 {
		return Deleted{}, s.unknown(id)
	}
	s.entries = slices.Delete(s.entries, i, i+1)
	return Deleted{ID: id, Deleted: true}, nil
}

func (s *Store[E]) search(in searchInput) (SearchResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pages := make([]page, len(s.entries))
	for i, e := range s.entries {
		pages[i] = e.page()
	}
	return SearchResult{Results: rank(pages, in.Query, in.Limit)}, nil
}

func (s *Store[E]) index(id string) int {
	return slices.IndexFunc(s.entries, func(e E) bool { return e.page().id == id })
}

// unknown is what a model or a person reads when an id leads nowhere.
func (s *Store[E]) unknown(id string) error {
	return fmt.Errorf("there is no %s with the id %s; search for it first", s.kind, id)
}
