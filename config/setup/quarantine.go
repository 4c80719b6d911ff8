package setup

import (
	"context"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
)

// quarantine keeps withheld results in the state, and tidies it whenever it
// keeps one: what is too old goes, and then the oldest of what is too much.
type quarantine struct {
	store *store.Store
	now   func() time.Time
	age   time.Duration
	size  int64
}

// Quarantine is the one that settings describe, in a state.
func Quarantine(s config.Settings, state *store.Store, now func() time.Time) host.Quarantine {
	return quarantine{state, now, s.QuarantineAge.V, int64(s.QuarantineSize.V)}
}

// Keep is a [host.Quarantine]. It makes room for the new one first, which is not
// tidied away itself however large it is. What cannot be tidied today can be
// tomorrow, and keeps nothing from being kept.
func (q quarantine) Keep(ctx context.Context, w host.Withheld) error {
	_, _ = q.store.Purge(ctx, q.now().Add(-q.age))
	_, _ = q.store.Shrink(ctx, max(0, q.size-int64(len(w.Body))))
	return q.store.Keep(ctx, store.Kept{
		Run: w.RunID, Trace: w.Trace, Server: w.Server, Tool: w.Tool, Rules: w.Rules, Body: w.Body, Created: w.Created,
	})
}
