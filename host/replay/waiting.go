package replay

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// Waiting is what a run asked whose call waits for a person: its question, with
// the plan that it came to, and the record of its approval. Whether the trace is
// whole, and the one that was left, is for the caller to have verified.
func Waiting(events []trace.Event, objects trace.Objects) (q host.Question, record jsontext.Value, err error) {
	t, err := load(events, objects)
	if err != nil {
		return q, nil, err
	}
	if q, err = t.question(); err == nil && t.proposal != nil {
		q.Plan, err = t.proposal.Said.Get()
	}
	return q, t.approval, err
}
