package store_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

// A record is its owner's, and is read as it was stored.
func TestALoginIsOfItsOwner(t *testing.T) {
	t.Parallel()
	s, path := fresh(t)
	odd := []byte("\x00\xff{}")
	if err := s.Logins("a").Put(t.Context(), "kb.login", odd); err != nil {
		t.Fatal(err)
	}
	other := opened(t, path)
	if b, err := other.Logins("a").Get(t.Context(), "kb.login"); err != nil || !bytes.Equal(b, odd) {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := other.Logins("b").Get(t.Context(), "kb.login"); err != nil || b != nil {
		t.Errorf("another owner's: %q, %v", b, err)
	}
	if names, err := other.Logins("a").Names(t.Context()); err != nil || !slices.Equal(names, []string{"kb.login"}) {
		t.Errorf("%q, %v", names, err)
	}
	if err := other.Logins("b").Remove(t.Context(), "kb.login"); err != nil {
		t.Error(err)
	}
	if err := errors.Join(other.Logins("a").Remove(t.Context(), "kb.login"), other.Logins("a").Remove(t.Context(), "kb.login")); err != nil {
		t.Error(err)
	}
	if b, err := s.Logins("a").Get(t.Context(), "kb.login"); err != nil || b != nil {
		t.Errorf("it was removed: %q, %v", b, err)
	}
}

// One has a lease, and other writes go on meanwhile. When it expired another takes it over,
// and the first, which may have slept, stores nothing any more.
func TestALeaseIsOfOneUntilItExpires(t *testing.T) {
	t.Parallel()
	now := when
	path := newPlace(t)
	s, err := store.OpenAt(t.Context(), path, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	first, second := s.Logins("a"), s.Logins("a")
	if _, err := first.Lease(t.Context(), "kb"); err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := second.Lease(short, "kb"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("two have it: %v", err)
	}
	decide(t, s, 0, decision(kb, "get", store.Approved))
	if err := first.Put(t.Context(), "kb", []byte("1")); err != nil {
		t.Error(err)
	}
	if end, err := s.Logins("b").Lease(t.Context(), "kb"); err != nil {
		t.Errorf("another owner waits: %v", err)
	} else {
		end()
	}
	now = now.Add(time.Hour)
	end, err := second.Lease(t.Context(), "kb")
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Put(t.Context(), "kb", []byte("2")); err != nil {
		t.Error(err)
	}
	end()
	if err := first.Put(t.Context(), "kb", []byte("late")); verdict.CodeOf(err) != verdict.StateLocked {
		t.Errorf("it was replaced by an older one: %v", err)
	}
	if b, err := s.Logins("a").Get(t.Context(), "kb"); err != nil || string(b) != "2" {
		t.Errorf("%q, %v", b, err)
	}
}
