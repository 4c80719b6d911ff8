package setup

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
)

func TestAWithheldResultGoesToTheStateAndTheOldestGo(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	s := config.Settings{
		StateFile:     config.Value[string]{V: t.TempDir() + "/state.db"},
		QuarantineAge: config.Value[time.Duration]{V: 10 * time.Hour}, QuarantineSize: config.Value[int]{V: 250},
	}
	state := store.At(s.StateFile.V, nil)
	defer func() { _ = state.Close() }() // all is on disk
	q := Quarantine(s, state, func() time.Time { return now })
	for _, step := range []struct {
		run  string
		age  time.Duration
		size int
		left []string
	}{
		{"a", 9 * time.Hour, 100, []string{"a"}},
		{"old", 11 * time.Hour, 10, []string{"old", "a"}}, // the new one stays, also of a clock that was put back
		// It is small enough to stay, and too old.
		{"b", 2 * time.Hour, 100, []string{"a", "b"}},
		{"c", 0, 100, []string{"b", "c"}}, // three are too much
		{"large", 0, 300, []string{"large"}},
		{"d", 0, 100, []string{"d"}},
	} {
		w := host.Withheld{RunID: step.run, Rules: []string{"patterns/x"}, Body: []byte(strings.Repeat("x", step.size)), Created: now.Add(-step.age)}
		if err := q.Keep(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		all, err := state.AllKept(t.Context())
		var left []string
		for _, k := range all {
			left = append(left, k.Run)
		}
		if err != nil || !slices.Equal(left, step.left) {
			t.Errorf("after %s there are %q, %v", step.run, left, err)
		}
	}
}
