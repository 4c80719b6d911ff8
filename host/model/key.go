package model

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Key is an API key. No verb of fmt, no marshaler and no logger prints it.
type Key string

const hidden = "[key]"

// Format prints the same word for every key and verb.
func (Key) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText keeps the key out of JSON.
func (Key) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Sendable reports whether k is printable ASCII without spaces. net/http
// would refuse some of the others with an error that quotes the header.
func (k Key) Sendable() bool {
	return !strings.ContainsFunc(string(k), func(r rune) bool { return r <= ' ' || r > '~' })
}

// secret holds a key where fmt does not find it: a function prints as an
// address, and an unexported Key would be printed as the string it is.
type secret func() string

func hide(k Key) secret { return func() string { return string(k) } }

// The lengths, in bytes, from which text is taken to repeat a key. Endpoints
// quote a refused key with its middle masked, so a fragment of it counts in a
// reason. A whole reply is thrown away only for a whole key, and only for one
// that is not a word: LM Studio's users send "lm-studio".
const (
	fragment = 6
	wholeKey = 16
)

// shows reports whether text repeats a fragment of the key, in any case.
func (s secret) shows(text string) bool {
	key, text := strings.ToLower(s()), strings.ToLower(text)
	n := min(fragment, len(key))
	for i := 0; n > 0 && i+n <= len(key); i++ {
		if strings.Contains(text, key[i:i+n]) {
			return true
		}
	}
	return false
}

// repeats reports whether text holds the whole key. A key that comes back
// encoded in some way is not found.
func (s secret) repeats(text string) bool {
	return len(s()) >= wholeKey && strings.Contains(text, s())
}

// repeatedIn is repeats for a body, which may hold the key in a string's
// escapes: any reader of the trace would see it.
func (s secret) repeatedIn(body []byte) bool {
	return len(s()) >= wholeKey && (s.repeats(string(body)) || s.repeats(plain(body)))
}

// in reports whether a body shows a part of the key, or the whole of it.
func (s secret) in(body []byte) (part, whole bool) { return s.shows(plain(body)), s.repeatedIn(body) }

// plain is a body with its JSON escapes undone, so that nothing hides in one.
func plain(body []byte) string {
	v := jsontext.Value(body).Clone()
	if v.Canonicalize() != nil {
		return string(body)
	}
	return string(v)
}

// Found is a key and where it came from.
type Found struct {
	Key    Key    // "" where there is none
	Origin string // such as "variable X", "file PATH (X_FILE)" or "keyring"
	Note   string // why a keyring, say, gave none
}

// FindKey looks a key up. It may read files and ask a keyring, and obeys ctx.
type FindKey func(ctx context.Context) (Found, error)

// Ready looks the key up, and says what is wrong with it. The model is not asked.
func (c *Client) Ready(ctx context.Context) error {
	_, err := c.keyed(ctx)
	return err
}

// keyed is the client with its key. One caller looks at a time; others wait
// for it no longer than their context lasts. A look-up that failed is tried
// again: a locked keyring may be open by then.
func (c *Client) keyed(ctx context.Context) (*Client, error) {
	if c.cfg.FindKey == nil {
		return c, nil
	}
	select {
	case <-ctx.Done():
		return nil, verdict.Fail(verdict.ModelTimeout, ctx.Err(), "the key was not found in time")
	case c.looks <- struct{}{}:
		defer func() { <-c.looks }()
	}
	if c.found != nil {
		return c.found, nil
	}
	key, err := c.cfg.FindKey(ctx)
	if err != nil {
		return nil, err
	}
	cfg := c.cfg
	cfg.FindKey, cfg.APIKey, cfg.Origins.Key, cfg.Origins.NoKey = nil, key.Key, key.Origin, key.Note
	c.found, err = New(cfg)
	return c.found, err
}
