package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"github.com/onestep-run/onestep/eval/watched"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// serveDemo makes the test binary a stdio server of the demo.
const serveDemo = "ONESTEP_SERVE_DEMO"

func TestMain(m *testing.M) {
	if os.Getenv(serveDemo) != "" {
		if err := demo.New().Serve(context.Background(), "mcp-policy-kb", os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// serving is a command that serves the demo's policies over stdio.
func serving(tb testing.TB) *exec.Cmd {
	tb.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), serveDemo+"=1")
	return cmd
}

// bench is one host over the demo's real servers, whose parts a test can swap.
type bench struct {
	demo   *watched.Demo
	config host.Config
	disk   *disk
}

// disk keeps the trace in memory. It fails at its nth write or sync, if n is not 0.
type disk struct {
	bytes.Buffer
	objects   map[trace.Hash]jsontext.Value
	failAt, n int
	closed    bool
}

func (d *disk) step() error {
	if d.n++; d.n == d.failAt {
		return errors.New("no space left on device")
	}
	return nil
}

func (d *disk) Write(b []byte) (int, error) {
	if err := d.step(); err != nil {
		return 0, err
	}
	return d.Buffer.Write(b)
}

// Keep keeps what runs have in common, as runs.Dir does.
func (d *disk) Keep(digest trace.Hash, _ int, value func() jsontext.Value) error {
	if d.objects == nil {
		d.objects = map[trace.Hash]jsontext.Value{}
	}
	d.objects[digest] = value()
	return d.step()
}

func (d *disk) object(digest trace.Hash) (jsontext.Value, error) {
	if v, ok := d.objects[digest]; ok {
		return v, nil
	}
	return nil, verdict.Fail(verdict.TraceObject, nil, "the object %s is missing", digest)
}

func (d *disk) Sync() error  { return d.step() }
func (d *disk) Close() error { d.closed = true; return nil }

func (d *disk) Create(context.Context, string) (host.TraceSink, string, error) {
	return d, "memory", d.step()
}

func newBench(t testing.TB) *bench {
	t.Helper()
	d := watched.New()
	var servers []session.Server
	for _, name := range d.Servers() {
		servers = append(servers, session.Server{Name: name, InProcess: d.Dial(name)})
	}
	pool := session.New(servers, session.Limits{})
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	allow, err := catalog.ParseAllowlist(demo.Allowlist())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{demo: d, disk: &disk{}}
	b.config = host.Config{
		Policy: host.Policy{Rules: input.BuiltIn(), Allowlist: allow},
		Source: pool, Caller: pool, Types: demo.Types(), Writer: summarize.Extractive{},
		Proposer: says(fetch), Planner: "test", Traces: b.disk,
	}
	return b
}

func (b *bench) ask(t testing.TB, text string) host.Outcome {
	t.Helper()
	return b.put(t, host.Question{Text: text})
}

func (b *bench) put(t testing.TB, q host.Question) host.Outcome {
	t.Helper()
	h, err := host.New(b.config)
	if err != nil {
		t.Fatal(err)
	}
	return h.Ask(t.Context(), q)
}

// events are what the run wrote to its trace.
func (b *bench) events(t testing.TB) []trace.Event {
	t.Helper()
	events, err := trace.Read(bytes.NewReader(b.disk.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// calls counts what reached the demo's servers.
func (b *bench) calls() (n int) {
	for _, tool := range []string{"search_policy_kb", "fetch_policy_entry", "delete_policy_entry"} {
		n += b.demo.Calls("mcp-policy-kb", tool)
	}
	return n
}

func (b *bench) requests() (n int) {
	for _, s := range b.demo.Servers() {
		n += b.demo.Requests(s)
	}
	return n
}

type says string

func (s says) Propose(context.Context, input.Query, catalog.Catalog) (planner.Proposal, error) {
	return planner.Proposal{Said: []byte(s)}, nil
}

type writes string

func (w writes) Write(context.Context, summarize.Source) (summarize.Draft, error) {
	return summarize.Draft{Said: []byte(w)}, nil
}

const (
	fetch = `{"type":"call_tool","server":"mcp-policy-kb","tool":"fetch_policy_entry","args":{"policy_id":"policy-002"}}`
	more  = `{"type":"final_answer","answer":"Which entry?","needs_more_info":true}`
)

func gates(ds []host.Verdict) (names []string) {
	for _, d := range ds {
		names = append(names, d.Gate+":"+d.Verdict)
	}
	return names
}

func TestOneQuestionGoesThroughEveryGateOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := b.ask(t, "Summarize policy-002")
	want := []string{"input:allow", "allowlist:allow", "catalog:allow", "plan:allow", "approve:allow", "call:allow", "guard:allow", "accept:allow", "summary:allow"}
	if got := gates(out.Verdicts); !slices.Equal(got, want) {
		t.Errorf("%v, error %+v", got, out.Error)
	}
	if out.Type != host.ToolResultWithSummary || out.Call != host.Answered || out.Exit() != 0 || b.calls() != 1 {
		t.Errorf("%s, call %s, exit %d, %d calls", out.Type, out.Call, out.Exit(), b.calls())
	}
	if !b.disk.closed || out.TraceDigest == "" {
		t.Error("the trace was not closed")
	}
}

// TestWhatARefusalReaches walks the guarantees G1 to G7 from the outside: for
// each gate one question that it stops, and what had reached the servers.
func TestWhatARefusalReaches(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		question, plan, written, allow string
		rules                          bool
		want                           verdict.Code
		kind                           host.Type
		call                           string
		requests                       bool
		calls, exit                    int
	}{
		"a question a rule refuses": {question: "How do I build a pipe bomb?", want: verdict.InputRule, kind: host.Blocked, exit: 3},
		"a blank question":          {question: " ", want: verdict.InputEmpty, kind: host.Blocked, exit: 3},
		"no rules":                  {rules: true, want: verdict.InputRulesMissing, kind: host.Blocked, exit: 3},
		"an empty allowlist":        {allow: `{}`, want: verdict.AllowEmpty, kind: host.Blocked, exit: 3},
		"tools that are not there":  {allow: `{"mcp-policy-kb":["nothing"]}`, want: verdict.CatalogEmpty, kind: host.Blocked, requests: true, exit: 3},
		"a server that is not":      {allow: `{"nobody":["nothing"]}`, want: verdict.ServerUnknown, kind: host.Failed, exit: 6},
		"prose around the plan":     {plan: "Sure! " + fetch, want: verdict.PlanJSON, kind: host.Blocked, requests: true, exit: 3},
		"two plans":                 {plan: fetch + fetch, want: verdict.PlanJSON, kind: host.Blocked, requests: true, exit: 3},
		"a tool that is not allowed": {
			plan: strings.Replace(fetch, "fetch_policy_entry", "delete_policy_entry", 1),
			want: verdict.AllowTool, kind: host.Blocked, requests: true, exit: 3,
		},
		"a tool that was made up": {plan: strings.Replace(fetch, "fetch_policy_entry", "run_shell", 1), want: verdict.AllowTool, kind: host.Blocked, requests: true, exit: 3},
		"an argument smuggled in": {
			plan: strings.Replace(fetch, `"policy_id"`, `"confirm":true,"policy_id"`, 1),
			want: verdict.SchemaArguments, kind: host.Blocked, requests: true, exit: 3,
		},
		"an argument of another type": {plan: strings.Replace(fetch, `"policy-002"`, `["policy-002"]`, 1), want: verdict.SchemaArguments, kind: host.Blocked, requests: true, exit: 3},
		"a planner that asks":         {plan: more, kind: host.FinalAnswer, requests: true, exit: 8},
		"a tool that reports an error": {
			plan: strings.Replace(fetch, `policy-002`, `policy-999`, 1),
			want: verdict.OutputError, kind: host.Blocked, call: host.Answered, requests: true, calls: 1, exit: 5,
		},
		"a summary without evidence": {
			written: `{"type":"summary","bullets":[{"claim":"All is well.","evidence":"All is well."}],"risks":[],"recommendations":[]}`,
			want:    verdict.SummaryEvidence, kind: host.ToolResult, call: host.Answered, requests: true, calls: 1, exit: 9,
		},
		"a summary in prose": {written: "All is well.", want: verdict.SummaryJSON, kind: host.ToolResult, call: host.Answered, requests: true, calls: 1, exit: 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if c.plan != "" {
				b.config.Proposer = says(c.plan)
			}
			if c.written != "" {
				b.config.Writer = writes(c.written)
			}
			if c.allow != "" {
				b.config.Policy.Allowlist, _ = catalog.ParseAllowlist([]byte(c.allow))
			}
			if c.rules {
				b.config.Policy.Rules = input.Rules{}
			}
			question := c.question
			if question == "" {
				question = "Summarize policy-002"
			}
			out := b.ask(t, question)
			var got verdict.Code
			if out.Error != nil {
				got = out.Error.Code
			}
			if c.call == "" {
				c.call = host.None
			}
			if got != c.want || out.Type != c.kind || out.Call != c.call || out.Exit() != c.exit {
				t.Errorf("%s %q, call %s, exit %d: %+v", out.Type, got, out.Call, out.Exit(), out.Error)
			}
			if b.calls() != c.calls || (b.requests() > 0) != c.requests {
				t.Errorf("%d calls, %d requests at the servers", b.calls(), b.requests())
			}
			if c.kind != host.ToolResult && (out.Typed != nil || out.Raw != nil || out.Summary != nil) {
				t.Errorf("an answer was shown: %s", out.Typed)
			}
			replayed(t, b)
		})
	}
}

// replayed asserts that the trace verifies and that every verdict follows from it.
func replayed(t *testing.T, b *bench) {
	t.Helper()
	events := b.events(t)
	r, err := replay.Run(t.Context(), events, replay.Options{Types: demo.Types(), Objects: b.disk.object})
	if err != nil || len(r.Differences) > 0 || !r.Complete {
		t.Errorf("the replay differs: %+v, %v", r.Differences, err)
	}
}

// TestNoCallWithoutItsApprovalOnDisk fails the disk at every step in turn.
func TestNoCallWithoutItsApprovalOnDisk(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		b := newBench(t)
		b.disk.failAt = n
		illustrate(b)
		out := b.ask(t, "Summarize policy-002")
		if b.disk.n < n { // the run takes fewer steps than this
			if len(out.Attachments) != 1 {
				t.Errorf("the image is not listed: %+v", out.Attachments)
			}
			return
		}
		approved := bytes.Contains(b.disk.Bytes(), []byte(`"kind":"approval"`))
		switch {
		case b.calls() > 1 || b.calls() == 1 && !approved:
			t.Fatalf("step %d: %d calls, approval on disk: %v", n, b.calls(), approved)
		case b.calls() == 0 && (out.Exit() != 2 || out.Call != host.None):
			t.Errorf("step %d, before the call: exit %d, call %s: %+v", n, out.Exit(), out.Call, out.Error)
		case b.calls() == 1 && (out.Exit() != 1 || out.Call != host.Answered || out.Error.Code != verdict.TraceLost):
			t.Errorf("step %d, after the call: exit %d, call %s: %+v", n, out.Exit(), out.Call, out.Error)
		}
		if out.Typed != nil || out.Summary != nil || out.Raw != nil || out.Structured != nil || out.Attachments != nil {
			t.Errorf("step %d: an answer was shown that is on no trace", n)
		}
	}
}

// caller is a caller that a test wrote, between the host and the real one.
type caller func(context.Context, gate.Approved, trace.Receipt, gate.Consent) (gate.RawResult, pin.Descriptor, error)

func (c caller) Call(ctx context.Context, a gate.Approved, r trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	return c(ctx, a, r, yes)
}

// illustrate puts an image next to whatever is answered.
func illustrate(b *bench) {
	edge := b.config.Caller
	b.config.Caller = caller(func(ctx context.Context, a gate.Approved, r trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
		raw, live, err := edge.Call(ctx, a, r, yes)
		raw.Body = bytes.Replace(raw.Body, []byte(`"content":[`), []byte(`"content":[{"type":"image","data":"aGk=","mimeType":"image/png"},`), 1)
		return raw, live, err
	})
}

func TestOneApprovalIsOneCallHoweverOftenItIsUsed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	edge := b.config.Caller
	b.config.Caller = caller(func(ctx context.Context, a gate.Approved, r trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
		raw, live, err := edge.Call(ctx, a, r, yes)
		for range 3 {
			if _, _, again := edge.Call(ctx, a, r, yes); verdict.CodeOf(again) != verdict.CallSpent {
				t.Errorf("the same approval again: %v", again)
			}
		}
		return raw, live, err
	})
	if out := b.ask(t, "Fetch policy-002"); out.Exit() != 0 || b.calls() != 1 {
		t.Errorf("exit %d, %d calls", out.Exit(), b.calls())
	}
}

func TestACallThatLeftAndWasNotAnsweredIsUnknown(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"an error without a code": errors.New("connection reset by peer"),
		"a fault of another kind": verdict.Fail(verdict.ServerClosed, nil, "closed"),
		"a denial":                verdict.Deny(verdict.PinChanged, "changed after all"),
	} {
		b := newBench(t)
		edge := b.config.Caller
		b.config.Caller = caller(func(ctx context.Context, a gate.Approved, r trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
			_, live, _ := edge.Call(ctx, a, r, yes)
			return gate.RawResult{}, live, err
		})
		out := b.ask(t, "Fetch policy-002")
		if out.Error.Code != verdict.CallOutcomeUnknown || out.Type != host.Failed || out.Call != host.Unknown || out.Exit() != 5 || out.Error.Retryable {
			t.Errorf("%s: %s %+v, call %s, exit %d", name, out.Type, out.Error, out.Call, out.Exit())
		}
		replayed(t, b)
	}
}

func TestAPanicAnywhereIsAFailureOnTheTrace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.config.Caller = caller(func(context.Context, gate.Approved, trace.Receipt, gate.Consent) (gate.RawResult, pin.Descriptor, error) {
		panic("a defect")
	})
	out := b.ask(t, "Fetch policy-002")
	if out.Type != host.Failed || out.Error.Code != verdict.Internal || out.Exit() != 1 || b.calls() != 0 {
		t.Errorf("%s %+v, exit %d", out.Type, out.Error, out.Exit())
	}
	if _, err := trace.Read(bytes.NewReader(b.disk.Bytes())); err != nil {
		t.Error(err)
	}
}

// TestAHostThatNobodyMadeAnswersNothing: zero means no.
func TestAHostThatNobodyMadeAnswersNothing(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]*host.Host{"zero": {}, "nil": nil} {
		if out := h.Ask(t.Context(), host.Question{Text: "Fetch policy-002"}); out.Type != host.Failed || out.Exit() != 1 || out.Call != host.None {
			t.Errorf("%s: %s, exit %d", name, out.Type, out.Exit())
		}
	}
	if (host.Outcome{}).Exit() == 0 {
		t.Error("the zero outcome is a success")
	}
}

func TestOddQuestionsAreRefusedAndReplay(t *testing.T) {
	t.Parallel()
	mib := strings.Repeat("what is this? ", 1<<20/14)
	for name, c := range map[string]struct {
		text, context string
		want          verdict.Code
	}{
		"empty":              {"", "", verdict.InputEmpty},
		"1 MiB":              {mib, "", verdict.InputTooLong},
		"1 MiB of é":         {strings.Repeat("é", 1<<19), "", verdict.InputTooLong},
		"a context of it":    {"Fetch policy-002", mib, verdict.InputTooLong},
		"binary":             {"Fetch \x00\xff", "", verdict.InputEncoding},
		"an escape":          {"Fetch \x1b[2J", "", verdict.InputControl},
		"a binary context":   {"Fetch policy-002", "PK\x03\x04", verdict.InputControl},
		"an invalid context": {"Fetch policy-002", "\xff\xfe", verdict.InputEncoding},
	} {
		b := newBench(t)
		out := b.put(t, host.Question{Text: c.text, Context: c.context})
		if out.Error == nil || out.Error.Code != c.want || b.requests() != 0 || b.disk.Len() > 1<<20 {
			t.Errorf("%s: %+v, %d requests, a trace of %d bytes", name, out.Error, b.requests(), b.disk.Len())
		}
		replayed(t, b)
	}
}

// TestANarrowerAllowlistNarrows: what a host has seen under one allowlist is
// not allowed under another.
func TestANarrowerAllowlistNarrows(t *testing.T) {
	t.Parallel()
	b, seen := newBench(t), &catalog.Seen{}
	listings := b.config.Source.Discover(t.Context(), "", []string{"mcp-policy-kb"})
	wide := catalog.Admit(listings, b.config.Policy.Allowlist, catalog.Options{Seen: seen})
	if len(wide.Tools()) != 2 {
		t.Fatalf("%d tools", len(wide.Tools()))
	}
	for _, list := range []catalog.Allowlist{{}, catalog.Nothing(verdict.Deny(verdict.AllowMissing, "none"))} {
		if c := catalog.Admit(listings, list, catalog.Options{Seen: seen}); len(c.Tools()) != 0 {
			t.Errorf("%d tools under an allowlist that allows nothing", len(c.Tools()))
		}
	}
}

func TestACutSourceIsSaidAndLockedToTheWholeResult(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.config.Policy.SummaryBudget = 200
	var given int
	b.config.Writer = writer(func(ctx context.Context, s summarize.Source) ([]byte, error) {
		for _, v := range s.Values {
			given += len(strings.Join(v.Sentences, ""))
		}
		last := "Teams should review every active sharing agreement once a year and end those that are no longer needed."
		return fmt.Appendf(nil, `{"type":"summary","bullets":[{"claim":%q,"evidence":%q}]}`, last, last), nil
	})
	out := b.ask(t, "Summarize policy-002")
	if out.Exit() != 0 || given > 200 || !strings.Contains(out.Note, "part of the result") {
		t.Errorf("exit %d, the writer was given %d bytes, note %q", out.Exit(), given, out.Note)
	}
	replayed(t, b)
}

type writer func(context.Context, summarize.Source) ([]byte, error)

func (w writer) Write(ctx context.Context, s summarize.Source) (summarize.Draft, error) {
	said, err := w(ctx, s)
	return summarize.Draft{Said: said}, err
}

func TestAnArgumentOfTheContextIsSaid(t *testing.T) {
	t.Parallel()
	for question, said := range map[string]bool{"Fetch the policy that the ticket names": true, "Fetch policy-002": false} {
		b := newBench(t)
		out := b.put(t, host.Question{Text: question, Context: "The ticket names policy-002."})
		if leaf := out.Intent.Leaves[0]; (leaf.Origin == intent.Context) != said || out.Intent.Marked != said || out.Exit() != 0 {
			t.Errorf("%s: exit %d, %+v", question, out.Exit(), out.Intent)
		}
		replayed(t, b)
	}
}

func TestADryRunCallsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := b.put(t, host.Question{Text: "Fetch policy-002", DryRun: true})
	if out.Type != host.Planned || out.Exit() != 0 || out.Call != host.None || b.calls() != 0 || string(out.Plan) != fetch {
		t.Errorf("%s, exit %d, %d calls, plan %s", out.Type, out.Exit(), b.calls(), out.Plan)
	}
	replayed(t, b)
}

func TestAnInterruptedRunCallsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	h, err := host.New(b.config)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	out := h.Ask(ctx, host.Question{Text: "Fetch policy-002"})
	if out.Error == nil || out.Error.Code != verdict.CallInterrupted || out.Exit() != 130 || b.calls() != 0 {
		t.Errorf("%+v, exit %d, %d calls", out.Error, out.Exit(), b.calls())
	}
}

func TestARunThatEndsBeforeToolsWereLookedAtSaysSo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(context.Context) (context.Context, context.CancelFunc)
		code verdict.Code
	}{
		"interrupted": {context.WithCancel, verdict.CallInterrupted},
		"too late": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithDeadline(ctx, time.Unix(0, 0))
		}, verdict.RunTimeout},
	} {
		b := newBench(t)
		edge := b.config.Source
		ctx, end := c.end(t.Context())
		b.config.Source = source(func(_ context.Context, names []string) []catalog.Listing {
			ls := edge.Discover(t.Context(), "", names) //nolint:contextcheck // its own is over when it comes back
			end()
			return ls
		})
		h, err := host.New(b.config)
		if err != nil {
			t.Fatal(err)
		}
		out := h.Ask(ctx, host.Question{Text: "Fetch policy-002"})
		if out.Error == nil || out.Error.Code != c.code || len(out.Unreachable) != 3 || out.Call != host.None || b.calls() != 0 {
			t.Errorf("%s: %+v, %+v, %d calls", name, out.Error, out.Unreachable, b.calls())
		}
		replayed(t, b)
	}
}

func TestAnUntypedResultIsNeverSummarized(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	edge := b.config.Source
	b.config.Types = nil
	b.config.Source = source(func(ctx context.Context, names []string) []catalog.Listing {
		ls := edge.Discover(ctx, "", names)
		for i, l := range ls {
			for j, d := range l.Tools {
				ls[i].Tools[j].Raw = bytes.Replace(d.Raw, []byte(`"outputSchema"`), []byte(`"x"`), 1)
			}
		}
		return ls
	})
	b.config.Caller = caller(func(ctx context.Context, a gate.Approved, r trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
		for _, l := range b.config.Source.Discover(ctx, "", []string{a.Server()}) {
			for _, d := range l.Tools {
				if _, err := a.Redeem(d, r, yes); err == nil {
					return gate.RawResult{Body: []byte(`{"content":[{"type":"text","text":"Never share \u001b[2J."}]}`)}, d, nil
				}
			}
		}
		return gate.RawResult{}, pin.Descriptor{}, errors.New("not listed")
	})
	out := b.ask(t, "Summarize policy-002")
	if out.Type != host.ToolResult || out.Error == nil || out.Error.Code != verdict.SummaryUntyped || out.Exit() != 9 || out.Raw == nil || out.Typed != nil {
		t.Errorf("%s %+v, exit %d, raw %s", out.Type, out.Error, out.Exit(), out.Raw)
	}
}

type source func(context.Context, []string) []catalog.Listing

func (s source) Discover(ctx context.Context, _ string, names []string) []catalog.Listing {
	return s(ctx, names)
}
