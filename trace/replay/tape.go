package replay

import (
	"context"
	"io"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// tape plays a trace's edges back: it is the host's source, caller, proposer
// and writer. What the trace does not hold was never said, and is a fault.
type tape struct {
	start     time.Time
	begin     trace.BeginBody
	decisions []host.Decision
	listings  map[string]trace.ListingBody
	proposal  *trace.SaidBody
	result    *trace.ResultBody
	writing   *trace.SaidBody
	outcome   trace.OutcomeBody
	ended     bool
}

func (t *tape) now() time.Time { return t.start }

func (t *tape) runID() string { return t.begin.RunID }

func (t *tape) question() (string, []host.Option, error) {
	text, err := t.begin.Question.Get()
	if err != nil {
		return "", nil, err
	}
	more, err := t.begin.Context.Get()
	if err != nil {
		return "", nil, err
	}
	opts := []host.Option{host.WithContext(string(more))}
	if t.begin.Summarize {
		opts = append(opts, host.WithSummary())
	}
	if t.begin.DryRun {
		opts = append(opts, host.DryRun())
	}
	return string(text), opts, nil
}

// Discover gives the recorded listings.
func (t *tape) Discover(_ context.Context, servers []string) []catalog.Listing {
	listings := make([]catalog.Listing, len(servers))
	for i, server := range servers {
		listings[i] = t.listing(server)
	}
	return listings
}

func (t *tape) listing(server string) catalog.Listing {
	body, ok := t.listings[server]
	if !ok {
		return catalog.Listing{Server: server, Err: verdict.Fail(verdict.ServerUnreachable, nil, "the trace holds no listing of server %s", server)}
	}
	l := catalog.Listing{Server: server, Err: body.Error.Err()}
	for _, b := range body.Tools {
		raw, err := b.Get()
		if err != nil {
			l.Err = verdict.Fail(verdict.TraceBroken, err, "a recorded descriptor of server %s cannot be read", server)
			break
		}
		l.Tools = append(l.Tools, pin.Descriptor{Server: server, Raw: raw})
	}
	return l
}

// Propose gives the recorded proposal.
func (t *tape) Propose(context.Context, input.Query, catalog.Catalog) (planner.Proposal, error) {
	b, err := said(t.proposal, verdict.ModelFailed)
	return planner.Proposal{Said: b}, err
}

// Write gives the recorded summary.
func (t *tape) Write(context.Context, summarize.Source) ([]byte, error) {
	return said(t.writing, verdict.SummaryWriter)
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

// Call redeems the approval against the recorded descriptor and gives the
// recorded answer. A call that was never made stays unmade.
func (t *tape) Call(_ context.Context, a gate.Approved, on trace.Receipt) (gate.RawResult, pin.Descriptor, error) {
	if t.result == nil {
		return gate.RawResult{}, pin.Descriptor{}, verdict.Fail(verdict.CallNotRecorded, nil, "not recorded: the run made no such call")
	}
	live := pin.Descriptor{Server: a.Server()}
	var err error
	if live.Raw, err = t.result.Live.Get(); err != nil {
		return gate.RawResult{}, live, err
	}
	if live.Raw == nil {
		return gate.RawResult{}, live, t.result.Error.Err()
	}
	if _, err := a.Redeem(live, on); err != nil {
		return gate.RawResult{}, live, err
	}
	if t.result.Error != nil {
		return gate.RawResult{}, live, t.result.Error.Err()
	}
	body, err := t.result.Raw.Get()
	return gate.RawResult{Body: body}, live, err
}

// discard takes the trace of a replay: the replay is not a run.
type discard struct{}

func (discard) Create(string) (host.TraceSink, string, error) { return null{io.Discard}, "", nil }

type null struct{ io.Writer }

func (null) Sync() error  { return nil }
func (null) Close() error { return nil }

var _ interface {
	host.Source
	host.Caller
	host.Proposer
	host.Writer
} = (*tape)(nil)
