package host

import (
	"context"
	"sync"
)

// asking are the calls, by their keys, that a run of this host is about to ask a
// person for. Another run of the same call waits, and finds what was asked then: ten
// calls at once are one pending approval.
type asking struct {
	mu   sync.Mutex
	keys map[string]chan struct{}
}

// take waits until no other run is about to ask for a key, and takes it.
func (a *asking) take(ctx context.Context, key string) error {
	for {
		a.mu.Lock()
		other, taken := a.keys[key]
		if !taken {
			if a.keys == nil {
				a.keys = map[string]chan struct{}{}
			}
			a.keys[key] = make(chan struct{})
			a.mu.Unlock()
			return nil
		}
		a.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return interrupted(ctx)
		}
	}
}

// release lets the next run look. A key that was not taken is none.
func (a *asking) release(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if held, taken := a.keys[key]; taken {
		close(held)
		delete(a.keys, key)
	}
}

// first takes the key of a call that a person is asked for.
func (r *run) first(ctx context.Context, server, tool string) error {
	if !r.config.Policy.Allowlist.Effect(server, tool).Asks() {
		return nil
	}
	if err := r.asking.take(ctx, r.key); err != nil {
		return err
	}
	r.taken = r.key
	return nil
}

// askedFor lets other runs of the same call look for what was asked.
func (r *run) askedFor() {
	if r.taken != "" {
		r.asking.release(r.taken)
		r.taken = ""
	}
}
