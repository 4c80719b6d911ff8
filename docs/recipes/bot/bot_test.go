package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

func TestADeliveryCountsOnceAndInItsTime(t *testing.T) {
	t.Parallel()
	now, body := time.Unix(1_800_000_000, 0), []byte(`{"user":"ada"}`)
	sign := func(secret string, at time.Time, of string) http.Header {
		mac := hmac.New(sha256.New, []byte(secret))
		fmt.Fprintf(mac, "%d.%s", at.Unix(), of)
		return http.Header{"X-Timestamp": {fmt.Sprint(at.Unix())}, "X-Signature": {hex.EncodeToString(mac.Sum(nil))}}
	}
	s := &signatures{secret: []byte("s"), seen: map[string]time.Time{}}
	for _, c := range []struct {
		what string
		h    http.Header
		want bool
	}{
		{"nothing", http.Header{}, false},
		{"another secret", sign("x", now, string(body)), false},
		{"another body", sign("s", now, "{}"), false},
		{"too late", sign("s", now.Add(-late), string(body)), false},
		{"too early", sign("s", now.Add(2*early), string(body)), false},
		{"good", sign("s", now, string(body)), true},
		{"twice", sign("s", now, string(body)), false},
		{"a second later", sign("s", now.Add(time.Second), string(body)), true},
	} {
		if got := s.first(c.h, body, now); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	if s.first(sign("s", now.Add(late), ""), nil, now.Add(late+time.Minute)); len(s.seen) != 1 {
		t.Errorf("%d signatures are remembered, and one still counts", len(s.seen))
	}
}

func TestACallThatIsNotAllShownIsNotApprovedHere(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"short": true, strings.Repeat("x", longest): false} {
		out := host.Outcome{Type: host.ApprovalNeeded, Intent: &host.Intent{Report: intent.Report{Leaves: []intent.Leaf{{Pointer: "/a", Value: value}}}}}
		if _, whole := describe(out); whole != want {
			t.Errorf("%d bytes: whole %v", len(value), whole)
		}
	}
	text, _ := describe(host.Outcome{Type: host.Failed, Error: &host.Failure{Code: verdict.OutputError, Message: "a\x1b[2Jb"}})
	if strings.Contains(text, "\x1b") {
		t.Errorf("%q", text)
	}
}

func TestNobodyPushesOutAnothersApproval(t *testing.T) {
	t.Parallel()
	b := &bot{waiting: map[string]pending{}}
	kept := b.remember("first", host.Question{Subject: "grace"})
	for i := range perUser {
		kept = kept && b.remember(fmt.Sprint(i), host.Question{Subject: "ada"})
	}
	if !kept || b.remember("one more", host.Question{Subject: "ada"}) || !b.remember("second", host.Question{Subject: "grace"}) {
		t.Error("a user's share is not theirs alone")
	}
	if _, known := b.approved(message{Approve: "first"}); !known {
		t.Error("the first has gone")
	}
}
