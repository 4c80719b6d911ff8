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

func (o Options) quarantine(s config.Settings, state *store.Store) host.Quarantine {
	return quarantine{state, o.now(), s.QuarantineAge.V, int64(s.QuarantineSize.V)}
}

// Keep is a [host.Quarantine]. The new one is the last to go.
func (q quarantine) Keep(ctx context.Context, w host.Withheld) error {
	err := q.store.Keep(ctx, store.Kept{
		Run: w.RunID, Trace: w.Trace, Server: w.Server, Tool: w.Tool, Rules: w.Rules, Body: w.Body, Created: w.Created,
	})
	if err == nil {
		_, err = q.store.Purge(ctx, q.now().Add(-q.age))
	}
	if err == nil {
		_, err = q.store.Shrink(ctx, q.size)
	}
	return err
}
