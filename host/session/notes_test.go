package session_test

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/host/session"
)

// TestWhatAServerReportsIsPassedOn as one bounded line without control characters
// and secrets.
func TestWhatAServerReportsIsPassedOn(t *testing.T) {
	t.Parallel()
	each(t, "reports on call", []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"}, func(t *testing.T, s session.Server, log string) {
		var mu sync.Mutex
		var got []string
		s.Secrets = map[string]string{"KEY": secret}
		s.Notice = func(server, text string) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, server+": "+text)
		}
		p := pool(t, long, s)
		if code, err := ask(t, p); code != "" {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		want := []string{
			`srv: progress 3 of 10: reading\u{1B}[2J[redacted]`,
			"srv: progress 4",
			`srv: log warning: {"a":"` + strings.Repeat("x", 256) + "… [746 bytes left out]",
			`srv: log info: two\u{A}lines`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for i, line := range p.Strays()[:len(got)] {
			if diff := cmp.Diff(strings.Replace(got[i], "srv: ", "server srv reports: ", 1), line); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
	})
}

// TestProgressIsAskedForOnlyWhereItIsShown: else the call is sent as it was.
func TestProgressIsAskedForOnlyWhereItIsShown(t *testing.T) {
	t.Parallel()
	for notice, want := range map[bool]bool{true: true, false: false} {
		log := logFile(t)
		s := stdio(t, "", log)
		if notice {
			s.Notice = func(string, string) {}
		}
		if code, err := ask(t, pool(t, long, s)); code != "" {
			t.Fatal(err)
		}
		b, err := os.ReadFile(log)
		must(t, err)
		if got := strings.Contains(string(b), `"progressToken":"call-1"`); got != want {
			t.Errorf("shown: %v; asked for: %v", notice, got)
		}
	}
}
