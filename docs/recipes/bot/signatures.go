package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// A delivery is accepted this long after and before its time.
const (
	late  = 5 * time.Minute
	early = 10 * time.Second
)

// signatures authenticates the platform by a shared secret. Each signature
// counts once, so that no delivery makes two runs.
type signatures struct {
	secret []byte

	mu   sync.Mutex
	seen map[string]time.Time // until when each would count
}

// first reports whether a body is signed, with HMAC-SHA256 over its time and
// itself, and was not delivered before.
func (s *signatures) first(h http.Header, body []byte, now time.Time) bool {
	at, err := strconv.ParseInt(h.Get("X-Timestamp"), 10, 64)
	sum, bad := hex.DecodeString(h.Get("X-Signature"))
	mac := hmac.New(sha256.New, s.secret)
	fmt.Fprintf(mac, "%d.%s", at, body)
	if err != nil || bad != nil || !hmac.Equal(sum, mac.Sum(nil)) {
		return false
	}
	made := time.Unix(at, 0)
	return !made.After(now.Add(early)) && now.Before(made.Add(late)) && s.remember(string(sum), made.Add(late), now)
}

func (s *signatures) remember(sum string, until, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for old, end := range s.seen {
		if now.After(end) {
			delete(s.seen, old)
		}
	}
	_, there := s.seen[sum]
	s.seen[sum] = until
	return !there
}
