package replay

import (
	"context"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

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
