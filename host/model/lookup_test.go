package model_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/model"
)

// TestAKeyIsFoundAtTheFirstRequest, once for all of them, and not before.
func TestAKeyIsFoundAtTheFirstRequest(t *testing.T) {
	t.Parallel()
	for _, provider := range providers[:2] { // ollama has no key
		s := serve(t, body(envelope(t, provider, fetchPlan, "stop")))
		var looked atomic.Int32
		c := client(t, model.Config{Provider: provider, BaseURL: s.URL, FindKey: func(context.Context) (model.Found, error) {
			looked.Add(1)
			return model.Found{Key: key}, nil
		}})
		if looked.Load() != 0 {
			t.Errorf("%s: the key was looked up when the client was made", provider)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if _, err := c.Complete(t.Context(), request); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if looked.Load() != 1 {
			t.Errorf("%s: the key was looked up %d times", provider, looked.Load())
		}
		for _, a := range s.seen() {
			if a.header.Get("Authorization")+a.header.Get("X-Api-Key") == "" {
				t.Errorf("%s: a request had no key", provider)
			}
		}
	}
}

// TestAKeyThatIsNotFoundIsLookedForAgain: a keyring may be open by then. What
// was wrong is said, and no request is made.
func TestAKeyThatIsNotFoundIsLookedForAgain(t *testing.T) {
	t.Parallel()
	s := serve(t, body(envelope(t, "openai", fetchPlan, "stop")))
	wrong := verdict.Fail(verdict.ConfigUnreadable, nil, "the file cannot be read")
	found := []model.Found{{}, {Key: "two\nlines", Origin: "file x"}, {Key: key}}
	fails := []error{wrong, nil, nil}
	var n int
	c := client(t, model.Config{Provider: "openai", BaseURL: s.URL, FindKey: func(context.Context) (model.Found, error) {
		n++
		return found[n-1], fails[n-1]
	}})
	if err := c.Ready(t.Context()); !errors.Is(err, wrong) {
		t.Errorf("the first look-up gives %v", err)
	}
	if _, err := c.Complete(t.Context(), request); verdict.CodeOf(err) != verdict.ModelUnconfigured {
		t.Errorf("a key that cannot be sent gives %v", err)
	}
	if len(s.seen()) != 0 {
		t.Error("a request was made without its key")
	}
	if _, err := c.Complete(t.Context(), request); err != nil || len(s.seen()) != 1 {
		t.Errorf("%v, %d requests", err, len(s.seen()))
	}
}

// TestAProvidersOwnAddressNeedsAKey, which is said when it is asked.
func TestAProvidersOwnAddressNeedsAKey(t *testing.T) {
	t.Parallel()
	c := client(t, model.Config{Provider: "openai", FindKey: func(context.Context) (model.Found, error) {
		return model.Found{Note: "there is no session bus"}, nil
	}})
	if err := c.Ready(t.Context()); verdict.CodeOf(err) != verdict.ModelUnconfigured {
		t.Errorf("it is ready with %v", err)
	}
}

// TestWhoWaitsForALookUpObeysItsContext while another looks.
func TestWhoWaitsForALookUpObeysItsContext(t *testing.T) {
	t.Parallel()
	looking, done := make(chan struct{}), make(chan struct{})
	c := client(t, model.Config{Provider: "openai", BaseURL: "http://127.0.0.1:1", FindKey: func(context.Context) (model.Found, error) {
		close(looking)
		<-done
		return model.Found{Key: key}, nil
	}})
	first := make(chan error)
	go func() { first <- c.Ready(context.WithoutCancel(t.Context())) }()
	<-looking
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Ready(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("who waits gets %v", err)
	}
	close(done)
	if err := <-first; err != nil {
		t.Error(err)
	}
}
