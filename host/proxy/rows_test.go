package proxy_test

import (
	"crypto/sha256"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/onestep-run/onestep/host/proxy"
	"github.com/onestep-run/onestep/host/store"
)

// A session in the state is found under its own token alone, until it expires or ends.
func TestASessionInTheStateIsOfItsToken(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	state := store.At(filepath.Join(t.TempDir(), "state.db"), func() time.Time { return now })
	t.Cleanup(func() { _ = state.Close() })
	all := proxy.Rows(state)
	id := sha256.Sum256([]byte("the client's"))
	want := proxy.Session{ID: id, Token: "ada's", Conversation: "c1", Client: "editor", Version: "1", Expires: now.Add(time.Hour)}
	find := func(token string) (proxy.Session, error) { return all.Find(t.Context(), id, token, now.Add(time.Hour)) }
	if _, err := find("ada's"); !errors.Is(err, proxy.ErrNoSession) {
		t.Errorf("before it begins: %v", err)
	}
	if err := all.Begin(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if is, err := find("ada's"); err != nil || is != want {
		t.Errorf("%+v, %v", is, err)
	}
	if _, err := find("eve's"); !errors.Is(err, proxy.ErrNoSession) {
		t.Errorf("under another token: %v", err)
	}
	if err := all.End(t.Context(), id, "eve's"); err != nil {
		t.Error(err)
	}
	now = now.Add(30 * time.Minute)
	if is, err := find("ada's"); err != nil || !is.Expires.Equal(now.Add(time.Hour)) {
		t.Errorf("%+v, %v", is, err)
	}
	now = now.Add(61 * time.Minute)
	if _, err := find("ada's"); !errors.Is(err, proxy.ErrNoSession) {
		t.Errorf("when it expired: %v", err)
	}
	if err := all.Begin(t.Context(), proxy.Session{ID: id, Token: "ada's", Conversation: "c2", Expires: now.Add(time.Hour)}); err != nil {
		t.Error(err)
	}
	if err := all.End(t.Context(), id, "ada's"); err != nil {
		t.Error(err)
	}
	if _, err := find("ada's"); !errors.Is(err, proxy.ErrNoSession) {
		t.Errorf("when it ended: %v", err)
	}
}

// A token has a bound, which other tokens do not fill.
func TestATokenHasSoManySessions(t *testing.T) {
	t.Parallel()
	state := store.At(filepath.Join(t.TempDir(), "state.db"), time.Now)
	t.Cleanup(func() { _ = state.Close() })
	all := proxy.Rows(state)
	begin := func(id, token string) error {
		return all.Begin(t.Context(), proxy.Session{ID: sha256.Sum256([]byte(id)), Token: token, Conversation: "c", Expires: time.Now().Add(time.Hour)})
	}
	begun := 0
	for i := range 200 {
		if err := begin(string(rune('a'+i)), "ada's"); err == nil {
			begun++
		} else if !errors.Is(err, proxy.ErrSessions) {
			t.Fatal(err)
		}
	}
	if err := begin("eve", "eve's"); begun != 100 || err != nil {
		t.Errorf("%d sessions, and another token's: %v", begun, err)
	}
}
