package session_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/launch"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/trace"
)

// role makes this test binary play a server; see fake_test.go.
const (
	role   = "SESSION_TEST_ROLE"
	secret = "hunter2-hunter2"
)

func TestMain(m *testing.M) {
	if mode, set := os.LookupEnv(role); set {
		os.Exit(play(mode))
	}
	if log, set := os.LookupEnv(library); set {
		os.Exit(withoutAdopting(log))
	}
	adopting = launch.AdoptOrphans() == nil
	systems = ownAuthority()
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil { // a test here mostly waits
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// adopting is false where the system does not let orphans be found.
var adopting bool

// lateCall is a limit within which a busy machine still delivers a call.
const lateCall = 4 * time.Second

// short is limits for servers that are to run into them, and long for the rest.
var (
	short = session.Limits{StartTimeout: 200 * time.Millisecond, ConnectTimeout: 200 * time.Millisecond, CallTimeout: 100 * time.Millisecond, CloseGrace: 50 * time.Millisecond}
	// moderate is for what would wait for its limit, were it not for what is tested.
	moderate = session.Limits{StartTimeout: 4 * lateCall, ConnectTimeout: 4 * lateCall, CallTimeout: 4 * lateCall, CloseGrace: 100 * time.Millisecond}
	long     = session.Limits{StartTimeout: time.Minute, ConnectTimeout: time.Minute, CallTimeout: time.Minute, CloseGrace: 100 * time.Millisecond}
)

// pool is a pool that is closed with the test.
func pool(t testing.TB, limits session.Limits, servers ...session.Server) *session.Pool {
	p := session.New(servers, limits)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func discover(t testing.TB, p *session.Pool) catalog.Listing {
	t.Helper()
	l := p.Discover(t.Context(), "", []string{"srv"})
	if len(l) != 1 || l[0].Server != "srv" {
		t.Fatalf("Discover gives %+v", l)
	}
	return l[0]
}

// sink is a disk that never fails.
type sink struct{ bytes.Buffer }

func (*sink) Sync() error { return nil }

// approval goes through all the gates: there is no other way to one.
type approval struct {
	gate     *gate.Gate
	approved gate.Approved
	receipt  trace.Receipt
}

func approve(t testing.TB, l catalog.Listing, server, tool, args string) approval {
	t.Helper()
	if l.Err != nil {
		t.Fatal(l.Err)
	}
	a := approval{gate: gate.New(gate.Options{})}
	q, err := input.Admit(input.Asked{Words: "Say hello once"}, input.BuiltIn())
	must(t, err)
	allow, err := catalog.ParseAllowlist([]byte(`{"` + server + `":{"read":["` + tool + `"]}}`))
	must(t, err)
	p, err := plan.Parse(plan.Call(server, tool, jsontext.Value(args)))
	must(t, err)
	a.approved, err = a.gate.Approve(gate.Asked{Query: q}, catalog.Admit([]catalog.Listing{l}, allow, catalog.Options{}), p)
	must(t, err)
	a.receipt, err = trace.New(&sink{}, time.Now).Commit(trace.Approval, a.approved.Record())
	must(t, err)
	return a
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ask lists, approves and calls; it returns the error's code, "" for an accepted result.
func ask(t testing.TB, p *session.Pool) (string, error) {
	t.Helper()
	l := discover(t, p)
	if l.Err != nil {
		return string(verdict.CodeOf(l.Err)), l.Err
	}
	a := approve(t, l, "srv", "echo", `{"text":"hello"}`)
	raw, _, err := p.Call(t.Context(), a.approved, a.receipt, gate.Consent{})
	if err != nil {
		return string(verdict.CodeOf(err)), err
	}
	_, err = a.gate.Accept(a.approved, raw)
	return string(verdict.CodeOf(err)), err
}

// ways are the transports; each must meet each bad server in the same way.
var ways = map[string]func(t testing.TB, mode, log string) session.Server{
	"stdio":           stdio,
	"in process":      func(_ testing.TB, mode, log string) session.Server { return piped(mode, log) },
	"streamable HTTP": func(t testing.TB, mode, log string) session.Server { return streamable(t, mode, log, false) },
	"HTTP stream":     func(t testing.TB, mode, log string) session.Server { return streamable(t, mode, log, true) },
	"HTTP+SSE":        func(t testing.TB, mode, log string) session.Server { return legacy(t, mode, log, sameOrigin) },
}

// each runs a test over all transports, or over those named.
func each(t *testing.T, mode string, only []string, test func(t *testing.T, s session.Server, log string)) {
	t.Helper()
	for way, server := range ways {
		if len(only) > 0 && !strings.Contains(strings.Join(only, ", "), way) {
			continue
		}
		t.Run(mode+" over "+way, func(t *testing.T) {
			t.Parallel()
			log := logFile(t)
			test(t, server(t, mode, log), log)
		})
	}
}

func TestOneCallArrivesAndIsAnswered(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"", "oldest version", "stateless", "answers twice", "changed, same", "pings"} {
		var only []string
		if mode == "answers twice" || mode == "pings" || mode == "changed, same" {
			only = []string{"stdio", "in process", "HTTP stream", "HTTP+SSE"} // a single body has no room for it
		}
		each(t, mode, only, func(t *testing.T, s session.Server, log string) {
			code, err := ask(t, pool(t, long, s))
			if code != "" {
				t.Errorf("the call came to %v", err)
			}
			if n := arrived(t, log, "tools/call"); n != 1 {
				t.Errorf("%d calls arrived", n)
			}
		})
	}
}

// strangers are the ways to a server that is not within this program.
var strangers = []string{"stdio", "streamable HTTP", "HTTP stream", "HTTP+SSE"}

// The codes are those of the run: from the listing, the call, or the gate that
// accepts its result.
func TestABadServerIsReportedByItsFault(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode, code string
		only       []string
	}{
		{"silent", "server.timeout", nil},
		{"silent list", "server.timeout", nil},
		{"unknown version", "server.protocol", nil},
		{"newest version in a handshake", "server.protocol", nil},
		{"handshake with a key twice", "server.protocol", nil},
		{"handshake of many values", "server.protocol", nil},
		{"handshake refused", "server.protocol", nil},
		{"exit at start", "server.start", []string{"stdio"}},
		{"exit on discover", "server.start", []string{"stdio"}},
		{"exit on list", "server.closed", []string{"stdio"}},
		{"banner", "server.protocol", []string{"in process"}},
		{"number", "server.protocol", []string{"in process"}},
		{"banner on list", "server.protocol", []string{"in process"}},
		{"20 MiB", "server.too_large", []string{"stdio"}},
		{"list of 20 MiB", "server.too_large", strangers},
		{"list of a million names", "server.too_large", nil},
		{"list not UTF-8", "server.protocol", nil},
		{"list with a key twice", "server.protocol", nil},
		{"list with 1e400", "server.protocol", nil},
		{"list 100 deep", "server.too_large", nil},
		{"list 2000 deep", "server.too_large", strangers},
		{"list without tools", "server.protocol", nil},
		{"list of null", "server.protocol", nil},
		{"cursor for ever", "server.protocol", nil},
		{"two cursors in turn", "server.protocol", nil},
		{"new cursors for ever", "server.too_large", nil},
	} {
		each(t, c.mode, c.only, func(t *testing.T, s session.Server, log string) {
			limits := long
			if strings.HasPrefix(c.mode, "silent") {
				limits = short
			}
			if strings.Contains(c.mode, "MiB") && s.Command == "" {
				limits.MaxMessage = 1 << 20 // the default is tried over stdio
			}
			l := discover(t, pool(t, limits, s))
			if code := string(verdict.CodeOf(l.Err)); code != c.code || l.Tools != nil {
				t.Fatalf("the listing has %d tools and the error %v, want %s", len(l.Tools), l.Err, c.code)
			}
			quotes(t, l.Err)
		})
	}
}

// quotes holds an error against what every message must be.
func quotes(t *testing.T, err error) {
	t.Helper()
	var f *verdict.Fault
	if !errors.As(err, &f) {
		t.Fatalf("%v is no fault", err)
	}
	if strings.Contains(f.Reason, secret) {
		t.Errorf("the message quotes a configured value: %s", f.Reason)
	}
	if len(f.Reason) > 2<<10 {
		t.Errorf("the message has %d bytes", len(f.Reason))
	}
	if !strings.HasPrefix(f.Reason, "server srv: ") && !strings.Contains(f.Reason, " server srv: ") {
		t.Errorf("the message does not name the server: %s", f.Reason)
	}
}
