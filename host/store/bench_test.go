package store_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

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
		s, err := store.Open(b.Context(), path, clock)
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
