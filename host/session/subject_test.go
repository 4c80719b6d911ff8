package session_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// A connection that was made with one person's credential carries no other
// person's requests. Where the credential is the same for all, all share one.
func TestNoConnectionIsSharedByTwoCredentials(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen map[string][]string // the credentials on each session
	opened := 0
	fake := newFake("", logFile(t))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var asked message
		_ = json.Unmarshal(body, &asked)
		m, id := asked.Method, r.Header.Get("Mcp-Session-Id")
		mu.Lock()
		if m == "initialize" {
			opened++
			id = string(rune('a' + opened - 1))
			w.Header().Set("Mcp-Session-Id", id)
		}
		if m == "initialize" || m == "tools/list" {
			seen[id] = append(seen[id], r.Header.Get("Authorization"))
		}
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if m == "" || m == "notifications/initialized" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		fake.receive(body, func(answer string) { _, _ = io.WriteString(w, answer) })
	}))
	t.Cleanup(server.Close)
	token := "one"
	own := func(subject string) map[string]string { return map[string]string{"authorization": subject + token} }
	for name, c := range map[string]struct {
		authorize func(string) map[string]string
		want      map[string][]string
	}{
		"each their own": {own, map[string][]string{"a": {"adaone", "adaone", "adaone"}, "b": {"boone", "boone"}, "c": {"adatwo", "adatwo"}}},
		"one for all":    {nil, map[string][]string{"a": {"all", "all", "all", "all", "all"}}},
	} {
		seen, opened, token = map[string][]string{}, 0, "one"
		p := pool(t, long, session.Server{Name: "s", URL: server.URL, Headers: map[string]string{"Authorization": "all"}, Authorize: c.authorize})
		list := func(subject string) {
			if l := p.Discover(t.Context(), subject, []string{"s"}); l[0].Err != nil {
				t.Errorf("%s: %v", name, l[0].Err)
			}
		}
		list("ada")
		list("bo")
		list("ada")
		token = "two"
		list("ada")
		mu.Lock()
		if diff := cmp.Diff(c.want, seen); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		mu.Unlock()
	}
	stdio := session.Server{Name: "s", Command: "true", Authorize: own}
	if err := stdio.Validate(); verdict.CodeOf(err) != verdict.ConfigInvalid {
		t.Errorf("a process that everybody shares has a credential for each: %v", err)
	}
}
