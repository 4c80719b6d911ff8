package trust

import (
	"context"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host/store"
)

// Health is how a server fared when it was asked, the oldest first. It is for
// people, and decides nothing.
func (k *Keeper) Health(ctx context.Context, at pin.Place) ([]store.Health, error) {
	return k.store.HealthOf(ctx, at)
}
