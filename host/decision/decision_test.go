package decision_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/decision"
)

func TestAnAddressIsHTTPSOrOfThisMachine(t *testing.T) {
	t.Parallel()
	for address, good := range map[string]bool{
		"https://decide.example/v1":  true,
		"HTTPS://decide.example/v1":  true,
		"http://127.0.0.1:8181/v1":   true,
		"http://[::1]:8181/v1":       true,
		"http://localhost:8181/v1":   true,
		"http://decide.example/v1":   false,
		"http://10.0.0.1/v1":         false,
		"http://localhost.example/":  false,
		"http://127.0.0.1.example/":  false,
		"https://a:b@decide.example": false,
		"ftp://127.0.0.1/":           false,
		"http://":                    false,
		"":                           false,
		"/v1":                        false,
	} {
		if _, err := (decision.Point{}).Endpoint(address); (err == nil) != good {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestAProgramIsNotOfTheWorkingDirectory(t *testing.T) {
	t.Parallel()
	for path, good := range map[string]bool{"decide": true, "/usr/bin/decide": true, "./decide": false, "bin/decide": false, "../decide": false, "": false} {
		if _, err := (decision.Point{}).Command(strings.Fields(path), ""); (err == nil) != good {
			t.Errorf("%q: %v", path, err)
		}
	}
}

// A program that does not end is ended with what it started.
func TestAProgramIsEndedInTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "slow")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nsleep 600 & echo $! >child\nwait\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p, err := decision.Point{Name: "user", Limit: 500 * time.Millisecond}.Command([]string{script}, dir)
	if err != nil {
		t.Fatal(err)
	}
	b := p.Decide(t.Context(), []byte(`{}`))
	if b.Error == nil || b.Error.Code != verdict.DecisionUnanswered || !strings.Contains(b.Error.Reason, "within 500ms") {
		t.Errorf("%+v", b)
	}
	child, err := os.ReadFile(filepath.Join(dir, "child"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/proc/" + strings.TrimSpace(string(child)) + "/cmdline"); err == nil {
		state, _ := os.ReadFile("/proc/" + strings.TrimSpace(string(child)) + "/stat")
		if !strings.Contains(string(state), ") Z ") {
			t.Errorf("its child runs: %s", state)
		}
	}
}

// What a program or an endpoint says when it fails is a stranger's text.
func TestTheWordsOfAFailureAreEscaped(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"decision":"allow","`+"\u202e"+`":1}`) }))
	t.Cleanup(s.Close)
	endpoint, err := decision.Point{}.Endpoint(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	program, err := decision.Point{}.Command([]string{"/bin/sh", "-c", "printf"}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []decision.Point{endpoint, program} {
		b := p.Decide(t.Context(), []byte(`{}`))
		if b.Error == nil || strings.ContainsAny(b.Error.Reason, "\u202e\n\x1b") || len(b.Error.Reason) > 600 {
			t.Errorf("%+v", b.Error)
		}
	}
}
