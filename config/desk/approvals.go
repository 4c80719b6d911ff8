package desk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/runs"
)

// Request is an approval's record with what its digest covers next to it.
type Request struct {
	gate.Record
	Question host.Question
	Claim    string // what the server says of the tool
}

// RequestOf reads the record of an approval.
func RequestOf(record jsontext.Value, q host.Question, claim string) (Request, error) {
	r, err := gate.ReadRecord(record)
	r.Intent = r.Intent.Shown(q.Text)
	return Request{r, q, claim}, err
}

// Waiting is a run that waits for an approval, read from its verified trace.
type Waiting struct {
	replay.Pending
	Approval Approval
	Request  Request
}

// Approval is one pending approval. Who asked, and until when, are as its digest
// covers them: the file that keeps it pending can be edited.
type Approval struct {
	RunID   string    `json:"run_id"`
	Digest  string    `json:"approval_digest"`
	Subject string    `json:"subject"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	Expired bool      `json:"expired"`

	Tool      string         `json:"tool"`               // server/tool
	Arguments jsontext.Value `json:"arguments"`          // secrets are masked: the request has all of them
	Question  string         `json:"question,omitempty"` // "" of a direct call
}

// Waiting reads the approval that a run waits for. It is refused where the trace
// is not the one that was left, or does not hold what is to be approved.
func (d Desk) Waiting(ctx context.Context, run string) (w Waiting, err error) {
	pending, err := runs.Dir(d.Runs()).Look(ctx, run)
	if err != nil {
		return w, err
	}
	r, err := d.Runs().Read(run)
	if err != nil {
		return w, err
	}
	if last := r.Events[len(r.Events)-1].Hash.Digest(); last != pending.Trace {
		return w, verdict.Fail(verdict.TraceDigest, nil, "the trace of run %s is %s, and was %s when the approval was asked for", run, last, pending.Trace)
	}
	if w.Pending, err = replay.Waiting(r.Events, r.Objects); err != nil {
		return w, err
	}
	if sum := sha256.Sum256(w.Record); "sha256:"+hex.EncodeToString(sum[:]) != pending.Digest {
		return w, verdict.Deny(verdict.ApprovalUnknown, "the trace of run %s does not hold what is to be approved", run)
	}
	if w.Request, err = RequestOf(w.Record, w.Question, w.Claim); err != nil {
		return w, err
	}
	row, of := account.RowOf(r.Events), w.Request
	expires, bad := time.Parse(time.RFC3339, of.Expires)
	w.Approval = Approval{
		of.RunID, pending.Digest, of.Subject, pending.Created, expires, bad != nil || d.now().After(expires),
		of.Server + "/" + of.Tool, row.Arguments, row.Question,
	}
	return w, nil //nolint:nilerr // an approval without a readable expiry has expired
}

// Approved is the question that makes the call, once: with the approval of a
// person, who saw this digest.
func (w Waiting) Approved(by, how, digest string) (host.Question, error) {
	run := w.Request.RunID
	if digest != w.Approval.Digest {
		return host.Question{}, verdict.Deny(verdict.ApprovalChanged, "the pending approval of run %s is %s", run, w.Approval.Digest)
	}
	q := w.Question
	q.Approval = &host.Binding{RunID: run, Digest: digest, By: by, How: how, Record: w.Record}
	return q, nil
}

// Approvals lists the pending approvals, the expired ones too. What is wrong with
// one that cannot be given is reported.
func (d Desk) Approvals(ctx context.Context, wrong func(run string, err error)) ([]Approval, error) {
	pending, err := runs.Dir(d.Runs()).Pending(ctx)
	if err != nil {
		return nil, verdict.Fail(verdict.ConfigUnreadable, err, "%s: %v", d.Runs(), err)
	}
	all := []Approval{}
	for _, p := range pending {
		w, err := d.Waiting(ctx, p.RunID)
		if err != nil {
			wrong(p.RunID, err)
			continue
		}
		all = append(all, w.Approval)
	}
	return all, nil
}

// Approver is who is asked at once: the operator who wrote the call out, where
// unasked says that they approved it so, or else the person, if there is one. No
// one is where the settings leave approvals to others.
func (d Desk) Approver(unasked bool, person host.Approver) (host.Approver, error) {
	switch others := d.Settings.Approvers.V == "other"; {
	case others && unasked:
		return nil, verdict.Deny(verdict.ApprovalRefused, "approvers = \"other\": nobody approves a call of their own with --yes")
	case unasked:
		return written{d.By}, nil
	case others:
		return nil, nil
	}
	return person, nil
}

// written approves a call that its operator wrote out.
type written struct{ by string }

// Approve says yes.
func (w written) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	return gate.Yes{Approval: r.Digest, By: w.by, How: gate.ByYes}, nil
}
