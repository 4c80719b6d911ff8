package main

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host"
)

const (
	pendingFor = 15 * time.Minute // for a pending approval, as in the host
	perUser    = 20               // pending approvals, so that no user displaces another's
)

// message is what the platform posts: a question, or the approval of a run.
type message struct {
	User    string `json:"user"`
	Text    string `json:"text,omitempty"`
	Approve string `json:"approve,omitempty"` // the run
	Digest  string `json:"digest,omitempty"`  // of the call that was shown
}

var messageLimits = schema.Limits{Bytes: 64 << 10, Depth: 2, Values: 16}

// bot keeps pending questions in memory; after a restart `ask approve` can approve them.
type bot struct {
	host   *setup.Ready
	signed *signatures

	mu      sync.Mutex
	waiting map[string]pending // by run
}

type pending struct {
	question host.Question
	since    time.Time
}

func (b *bot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(messageLimits.Bytes)))
	if err != nil || !b.signed.first(r.Header, body, time.Now()) {
		http.Error(w, "not signed by the platform, or delivered before", http.StatusUnauthorized)
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
		http.Error(w, "no call waits for an approval under that name", http.StatusNotFound)
		return
	}
	// A platform that hangs up early must not end a call that has left.
	out := b.host.Ask(context.WithoutCancel(r.Context()), question)
	text, whole := describe(out)
	if out.Type == host.ApprovalNeeded && out.Approval.RunID == out.RunID {
		question.Plan = out.Plan // the approval is for this call, whatever a planner would propose next
		text += offer(out, whole && b.remember(out.RunID, question))
	}
	_, _ = io.WriteString(w, text) // for a closed connection, the trace has the outcome
}

// approved returns the pending question with the sender's approval. The host decides
// whether the sender may approve, and whether the approval is valid and for this call.
func (b *bot) approved(m message) (host.Question, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, known := b.waiting[m.Approve]
	q := p.question
	q.Approval = &host.Binding{RunID: m.Approve, Digest: m.Digest, By: m.User, How: gate.ByDigest}
	return q, known
}

// remember stores a pending question, and reports whether there was room for it.
func (b *bot) remember(run string, q host.Question) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	theirs, now := 0, time.Now()
	for of, p := range b.waiting {
		if now.Sub(p.since) > pendingFor {
			delete(b.waiting, of)
		} else if p.question.Subject == q.Subject {
			theirs++
		}
	}
	if theirs >= perUser {
		return false
	}
	b.waiting[run] = pending{q, now}
	return true
}
