package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Hold has a call that needs an approval wait for one from another process. Its
// approval is pending meanwhile, and stays so afterwards until it expires: the
// same call of the same conversation then waits for it again, or uses it.
type Hold struct {
	For time.Duration
	// Waiting is called when the wait begins, and every five seconds; nil calls nothing.
	Waiting func(Holding)
	// Used is called once an approval was used up, before the call leaves: from then
	// on its result is owed to the asker, or to their next call. nil calls nothing.
	Used func()
	// Clock is the run's time limit, which stands still meanwhile; nil stops none.
	Clock interface {
		Pause()
		Resume()
	}
}

// Holding is a call that waits.
type Holding struct {
	RunID  string // the run to approve, which may be an earlier one
	Server string
	Tool   string
	Digest string // of the approval
	Waited time.Duration
}

const (
	// pollEvery is how often a row is read that is waited for.
	pollEvery = 100 * time.Millisecond
	// reportEvery is how often it is reported that a call waits.
	reportEvery = 5 * time.Second
)

// WaitingSink is a [TraceSink] that holds something up while its run waits for a
// person. After Wait nothing is written before Resume has returned nil.
type WaitingSink interface {
	Wait() error
	Resume(ctx context.Context) error
}

// await waits until an approval is no longer pending, as long as the question
// holds, and gives it as it is then.
func (r *run) await(ctx context.Context, a gate.Approved, is approval.Approval) (_ approval.Approval, err error) {
	hold := r.question.Hold
	if is.State != approval.Pending || hold == nil || hold.For <= 0 {
		return is, nil
	}
	if sink, waits := r.sink.(WaitingSink); waits {
		if err := sink.Wait(); err != nil {
			return is, unwritable(err)
		}
		defer func() {
			if lost := sink.Resume(context.WithoutCancel(ctx)); lost != nil {
				err = unwritable(lost)
			}
		}()
	}
	if hold.Clock != nil {
		hold.Clock.Pause()
		defer hold.Clock.Resume()
	}
	poll, end := time.NewTicker(pollEvery), time.NewTimer(hold.For)
	defer poll.Stop()
	defer end.Stop()
	began := time.Now()
	for reported := -reportEvery; ; {
		if waited := time.Since(began); hold.Waiting != nil && waited-reported >= reportEvery {
			hold.Waiting(Holding{RunID: is.RunID, Server: a.Server(), Tool: a.Tool(), Digest: is.Digest, Waited: waited})
			reported = waited
		}
		select {
		case <-ctx.Done():
			return is, interrupted(ctx)
		case <-end.C:
			return r.config.Approvals.Approval(ctx, is.RunID)
		case <-poll.C:
		}
		if r.handed = r.undelivered.look(r.key, r.config.Now()); r.handed != nil {
			return is, r.handInstead(ctx, is) // the asker's earlier call ended meanwhile
		}
		if is, err = r.config.Approvals.Approval(ctx, is.RunID); err != nil || is.State != approval.Pending || !is.Live(r.config.Now()) {
			return is, err
		}
	}
}

// asks is the approval of this run, to be kept.
func (r *run) asks(a gate.Approved, trace string, held time.Duration) (approval.Approval, error) {
	expires, err := time.Parse(time.RFC3339, r.binding.Expires)
	now := r.config.Now()
	p := approval.Approval{
		RunID: r.out.RunID, Digest: a.Digest(), Trace: trace, Key: r.key, Client: r.question.Client,
		State: approval.Pending, Created: now, Expires: expires, Deciding: r.deciding, Call: callOf(a),
	}
	if held > 0 {
		p.Held = now.Add(held)
	}
	return p, err
}

// callOf is the digest of an approved call alone.
func callOf(a gate.Approved) string {
	is, err := gate.ReadRecord(a.Record())
	if err != nil {
		return "" // no call's
	}
	return is.CallDigest()
}

// hold keeps the approval of this run while the run goes on, and waits for it.
func (r *run) hold(ctx context.Context, a gate.Approved) (gate.Yes, error) {
	asked, err := r.asks(a, r.log.Head().Digest(), r.question.Hold.For)
	if err == nil {
		err = r.config.Approvals.Ask(ctx, asked)
	}
	if err != nil {
		return gate.Yes{}, err
	}
	r.askedFor()
	is, err := r.await(ctx, a, asked)
	if err != nil {
		return gate.Yes{}, err
	}
	return r.use(a, is)
}

// use is the yes of an approval that a person gave elsewhere, if it is of this call.
// redeem uses it up.
func (r *run) use(a gate.Approved, is approval.Approval) (gate.Yes, error) {
	if is.State == approval.Pending && is.Live(r.config.Now()) {
		return gate.Yes{}, r.unanswered(a, is.RunID)
	}
	if is.State != approval.Approved {
		return gate.Yes{}, is.Refusal(r.config.Now())
	}
	r.row.run, r.row.digest = is.RunID, is.Digest
	yes := gate.Yes{Approval: is.Digest, By: is.By, How: is.How}
	if is.RunID != r.out.RunID {
		yes.RunID, yes.Trace = is.RunID, is.Trace
	}
	if _, err := a.ConsentRecord(yes); err != nil {
		return gate.Yes{}, err
	}
	r.spends.Approval, r.spends.Digest = is.RunID, is.Digest
	return yes, nil
}

// handInstead voids an approval that is still waited for, and hands over the result
// of the same call in its place.
func (r *run) handInstead(ctx context.Context, is approval.Approval) error {
	_, err := r.config.Approvals.Move(ctx, is.RunID, is.Digest, approval.Step{To: approval.Superseded, Now: r.config.Now()})
	if err != nil {
		return err // decided at this very moment: the result stays for the next call
	}
	return r.handOver()
}

// attach binds the run to an approval that the same call of the same conversation
// asked for before, if that can still be given or used, or was refused.
func (r *run) attach(ctx context.Context) error {
	q := r.question
	if r.config.Approvals == nil || q.Approval != nil || q.DryRun || q.Edited || q.Plan == nil || q.Facts.Conversation == "" {
		return nil
	}
	same := q.Plan
	if q.Client && q.Same != nil {
		same = q.Same
	}
	p, err := plan.Parse(same)
	if err != nil || p.Declines() {
		return nil //nolint:nilerr // the plan is refused in its turn
	}
	if r.key = q.callKey(p.Server(), p.Tool(), p.Args()); r.key == "" {
		return nil
	}
	r.out.key = r.key
	if err := r.first(ctx, p.Server(), p.Tool()); err != nil {
		return err
	}
	now := r.config.Now()
	if r.handed = r.undelivered.look(r.key, now); r.handed != nil {
		r.askedFor()
		return nil
	}
	is, err := r.config.Approvals.SameCall(ctx, r.key)
	if is.State == approval.Pending && (q.Approver != nil || r.config.Approver != nil) {
		return err // a person can be asked now
	}
	if err == nil && (is.Live(now) || is.State == approval.Denied && !now.After(is.Expires)) {
		r.question.Approval, r.waitsElsewhere = &Binding{RunID: is.RunID, Digest: is.Digest}, is.State == approval.Pending
		r.askedFor()
	}
	return err
}

// callKey names a call within its conversation, "" outside of one. It covers all
// that the approval's record is made of but the tool's descriptor and the
// operator's settings: where these changed the record differs, which the consent
// compares.
func (q Question) callKey(server, tool string, args jsontext.Value) string {
	canonical, err := schema.Canonical(args)
	if err != nil || q.Facts.Conversation == "" {
		return ""
	}
	b, err := json.Marshal([]string{q.Subject, q.Facts.Conversation, q.Text, q.Context, server, tool, string(canonical)})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// undelivered are results whose asker had gone, until their approvals expire. They
// are kept in memory: a conversation of a wrapped client ends with its process.
type undelivered struct {
	mu    sync.Mutex
	all   map[string]result
	bytes int
}

type result struct {
	run     string
	body    []byte
	expires time.Time
}

// maxUndelivered bounds what is kept of them, in bytes.
const maxUndelivered = 32 << 20

// Undelivered keeps the result of a call that a person approved and whose asker
// is no longer there. The next call with the same arguments in the same
// conversation gets it, once and until the approval expires, in [Outcome.Handed]:
// the call is not made again. Any other outcome is not kept.
func (h *Host) Undelivered(out Outcome) {
	if h != nil && out.Handed != nil { // it is owed again
		h.undelivered.put(out.key, out.owed, h.start.Now())
		return
	}
	body := out.Result
	if body == nil {
		body = out.ToolError // what the tool says of its failure is its result, too
	}
	if h == nil || out.key == "" || body == nil || out.Approval == nil {
		return
	}
	expires, err := time.Parse(time.RFC3339, out.Approval.Expires)
	if err != nil {
		return
	}
	h.undelivered.put(out.key, result{out.RunID, body, expires}, h.start.Now())
}

func (u *undelivered) put(key string, r result, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.all == nil {
		u.all = map[string]result{}
	}
	for k, old := range u.all {
		if now.After(old.expires) || k == key {
			u.bytes -= len(old.body)
			delete(u.all, k)
		}
	}
	if u.bytes+len(r.body) <= maxUndelivered {
		u.all[key] = r
		u.bytes += len(r.body)
	}
}

// look gives a result, which stays.
func (u *undelivered) look(key string, now time.Time) *result {
	u.mu.Lock()
	defer u.mu.Unlock()
	if r, there := u.all[key]; there && !now.After(r.expires) {
		return &r
	}
	return nil
}

// take gives a result to one caller.
func (u *undelivered) take(key, run string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	r, there := u.all[key]
	if !there || r.run != run {
		return false
	}
	u.bytes -= len(r.body)
	delete(u.all, key)
	return true
}

// handOver gives the result of the same call of an earlier run in place of a call.
func (r *run) handOver() error {
	if !r.undelivered.take(r.key, r.handed.run) {
		return verdict.Deny(verdict.ApprovalSpent, "the result of run %s was returned to another call", r.handed.run)
	}
	r.out.Handed, r.out.HandedRun, r.out.owed = r.handed.body, r.handed.run, *r.handed
	return verdict.Deny(verdict.CallHanded, "run %s made this call, and its result is returned: the call was not repeated", r.handed.run)
}
