package replay

import (
	"context"
	"io"
	"reflect"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// tape plays a trace's edges back: it is the host's source, caller, proposer and writer. An
// answer that the trace does not have was never given, and is a fault.
type tape struct {
	part  // the part that is played; the last one if the tape is only read
	parts []part

	start     time.Time
	begin     trace.BeginBody
	decisions []host.Verdict // of all parts
	objects   trace.Objects
	memory    *Memory
	proposal  *trace.SaidBody
	again     *trace.DecisionBody // as decided again
	approved  jsontext.Value      // as approved again
	guard     *trace.GuardBody
	writing   *trace.SaidBody
	outcome   trace.OutcomeBody
	ended     bool
	same      bool // program and policy are those of the run
	changed   bool // the policy is not that of the run
	otherwise bool // the embedded planner proposes something else

	looks   int          // number of looks of the replay
	differs []Divergence // of the parts before this one
	config  host.Config
}

// decided has the members of a decision record that a replay needs: all else is computed
// again.
type decided struct {
	Time struct {
		At   string `json:"at"`
		Zone string `json:"zone"`
	} `json:"time"`
	Labels    []string `json:"labels"`
	Approvals []string `json:"approvals"`
	ByOther   bool     `json:"approved_by_other"`
}

func (t *tape) question() (q host.Question, err error) {
	text, err := t.begin.Question.Get()
	if err != nil {
		return q, err
	}
	around, err := t.begin.Context.Get()
	if err != nil {
		return q, err
	}
	brought, err := t.begin.Plan.Get()
	if err == nil && t.begin.Brought != nil {
		brought, err = t.begin.ReadBrought(nil) // load put it in its place
	}
	var facts gate.Facts
	if f := t.begin.Facts; f != nil {
		facts = gate.Facts(*f)
	}
	return host.Question{
		Text: string(text), Context: string(around), Subject: t.begin.Subject,
		Summarize: t.begin.Summarize, DryRun: t.begin.DryRun, Plan: brought, Client: t.begin.Brought != nil, Approval: t.binding(),
		Only: t.begin.Only, Follows: t.begin.Follows, Edited: t.begin.Edited, Facts: facts,
	}, err
}

// binding is the approval that the question brought, or nil.
func (t *tape) binding() *host.Binding {
	b := t.begin.Approval
	if b == nil || b.Digest == "" {
		return nil
	}
	return &host.Binding{RunID: b.RunID, Digest: b.Digest, By: b.By, How: b.How, Expires: b.Expires, Trace: b.Trace}
}

// ttl is the time from the trace's begin to the expiry that it names, so that the replay
// computes the same expiry.
func (t *tape) ttl() time.Duration {
	if t.begin.Approval == nil {
		return 0
	}
	expires, err := time.Parse(time.RFC3339, t.begin.Approval.Expires)
	if err != nil {
		return 0
	}
	return expires.Sub(t.start)
}

// Approve gives the recorded answer. If the run did not ask, no answer exists.
func (t *tape) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	t.approved = r.Record
	if c := t.consent; c != nil {
		return gate.Yes{Approval: c.Approval, By: c.By, How: c.How, RunID: c.RunID, Trace: c.Trace, Grant: c.Grant, Gives: c.Gives}, nil
	}
	if err := t.moves(); err != nil {
		return gate.Yes{}, err
	}
	for _, d := range t.verdicts {
		if d.Gate == "approval" && d.Code != "" {
			return gate.Yes{}, recordedAnswer(d)
		}
	}
	return gate.Yes{}, verdict.Deny(verdict.ApprovalNeeded, "not recorded: no person was asked")
}

// Add gives the recorded failure to add a line to the audit, before the call.
func (t *tape) Add(_ context.Context, l host.AuditLine) error {
	for _, d := range t.verdicts {
		if d.Gate == "audit" && l.Phase == host.Before {
			return recordedAnswer(d)
		}
	}
	return nil
}

// points are the decision points that answered, each with its recorded answer.
func (t *tape) points() (all []host.DecisionPoint) {
	for _, d := range t.decisions {
		for len(all) < len(d.Outside) {
			all = append(all, answered{t, len(all)})
		}
	}
	return all
}

// answered is one of the decision points.
type answered struct {
	tape *tape
	i    int
}

// Decide gives the recorded answer of the played part. It asks nothing.
func (a answered) Decide(context.Context, jsontext.Value) trace.OutsideBody {
	for _, d := range a.tape.verdicts {
		if a.i < len(d.Outside) {
			return d.Outside[a.i]
		}
	}
	return trace.OutsideBody{Error: &trace.Error{Code: verdict.DecisionUnanswered, Reason: "not recorded: it was not asked"}}
}

// recordedAnswer is a recorded refusal, or a fault of an edge.
func recordedAnswer(d host.Verdict) error {
	if d.Verdict == "fault" {
		return verdict.Fail(d.Code, nil, "%s", d.Reason)
	}
	return verdict.Deny(d.Code, "%s", d.Reason)
}

// Discover gives the recorded listings of these servers, in the order of the run.
func (t *tape) Discover(_ context.Context, _ string, servers []string) []catalog.Listing {
	var listings []catalog.Listing
	for _, server := range servers {
		had := len(listings)
		for _, l := range t.listings {
			if l.Server == server {
				listings = append(listings, l)
			}
		}
		if len(listings) == had {
			listings = append(listings, catalog.Listing{
				Server: server,
				Err:    verdict.Fail(verdict.ServerUnreachable, nil, "the trace has no listing of server %s", server),
			})
		}
	}
	return listings
}

// embedded is the name of the planner that replay has too.
const embedded = "embedded"

// proposes reports whether the embedded planner proposes the same again. The trace has the
// time in UTC, but the planner had the local day: one of three.
func (t *tape) proposes(ctx context.Context, q input.Query, c catalog.Catalog, recorded planner.Proposal) bool {
	return slices.ContainsFunc([]int{0, -1, 1}, func(days int) bool {
		again, err := lexical.New(func() time.Time { return t.start.AddDate(0, 0, days) }).Propose(ctx, q, c)
		again.Open = nil
		return err == nil && reflect.DeepEqual(again, recorded)
	})
}

// Propose gives the recorded proposal.
func (t *tape) Propose(ctx context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error) {
	b, err := said(t.proposal, verdict.ModelFailed)
	p := planner.Proposal{Said: b}
	if err == nil {
		p.Excluded = t.proposal.Excluded
		for _, s := range t.proposal.Suggestions {
			p.Suggestions = append(p.Suggestions, planner.Suggestion(s))
		}
		again := t.begin.Planner == embedded && t.begin.Follows == nil
		t.otherwise = t.same && again && !t.proposes(ctx, q, c, p)
	}
	return p, err
}

// Write gives the recorded summary.
func (t *tape) Write(context.Context, summarize.Source) (summarize.Draft, error) {
	b, err := said(t.writing, verdict.SummaryWriter)
	return summarize.Draft{Said: b}, err
}

func said(body *trace.SaidBody, code verdict.Code) ([]byte, error) {
	switch {
	case body == nil:
		return nil, verdict.Fail(code, nil, "not recorded: the run did not get as far as this")
	case body.Error != nil:
		return nil, body.Error.Err()
	}
	return body.Said.Get()
}

// Call redeems the approval against the recorded descriptor if the run did, and gives the
// recorded answer. A call that was never made stays unmade.
func (t *tape) Call(_ context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	t.approved = a.Record()
	live := pin.Descriptor{Server: a.Server(), Instructions: a.Descriptor().Instructions}
	if err := t.moves(); err != nil {
		return gate.RawResult{}, live, err
	}
	if t.result == nil {
		return gate.RawResult{}, live, verdict.Fail(verdict.CallNotRecorded, nil, "not recorded: the run made no such call")
	}
	var err error
	if live.Raw, err = t.result.Live.Get(); err != nil {
		return gate.RawResult{}, live, err
	}
	if t.result.Instructions != nil {
		instructions, err := t.result.Instructions.Get()
		if err != nil {
			return gate.RawResult{}, live, err
		}
		live.Instructions = string(instructions)
	}
	if changed := t.result.Error != nil && t.result.Error.Code == verdict.PinChanged; t.result.Redeemed || changed {
		if _, err := a.Redeem(live, on, yes); err != nil {
			return gate.RawResult{}, live, err
		}
	}
	if t.result.Error != nil {
		return gate.RawResult{}, live, t.result.Error.Err()
	}
	body, err := t.result.Raw.Get()
	return gate.RawResult{Body: body, Redacted: t.result.Redacted, Hidden: t.result.Hidden, RPC: t.result.RPC}, live, err
}

// discard discards the trace of a replay: the replay is not a run.
type discard struct{}

func (discard) Create(context.Context, string) (host.TraceSink, string, error) {
	return null{io.Discard}, "", nil
}

type null struct{ io.Writer }

// Keep keeps nothing, so that no line has to contain a listing.
func (null) Keep(trace.Hash, int, func() jsontext.Value) error { return nil }

func (null) Sync() error  { return nil }
func (null) Close() error { return nil }
