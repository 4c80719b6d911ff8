// Command bot answers a chat platform's webhook. A call that may change
// something is shown in the chat, and made when somebody else approves it there.
// It trusts the platform's signature for who is speaking, and nothing else.
package main

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host"
)

// message is what the platform posts: a question, or the approval of a run.
type message struct {
	User    string `json:"user"`
	Text    string `json:"text,omitempty"`
	Approve string `json:"approve,omitempty"` // the run
	Digest  string `json:"digest,omitempty"`  // of the call that was shown
}

var messageLimits = schema.Limits{Bytes: 64 << 10, Depth: 2, Values: 16}

type bot struct {
	host    *setup.Ready
	secret  []byte
	mu      sync.Mutex
	waiting map[string]host.Question // by run; `ask approve` serves those of before a restart
}

func (b *bot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(messageLimits.Bytes)))
	if err != nil || !b.signed(r.Header, body) {
		http.Error(w, "not signed by the platform", http.StatusUnauthorized)
		return
	}
	var m message
	if err := schema.Decode(body, &m, messageLimits); err != nil || m.User == "" {
		http.Error(w, "not a message", http.StatusBadRequest)
		return
	}
	question, known := host.Question{Text: m.Text, Subject: m.User}, true
	if m.Approve != "" {
		question, known = b.approved(m)
	}
	if !known {
		http.Error(w, "nothing waits here under that name", http.StatusNotFound)
		return
	}
	out := b.host.Ask(r.Context(), question)
	if out.Type == host.ApprovalNeeded && out.Approval.RunID == out.RunID {
		question.Plan = out.Plan // the approval is of this call, whatever a planner would say next
		b.keep(out.RunID, question)
	}
	_, _ = io.WriteString(w, told(out)) // who has gone finds it on the trace
}

// signed checks HMAC-SHA256 over time and body, and that the time is near.
func (b *bot) signed(h http.Header, body []byte) bool {
	at, err := strconv.ParseInt(h.Get("X-Timestamp"), 10, 64)
	sum, bad := hex.DecodeString(h.Get("X-Signature"))
	mac := hmac.New(sha256.New, b.secret)
	fmt.Fprintf(mac, "%d.%s", at, body)
	return err == nil && bad == nil && time.Since(time.Unix(at, 0)).Abs() < 5*time.Minute && hmac.Equal(sum, mac.Sum(nil))
}

// approved is the question that waits, with the approval of whoever wrote. The
// host decides whether it is theirs to give, still valid, and of this call.
func (b *bot) approved(m message) (host.Question, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q, known := b.waiting[m.Approve]
	q.Approval = &host.Binding{RunID: m.Approve, Digest: m.Digest, By: m.User, How: gate.ByDigest}
	return q, known
}

func (b *bot) keep(run string, q host.Question) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) >= 1000 { // the host has them on disk
		clear(b.waiting)
	}
	b.waiting[run] = q
}

// told is the outcome for the chat. All of it may be strangers' text.
func told(out host.Outcome) string {
	var b strings.Builder
	if out.Intent != nil {
		fmt.Fprintf(&b, "%s/%s\n", out.Planned.Server(), out.Planned.Tool())
		for _, l := range out.Intent.Leaves {
			fmt.Fprintf(&b, "  %s = %s  [%s]\n", guard.Line(l.Pointer, 200), guard.Line(l.Value, 2000), l.Origin)
		}
		for _, unused := range out.Intent.Unused {
			fmt.Fprintf(&b, "  not used: %s\n", guard.Line(unused.Text, 200))
		}
	}
	switch {
	case out.Type == host.ApprovalNeeded:
		fmt.Fprintf(&b, "This may change something. To approve it: %s %s\n", out.Approval.RunID, out.Approval.Digest)
	case out.Error != nil:
		fmt.Fprintf(&b, "%s: %s\n", out.Error.Code, guard.Line(out.Error.Message, 2000))
	case out.Asks != "":
		fmt.Fprintf(&b, "The planner asks: %s\n", guard.Line(out.Asks, 2000))
	default:
		fmt.Fprintf(&b, "%s\n", guard.JSON([]byte(cmp.Or(string(out.Typed), string(out.Raw)))))
	}
	fmt.Fprintf(&b, "trace %s %s\n", out.RunID, out.TraceDigest)
	return b.String()
}

func run() error {
	paths, err := config.FindPaths(os.LookupEnv)
	if err != nil {
		return err
	}
	settings, err := config.Load(paths, os.LookupEnv, config.Flags{})
	if err != nil {
		return err
	}
	h, err := setup.Host(settings, setup.Options{Env: os.LookupEnv, Version: "bot"})
	if err != nil {
		return err
	}
	defer func() { _ = h.Close() }()
	secret := os.Getenv("BOT_SECRET")
	if len(secret) < 32 {
		return errors.New("BOT_SECRET needs at least 32 characters: whoever knows it speaks as anybody")
	}
	server := &http.Server{
		Addr: os.Getenv("BOT_ADDR"), ReadTimeout: 10 * time.Second,
		Handler: &bot{host: h, secret: []byte(secret), waiting: map[string]host.Question{}},
	}
	return server.ListenAndServe()
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
