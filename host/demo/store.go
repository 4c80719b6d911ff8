package demo

import (
	"embed"
	"fmt"
	"slices"
	"sync"
)

//go:embed data/*.json
var dataFiles embed.FS

// entry is an element of a [Store].
type entry interface{ page() page }

// page is the searchable part of an entry.
type page struct{ id, title, text string }

// Store contains the entries of one server. Tools change it permanently for one [Demo];
// the next Demo starts with all entries again.
type Store[E entry] struct {
	kind string // name of an entry in messages

	mu      sync.Mutex
	entries []E
}

func newStore[E entry](kind, file string) *Store[E] {
	s := &Store[E]{kind: kind}
	load(dataFiles, "data/"+file, &s.entries)
	return s
}

// All returns the current entries, in the order of the store.
func (s *Store[E]) All() []E {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.entries)
}

// Put adds an entry, or replaces the entry with its id. It checks nothing: a tool fails
// on an entry that does not fit its output schema.
func (s *Store[E]) Put(e E) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(e.page().id); i >= 0 {
		s.entries[i] = e
		return
	}
	s.entries = append(s.entries, e)
}

// Get returns the entry with an id, and whether it exists.
func (s *Store[E]) Get(id string) (E, bool) {
	e, err := s.fetch(id)
	return e, err == nil
}

func (s *Store[E]) fetch(id string) (E, error) {
	return s.change(id, func(*E) error { return nil })
}

// change lets fn edit the entry in place, and returns the edited entry.
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

// unknown is the error for an unknown id, for a model or a user.
func (s *Store[E]) unknown(id string) error {
	return fmt.Errorf("there is no %s with the id %s; search for it first", s.kind, id)
}
