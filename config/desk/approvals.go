package desk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/account"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/trace"
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

// Withheld are the results that are withheld, or were released, the oldest first
// and without their bodies.
func (d Desk) Withheld(ctx context.Context) ([]store.Kept, error) {
	return fromState(d, func(s *store.Store) ([]store.Kept, error) { return s.AllKept(ctx) })
}

// Kept is the withheld result of a run, as a stranger wrote it.
func (d Desk) Kept(ctx context.Context, run string) (store.Kept, error) {
	return fromState(d, func(s *store.Store) (store.Kept, error) { return s.Kept(ctx, run) })
}

// Release notes that the person lets a withheld result go on: that result, and
// the rules that withheld it. Nothing is shown or asked by it.
func (d Desk) Release(ctx context.Context, run string) (store.Kept, error) {
	return fromState(d, func(s *store.Store) (store.Kept, error) { return s.Release(ctx, run, d.By) })
}

// Drop removes a withheld result for good.
func (d Desk) Drop(ctx context.Context, run string) (int64, error) {
	return fromState(d, func(s *store.Store) (int64, error) { return 1, s.Drop(ctx, run) })
}

// Purge removes what was withheld longer ago, and says how many those were.
func (d Desk) Purge(ctx context.Context, age time.Duration) (int64, error) {
	return fromState(d, func(s *store.Store) (int64, error) { return s.Purge(ctx, d.now().Add(-age)) })
}

// Keep keeps the withheld result of a run that could not keep it: one that was
// killed as it ended, or found no room. It is taken from the trace, and every
// gate decides again.
func (d Desk) Keep(ctx context.Context, run string) (k store.Kept, err error) {
	r, err := d.Runs().Read(run)
	if err != nil {
		return k, err
	}
	w, err := replay.Withheld(ctx, r.Events, r.Replay(d.With.Version))
	if err != nil {
		return k, err
	}
	return fromState(d, func(state *store.Store) (store.Kept, error) {
		k, err := state.Kept(ctx, w.RunID)
		if verdict.CodeOf(err) == verdict.StateMissing {
			if err = setup.Quarantine(d.Settings, state, d.now).Keep(ctx, w); err == nil {
				k, err = state.Kept(ctx, w.RunID)
			}
		}
		return k, err
	})
}

// Resume runs the recorded question again up to its call, takes the released
// result for the answer, and goes on from there, on a trace of its own. It calls
// nothing and asks no server: the call was made once.
func (d Desk) Resume(ctx context.Context, run string) (host.Outcome, error) {
	k, err := d.Kept(ctx, run)
	if err == nil && k.By == "" {
		no := verdict.Deny(verdict.OutputQuarantined, "nobody has released the result of run %.80s: %s", run, strings.Join(k.Rules, ", "))
		no.Hint = "`ask quarantine show " + k.Run + "` shows it with everything escaped; `ask quarantine release " + k.Run + "` lets it go on"
		err = no
	}
	if err != nil {
		return host.Outcome{}, err
	}
	r, err := d.Runs().Read(k.Run)
	if err != nil {
		return host.Outcome{}, err
	}
	writer, err := setup.Writer(d.Settings, d.With)
	if err != nil {
		return host.Outcome{}, err
	}
	with := r.Replay(d.With.Version)
	return replay.Resume(ctx, r.Events, replay.Resumption{
		Release: trace.ResumeBody{RunBody: trace.RunBody{RunID: k.Run, Trace: k.Trace}, By: k.By, At: k.Released.UTC().Format(time.RFC3339), Rules: k.Rules},
		Answer:  k.Body, Writer: writer, Traces: runs.Dir(d.Runs()),
		Types: with.Types, Version: with.Version, Objects: with.Objects,
	})
}

// ScanResult is what the built-in rules make of a text.
type ScanResult struct {
	Redactions []secret.Redaction `json:"redactions"`
	Report     scan.Report        `json:"report"`
}

// Scan redacts and scans the text of a file as if a server had answered it, or, of
// the kind description, said it of itself. A JSON object is taken for a whole
// answer of a tool, anything else for a text of one.
func (d Desk) Scan(file, text, server, kind string) (ScanResult, error) {
	policy, err := setup.Policy(d.Settings)
	if err != nil {
		return ScanResult{}, err
	}
	answer, err := answerOf(file, text)
	if err != nil {
		return ScanResult{}, err
	}
	answer, redactions, err := secret.RedactJSON(answer)
	if err != nil {
		return ScanResult{}, err
	}
	parts := gate.New(gate.Options{}).Parts(gate.RawResult{Body: answer})
	if kind != "text" {
		for i := range parts {
			parts[i].Kind = kind
		}
	}
	return ScanResult{append([]secret.Redaction{}, redactions...), policy.Guard.Scan(server, parts)}, nil
}

// answerOf is the answer of a server whose text is in a file: the file, where it is
// a JSON object, and else a text of it.
func answerOf(file, text string) ([]byte, error) {
	if !utf8.ValidString(text) {
		return nil, misused(verdict.UsageArgument, "%s is not UTF-8: no answer is", escape.Line(file, 2<<10))
	}
	if jsontext.Value(text).Kind() == '{' && schema.Check([]byte(text), schema.ResultLimits) == nil {
		return []byte(text), nil
	}
	block := map[string]string{"type": "text", "text": text}
	return json.Marshal(map[string]any{"content": []any{block}}, json.Deterministic(true))
}
