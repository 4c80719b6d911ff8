package host_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/store"
)

// waitingCall is a client's call in a conversation, which waits for a minute. Then
// do is called, from another goroutine as another process would.
func waitingCall(t *testing.T, do func(h inbox.Holding)) host.Question {
	t.Helper()
	q := deleting
	q.Facts = gate.Facts{Conversation: "c1"}
	q.Client, q.Text = true, ""
	var once sync.Once
	q.Hold = &inbox.Hold{For: time.Minute, Waiting: func(h inbox.Holding) { once.Do(func() { go do(h) }) }}
	return q
}

func decides(t *testing.T, kept *store.Store, to approval.State, how string) func(inbox.Holding) {
	return func(h inbox.Holding) {
		if _, err := kept.Move(context.WithoutCancel(t.Context()), h.RunID, h.Digest, approval.Step{To: to, By: "bo", How: how, Now: time.Now()}); err != nil {
			t.Error(err)
		}
	}
}

func TestAHeldCallIsMadeOnceItIsApprovedElsewhere(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	out := b.put(t, waitingCall(t, decides(t, kept, approval.Approved, gate.ByDigest)))
	if diff := cmp.Diff(ended{"", 1}, end(b, out)); diff != "" || out.Approval.By != "bo" || out.Approval.RunID != out.RunID {
		t.Fatalf("%s %+v", diff, out.Approval)
	}
	if !strings.Contains(b.disk.String(), `"kind":"consent"`) {
		t.Error("the consent is not on the trace")
	}
	replayed(t, b)
	if is, err := kept.Approval(t.Context(), out.RunID); err != nil || is.State != approval.Spent || !is.Client {
		t.Errorf("%+v, %v", is, err)
	}
}

func TestAHeldCallThatIsRefusedElsewhereIsNotMade(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	q := waitingCall(t, decides(t, kept, approval.Denied, gate.ByDigest))
	if diff := cmp.Diff(ended{verdict.ApprovalRefused, 0}, end(b, b.put(t, q))); diff != "" {
		t.Error(diff)
	}
	replayed(t, b)
	// The model that asks again is refused without a person being asked again.
	q.Hold = nil
	if diff := cmp.Diff(ended{verdict.ApprovalRefused, 0}, end(b, b.again().put(t, q))); diff != "" {
		t.Error(diff)
	}
	replayed(t, b)
}

// An approval that the operator does not take makes no call, however it was kept.
func TestAHeldCallTakesNoYesThatTheOperatorDoesNot(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, `{"write":[{"name":"delete_policy_entry","approval":"terminal"}]}`)
	q := waitingCall(t, decides(t, kept, approval.Approved, gate.ByDigest))
	if diff := cmp.Diff(ended{verdict.ApprovalRefused, 0}, end(b, b.put(t, q))); diff != "" {
		t.Error(diff)
	}
	replayed(t, b)
}

// unanswered leaves a call of a conversation whose hold has ended.
func unanswered(t *testing.T, b *bench) (host.Question, host.Outcome) {
	t.Helper()
	q := waitingCall(t, func(inbox.Holding) {})
	q.Hold = &inbox.Hold{For: time.Nanosecond}
	out := b.put(t, q)
	if out.Type != host.ApprovalNeeded || out.Error.Code != verdict.ApprovalNeeded || !strings.Contains(out.Error.Hint, out.RunID) {
		t.Fatalf("%s %+v", out.Type, out.Error)
	}
	replayed(t, b)
	b.again()
	return q, out
}

func TestTheNextCallBringsTheApprovalAlong(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	q, first := unanswered(t, b)
	if diff := cmp.Diff(ended{verdict.ApprovalNeeded, 0}, end(b, b.put(t, q))); diff != "" {
		t.Error(diff)
	}
	replayed(t, b)
	b.again()
	if all, err := kept.Waiting(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("the same call waits %d times, %v", len(all), err)
	}
	decides(t, kept, approval.Approved, gate.AtTerminal)(inbox.Holding{RunID: first.RunID, Digest: first.Approval.Digest})
	out := b.put(t, q)
	if diff := cmp.Diff(ended{"", 1}, end(b, out)); diff != "" || out.Approval.RunID != first.RunID || out.Approval.By != "bo" {
		t.Errorf("%s %+v", diff, out.Approval)
	}
	replayed(t, b)
	// The one after it is a call of its own, and asks again.
	if diff := cmp.Diff(ended{verdict.ApprovalNeeded, 1}, end(b, b.again().put(t, q))); diff != "" {
		t.Error(diff)
	}
}

// The next call waits for the approval that the first one asked for.
func TestTheNextCallWaitsForTheSameApproval(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	_, first := unanswered(t, b)
	q := waitingCall(t, decides(t, kept, approval.Approved, gate.ByDigest))
	out := b.put(t, q)
	if diff := cmp.Diff(ended{"", 1}, end(b, out)); diff != "" || out.Approval.RunID != first.RunID {
		t.Errorf("%s %+v", diff, out.Approval)
	}
	replayed(t, b)
}

// Only the very same call brings an approval along.
func TestAnotherCallBringsNoApprovalAlong(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*bench, *host.Question){
		"another conversation": func(_ *bench, q *host.Question) { q.Facts.Conversation = "c2" },
		"no conversation":      func(_ *bench, q *host.Question) { q.Facts.Conversation = "" },
		"another asker":        func(_ *bench, q *host.Question) { q.Subject = "eve" },
		"other arguments":      func(_ *bench, q *host.Question) { q.Plan = []byte(strings.Replace(remove, "002", "001", 1)) },
		"another text":         func(_ *bench, q *host.Question) { q.Client, q.Text = false, "Delete policy-002" },
		"another context":      func(_ *bench, q *host.Question) { q.Client, q.Context = false, "policy-002" },
		"after its time": func(b *bench, _ *host.Question) {
			b.config.Now = func() time.Time { return time.Now().Add(16 * time.Minute) }
		},
	} {
		b, kept := writing(t, writes1)
		q, first := unanswered(t, b)
		decides(t, kept, approval.Approved, gate.ByDigest)(inbox.Holding{RunID: first.RunID, Digest: first.Approval.Digest})
		change(b, &q)
		out := b.put(t, q)
		if diff := cmp.Diff(ended{verdict.ApprovalNeeded, 0}, end(b, out)); diff != "" || out.Approval.RunID == first.RunID {
			t.Errorf("%s: %s %+v", name, diff, out.Approval)
		}
		if is, err := kept.Approval(t.Context(), first.RunID); err != nil || is.State != approval.Approved {
			t.Errorf("%s: it is %s now, %v", name, is.State, err)
		}
	}
}

// Where the call would be another one by now, the approval is void for good.
func TestAnApprovalOfWhatChangedIsVoid(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	q, first := unanswered(t, b)
	decides(t, kept, approval.Approved, gate.ByDigest)(inbox.Holding{RunID: first.RunID, Digest: first.Approval.Digest})
	allow := b.config.Policy.Allowlist
	b.config.Policy.Allowlist, _ = catalog.ParseAllowlist([]byte(`{"mcp-policy-kb":["delete_policy_entry"]}`))
	out := b.put(t, q)
	if diff := cmp.Diff(ended{verdict.ApprovalNeeded, 0}, end(b, out)); diff != "" || out.Approval.RunID == first.RunID {
		t.Errorf("%s %+v", diff, out.Approval)
	}
	replayed(t, b)
	b.config.Policy.Allowlist = allow
	if diff := cmp.Diff(ended{verdict.ApprovalNeeded, 0}, end(b, b.again().put(t, q))); diff != "" {
		t.Error(diff)
	}
	if is, err := kept.Approval(t.Context(), first.RunID); err != nil || is.State != approval.Superseded {
		t.Errorf("the first approval is %s, %v", is.State, err)
	}
}

// Ten calls that wait for one approval make one call.
func TestOfManyThatWaitOneMakesTheCall(t *testing.T) {
	t.Parallel()
	for range min(rounds(), 20) {
		b, kept := writing(t, writes1)
		q, first := unanswered(t, b)
		decides(t, kept, approval.Approved, gate.ByDigest)(inbox.Holding{RunID: first.RunID, Digest: first.Approval.Digest})
		var all sync.WaitGroup
		var answered atomic.Int32
		for range 10 {
			config := b.config
			config.Traces = &disk{}
			h, err := host.New(config)
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				if out := h.Ask(t.Context(), q); out.Call == host.Answered {
					answered.Add(1)
				} else if out.Error.Code != verdict.ApprovalSpent && out.Error.Code != verdict.ApprovalNeeded {
					t.Errorf("%+v", out.Error)
				}
			})
		}
		all.Wait()
		if n := b.calls(); n != 1 || answered.Load() != 1 {
			t.Fatalf("%d calls, %d answers", n, answered.Load())
		}
	}
}

func TestAnInterruptedHoldMakesNoCallAndStaysPending(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	ctx, interrupt := context.WithCancel(t.Context())
	h, err := host.New(b.config)
	if err != nil {
		t.Fatal(err)
	}
	out := h.Ask(ctx, waitingCall(t, func(inbox.Holding) { interrupt() }))
	if diff := cmp.Diff(ended{verdict.CallInterrupted, 0}, end(b, out)); diff != "" {
		t.Error(diff)
	}
	if is, err := kept.Approval(t.Context(), out.RunID); err != nil || is.State != approval.Pending {
		t.Errorf("%+v, %v", is, err)
	}
}

// Outside of a conversation no later call uses an approval: none stays when the call ends.
func TestNoApprovalOutlivesACallOfNoConversation(t *testing.T) {
	t.Parallel()
	interrupted := func(ctx context.Context, q *host.Question) context.Context {
		ctx, interrupt := context.WithCancel(ctx)
		q.Hold.Waiting = func(inbox.Holding) { interrupt() }
		return ctx
	}
	over := func(ctx context.Context, q *host.Question) context.Context {
		q.Hold.For, q.Hold.Waiting = 1, nil
		return ctx
	}
	for want, ends := range map[verdict.Code]func(context.Context, *host.Question) context.Context{
		verdict.CallInterrupted: interrupted, verdict.ApprovalNeeded: over,
	} {
		b, kept := writing(t, writes1)
		h, err := host.New(b.config)
		if err != nil {
			t.Fatal(err)
		}
		q := waitingCall(t, nil)
		q.Facts.Conversation = ""
		out := h.Ask(ends(t.Context(), &q), q)
		if diff := cmp.Diff(ended{want, 0}, end(b, out)); diff != "" {
			t.Error(diff)
		}
		if is, err := kept.Approval(t.Context(), out.RunID); err != nil || is.State != approval.Superseded {
			t.Errorf("%s: %+v, %v", want, is, err)
		}
		q.Hold = nil
		out = h.Ask(t.Context(), q)
		if _, err := kept.Approval(t.Context(), out.RunID); out.Error.Code != verdict.ApprovalNeeded || verdict.CodeOf(err) != verdict.ApprovalUnknown {
			t.Errorf("without a hold: %+v, %v", out.Error, err)
		}
	}
}

// A result whose asker had gone is handed over once, and its call is not made again.
func TestAResultThatWasNotDeliveredIsHandedOverOnce(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	h, err := host.New(b.config)
	if err != nil {
		t.Fatal(err)
	}
	q := waitingCall(t, decides(t, kept, approval.Approved, gate.ByDigest))
	out := h.Ask(t.Context(), q)
	if out.Call != host.Answered || len(out.Result) == 0 {
		t.Fatalf("%s %+v", out.Type, out.Error)
	}
	h.Undelivered(out)
	h.Undelivered(host.Outcome{})
	other := q
	other.Facts.Conversation, other.Hold = "c2", nil
	if got := h.Ask(t.Context(), other); got.Handed != nil || got.Error.Code != verdict.ApprovalNeeded {
		t.Errorf("another conversation: %+v", got.Error)
	}
	b.again()
	next := h.Ask(t.Context(), q)
	if next.HandedRun != out.RunID || string(next.Handed) != string(out.Result) || next.Error.Code != verdict.CallHanded || next.Call != host.None || b.calls() != 1 {
		t.Errorf("%+v, %q, %d calls", next.Error, next.Handed, b.calls())
	}
	h.Undelivered(next) // nor was it delivered this time
	b.again()
	if again := h.Ask(t.Context(), q); again.HandedRun != out.RunID || string(again.Handed) != string(out.Result) || b.calls() != 1 {
		t.Errorf("%+v, %q, %d calls", again.Error, again.Handed, b.calls())
	}
	q.Hold = nil
	if third := h.Ask(t.Context(), q); third.Handed != nil || third.Error.Code != verdict.ApprovalNeeded || b.calls() != 1 {
		t.Errorf("a second time: %+v, %d calls", third.Error, b.calls())
	}
}

// Ten identical calls at once are one pending approval, and one call.
func TestTenEqualHeldCallsWaitForOneApproval(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	var tables sync.Mutex
	b.config.Traces = locked{&tables, table{}}
	h, err := host.New(b.config)
	if err != nil {
		t.Fatal(err)
	}
	var waiting atomic.Int32
	all := make(chan struct{})
	var made, refused atomic.Int32
	var calls sync.WaitGroup
	for range 10 {
		calls.Go(func() {
			var once sync.Once
			q := waitingCall(t, nil)
			q.Hold.Waiting = func(inbox.Holding) {
				once.Do(func() {
					if waiting.Add(1) == 10 {
						close(all)
					}
				})
			}
			switch out := h.Ask(t.Context(), q); {
			case out.Call == host.Answered:
				made.Add(1)
			case codeOf(out) == verdict.ApprovalSpent:
				refused.Add(1)
			default:
				t.Errorf("%s %+v", out.Type, out.Error)
			}
		})
	}
	<-all
	rows, err := kept.Waiting(t.Context())
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d approvals wait, %v", len(rows), err)
	}
	decides(t, kept, approval.Approved, gate.AtTerminal)(inbox.Holding{RunID: rows[0].RunID, Digest: rows[0].Digest})
	calls.Wait()
	if made.Load() != 1 || refused.Load() != 9 || b.calls() != 1 {
		t.Errorf("%d made, %d refused, %d calls", made.Load(), refused.Load(), b.calls())
	}
}

// locked are traces that many runs open at once.
type locked struct {
	mu *sync.Mutex
	table
}

func (l locked) Create(ctx context.Context, run string) (host.TraceSink, string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.table.Create(ctx, run)
}

// A person who is there is asked at once, whatever the same call waits for elsewhere.
func TestAPersonWhoIsThereIsAskedAtOnce(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	q, first := unanswered(t, b)
	by := &granter{}
	q.Approver = by
	out := b.put(t, q)
	if diff := cmp.Diff(ended{"", 1}, end(b, out)); diff != "" || by.asked != 1 || out.Approval.RunID != out.RunID {
		t.Errorf("%s, asked %d times, %+v", diff, by.asked, out.Approval)
	}
	replayed(t, b)
	if is, err := kept.Approval(t.Context(), first.RunID); err != nil || is.State != approval.Pending {
		t.Errorf("%+v, %v", is, err)
	}
}
