package trust_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/host/trust"
)

// counting is a store of which is counted how often decisions are read.
type counting struct {
	*store.Store
	reads int
}

func (c *counting) Decisions(ctx context.Context, at pin.Place) ([]store.Decision, error) {
	c.reads++
	return c.Store.Decisions(ctx, at)
}

// TestPinsAreReadAgainWhenAnythingChanged, and not before. This process may make the
// change, or another, or a file that replaces the database or is copied over it.
func TestPinsAreReadAgainWhenAnythingChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "state.db")
	own, other := &counting{Store: store.At(path, time.Now)}, store.At(path, time.Now)
	t.Cleanup(func() { _ = own.Close(); _ = other.Close() })
	k, elsewhere := trust.NewKeeper(own, time.Now), trust.NewKeeper(other, time.Now)
	kb := &server{tools: []string{tool("get", "gets")}}
	at := kb.subject().Place
	holds := func(step string, reads int, want bool) {
		t.Helper()
		own.reads = 0
		for range 3 {
			pins, err := k.Pins(t.Context(), at)
			if err != nil {
				t.Fatalf("%s: %v", step, err)
			}
			if _, is := pins.Tools["get"]; is != want {
				t.Errorf("%s: it is approved: %v", step, is)
			}
			clear(pins.Tools) // a caller's own
		}
		if own.reads != reads {
			t.Errorf("%s: the decisions were read %d times, want %d", step, own.reads, reads)
		}
	}
	holds("where there is no database", 3, false)
	approve(t, elsewhere, kb, "get")
	holds("approved elsewhere", 1, true)
	backup := backedUp(t, path, own, other)
	holds("opened again", 1, true)
	holds("nothing new", 0, true)
	if err := elsewhere.Reject(t.Context(), at, trust.Choice{By: "ada"}, "get"); err != nil {
		t.Fatal(err)
	}
	holds("rejected elsewhere", 1, false)
	if err := k.Reject(t.Context(), at, trust.Choice{By: "ada"}, "put"); err != nil {
		t.Fatal(err)
	}
	holds("another decision here", 1, false)
	if err := os.Rename(backup, path); err != nil {
		t.Fatal(err)
	}
	for _, log := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + log); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	holds("another file in its place", 2, true) // the first opens it
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	holds("removed", 3, false)
}

// backedUp is a copy of the database as it is now.
func backedUp(t *testing.T, path string, all ...interface{ Close() error }) string {
	t.Helper()
	for _, s := range all { // at the last one what the log holds goes into the file
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	to := path + ".backup"
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}
