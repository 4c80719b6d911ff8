package proxy_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/proxy"
)

// operator is a host whose list and answers a test sets. What it is asked it keeps.
type operator struct {
	mu     sync.Mutex
	tools  []string
	said   string
	fails  error
	asked  []host.Question
	lost   []host.Outcome
	answer func(context.Context, host.Question) host.Outcome
}

// Catalog allows all that is listed but "unlisted".
func (o *operator) Catalog(context.Context, string, ...string) catalog.Catalog {
	o.mu.Lock()
	defer o.mu.Unlock()
	var names []string
	for _, raw := range o.tools {
		if name := regexp.MustCompile(`"name":("\w+")`).FindStringSubmatch(raw)[1]; name != `"unlisted"` {
			names = append(names, name)
		}
	}
	a, err := catalog.ParseAllowlist(fmt.Appendf(nil, `{"t":{"read":[%s]}}`, strings.Join(names, ",")))
	l := catalog.Listing{Server: "t", Err: o.fails}
	for _, raw := range o.tools {
		l.Tools = append(l.Tools, pin.Descriptor{Server: "t", Raw: jsontext.Value(raw), Instructions: o.said})
	}
	if err != nil {
		l = catalog.Listing{Server: "t", Err: err}
	}
	return catalog.Admit([]catalog.Listing{l}, a, catalog.Options{})
}

func (o *operator) Ask(ctx context.Context, q host.Question) host.Outcome {
	o.mu.Lock()
	o.asked = append(o.asked, q)
	answer := o.answer
	o.mu.Unlock()
	return answer(ctx, q)
}

func (o *operator) Undelivered(out host.Outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lost = append(o.lost, out)
}

func (*operator) Words(_, words string) string {
	return strings.ReplaceAll(words, "aimed", "[withheld]")
}

func (o *operator) lists(tools ...string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tools = tools
}

// wire is a client of a served operator.
type wire struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
}

type line struct {
	text   string
	Method string         `json:"method"`
	ID     jsontext.Value `json:"id"`
	Result jsontext.Value `json:"result"`
	Error  struct {
		Code int `json:"code"`
	} `json:"error"`
}

// serve answers until the test ends; then no call is under way.
func serve(t *testing.T, o *operator, options proxy.Options) *wire {
	t.Helper()
	in, client := io.Pipe()
	answers, out := io.Pipe()
	options.Host, options.Server = o, "t"
	done := make(chan error, 1)
	go func() { done <- proxy.Serve(context.WithoutCancel(t.Context()), in, out, options); _ = out.Close() }()
	w := &wire{t: t, in: client, out: bufio.NewReader(answers)}
	t.Cleanup(func() {
		_ = client.Close()
		go func() { _, _ = io.Copy(io.Discard, w.out) }()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *wire) send(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, text+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

func (w *wire) next() (l line) {
	w.t.Helper()
	text, err := w.out.ReadString('\n')
	if err != nil {
		w.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &l); err != nil && text[0] != '[' {
		w.t.Fatalf("%q: %v", text, err)
	}
	l.text = strings.TrimSpace(text)
	return l
}

func (w *wire) ask(text string) line { w.t.Helper(); w.send(text); return w.next() }

func (w *wire) greet() line {
	w.t.Helper()
	a := w.ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return a
}

const (
	list = `{"jsonrpc":"2.0","id":"l","method":"tools/list"}`
	one  = `{"name":"one", "inputSchema":{"type":"object","properties":{"n":{"maximum":9007199254740993}}},"x":1E2}`
	two  = `{"name":"two","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}}`
	esc  = `{"name":"esc","description":"\u001b[31m","inputSchema":{"type":"object"}}`
	ours = `{"name":"onestep_status","inputSchema":{"type":"object"}}`
)

func call(id, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

func text(words string) []byte {
	return fmt.Appendf(nil, `{"content":[{"type":"text","text":%q}]}`, words)
}

func answers(body []byte) func(context.Context, host.Question) host.Outcome {
	return func(context.Context, host.Question) host.Outcome {
		return host.Outcome{RunID: "run1", TraceDigest: "sha256:d", Result: body}
	}
}

// A client sees only approved tools, as the bytes that were approved, and the number of the
// hidden ones.
func TestAClientIsShownTheApprovedBytesAndNothingElse(t *testing.T) {
	t.Parallel()
	w := serve(t, &operator{tools: []string{one, two, esc, ours, `{"name":"unlisted","inputSchema":{"type":"object"}}`}, said: "Be brief."}, proxy.Options{})
	if got := w.greet().text; !strings.Contains(got, `"instructions":"Hidden by onestep: 3 of this server's tools; onestep_status says which and why.\nBe brief."`) {
		t.Errorf("the instructions: %s", got)
	}
	got := string(w.ask(list).Result)
	if want := `{"tools":[` + one + `,{"name":"two","inputSchema":{"type":"object"}},{"name":"onestep_status","title":"Hidden tools"`; !strings.HasPrefix(got, want) {
		t.Errorf("the list is %s", got)
	}
	if strings.Contains(got, `"esc"`) || strings.Contains(got, "unlisted") || strings.Count(got, `"name"`) != 3 {
		t.Errorf("the list shows %s", got)
	}
	status := w.ask(call("1", "onestep_status", "{}")).text
	for _, want := range []string{"Hidden tools of the server t: 3.", "esc: catalog.control", "onestep_status: catalog.name", "unlisted: allow.tool", "ask servers review t", "prompts, resources"} {
		if !strings.Contains(status, want) {
			t.Errorf("the status lacks %s: %s", want, status)
		}
	}
}

// TestWhatIsKnownIsShownOrCountedAndNamed, whatever the reason: what the catalog knows
// nothing of too. A review is named where one can help.
func TestWhatIsKnownIsShownOrCountedAndNamed(t *testing.T) {
	t.Parallel()
	known := func(names ...string) proxy.Options {
		return proxy.Options{Known: func(context.Context) []string { return names }}
	}
	w := serve(t, &operator{tools: []string{one, two, esc}}, known("one", "two", "esc", "other", "a/b", "\x1b[31m"))
	if got := w.greet().text; !strings.Contains(got, "Hidden by onestep: 4 of this server's tools") {
		t.Errorf("the instructions: %s", got)
	}
	status := w.ask(call("1", "onestep_status", "{}")).text
	for _, want := range []string{"t: 4.", "- esc: catalog.control", "- other: allow.tool", "- a/b: catalog.name", "31m: catalog.name", "`ask servers review t --all-tools`"} {
		if !strings.Contains(status, want) {
			t.Errorf("the status lacks %s: %s", want, status)
		}
	}
	if strings.Contains(status, "- one") || strings.Contains(status, "\x1b") {
		t.Errorf("the status: %s", status)
	}
	w = serve(t, &operator{}, known())
	if got := w.greet().text; !strings.Contains(got, "Hidden by onestep") {
		t.Errorf("a server that no one has reviewed: %s", got)
	}
	if status := w.ask(call("1", "onestep_status", "{}")).text; !strings.Contains(status, "- (all): pin.unapproved: no tool of the server is known") || !strings.Contains(status, "ask servers review t --all-tools") {
		t.Errorf("a server that no one has reviewed: %s", status)
	}
	w = serve(t, &operator{tools: []string{one, esc}}, known("one", "a/b"))
	w.greet()
	if status := w.ask(call("1", "onestep_status", "{}")).text; strings.Contains(status, "ask servers review") || !strings.Contains(status, "t: 2.") {
		t.Errorf("a review cannot help: %s", status)
	}
}

func TestNothingIsSaidOfAServerThatHidesNothing(t *testing.T) {
	t.Parallel()
	o := &operator{tools: []string{one}, said: "red \x1b[31m"}
	w := serve(t, o, proxy.Options{})
	if got := w.greet().text; strings.Contains(got, "instructions") {
		t.Errorf("instructions with controls: %s", got)
	}
	if got := w.ask(list).text; strings.Contains(got, "onestep_status") || strings.Contains(got, "onestep_released") {
		t.Errorf("tools that no one needs: %s", got)
	}
	for _, odd := range []string{`{"jsonrpc":"2.0","id":"l","method":"tools/list","params":{"cursor":"2"}}`, `{"jsonrpc":"2.0","id":"l","method":"tools/call","params":{}}`} {
		if got := w.ask(odd); got.Error.Code != -32602 {
			t.Errorf("%s: %s", odd, got.text)
		}
	}
	for _, method := range []string{"prompts/list", "resources/list", "resources/templates/list"} {
		if got := w.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q}`, method)); got.Error.Code != -32601 {
			t.Errorf("%s: %s", method, got.text)
		}
	}
}

// The client hears of each list that differs from the one it was shown, of the same
// length too; and of no other.
func TestAClientHearsOfEveryChangedList(t *testing.T) {
	t.Parallel()
	ticks := make(chan time.Time)
	o := &operator{tools: []string{one, two}}
	w := serve(t, o, proxy.Options{Ticks: ticks})
	tick := func() { ticks <- time.Time{}; ticks <- time.Time{} } // the second is taken when the first is done
	w.greet()
	w.ask(list)
	for name, tools := range map[string][]string{
		"another description": {strings.Replace(one, `"x":1E2`, `"description":"x"`, 1), two},
		"another tool":        {one, strings.Replace(two, "two", "esc", 1)},
		"one tool":            {one},
		"no tool":             {},
	} {
		o.lists(one, two)
		w.ask(list)
		tick()
		o.lists(tools...)
		go tick()
		if got := w.next(); got.Method != "notifications/tools/list_changed" {
			t.Errorf("%s: %s", name, got.text)
		}
		if got := w.ask(list); got.Method != "" { // the same list is announced once
			t.Errorf("%s: told twice: %s", name, got.text)
		}
	}
}

// The approved tools are not read again until the files change. Then the client is
// notified.
func TestAListIsLookedAtWhenTheFilesChanged(t *testing.T) {
	t.Parallel()
	ticks, files := make(chan time.Time), make(chan string, 1)
	files <- "a"
	now := func() string { f := <-files; files <- f; return f }
	o := &operator{tools: []string{one}}
	w := serve(t, o, proxy.Options{Ticks: ticks, Changes: now})
	w.greet()
	w.ask(list)
	o.lists(two)
	ticks <- time.Time{}
	ticks <- time.Time{}
	if got := w.ask(`{"jsonrpc":"2.0","id":1,"method":"ping"}`); got.Method != "" {
		t.Errorf("the files are the same: %s", got.text)
	}
	<-files
	files <- "b"
	ticks <- time.Time{}
	if got := w.next(); got.Method != "notifications/tools/list_changed" {
		t.Errorf("the files changed: %s", got.text)
	}
}

// A client that gets progress waits longer: each report restarts its own time limit.
func TestACallWithAProgressTokenWaitsLonger(t *testing.T) {
	t.Parallel()
	o := &operator{tools: []string{one}, answer: answers(text("done"))}
	w := serve(t, o, proxy.Options{Hold: 45 * time.Second, LongHold: 4 * time.Minute})
	w.greet()
	w.ask(call("1", "one", `{}`))
	w.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"one","arguments":{},"_meta":{"progressToken":7}}}`)
	for i, want := range []time.Duration{45 * time.Second, 4 * time.Minute} {
		if got := o.asked[i].Hold.For; got != want {
			t.Errorf("call %d waits %v", i, got)
		}
	}
}

// A call is one question, with the client's own bytes.
func TestACallIsOneQuestion(t *testing.T) {
	t.Parallel()
	o := &operator{tools: []string{one}, answer: answers(text("done"))}
	w := serve(t, o, proxy.Options{Subject: "ada", Conversation: "wrap:1", Labelled: "client:2", Hold: time.Minute})
	w.greet()
	w.ask(call("1", "one", `{"n": 9007199254740993,"b":"\u00e9"}`))
	w.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"odd name"}}`)
	if len(o.asked) != 2 {
		t.Fatalf("%d questions", len(o.asked))
	}
	q := o.asked[0]
	if want := `{"type":"call_tool","server":"t","tool":"one","args":{"n": 9007199254740993,"b":"\u00e9"}}`; string(q.Plan) != want {
		t.Errorf("the plan is %s", q.Plan)
	}
	if !q.Client || q.Subject != "ada" || q.Facts.Conversation != "wrap:1" || q.Labelled != "client:2" || q.Only != "t/one" || q.Summarize == nil || *q.Summarize {
		t.Errorf("the question is %+v", q)
	}
	if q.Hold == nil || q.Hold.For != time.Minute {
		t.Errorf("it waits %+v", q.Hold)
	}
	if q := o.asked[1]; q.Only != "" || !strings.Contains(string(q.Plan), `"args":{}`) {
		t.Errorf("a name that is none: %+v", q)
	}
}
