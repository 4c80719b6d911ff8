package store_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/onestep-run/onestep/host/store"
)

// TestAStampIsAnotherOneWhenAnythingWasWritten, and the same while nothing was.
func TestAStampIsAnotherOneWhenAnythingWasWritten(t *testing.T) {
	t.Parallel()
	ofAFile(t)
	s, path := fresh(t)
	if store.At(path+"2", clock).Stamp(t.Context()) != (store.Stamp{}) {
		t.Error("a database that is not there has a state")
	}
	decide(t, s, 0, decision(kb, "get", store.Approved))
	last := s.Stamp(t.Context())
	for what, change := range map[string]func() error{
		"a write of its own": func() error { return s.NoteHealth(t.Context(), kb, time.Now().String()) },
		"a write of another": func() error {
			other := store.At(path, time.Now)
			return errors.Join(other.NoteHealth(t.Context(), kb, time.Now().String()), other.Close())
		},
		"a file that is written": func() error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) },
		"a log that is written":  func() error { return os.Chtimes(path+"-wal", time.Time{}, time.Unix(1, 0)) },
		"another connection":     func() error { return s.Reconnect(t.Context()) },
	} {
		before := s.Stamp(t.Context())
		if before == (store.Stamp{}) || before != s.Stamp(t.Context()) {
			t.Errorf("%s: nothing was written before it, and the state is another one", what)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		now := s.Stamp(t.Context())
		if now == before || now == last {
			t.Errorf("%s: the state is the same", what)
		}
		last = before
	}
	b := read(t, path)
	if err := errors.Join(os.Remove(path), os.WriteFile(path, b, 0o600)); err != nil {
		t.Fatal(err)
	}
	if s.Stamp(t.Context()) != (store.Stamp{}) {
		t.Error("a file that took the place of the opened one has its state")
	}
}
