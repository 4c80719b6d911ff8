package runs

import (
	"context"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
)

// Released are the withheld results of one server that a person released, for the client that
// made the calls.
type Released struct {
	Desk   Desk
	Server string
}

// Released are the runs of these results, the oldest first.
func (r Released) Released(ctx context.Context) (all []string, err error) {
	kept, err := r.Desk.Withheld(ctx)
	for _, k := range kept {
		if k.Server == r.Server && k.By != "" {
			all = append(all, k.Run)
		}
	}
	return all, err
}

// Take moves a released result into a conversation. It adds the labels that the call would
// have added, and removes the result: of several callers only one gets it.
func (r Released) Take(ctx context.Context, run, conversation string) (host.Outcome, error) {
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
	var labels []grant.Mark
	for _, name := range out.Labels {
		labels = append(labels, grant.Mark{Conversation: conversation, Name: name, Run: k.Run, At: r.Desk.Now()})
	}
	_, err = desk.FromState(r.Desk.Desk, func(s *store.Store) (int64, error) { return 1, s.Hand(ctx, k.Run, labels) })
	if err != nil {
		return host.Outcome{}, err
	}
	return out, nil
}
