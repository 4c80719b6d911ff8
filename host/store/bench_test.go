package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/host/store"
)

func hundred(tb testing.TB) string {
	tb.Helper()
	path := tb.TempDir() + "/state.db"
	s := store.At(path, clock)
	var all []store.Decision
	for i := range 100 {
		d := decision(kb, "tool"+strconv.Itoa(i), store.Approved)
		d.Raw = []byte(`{"name":"tool` + strconv.Itoa(i) + `","description":"` + strings.Repeat("x", 1500) + `"}`)
		all = append(all, d)
	}
	if err := s.Decide(context.Background(), 0, all); err != nil {
		tb.Fatal(err)
	}
	if err := s.Close(); err != nil {
		tb.Fatal(err)
	}
	return path
}

func BenchmarkOpen(b *testing.B) {
	path := hundred(b)
	for b.Loop() {
		s, err := store.OpenAt(b.Context(), path, clock)
		if err == nil {
			err = s.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecisionsOfAHundredTools(b *testing.B) {
	s := store.At(hundred(b), clock)
	defer func() { _ = s.Close() }() // nothing was written
	for b.Loop() {
		if all, err := s.Decisions(b.Context(), kb); err != nil || len(all) != 100 {
			b.Fatal(len(all), err)
		}
	}
}

// What is known of a call, where 10,000 grants of 100 conversations are kept.
func BenchmarkKnown(b *testing.B) {
	s := store.At(filepath.Join(b.TempDir(), "state.db"), clock)
	defer s.Close()
	var all []grant.Grant
	for i := range 10_000 {
		g := granted(fmt.Sprint("g", i))
		g.Conversation, g.Resource = fmt.Sprint("c", i/100), fmt.Sprint("ticket:INC", i)
		all = append(all, g)
	}
	if err := s.GrantAll(b.Context(), all); err != nil {
		b.Fatal(err)
	}
	k := keyOf(all[550])
	for b.Loop() {
		if is, err := s.Known(b.Context(), k); err != nil || len(is.Grants) != 1 {
			b.Fatal(len(is.Grants), err)
		}
	}
}
