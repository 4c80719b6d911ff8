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

// Sendable reports whether k is printable ASCII without spaces. net/http would refuse
// some other characters with an error that quotes the header.
func (k Key) Sendable() bool {
	return !strings.ContainsFunc(string(k), func(r rune) bool { return r <= ' ' || r > '~' })
}

// secret contains a key where fmt does not find it. A function prints as an address,
// while an unexported Key would be printed as a string.
type secret func() string

func hide(k Key) secret { return func() string { return string(k) } }

// The lengths, in bytes, from which text counts as repeating a key. Endpoints quote a
// refused key with its middle masked, so in a reason a fragment counts. A whole reply is
// thrown away only for a whole key that is not a word: LM Studio's users send
// "lm-studio".
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

// repeats reports whether text contains the whole key. It does not find an encoded key.
func (s secret) repeats(text string) bool {
	return len(s()) >= wholeKey && strings.Contains(text, s())
}

// repeatedIn is repeats for a body, which may contain the key in a string's escapes.
func (s secret) repeatedIn(body []byte) bool {
	return len(s()) >= wholeKey && (s.repeats(string(body)) || s.repeats(plain(body)))
}

// in reports whether a body shows a part of the key, and whether it shows the whole.
func (s secret) in(body []byte) (part, whole bool) { return s.shows(plain(body)), s.repeatedIn(body) }

// plain returns a body with its JSON escapes undone, so that they cannot hide a key.
func plain(body []byte) string {
	v := jsontext.Value(body).Clone()
	if v.Canonicalize() != nil {
		return string(body)
	}
	return string(v)
}

// Found is a key and its origin.
type Found struct {
	Key    Key    // "" if no key was found
	Origin string // such as "variable X", "file PATH (X_FILE)" or "keyring"
	Note   string // why a source, such as a keyring, gave no key
}

// FindKey looks up a key. It may read files and ask a keyring, and obeys ctx.
type FindKey func(ctx context.Context) (Found, error)

// Ready looks up the key, and returns what is wrong with it. It does not ask the model.
func (c *Client) Ready(ctx context.Context) error {
	_, err := c.keyed(ctx)
	return err
}

// keyed returns the client with its key. One caller looks the key up at a time; others
// wait for it as long as their contexts last. A failed look-up is tried again: a locked
// keyring may be open by then.
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
