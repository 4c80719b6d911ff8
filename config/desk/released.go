package desk

import (
	"context"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Released are the results of one server that were withheld and that a person
// released, for the client whose calls they answer.
type Released struct {
	Desk   Desk
	Server string
}

// Released are their runs, the oldest first.
func (r Released) Released(ctx context.Context) (all []string, err error) {
	kept, err := r.Desk.Withheld(ctx)
	for _, k := range kept {
		if k.Server == r.Server && k.By != "" {
			all = append(all, k.Run)
		}
	}
	return all, err
}

// Take gives a released result and removes it: of several callers one gets it.
func (r Released) Take(ctx context.Context, run string) (host.Outcome, error) {
	k, err := r.Desk.Kept(ctx, run)
	if err == nil && k.Server != r.Server {
		err = verdict.Fail(verdict.StateMissing, nil, "no result of run %.80s of this server is kept", run)
	}
	if err != nil {
		return host.Outcome{}, err
	}
	out, err := r.Desk.Resume(ctx, run)
	if err != nil {
		return host.Outcome{}, err
	}
	if _, err := r.Desk.Drop(ctx, run); err != nil {
		return host.Outcome{}, err
	}
	return out, nil
}
