package runs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
)

// Request is an approval's record, next to the values that its digest covers.
type Request struct {
	gate.Record
	Question host.Question
	Claim    string             // the server's claim about the tool
	Why      string             // why it is asked again, "" for the first time
	Removed  *trace.RemovedBody // from the arguments that a client sent; nil if nothing was removed

	Offer *grant.Offer // the grant that a yes may include, nil if none can be given
}

// RequestOf reads the record of an approval.
func RequestOf(record jsontext.Value, q host.Question, claim string) (Request, error) {
	r, err := gate.ReadRecord(record)
	r.Intent = r.Intent.Shown(q.Text)
	return Request{Record: r, Question: q, Claim: claim}, err
}

// Waiting is a run that waits for an approval, read from its verified trace, which
// may not have ended yet.
type Waiting struct {
	replay.Pending
	Approval Approval
	Request  Request
}

// Approval is one approval that waits for a person or for its use. The subject and the expiry
// come from the digested record: the row in the database can be edited.
type Approval struct {
	RunID   string         `json:"run_id"`
	Digest  string         `json:"approval_digest"`
	State   approval.State `json:"state"`
	Client  bool           `json:"client"`        // a client asked, and its next call uses it
	Held    time.Time      `json:"held,omitzero"` // until when a process waits
	Subject string         `json:"subject"`
	Created time.Time      `json:"created"`
	Expires time.Time      `json:"expires"`
	Expired bool           `json:"expired"`

	Tool      string         `json:"tool"`               // server/tool
	Arguments jsontext.Value `json:"arguments"`          // secrets are masked: the request has the full arguments
	Question  string         `json:"question,omitempty"` // "" of a direct call

	ClientName    string `json:"client_name,omitempty"` // as the client states it, with its version
	ClientVersion string `json:"client_version,omitempty"`
	Conversation  string `json:"conversation,omitempty"`

	asked string // digest of the trace line that asked for it
}

// Waiting reads the approval that a run waits for. It refuses a trace without the call to
// approve, and a trace that changed since it asked.
func (d Desk) Waiting(ctx context.Context, run string) (Waiting, error) {
	is, err := desk.FromState(d.Desk, func(s *store.Store) (approval.Approval, error) { return s.Approval(ctx, run) })
	if err != nil {
		return Waiting{}, err
	}
	w, asked, err := d.waiting(is)
	if err == nil && is.State == approval.Pending {
		w.Request.Offer, err = replay.Offer(ctx, asked.Events, asked.Objects)
	}
	return w, err
}

// waiting returns the approval, and the run up to the event that asked for it.
func (d Desk) waiting(is approval.Approval) (w Waiting, r Recorded, err error) {
	if is.State != approval.Pending && is.State != approval.Approved {
		return w, r, is.Refusal(d.Now())
	}
	r, err = d.Runs().Read(is.RunID)
	if err != nil && verdict.CodeOf(err) != verdict.TraceIncomplete { // the run may wait
		return w, r, err
	}
	asked := slices.IndexFunc(r.Events, func(e trace.Event) bool { return e.Hash.Digest() == is.Trace })
	if asked < 0 {
		return w, r, verdict.Fail(verdict.TraceDigest, nil, "the trace of run %s did not ask for the approval: it has no line %s", is.RunID, is.Trace)
	}
	r.Events = r.Events[:asked+1]
	events := r.Events
	if w.Pending, err = replay.Waiting(events, r.Objects); err != nil {
		return w, r, err
	}
	if sum := sha256.Sum256(w.Record); "sha256:"+hex.EncodeToString(sum[:]) != is.Digest {
		return w, r, verdict.Deny(verdict.ApprovalUnknown, "the trace of run %s does not contain the call to approve", is.RunID)
	}
	if w.Request, err = RequestOf(w.Record, w.Question, w.Claim); err != nil {
		return w, r, err
	}
	w.Request.Why, w.Request.Removed = w.Why, w.Removed
	row, of := account.RowOf(events), w.Request
	if row.Arguments == nil { // too long for the trace's own line
		row.Arguments = account.Masked(of.Args)
	}
	facts := trace.FactsBody{}
	if of.Facts != nil {
		facts = *of.Facts
	}
	expires, bad := time.Parse(time.RFC3339, of.Expires)
	w.Approval = Approval{
		of.RunID, is.Digest, is.State, is.Client, is.Held, of.Subject, is.Created, expires, bad != nil || d.Now().After(expires),
		of.Server + "/" + of.Tool, row.Arguments, row.Question, facts.Client, facts.ClientVersion, facts.Conversation, is.Trace,
	}
	return w, r, nil //nolint:nilerr // an approval without a readable expiry has expired
}

// Elsewhere is the fault of a call that this process would make with other files than those
// of the request. The error suggests the flags that name them. It is nil if another process
// makes the call, since that process decides, and for a file that a flag or a variable of
// this process names, since the user chose it.
func (d Desk) Elsewhere(w Waiting) error {
	if w.Approval.Client || w.Approval.Held.After(d.Now()) || len(w.Files) == 0 {
		return nil
	}
	var here []host.File
	for _, f := range d.Settings.Files() {
		here = append(here, host.File{What: "settings", Path: f.Path})
	}
	here = append(here, d.With.Files(d.Settings)...)
	var flags, names []string
	for _, f := range w.Files {
		flag, is := flagsOf[f.What]
		same := func(h host.File) bool { return h.What == f.What && h.Path == f.Path }
		if !is || d.named(f.What) || slices.ContainsFunc(here, same) {
			continue
		}
		flags = append(flags, "--"+flag+" "+f.Path)
		names = append(names, f.What+" "+f.Path)
	}
	if len(flags) == 0 {
		return nil
	}
	return verdict.Fail(verdict.UsageFlag, nil, "run %s asked for the call by other files than this command reads: %s", w.Approval.RunID, strings.Join(names, ", ")).
		WithHint("ask approve " + w.Approval.RunID + " " + strings.Join(flags, " "))
}

// named reports whether a flag or a variable of this process names such a file.
func (d Desk) named(what string) bool {
	switch s := d.Settings; what {
	case "servers":
		return s.Servers.Origin.Named()
	case "allowlist":
		return s.Allowlist.Origin.Named()
	case "policy":
		return slices.ContainsFunc(s.Policy, func(p config.Value[string]) bool { return p.Origin.Named() })
	case "pins":
		return d.With.Pins != nil
	}
	return false
}

// flagsOf are the flags for the files that affect decisions.
var flagsOf = map[string]string{"settings": "config", "servers": "servers", "allowlist": "allowlist", "policy": "policy", "pins": "locked"}

// Approved is the question that makes the call, once, with the approval of a person who saw
// this digest.
func (w Waiting) Approved(by, how, digest string) (host.Question, error) {
	run := w.Request.RunID
	if digest != w.Approval.Digest {
		return host.Question{}, verdict.Deny(verdict.ApprovalChanged, "the pending approval of run %s is %s", run, w.Approval.Digest)
	}
	q := w.Question
	q.Approval = &host.Binding{RunID: run, Digest: digest, By: by, How: how, Record: w.Record}
	return q, nil
}

// Edited is the question with the person's arguments in place of the waiting call's. It
// refuses the waiting call's approval. The new question is asked like any other.
func (d Desk) Edited(ctx context.Context, w Waiting, args jsontext.Value) (host.Question, error) {
	if err := d.Decide(ctx, w, approval.Denied, gate.AtTerminal); err != nil {
		return host.Question{}, err
	}
	return EditedOf(w.Question, trace.RunBody{RunID: w.Approval.RunID, Trace: w.Approval.asked}, w.Request, args), nil
}

// EditedOf is the same for a question that was asked, and for its run.
func EditedOf(q host.Question, run trace.RunBody, of Request, args jsontext.Value) host.Question {
	return host.Question{Plan: plan.Call(of.Server, of.Tool, args), Edited: true, Follows: &run, Facts: q.Facts, Labelled: q.Labelled, Summarize: q.Summarize}
}

// Decide stores the person's decision on a call: yes, or no. It calls nothing.
func (d Desk) Decide(ctx context.Context, w Waiting, to approval.State, how string) error {
	if to == approval.Approved {
		if err := w.Request.Takes(d.By, how, d.Settings.Approvers.V == "other"); err != nil {
			return err
		}
	}
	_, err := desk.FromState(d.Desk, func(s *store.Store) (approval.Approval, error) {
		return s.Move(ctx, w.Approval.RunID, w.Approval.Digest, approval.Step{To: to, By: d.By, How: how, Now: d.Now()})
	})
	return err
}

// Give stores a grant that the person gave with the approval of a call.
func (d Desk) Give(ctx context.Context, g grant.Grant) error {
	_, err := desk.FromState(d.Desk, func(s *store.Store) (bool, error) { return true, s.Grant(ctx, g) })
	return err
}

// claimWithin is how long a waiting process may take to use an approval.
const claimWithin = 2 * time.Second

// Claim is the result of an approval that a process waited for.
type Claim struct {
	State approval.State // "" if no process used it; Pending if the run asks again
	Code  verdict.Code   // the code of a run that ended after it asked, "" if it continues
}

// Claimed waits until the process that keeps an approved call uses the approval, and returns
// the result. If no process keeps it, Claimed does not wait.
func (d Desk) Claimed(ctx context.Context, w Waiting) (Claim, error) {
	if !w.Approval.Held.After(d.Now()) {
		return Claim{}, nil
	}
	return desk.FromState(d.Desk, func(s *store.Store) (Claim, error) {
		for end := time.Now().Add(claimWithin); ; {
			is, err := s.Approval(ctx, w.Approval.RunID)
			switch {
			case err != nil || is.State == approval.Spent:
				return Claim{State: is.State}, err
			case is.Digest != w.Approval.Digest:
				return Claim{State: approval.Pending}, nil
			}
			code := d.endedWith(is.RunID)
			if code != "" || time.Now().After(end) {
				state := is.State
				if state == approval.Approved {
					state = "" // it can still be used
				}
				return Claim{state, code}, nil
			}
			select {
			case <-ctx.Done():
				return Claim{}, ctx.Err()
			case <-time.After(claimWithin / 20):
			}
		}
	})
}

// endedWith is the code of a run that has ended, "" for any other.
func (d Desk) endedWith(run string) (code verdict.Code) {
	r, err := d.Runs().Read(run)
	for _, e := range r.Events {
		if e.Kind == trace.Outcome && err == nil {
			code = part[trace.OutcomeBody](e).Code
		}
	}
	return code
}

// Approvals lists the approvals that wait for a person or for their use, including expired
// ones. wrong receives the error of an approval that cannot be read.
func (d Desk) Approvals(ctx context.Context, wrong func(run string, err error)) ([]Approval, error) {
	rows, err := desk.FromState(d.Desk, func(s *store.Store) ([]approval.Approval, error) { return s.Waiting(ctx) })
	if err != nil {
		return nil, err
	}
	all := []Approval{}
	for _, is := range rows {
		w, _, err := d.waiting(is)
		if err != nil {
			wrong(is.RunID, err)
			continue
		}
		all = append(all, w.Approval)
	}
	return all, nil
}

// Approver is the approver who is asked at once. With unasked it is the operator, who wrote
// the call out and approved it by that; otherwise it is the person, if any. It is nil if the
// settings leave approvals to others.
func (d Desk) Approver(unasked bool, person host.Approver) (host.Approver, error) {
	switch others := d.Settings.Approvers.V == "other"; {
	case others && unasked:
		return nil, verdict.Deny(verdict.ApprovalRefused, "approvers = \"other\": users cannot approve their own calls with --yes")
	case unasked:
		return written{d.By}, nil
	case others:
		return nil, nil
	}
	return person, nil
}

// written approves a call that its operator wrote.
type written struct{ by string }

// Approve approves the request.
func (w written) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	return gate.Yes{Approval: r.Digest, By: w.by, How: gate.ByYes}, nil
}
