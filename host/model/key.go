package model

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
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
// that is no word: LM Studio's users send "lm-studio".
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

// plain is a body with its JSON escapes undone, so that nothing hides in one.
func plain(body []byte) string {
	v := jsontext.Value(body).Clone()
	if v.Canonicalize() != nil {
		return string(body)
	}
	return string(v)
}
