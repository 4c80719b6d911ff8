package login_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/login"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/internal/testing/logintest"
	"github.com/onestep-run/onestep/internal/testing/pgtest"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
)

func TestARefusedTokenIsRefreshedOnceAndTheHandshakeRepeated(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	i.server.Expire()
	if err := i.list(t); err != nil {
		t.Fatal(err)
	}
	if err := i.list(t); err != nil { // with what the first process wrote
		t.Fatal(err)
	}
	if n := i.server.Count("grant refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
	i.clean(t)
}

func TestATokenIsRefreshedAMinuteOrATenthBeforeItsEnd(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		life, passed time.Duration
		refreshes    int
	}{
		"an hour, with two minutes left":     {time.Hour, 58 * time.Minute, 0},
		"an hour, with half a minute left":   {time.Hour, 59*time.Minute + 30*time.Second, 1},
		"an hour, over":                      {time.Hour, 2 * time.Hour, 1},
		"a minute, with twenty seconds left": {time.Minute, 40 * time.Second, 0},
		"a minute, with three seconds left":  {time.Minute, 57 * time.Second, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{Lifetime: row.life}, session.OAuth{})
			i.loggedIn(t, login.Request{})
			i.server.Pass(row.passed)
			i.Now = func() time.Time { return time.Now().Add(row.passed) }
			if err := i.list(t); err != nil {
				t.Fatal(err)
			}
			if n := i.server.Count("grant refresh_token"); n != row.refreshes {
				t.Errorf("%d refreshes, want %d", n, row.refreshes)
			}
		})
	}
}

// RFC 6749, section 6: a refresh may leave the refresh token unchanged.
func TestARefreshWithoutANewRefreshTokenKeepsTheOldOne(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]any{"absent": "absent", "empty": "", "null": json.RawMessage("null")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{Steady: true}, session.OAuth{})
			i.loggedIn(t, login.Request{})
			i.server.Set(func(o *logintest.Options) {
				o.Edit = func(path string, doc map[string]any) {
					if path == "token" && value != "absent" {
						doc["refresh_token"] = value
					}
				}
			})
			for n := range 3 {
				i.server.Expire()
				i.again()
				if err := i.list(t); err != nil {
					t.Fatal(err)
				}
				if got := i.server.Count("grant refresh_token"); got != n+1 {
					t.Errorf("%d refreshes, want %d", got, n+1)
				}
			}
			if is, err := i.Store.Look("tickets", "sha256:entry"); err != nil || !is.Renews || is.State != login.LoggedIn {
				t.Errorf("%+v, %v", is, err)
			}
			i.clean(t)
		})
	}
}

func TestALoginThatTheIssuerEndedNeedsAnother(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	was := i.loggedIn(t, login.Request{})
	i.server.EndAll()
	code(t, i.list(t), verdict.ServerAuth)
	is, err := i.Store.Look("tickets", "sha256:entry")
	if err != nil || is.State != login.NeedsLogin || is.ID() != was.ID() || is.Generation <= was.Generation {
		t.Errorf("%+v, %v", is, err)
	}
	if kept, err := filepath.Glob(filepath.Join(i.Store.Dir, "*.previous")); err != nil || len(kept) != 1 {
		t.Errorf("%d earlier files, %v", len(kept), err)
	}
	requests := i.server.Count("/token")
	code(t, i.list(t), verdict.ServerAuth)
	if n := i.server.Count("/token"); n != requests {
		t.Error("an ended login was tried again")
	}
	i.loggedIn(t, login.Request{})
	if err := i.list(t); err != nil {
		t.Error(err)
	}
}

func TestANetworkFailureChangesNothing(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]http.HandlerFunc{
		"trouble": answering(500, "application/json", `{}`), "a page": answering(503, "text/html", "x"), "a redirect": answering(307, "application/json", "{}"),
		"another error": answering(401, "application/json", `{"error":"invalid_client"}`), "no token": answering(200, "application/json", `{}`),
		"cut off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99")
			fmt.Fprint(w, "{")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{}, session.OAuth{})
			was := i.loggedIn(t, login.Request{})
			i.server.Expire()
			i.server.Set(func(o *logintest.Options) { o.Answer = at("/token", do) })
			code(t, i.list(t), verdict.ServerUnreachable)
			if is, err := i.Store.Look("tickets", "sha256:entry"); err != nil || is.State != login.LoggedIn || is.Generation != was.Generation {
				t.Errorf("%+v, %v", is, err)
			}
			i.server.Set(func(o *logintest.Options) { o.Answer = nil })
			if err := i.list(t); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestATokenThatStillLastsIsUsedWhileTheIssuerIsDown(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	i.Now = func() time.Time { return time.Now().Add(59*time.Minute + 30*time.Second) }
	i.server.Set(func(o *logintest.Options) { o.Answer = at("/token", answering(500, "application/json", "{}")) })
	if err := i.list(t); err != nil {
		t.Error(err)
	}
}

func TestALoginWithoutARefreshTokenEndsWithItsToken(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{NoRefresh: true}, session.OAuth{})
	if is := i.loggedIn(t, login.Request{}); is.Renews {
		t.Error("it renews")
	}
	i.Now = func() time.Time { return time.Now().Add(59*time.Minute + 30*time.Second) }
	if err := i.list(t); err != nil {
		t.Error(err)
	}
	i.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	before := i.server.Requests()
	code(t, i.list(t), verdict.ServerAuth)
	if i.server.Requests() != before {
		t.Error("a request was made with a token that is over")
	}
}

func TestAServerThatNamesAnotherIssuerIsRefusedUntilTheNextLogin(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	was := i.loggedIn(t, login.Request{})
	other := logintest.New(t, logintest.Options{})
	i.server.Expire()
	i.server.Set(func(o *logintest.Options) {
		o.Edit = member("resource", "authorization_servers", []string{other.Issuer()})
	})
	code(t, i.list(t), verdict.ServerIssuer)
	if n := i.server.Count("grant refresh_token"); n != 0 {
		t.Errorf("%d refreshes", n)
	}
	if is, err := i.Store.Look("tickets", "sha256:entry"); err != nil || is.State != login.LoggedIn || is.Generation != was.Generation {
		t.Errorf("%+v, %v", is, err)
	}
}

func TestALoginIsUsedForNoOtherServer(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*login.Target){
		"another host":   func(t *login.Target) { t.Server.URL = "http://127.0.0.1:1/mcp" },
		"another path":   func(t *login.Target) { t.Server.URL = strings.Replace(t.Server.URL, "/mcp", "/other", 1) },
		"a longer name":  func(t *login.Target) { t.Server.URL += "x" },
		"another issuer": func(t *login.Target) { t.Server.OAuth.Issuer = "https://issuer.example" },
		"another client": func(t *login.Target) { t.Server.OAuth.ClientID = "other" },
		"another grant":  func(t *login.Target) { t.Server.OAuth.Grant = login.ClientCredentials },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{}, session.OAuth{})
			i.loggedIn(t, login.Request{})
			before := i.server.Requests()
			change(&i.target)
			code(t, i.list(t), verdict.ServerAuth)
			if i.server.Requests() != before {
				t.Error("a request was made")
			}
		})
	}
	i := install(t, logintest.Options{}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	i.target.Entry = "sha256:other"
	if s, err := i.Source(i.target); s != nil || err != nil {
		t.Errorf("another entry of the same name has a login: %v, %v", s, err)
	}
}

func TestAllRequestsAtOnceRefreshOnce(t *testing.T) {
	t.Parallel()
	i := install(t, logintest.Options{}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	i.server.Expire()
	source, err := i.Source(i.target)
	if err != nil {
		t.Fatal(err)
	}
	was, err := source.Fresh(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if now, err := source.Refused(t.Context(), was.Access, ""); err != nil || now.Access == was.Access || !now.Refreshed {
				t.Errorf("%v, %v", now.Refreshed, err)
			}
		})
	}
	all.Wait()
	if n := i.server.Count("grant refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
}

// child is what a process of its own asks with a login: so many questions, each
// with a text of its own.
type child struct {
	Dir, URL, Traces, Name string
	Questions              int
	State, Key             string // of rows, in place of Dir
}

// text is what the call of one question repeats.
func (c child) text(n int) string { return fmt.Sprintf("%s, question %d", c.Name, n) }

const childVariable = "ONESTEP_LOGIN_CHILD"

// TestMain lets the test's program be a process that uses a login.
func TestMain(m *testing.M) {
	text := os.Getenv(childVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	var c child
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		panic(err)
	}
	if err := c.run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run asks its questions, each with a pool of its own, as a process for each would.
func (c child) run() error {
	allow, err := catalog.ParseAllowlist([]byte(`{"tickets":{"read":["echo"]}}`))
	if err != nil {
		return err
	}
	kept := &login.Store{Dir: c.Dir}
	if c.State != "" {
		state, err := store.OpenAt(context.Background(), c.State, c.later)
		if err != nil {
			return err
		}
		defer state.Close()
		kept = inRows(state, &ring{text: c.Key, there: true})
	}
	if c.Questions == 0 {
		return c.rotate(kept)
	}
	l := &login.Logins{Store: kept, Now: time.Now}
	for n := range c.Questions {
		server := session.Server{Name: "tickets", URL: c.URL}
		source, err := l.Source(login.Target{Server: server, Entry: "sha256:entry"})
		if err != nil {
			return err
		}
		server.Credential = source
		pool := session.New([]session.Server{server}, session.Limits{})
		h, err := host.New(host.Config{
			Policy: host.Policy{Rules: input.BuiltIn(), Allowlist: allow}, Source: pool, Caller: pool,
			Proposer: planner.Constant(nil), Writer: summarize.Extractive{}, Traces: runs.Dir(c.Traces),
		})
		if err != nil {
			return err
		}
		out := h.Ask(context.Background(), host.Question{Plan: plan.Call("tickets", "echo", fmt.Appendf(nil, `{"text":%q}`, c.text(n)))})
		if err := pool.Close(); err != nil || out.Error != nil {
			return fmt.Errorf("%+v, %w", out.Error, err)
		}
	}
	return nil
}

// process returns a process that asks so many questions.
func (i *installed) process(t *testing.T, name string, questions int) (*exec.Cmd, child) {
	t.Helper()
	c := child{Dir: i.Store.Dir, URL: i.target.Server.URL, Traces: t.TempDir(), Name: name, Questions: questions, State: i.rows}
	if r, is := i.Store.Ring.(*ring); is {
		c.Key = r.text
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	return cmd, c
}

func TestTenProcessesWithOneExpiredTokenRefreshItOnce(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(t *testing.T) string{
		"files":           func(*testing.T) string { return "" },
		"rows in SQLite":  func(t *testing.T) string { return filepath.Join(t.TempDir(), "state.db") },
		"in PostgreSQL's": func(t *testing.T) string { return pgtest.Schema(t, pgtest.Start(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, logintest.Options{}, session.OAuth{})
			if state := place(t); state != "" {
				i.inRows(t, state)
			}
			i.refreshesOnce(t)
		})
	}
}

func (i *installed) refreshesOnce(t *testing.T) {
	t.Helper()
	i.loggedIn(t, login.Request{})
	i.server.Expire()
	i.server.Set(func(o *logintest.Options) {
		o.Answer = func(_ http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/token" {
				delay(500 * time.Millisecond) // so that all of them wait for it
			}
			return false
		}
	})
	var all sync.WaitGroup
	var children []child
	for n := range 10 {
		cmd, c := i.process(t, fmt.Sprintf("process %d", n), 50)
		children = append(children, c)
		all.Go(func() {
			if err := cmd.Run(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := i.server.Count("grant refresh_token"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
	if n := i.server.Count("tools/call"); n != 500 {
		t.Errorf("%d calls", n)
	}
	for _, c := range children {
		for n := range c.Questions {
			if got := i.server.Count("echo " + c.text(n)); got != 1 {
				t.Errorf("%s: %d calls", c.text(n), got)
			}
		}
	}
	if n := i.server.Count("ended"); n != 0 {
		t.Errorf("%d logins ended", n)
	}
	i.clean(t)
}

// TestAProcessThatIsKilledLeavesALoginOrTheNeedOfOne kills a process at many moments.
func TestAProcessThatIsKilledLeavesALoginOrTheNeedOfOne(t *testing.T) {
	t.Parallel()
	times := 200
	if testing.Short() {
		times = 20
	}
	i := install(t, logintest.Options{}, session.OAuth{})
	i.loggedIn(t, login.Request{})
	lost := 0
	for n := range times {
		i.server.Expire()
		reached := make(chan struct{}, 64)
		i.server.Set(func(o *logintest.Options) {
			o.Answer = func(_ http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/token" || n%4 == 0 {
					select {
					case reached <- struct{}{}:
					default:
					}
				}
				return false
			}
		})
		cmd, asks := i.process(t, fmt.Sprintf("killed %d", n), 1)
		cmd.Stderr = nil
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() { _ = cmd.Wait(); close(done) }()
		select {
		case <-reached: // from here to a little after the write, a step further each time
			delay(time.Duration(n%20) * 300 * time.Microsecond)
		case <-done:
		}
		_ = cmd.Process.Kill()
		<-done
		i.server.Set(func(o *logintest.Options) { o.Answer = nil })
		if got := i.server.Count("echo " + asks.text(0)); got > 1 {
			t.Errorf("%s: %d calls", asks.text(0), got)
		}
		switch err := i.list(t); verdict.CodeOf(err) {
		case verdict.ServerAuth:
			lost++
			i.loggedIn(t, login.Request{})
		default:
			if err != nil {
				t.Fatalf("killed %d times: %v", n, err)
			}
		}
	}
	t.Logf("killed %d times, %d of them need a login", times, lost)
	i.clean(t)
}

// delay waits for a time that is part of the test.
func delay(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	<-t.C
}

// TestAnyOrderOfEventsKeepsTheLoginTrue: after any order of expiry, trouble, loss
// and login, a listing works exactly if the issuer still knows the login.
func TestAnyOrderOfEventsKeepsTheLoginTrue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		i := install(t, logintest.Options{}, session.OAuth{})
		i.loggedIn(t, login.Request{})
		alive, down, generation := true, false, int64(0)
		for _, event := range rapid.SliceOfN(rapid.SampledFrom([]string{"expire", "end", "down", "up", "list", "login", "crash"}), 1, 12).Draw(r, "events") {
			switch event {
			case "expire":
				i.server.Expire()
			case "end":
				i.server.EndAll()
				alive = false
			case "down", "up":
				down = event == "down"
				i.server.Set(func(o *logintest.Options) {
					o.Answer = nil
					if down {
						o.Answer = at("/token", answering(500, "application/json", "{}"))
					}
				})
			case "crash": // a file that was begun and not renamed
				if err := os.WriteFile(filepath.Join(i.Store.Dir, ".new-1"), []byte("{"), 0o600); err != nil {
					r.Fatal(err)
				}
			case "login":
				if !down {
					i.loggedIn(t, login.Request{})
					alive = true
				}
			case "list":
				err := i.list(t)
				if !alive && err == nil {
					r.Fatal("a listing works without a login")
				}
				if alive && !down && err != nil {
					r.Fatal(err)
				}
			}
			is, err := i.Store.Look("tickets", "sha256:entry")
			if err != nil || is.Generation < generation {
				r.Fatalf("generation %d after %d, %v", is.Generation, generation, err)
			}
			generation = is.Generation
		}
		if wrongs := i.server.Wrongs(); len(wrongs) > 0 {
			r.Fatalf("the servers saw: %q", wrongs)
		}
	})
}
