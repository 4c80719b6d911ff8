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

// Request is an approval's record with what its digest covers next to it.
type Request struct {
	gate.Record
	Question host.Question
	Claim    string             // what the server says of the tool
	Why      string             // it is asked for once more; "" where it is asked for the first time
	Removed  *trace.RemovedBody // from the arguments that a client sent; nil where nothing was

	Offer *grant.Offer // what may be granted with a yes, nil where nothing can be
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

// Approval is one approval that waits for a person or for its use. Who asked, and
// until when, are as its digest covers them: the row that keeps it can be edited.
type Approval struct {
	RunID   string         `json:"run_id"`
	Digest  string         `json:"approval_digest"`
	State   approval.State `json:"state"`
	Client  bool           `json:"client"`        // a client asked, whose next call uses it
	Held    time.Time      `json:"held,omitzero"` // until when a process waits
	Subject string         `json:"subject"`
	Created time.Time      `json:"created"`
	Expires time.Time      `json:"expires"`
	Expired bool           `json:"expired"`

	Tool      string         `json:"tool"`               // server/tool
	Arguments jsontext.Value `json:"arguments"`          // secrets are masked: the request has all of them
	Question  string         `json:"question,omitempty"` // "" of a direct call

	ClientName    string `json:"client_name,omitempty"` // as the client says, and its version
	ClientVersion string `json:"client_version,omitempty"`
	Conversation  string `json:"conversation,omitempty"`

	asked string // digest of the line of the run's trace, by which it was asked for
}

// Waiting reads the approval that a run waits for. It is refused where the trace
// does not hold what is to be approved, or not as it was when that was asked for.
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

// waiting gives the approval, and the run up to where it was asked for.
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
		return w, r, verdict.Fail(verdict.TraceDigest, nil, "the trace of run %s is not the one that asked for the approval: it has no line %s", is.RunID, is.Trace)
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

// Elsewhere is the fault of a call that this process would make by other files than
// those that decided about it when it was asked for: it names the flags that say so. A
// call that another process makes is decided there, and a file that this process was
// given by a flag or a variable is meant.
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
	no := verdict.Fail(verdict.UsageFlag, nil, "run %s asked for the call by other files than this command reads: %s", w.Approval.RunID, strings.Join(names, ", "))
	no.Hint = "ask approve " + w.Approval.RunID + " " + strings.Join(flags, " ")
	return no
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

// flagsOf are the flags that name the files that decide.
var flagsOf = map[string]string{"settings": "config", "servers": "servers", "allowlist": "allowlist", "policy": "policy", "pins": "locked"}

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

// Edited is the question that has the person's arguments in place of those of the
// call that waits, whose approval is refused. It is asked for as any other.
func (d Desk) Edited(ctx context.Context, w Waiting, args jsontext.Value) (host.Question, error) {
	if err := d.Decide(ctx, w, approval.Denied, gate.AtTerminal); err != nil {
		return host.Question{}, err
	}
	return EditedOf(w.Question, trace.RunBody{RunID: w.Approval.RunID, Trace: w.Approval.asked}, w.Request, args), nil
}

// EditedOf is the same of a question that was asked, and of its run.
func EditedOf(q host.Question, run trace.RunBody, of Request, args jsontext.Value) host.Question {
	return host.Question{Plan: plan.Call(of.Server, of.Tool, args), Edited: true, Follows: &run, Facts: q.Facts, Labelled: q.Labelled, Summarize: q.Summarize}
}

// Decide keeps what the person says of a call: yes, or no. Nothing is called.
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

// Give keeps a grant that the person gave with the approval of a call.
func (d Desk) Give(ctx context.Context, g grant.Grant) error {
	_, err := desk.FromState(d.Desk, func(s *store.Store) (bool, error) { return true, s.Grant(ctx, g) })
	return err
}

// claimWithin is how long a process that waits has to use an approval.
const claimWithin = 2 * time.Second

// Claim is what became of an approval that a process waited for.
type Claim struct {
	State approval.State // "" where no process used it; Pending where the run asks once more
	Code  verdict.Code   // that ended a run which had asked, "" of one that goes on
}

// Claimed waits for the process that holds an approved call to use its approval, and
// says what came of it. Where none holds it, it does not wait.
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
					state = "" // it can be used yet
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

// endedWith is the code of a run that has ended, "" of any other.
func (d Desk) endedWith(run string) (code verdict.Code) {
	r, err := d.Runs().Read(run)
	for _, e := range r.Events {
		if e.Kind == trace.Outcome && err == nil {
			code = part[trace.OutcomeBody](e).Code
		}
	}
	return code
}

// Approvals lists the approvals that wait for a person or for their use, the
// expired ones too. What is wrong with one that cannot be given is reported.
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

// Approver is who is asked at once: the operator who wrote the call out, where
// unasked says that they approved it so, or else the person, if there is one. No
// one is where the settings leave approvals to others.
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

// written approves a call that its operator wrote out.
type written struct{ by string }

// Approve says yes.
func (w written) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	return gate.Yes{Approval: r.Digest, By: w.by, How: gate.ByYes}, nil
}
