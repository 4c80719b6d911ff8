package session_test

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/trace"
)

func TestOnlyNamedServersAreTouched(t *testing.T) {
	t.Parallel()
	wanted, other := logFile(t), logFile(t)
	a, b := piped("", wanted), piped("", other)
	a.Name, b.Name = "wanted", "other"
	p := pool(t, long, a, b, session.Server{Name: "broken"})
	if l := p.Discover(t.Context(), "", nil); len(l) != 0 {
		t.Errorf("nothing gives %+v", l)
	}
	if n := arrived(t, wanted, "initialize"); n != 0 {
		t.Errorf("an empty list dialled a server %d times", n)
	}
	l := p.Discover(t.Context(), "", []string{"wanted", "nobody", "broken", "wanted"})
	codes := map[string]string{}
	for _, one := range l {
		codes[one.Server] = string(verdict.CodeOf(one.Err))
	}
	if len(l) != 3 || codes["wanted"] != "" || codes["nobody"] != "server.unknown" || codes["broken"] != "config.invalid" {
		t.Errorf("the listings are %+v", l)
	}
	if n := arrived(t, wanted, "initialize"); n != 1 {
		t.Errorf("the server was dialled %d times", n)
	}
	if _, err := os.Stat(other); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a server that nobody named was dialled")
	}
}

func TestAServerThatIsConfiguredTwiceIsNone(t *testing.T) {
	t.Parallel()
	log := logFile(t)
	p := pool(t, long, piped("", log), piped("", log))
	if err := discover(t, p).Err; verdict.CodeOf(err) != verdict.ConfigInvalid {
		t.Errorf("the listing has the error %v", err)
	}
}

// TestServersAreAskedAtTheSameTime: each of them connects only once the other
// is being connected to.
func TestServersAreAskedAtTheSameTime(t *testing.T) {
	t.Parallel()
	var met atomic.Int32
	both := make(chan struct{})
	meeting := func(name string) session.Server {
		s := piped("", logFile(t))
		s.Name = name
		inner := s.InProcess
		s.InProcess = func(ctx context.Context) (mcp.Transport, error) {
			if met.Add(1) == 2 {
				close(both)
			}
			select {
			case <-both:
				return inner(ctx)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return s
	}
	limits := long
	limits.ConnectTimeout = 2 * lateCall
	for _, l := range pool(t, limits, meeting("one"), meeting("two")).Discover(t.Context(), "", []string{"one", "two"}) {
		if l.Err != nil || len(l.Tools) != 1 {
			t.Errorf("%s: %d tools, %v", l.Server, len(l.Tools), l.Err)
		}
	}
}

func TestASlowServerTakesNoOtherWithIt(t *testing.T) {
	t.Parallel()
	limits := long
	limits.CallTimeout = lateCall
	slow, quick := piped("silent list", logFile(t)), piped("", logFile(t))
	slow.Name = "slow"
	l := pool(t, limits, slow, quick).Discover(t.Context(), "", []string{"slow", "srv"})
	if verdict.CodeOf(l[0].Err) != verdict.ServerTimeout || len(l[1].Tools) != 1 {
		t.Errorf("the listings are %+v", l)
	}
}

func TestPagesAreJoinedWithinTheLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode   string
		limits session.Limits
		tools  int
		code   verdict.Code
	}{
		{"three pages", session.Limits{}, 3, ""},
		{"three pages", session.Limits{MaxPages: 3}, 3, ""},
		{"three pages", session.Limits{MaxPages: 2}, 0, verdict.ServerTooLarge},
		{"many tools", session.Limits{MaxTools: 7}, 7, ""},
		{"many tools", session.Limits{MaxTools: 6}, 0, verdict.ServerTooLarge},
		{"new cursors for ever", session.Limits{MaxMessage: 2000, MaxPages: 1 << 20}, 0, verdict.ServerTooLarge},
	} {
		l := discover(t, pool(t, c.limits, piped(c.mode, logFile(t))))
		if len(l.Tools) != c.tools || verdict.CodeOf(l.Err) != c.code {
			t.Errorf("%s within %+v: %d tools, %v", c.mode, c.limits, len(l.Tools), l.Err)
		}
	}
}

// TestWhoListsTooManyToolsIsToldWhatThereIsToDo: no setting raises that limit.
func TestWhoListsTooManyToolsIsToldWhatThereIsToDo(t *testing.T) {
	t.Parallel()
	l := discover(t, pool(t, session.Limits{MaxTools: 6}, piped("many tools", logFile(t))))
	if _, f := verdict.First(l.Err); f == nil || !strings.Contains(f.Hint, "list fewer") || strings.Contains(f.Hint, "raise") {
		t.Errorf("it says what to do: %+v", f)
	}
}

// Each page is far below the limit: together they are not.
func TestAllPagesOfAListingShareOneLimit(t *testing.T) {
	t.Parallel()
	limits := session.Limits{MaxMessage: 8000, MaxPages: 1 << 20, CallTimeout: 5 * lateCall}
	each(t, "pages of 1 KiB for ever", nil, func(t *testing.T, s session.Server, log string) {
		l := discover(t, pool(t, limits, s))
		if verdict.CodeOf(l.Err) != verdict.ServerTooLarge || l.Tools != nil {
			t.Errorf("%d tools, %v", len(l.Tools), l.Err)
		}
		if n := arrived(t, log, "tools/list"); n != 8 {
			t.Errorf("%d pages were asked for", n)
		}
	})
}

func TestOddToolsReachTheCatalogAsTheyAre(t *testing.T) {
	t.Parallel()
	var fetched atomic.Int32
	far := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { fetched.Add(1) }))
	defer far.Close()
	f := newFake("odd tools", logFile(t))
	f.remote = far.URL + "/schema.json"
	l := discover(t, pool(t, long, inside(f)))
	if len(l.Tools) != 10 || l.Err != nil {
		t.Fatalf("%d tools, %v", len(l.Tools), l.Err)
	}
	allow, err := catalog.ParseAllowlist([]byte(`{"srv":{"read":["same","none","loop","far"]}}`))
	must(t, err)
	c := catalog.Admit([]catalog.Listing{l}, allow, catalog.Options{})
	if len(c.Tools()) != 0 || len(c.Excluded()) != 10 {
		t.Errorf("the catalog has %v, and leaves out %v", c.Tools(), c.Excluded())
	}
	if n := fetched.Load(); n != 0 {
		t.Errorf("%d requests went to where a schema points", n)
	}
}

func TestWhatIsSentIsWhatWasRedeemed(t *testing.T) {
	t.Parallel()
	log := logFile(t)
	p := pool(t, long, piped("result with a big integer", log))
	a := approve(t, discover(t, p), "srv", "echo", `{"text": "<&>\u2028é", "n": 9007199254740993}`)
	raw, live, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
	must(t, err)
	sent, err := os.ReadFile(log)
	must(t, err)
	if want := `"arguments":{"n":9007199254740993,"text":"<&>` + "\u2028" + `é"}`; !strings.Contains(string(sent), want) {
		t.Errorf("%s\nwas sent, without %s", sent, want)
	}
	if want := `{"content":[{"type":"text","text":"9007199254740993"}],"structuredContent":{"n":9007199254740993}}`; string(raw.Body) != want {
		t.Errorf("the result is %s", raw.Body)
	}
	if string(live.Raw) != echoTool || live.Server != "srv" {
		t.Errorf("the live descriptor is %s", live.Raw)
	}
}

func TestNothingLeavesWithoutApprovalAndReceipt(t *testing.T) {
	t.Parallel()
	log := logFile(t)
	p := pool(t, long, piped("", log))
	l := discover(t, p)
	a, b := approve(t, l, "srv", "echo", `{"text":"a"}`), approve(t, l, "srv", "echo", `{"text":"b"}`)
	for _, c := range []struct {
		name    string
		a       gate.Approved
		receipt trace.Receipt
		code    verdict.Code
	}{
		{"nothing", gate.Approved{}, trace.Receipt{}, verdict.CallUnapproved},
		{"no approval", gate.Approved{}, a.receipt, verdict.CallUnapproved},
		{"no receipt", a.approved, trace.Receipt{}, verdict.CallUnrecorded},
		{"another's receipt", a.approved, b.receipt, verdict.CallUnrecorded},
	} {
		if _, _, err := p.Call(t.Context(), c.a, c.receipt, gate.Consent{}); verdict.CodeOf(err) != c.code || !verdict.Denied(err) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if n := arrived(t, log, "tools/call"); n != 0 {
		t.Errorf("%d calls arrived", n)
	}
}

func TestOneApprovalIsOneCall(t *testing.T) {
	t.Parallel()
	each(t, "", nil, func(t *testing.T, s session.Server, log string) {
		p := pool(t, long, s)
		a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
		var answered atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if _, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{}); err == nil {
					answered.Add(1)
				} else if !verdict.Denied(err) {
					t.Errorf("a second call fails with %v", err)
				}
			})
		}
		all.Wait()
		if n := answered.Load(); n != 1 {
			t.Errorf("%d calls were answered", n)
		}
		if n := arrived(t, log, "tools/call"); n != 1 {
			t.Errorf("%d calls arrived", n)
		}
	})
}

func TestTheHandshakeComesFirstAndOnlyARefusalChangesThat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode                string
		handshakes, without int
	}{
		{"", 1, 0},
		{"oldest version", 1, 0},
		{"stateless", 1, 1},
		{"exit on discover", 1, 1},
		{"silent", 1, 0},
		{"unknown version", 1, 0},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			limits := long
			if c.mode == "silent" {
				limits.StartTimeout = lateCall
			}
			log := logFile(t)
			discover(t, pool(t, limits, stdio(t, c.mode, log)))
			if n := arrived(t, log, "initialize"); n != c.handshakes {
				t.Errorf("%d handshakes", n)
			}
			if n := arrived(t, log, "server/discover"); n != c.without {
				t.Errorf("asked %d times without a handshake", n)
			}
			first, err := os.ReadFile(log)
			must(t, err)
			// No roots, no sampling, no elicitation is offered.
			if !strings.HasPrefix(string(first), "initialize ") || !strings.Contains(string(first), `"protocolVersion":"2025-11-25","capabilities":{}}`) {
				t.Errorf("the first message is %.300s", first)
			}
		})
	}
}

func TestACallOnAConnectionThatEndedIsNotMade(t *testing.T) {
	t.Parallel()
	p := pool(t, long, piped("", logFile(t)))
	a := approve(t, discover(t, p), "srv", "echo", `{"text":"hello"}`)
	must(t, p.Close())
	if _, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{}); verdict.CodeOf(err) != verdict.CallInterrupted {
		t.Errorf("a call on a closed pool: %v", err)
	}
	if a.approved.Redeemed() {
		t.Error("the approval was redeemed for nothing")
	}
	if err := discover(t, p).Err; verdict.CodeOf(err) != verdict.CallInterrupted {
		t.Errorf("a listing from a closed pool: %v", err)
	}
}
