package replay

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// Resumption is the input of [Resume] besides the trace.
type Resumption struct {
	Release trace.ResumeBody // who released the result, and of which run
	Answer  []byte           // the withheld result, as it was kept
	Writer  host.Writer      // of the summary, which the run did not get to
	Traces  host.Traces      // destination of the new trace
	Types   map[string]func(value []byte) error
	Version string
	Objects trace.Objects
	Now     func() time.Time // optional; time.Now
}

// Resume continues a run after a scanner withheld its answer and a person released it. It
// replays the run up to its call, then goes on from the kept answer, on a new trace, under
// the recorded policy. No server is asked and nothing is called; this package has no way
// to. The recorded answer must equal the kept one, and the release must name this very
// trace.
func Resume(ctx context.Context, events []trace.Event, r Resumption) (host.Outcome, error) {
	t, err := load(events, r.Objects, nil)
	if err != nil {
		return host.Outcome{}, err
	}
	if err := t.resumable(events[len(events)-1], r); err != nil {
		return host.Outcome{}, err
	}
	if err := t.policies(nil); err != nil {
		return host.Outcome{}, err
	}
	t.parts = t.parts[len(t.parts)-1:] // earlier parts made no call
	config, q, err := t.edges()
	if err != nil {
		return host.Outcome{}, err
	}
	config.Writer, config.Traces, config.Version, config.Types, config.Now, config.NewRunID = r.Writer, r.Traces, r.Version, r.Types, r.Now, nil
	h, err := t.host(config, recording{tape: t, release: &r.Release})
	if err != nil {
		return host.Outcome{}, err
	}
	q.Approval = t.approvedOnce()
	return h.Ask(ctx, q), nil
}

// resumable is the fault of a trace that does not end with this very answer withheld. A
// question that this program would judge by other rules is a fault, too.
func (t *tape) resumable(end trace.Event, r Resumption) error {
	switch {
	case !t.ended || end.Hash.Digest() != r.Release.Trace || t.begin.RunID != r.Release.RunID:
		return verdict.Fail(verdict.TraceDigest, nil, "the trace of run %.80s is not the one whose result was kept", t.begin.RunID)
	case t.outcome.Code != verdict.OutputQuarantined || t.result == nil || t.guard == nil:
		return verdict.Fail(verdict.TraceDiffers, nil, "no result of run %.80s was withheld", t.begin.RunID)
	case t.begin.BuiltIn != input.BuiltInDigest():
		return verdict.Fail(verdict.TraceVersion, nil, "another version of the program, with other input rules, recorded run %.80s: ask the question again", t.begin.RunID)
	}
	if raw, err := t.result.Raw.Get(); err != nil || !bytes.Equal(raw, r.Answer) {
		return verdict.Fail(verdict.TraceDiffers, err, "the result of run %.80s is not the one that was kept", t.begin.RunID)
	}
	return nil
}

// approvedOnce is the approval that the call had, if a person gave one.
func (t *tape) approvedOnce() *host.Binding {
	if t.consent == nil || t.begin.Approval == nil {
		return nil
	}
	b := t.begin.Approval
	was, err := gate.ReadRecord(t.approval) // it may be of another run than the first
	if err != nil {
		return nil
	}
	return &host.Binding{RunID: was.RunID, Digest: t.consent.Approval, By: t.consent.By, How: t.consent.How, Expires: b.Expires, Trace: b.Trace}
}

// Pending is a call that waits for a person, with its question.
type Pending struct {
	Question host.Question  // with the plan that was chosen
	Record   jsontext.Value // the record of its approval, which has the approval's digest

	// Claim is the server's own description of the tool. It is read from the descriptor
	// with the digest in Record: no other text can take its place.
	Claim string
	Why   string      // why the call was asked for once more; "" if it was asked once
	Files []host.File // that decided about the call

	Removed *trace.RemovedBody // from the arguments that a client sent; may be nil
}

// Waiting is the pending call of a run. The caller must have verified that the trace is
// whole and is the kept one, and that Record is the record to approve.
func Waiting(events []trace.Event, objects trace.Objects) (a Pending, err error) {
	t, err := load(events, objects, nil)
	if err != nil {
		return Pending{}, err
	}
	if a.Question, err = t.question(); err != nil {
		return Pending{}, err
	}
	if t.proposal != nil {
		if a.Question.Plan, err = t.proposal.Said.Get(); err != nil {
			return Pending{}, err
		}
	}
	a.Why = t.reread.Why
	for _, v := range t.verdicts {
		if v.Removed != nil {
			a.Removed = v.Removed
		}
	}
	if a.Files, err = t.files(); err != nil {
		return Pending{}, err
	}
	if a.Record = t.approval; a.Record != nil {
		a.Claim, err = t.claim()
	}
	return a, err
}

// files are the files that decided in the part that is played, or before it.
func (t *tape) files() (all []host.File, err error) {
	body := t.reread.Files
	if body == nil {
		body = t.begin.Files
	}
	if body == nil {
		return nil, nil
	}
	if err := schema.Decode(body, &all, policyLimits); err != nil {
		return nil, fmt.Errorf("the recorded files have %w", err)
	}
	return all, nil
}

// Offer is the grant that a person may give with the approval that a run asked for, or nil.
// The gates decide again from the trace, and must make the very record that was asked
// about.
func Offer(ctx context.Context, events []trace.Event, objects trace.Objects) (*grant.Offer, error) {
	t, err := load(events, objects, nil)
	if err != nil {
		return nil, err
	}
	if err := t.policies(nil); err != nil {
		return nil, err
	}
	config, q, err := t.edges()
	if err != nil {
		return nil, err
	}
	seen := shown{of: t}
	asked := t.approval
	q.Approver, q.Approval, q.DryRun = &seen, nil, false
	h, err := t.host(config, t.recorded())
	if err != nil {
		return nil, err
	}
	h.Ask(ctx, q)
	if !bytes.Equal(seen.Record, asked) {
		return nil, nil
	}
	return seen.Offer, nil
}

// shown is an approver that keeps its request, and approves nothing.
type shown struct {
	host.Request
	of *tape
}

// Approve gives no answer, except that it moves on if the run asked again.
func (s *shown) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	s.Request = r
	if err := s.of.moves(); err != nil {
		return gate.Yes{}, err
	}
	return gate.Yes{}, verdict.Deny(verdict.ApprovalNeeded, "not asked: the call is only shown")
}

// claim is the description of the approved tool, "" if the run has no such descriptor.
func (t *tape) claim() (string, error) {
	of, err := gate.ReadRecord(t.approval)
	if err != nil {
		return "", err
	}
	for _, l := range t.listings {
		for _, d := range l.Tools {
			if sum, err := d.Digest(); err == nil && l.Server == of.Server && sum.String() == of.Descriptor {
				f, err := d.Fields()
				return f.Description, err
			}
		}
	}
	return "", nil
}

// Withheld is the result that a run withheld, taken from its trace. It is for a run that
// could not keep the result, or was killed first. Every gate decides again, and must decide
// the same.
func Withheld(ctx context.Context, events []trace.Event, opt Options) (host.Withheld, error) {
	var q catch
	opt.quarantine = &q
	r, err := Run(ctx, events, opt)
	if err != nil {
		return host.Withheld{}, err
	}
	if !r.Complete || len(r.Differences) > 0 || q.last.RunID == "" {
		return host.Withheld{}, verdict.Fail(verdict.TraceDiffers, nil, "no result of this run was withheld")
	}
	end := events[len(events)-1]
	q.last.Trace, q.last.Created = end.Hash.Digest(), end.Time
	return q.last, nil
}

// catch is a quarantine that keeps only the last result.
type catch struct{ last host.Withheld }

// Keep keeps it until the next one comes.
func (c *catch) Keep(_ context.Context, w host.Withheld) error {
	c.last = w
	return nil
}
