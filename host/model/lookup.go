package model

import (
	"context"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Found is a key and where it came from.
type Found struct {
	Key    Key    // "" where there is none
	Origin string // such as "variable X", "file PATH (X_FILE)" or "keyring"
	Note   string // why a keyring, say, gave none
}

// FindKey looks a key up. It may read files and ask a keyring, and obeys ctx.
type FindKey func(ctx context.Context) (Found, error)

// unkeyed makes the client that is asked, once its key is known. A look-up that
// failed is tried again: a locked keyring may be open by then.
type unkeyed struct {
	cfg   Config
	turn  chan struct{} // holds one while nobody looks
	found *Client
}

// lookUp is nil where there is nothing to look up.
func lookUp(cfg Config) *unkeyed {
	if cfg.FindKey == nil {
		return nil
	}
	u := &unkeyed{cfg: cfg, turn: make(chan struct{}, 1)}
	u.turn <- struct{}{}
	return u
}

// Ready looks the key up, and says what is wrong with it. The model is not asked.
func (c *Client) Ready(ctx context.Context) error {
	_, err := c.keyed(ctx)
	return err
}

// keyed is the client with its key. One caller looks at a time; others wait
// for it no longer than their context lasts.
func (c *Client) keyed(ctx context.Context) (*Client, error) {
	u := c.unkeyed
	if u == nil {
		return c, nil
	}
	select {
	case <-ctx.Done():
		return nil, verdict.Fail(verdict.ModelTimeout, ctx.Err(), "the key was not found in time")
	case <-u.turn:
		defer func() { u.turn <- struct{}{} }()
	}
	if u.found != nil {
		return u.found, nil
	}
	key, err := u.cfg.FindKey(ctx)
	if err != nil {
		return nil, err
	}
	cfg := u.cfg
	cfg.FindKey, cfg.APIKey, cfg.Origins.Key, cfg.Origins.NoKey = nil, key.Key, key.Origin, key.Note
	u.found, err = New(cfg)
	return u.found, err
}
