package replay

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// Pending is what a run asked whose call waits for a person.
type Pending struct {
	Question host.Question  // with the plan that it came to
	Record   jsontext.Value // of its approval: what the approval's digest is of

	// Claim is the server's own description of the tool, read from the
	// descriptor whose digest Record holds: no other text can take its place.
	Claim string
}

// Waiting is what a run asked. Whether the trace is whole, and the one that was
// left, is for the caller to have verified, and whether Record is what was to be
// approved.
func Waiting(events []trace.Event, objects trace.Objects) (a Pending, err error) {
	t, err := load(events, objects)
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
	if a.Record = t.approval; a.Record != nil {
		a.Claim, err = t.claim()
	}
	return a, err
}

// claim is "" where the run has no such descriptor.
func (t *tape) claim() (string, error) {
	of, err := gate.ReadRecord(t.approval)
	if err != nil {
		return "", err
	}
	for _, l := range t.listings {
		for _, d := range l.Tools {
			if l.Server == of.Server && digest(d) == of.Descriptor {
				f, err := d.Fields()
				return f.Description, err
			}
		}
	}
	return "", nil
}

// digest is a descriptor's, or "": no record holds that.
func digest(d pin.Descriptor) string {
	sum, err := d.Digest()
	if err != nil {
		return ""
	}
	return sum.String()
}

// Withheld is the result that a run withheld, as its trace has it: what the run
// keeps once its trace has ended, for a run that was killed before it did, or
// that could not. Every gate decides anew, and has to decide the same.
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

// catch is a quarantine that has the last result that it was given.
type catch struct{ last host.Withheld }

// Keep keeps it until the next one comes.
func (c *catch) Keep(_ context.Context, w host.Withheld) error {
	c.last = w
	return nil
}
