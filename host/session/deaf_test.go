package session_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// deaf is servers that stop reading at some point, and what a run comes to that
// waits for its own limit. A test that hangs here is a run that would.
var deaf = []struct {
	mode string
	code verdict.Code
	left bool // the call may have left
}{
	{"cursor of 1 MiB, then deaf", verdict.ServerTooLarge, false},
	{"cursor of 4 KiB, then deaf", verdict.ServerTimeout, false},
	{"ping with an id of 1 MiB, then deaf", verdict.ServerProtocol, false},
	{"16 pings, then deaf", verdict.ServerTimeout, false},
	{"pings for ever, and deaf", verdict.ServerProtocol, false},
	{"deaf to the call", verdict.CallOutcomeUnknown, true},
}

// long arguments do not fit into a pipe of any usual size.
var longArgs = `{"text":"` + strings.Repeat("x", 60<<10) + `"}`

// speakTo lists and calls, as far as it gets, and reports whether the approval
// was redeemed.
func speakTo(t *testing.T, ctx context.Context, p *session.Pool) (redeemed bool, err error) {
	l := p.Discover(ctx, "", []string{"srv"})[0]
	if l.Err != nil {
		return false, l.Err
	}
	a := approve(t, l, "srv", "echo", longArgs)
	_, _, err = p.Call(ctx, a.approved, a.receipt, gate.Consent{})
	return a.approved.Redeemed(), err
}

func TestAServerThatStopsReadingIsNotWaitedForPastTheLimits(t *testing.T) {
	t.Parallel()
	limits := long
	limits.CallTimeout = lateCall
	for _, c := range deaf {
		each(t, c.mode, []string{"stdio", "in process"}, func(t *testing.T, s session.Server, log string) {
			if s.Command == "" && strings.Contains(c.mode, "1 MiB") {
				return // a server within the program is trusted: its ids are not checked
			}
			p := pool(t, limits, s)
			redeemed, err := speakTo(t, t.Context(), p)
			if verdict.CodeOf(err) != c.code || redeemed != c.left {
				t.Errorf("it came to %v, redeemed: %v", err, redeemed)
			}
			quotes(t, err)
			must(t, p.Close())
		})
	}
}

// A person's interrupt, and the end of the time for the run, come while we write.
func TestAWriteEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		"interrupt": func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(lateCall, cancel)
			return ctx, cancel
		},
		"time is over": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, lateCall)
		},
	} {
		codes := map[string]verdict.Code{"cursor of 4 KiB, then deaf": verdict.CallInterrupted, "deaf to the call": verdict.CallOutcomeUnknown}
		for mode, code := range codes {
			if name == "time is over" {
				code = verdict.RunTimeout
			}
			each(t, mode, []string{"stdio", "in process"}, func(t *testing.T, s session.Server, _ string) {
				ctx, cancel := after(t.Context())
				defer cancel()
				p := pool(t, long, s)
				if _, err := speakTo(t, ctx, p); verdict.CodeOf(err) != code {
					t.Errorf("%s: it came to %v, want %s", name, err, code)
				}
				must(t, p.Close())
			})
		}
	}
}

// What could not be written whole leaves a process that nothing can be sent to:
// the next question starts another.
func TestTheNextQuestionHasAServerThatReads(t *testing.T) {
	t.Parallel()
	log := logFile(t)
	limits := long
	limits.CallTimeout = lateCall
	p := pool(t, limits, stdio(t, "deaf to the call, once", log))
	if _, err := speakTo(t, t.Context(), p); verdict.CodeOf(err) != verdict.CallOutcomeUnknown {
		t.Errorf("the first call came to %v", err)
	}
	if code, err := ask(t, p); code != "" {
		t.Errorf("the second call came to %v", err)
	}
	if n := arrived(t, log, "tools/call"); n != 1 {
		t.Errorf("%d calls arrived whole", n)
	}
}

// One process answers many questions: that one of them cannot be written must
// not lose another its answer.
func TestACutWriteLeavesOthersTheirAnswers(t *testing.T) {
	t.Parallel()
	log := logFile(t)
	p := pool(t, moderate, stdio(t, "answers when told, deaf meanwhile", log))
	ends(t, log)
	l := discover(t, p)
	first := approve(t, l, "srv", "echo", `{"text":"first"}`)
	answer := make(chan error, 1)
	go func() {
		_, _, err := p.Call(t.Context(), first.approved, first.receipt, gate.Consent{})
		answer <- err
	}()
	for arrived(t, log, "tools/call") == 0 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(t.Context(), lateCall)
	defer cancel()
	second := approve(t, l, "srv", "echo", longArgs)
	cut := make(chan error, 1)
	go func() {
		_, _, err := p.Call(ctx, second.approved, second.receipt, gate.Consent{})
		cut <- err
	}()
	if err := <-cut; err == nil { // the server reads again on request, and not before: only the context ends the call
		t.Error("the second call was answered")
	}
	goOn(t, log)
	must(t, <-answer)
}

// A process is started once for all questions: a question that waits for another's start
// waits no longer than it may.
func TestAQuestionWaitsForNoOthersStart(t *testing.T) {
	t.Parallel()
	log := logFile(t)
	p := pool(t, moderate, stdio(t, "silent", log))
	first, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- p.Discover(first, "", []string{"srv"})[0].Err }()
	for arrived(t, log, "initialize") == 0 {
		time.Sleep(time.Millisecond)
	}
	second, over := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer over()
	if err := p.Discover(second, "", []string{"srv"})[0].Err; verdict.CodeOf(err) != verdict.RunTimeout {
		t.Errorf("the second question came to %v", err)
	}
	cancel()
	if err := <-ended; verdict.CodeOf(err) != verdict.CallInterrupted {
		t.Errorf("the first question came to %v", err)
	}
	if n := arrived(t, log, "initialize"); n != 1 {
		t.Errorf("%d processes were started", n)
	}
}
