// Package inbox keeps calls that wait for a person, and results that wait for their
// client.
//
// A call joins the inbox, waits until a person answers elsewhere, and takes that
// answer; or it expires. The result of a call whose client has gone is delivered to
// the next call that is the same. The package vouches that one run at a time asks
// for a call, and that a result is delivered once. It does not vouch that an answer
// is of this very call: gate.Consent compares them, and the state spends it.
//
// host calls it.
package inbox

import (
	"context"
	"sync"
	"time"

	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/grant"
)

// Approvals keeps the approvals of calls, with grants and the labels of conversations.
// host/store does.
type Approvals interface {
	// Ask keeps a pending approval.
	Ask(ctx context.Context, a approval.Approval) error
	// Approval gives the approval of a run, without using it.
	Approval(ctx context.Context, runID string) (approval.Approval, error)
	// Next gives it a little later, in one reading with those that other callers wait for.
	Next(ctx context.Context, runID string) (approval.Approval, error)
	// SameCall gives the newest approval with a key, or the zero value.
	SameCall(ctx context.Context, key string) (approval.Approval, error)
	// Move takes an approval a step further, for one caller among any number of
	// processes. The step is on disk when it returns nil.
	Move(ctx context.Context, runID, digest string, to approval.Step) (approval.Approval, error)
	// Known gives the state of a call: grants, labels, and the newest time.
	Known(ctx context.Context, k grant.Key) (grant.Known, error)
	// Redeem checks and spends all that a call needs, in one step that is on disk when
	// it returns nil.
	Redeem(ctx context.Context, r grant.Redemption) error
}

// Inbox is the inbox of one host. It is in memory: a conversation of a wrapped client
// ends with its process. Its zero value is empty.
type Inbox struct {
	mu      sync.Mutex
	asking  map[string]chan struct{} // by the key of a call that a run is about to ask for
	results map[string]Result        // by the key of their call, until their approval expires
	bytes   int                      // of the results
}

// Result is the result of a call that was made.
type Result struct {
	Run     string
	Body    []byte
	Expires time.Time // with its approval
}

// maxResults bounds the results that are kept, in bytes.
const maxResults = 32 << 20

// Return keeps a result that its client did not get.
func (b *Inbox) Return(key string, r Result, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.results == nil {
		b.results = map[string]Result{}
	}
	for k, old := range b.results {
		if now.After(old.Expires) || k == key {
			b.bytes -= len(old.Body)
			delete(b.results, k)
		}
	}
	if b.bytes+len(r.Body) <= maxResults {
		b.results[key] = r
		b.bytes += len(r.Body)
	}
}

// result gives a result without removing it.
func (b *Inbox) result(key string, now time.Time) *Result {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, there := b.results[key]; there && !now.After(r.Expires) {
		return &r
	}
	return nil
}

// remove gives a result to one caller.
func (b *Inbox) remove(key, run string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, there := b.results[key]
	if !there || r.Run != run {
		return false
	}
	b.bytes -= len(r.Body)
	delete(b.results, key)
	return true
}

// turn waits until no other run is about to ask for a call, and takes its turn. Ten equal
// calls at once make one pending approval, which the other nine then find.
func (b *Inbox) turn(ctx context.Context, key string) error {
	for {
		b.mu.Lock()
		other, taken := b.asking[key]
		if !taken {
			if b.asking == nil {
				b.asking = map[string]chan struct{}{}
			}
			b.asking[key] = make(chan struct{})
			b.mu.Unlock()
			return nil
		}
		b.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// next lets the next run of a call have its turn.
func (b *Inbox) next(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if held, taken := b.asking[key]; taken {
		close(held)
		delete(b.asking, key)
	}
}
