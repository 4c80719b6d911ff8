package host

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// DecisionPoint is a decision point outside of this program. It can only refuse a call.
// host/decision makes those of the settings.
type DecisionPoint interface {
	// Decide answers for the decision record of a call, which has no secrets. It must not
	// outlive its context. Its answer and its failure are recorded, and a replay uses them.
	Decide(ctx context.Context, record jsontext.Value) trace.OutsideBody
}

// outside asks the decision points about a call that the rules let through. No person was
// asked yet, and no approval is used. A call that waits for the result of another
// one makes none.
func (r *run) outside(ctx context.Context, d decided) error {
	if r.approval.call.Waits() {
		return nil
	}
	v := Verdict{Gate: "outside"}
	record, err := r.gate.DecisionRecord(d.Approved)
	for _, p := range r.config.Points {
		if err != nil {
			break
		}
		b := p.Decide(ctx, record)
		if stop := interrupted(ctx); stop != nil {
			b.Error = trace.ErrorOf(stop)
		}
		v.Outside = append(v.Outside, b)
		err = gate.Outside(v.Outside)
		if err == nil && b.Error != nil {
			r.note(fmt.Sprintf("The decision point of the %s gave no answer; its setting on_error lets calls go on without one.", b.Point))
		}
	}
	return r.rule(v, gate.Ruled{Ruling: verdict.Allow}, err)
}
