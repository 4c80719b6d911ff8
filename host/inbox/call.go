package inbox

import (
	"context"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/verdict"
)

// keepLimit is how long it may take to keep an approval.
const keepLimit = 10 * time.Second

// Call is the call of one run. Its zero value belongs to no conversation: no run
// shares its call, and no result is delivered to it. It is for one goroutine.
type Call struct {
	inbox    *Inbox
	key      string
	turn     bool               // no other run asks for the same call meanwhile
	result   *Result            // of the same call, in place of this one
	taken    bool               // the result is this call's alone
	asked    approval.Approval  // that the call waits for or uses
	unsigned *approval.Approval // that is kept once the trace has ended
}

// Join finds the result of the same call. If a person will be asked for the call,
// it first waits for another run that is about to ask; Asked ends that.
func (c *Call) Join(ctx context.Context, in *Inbox, key string, asks bool, now func() time.Time) error {
	c.inbox, c.key = in, key
	if asks {
		if err := in.turn(ctx, key); err != nil {
			return err
		}
		c.turn = true
	}
	if c.result = in.result(key, now()); c.result != nil {
		c.Asked()
	}
	return nil
}

// Asked lets other runs of the same call find the approval that this one asked for.
func (c *Call) Asked() {
	if c.turn {
		c.inbox.next(c.key)
		c.turn = false
	}
}

// Answer is the yes of an approval that a person gave elsewhere, if it is of this
// call. The state spends it before the call leaves.
func (c *Call) Answer(a gate.Approved, is approval.Approval, runID string, now time.Time) (gate.Yes, error) {
	if is.State != approval.Approved {
		return gate.Yes{}, is.Refusal(now)
	}
	c.asked = is
	yes := gate.Yes{Approval: is.Digest, By: is.By, How: is.How}
	if is.RunID != runID {
		yes.RunID, yes.Trace = is.RunID, is.Trace
	}
	if _, err := a.ConsentRecord(yes); err != nil {
		return gate.Yes{}, err
	}
	return yes, nil
}

// Uses is the approval that the call uses up, by its run. An empty runID means that it uses
// no approval.
func (c *Call) Uses() (runID, digest string) { return c.asked.RunID, c.asked.Digest }

// Outdated has an approval expire before the call is decided again.
func (c *Call) Outdated(is approval.Approval) { c.asked = is }

// Expire ends the approval that was asked for, before the call is decided again. The rules
// under which it was given no longer decide. An approval that was spent is over in any
// case.
func (c *Call) Expire(ctx context.Context, state Approvals, now time.Time) error {
	is := c.asked
	c.asked, c.unsigned = approval.Approval{}, nil
	if is.RunID == "" || state == nil {
		return nil
	}
	_, err := state.Move(ctx, is.RunID, is.Digest, approval.Step{To: approval.Superseded, Now: now})
	if verdict.CodeOf(err) == verdict.ApprovalSpent {
		return nil
	}
	return err
}

// Leave makes Close keep an approval: there was no approver for it.
func (c *Call) Leave(a approval.Approval) { c.unsigned = &a }

// Close keeps the approval that was left, once the trace with this digest has ended.
func (c *Call) Close(ctx context.Context, state Approvals, trace string) error {
	if c.unsigned == nil || state == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepLimit) // the run's time may be over
	defer cancel()
	c.unsigned.Trace = trace
	return state.Ask(ctx, *c.unsigned)
}

// Waits reports whether a result is to be delivered in place of the call.
func (c *Call) Waits() bool { return c.result != nil }

// Deliver takes the result of the same call in place of this one. Its error is the
// refusal of the call in any case.
func (c *Call) Deliver() error {
	if !c.inbox.remove(c.key, c.result.Run) {
		return verdict.Deny(verdict.ApprovalSpent, "the result of run %s was returned to another call", c.result.Run)
	}
	c.taken = true
	return verdict.Deny(verdict.CallHanded, "run %s made this call, and its result is returned: the call was not repeated", c.result.Run)
}

// Delivered is the result that Deliver took, nil before that.
func (c *Call) Delivered() *Result {
	if !c.taken {
		return nil
	}
	return c.result
}
