package replay_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// edges is a server of one tool whose descriptor can change under way.
type edges struct {
	listed, live string
	answer       string
	early, fails error // before and after the call
	unredeemed   bool
	calls        int
}

const get = `{"name":"get","description":"Get.","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}}`

const put = `{"name":"put","inputSchema":{"type":"object"}}`

func (e *edges) Discover(_ context.Context, _ string, names []string) (ls []catalog.Listing) {
	for _, n := range names {
		ls = append(ls, catalog.Listing{Server: n, Tools: []pin.Descriptor{{Server: n, Raw: jsontext.Value(e.listed)}, {Server: n, Raw: jsontext.Value(put)}}})
	}
	return ls
}

func (e *edges) Call(_ context.Context, a gate.Approved, r trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	live := pin.Descriptor{Server: a.Server(), Raw: jsontext.Value(e.live)}
	if e.early != nil || e.unredeemed {
		return gate.RawResult{Body: []byte(e.answer)}, live, e.early
	}
	if _, err := a.Redeem(live, r, yes); err != nil {
		return gate.RawResult{}, live, err
	}
	e.calls++
	return gate.RawResult{Body: []byte(e.answer)}, live, e.fails
}

func (e *edges) Write(context.Context, summarize.Source) (summarize.Draft, error) {
	return summarize.Draft{}, nil
}

type file struct{ bytes.Buffer }

func (*file) Sync() error                                                      { return nil }
func (*file) Close() error                                                     { return nil }
func (f *file) Create(context.Context, string) (host.TraceSink, string, error) { return f, "", nil }

func policy(t *testing.T, allowlist string) host.Policy {
	t.Helper()
	allow, err := catalog.ParseAllowlist([]byte(allowlist))
	if err != nil {
		t.Fatal(err)
	}
	return host.Policy{Rules: input.BuiltIn(), Allowlist: allow}
}

// run asks once and gives the outcome and the trace.
func run(t *testing.T, e *edges, allowlist, question string) (host.Outcome, []byte) {
	t.Helper()
	f := &file{}
	return ask(t, e, f, allowlist, question), f.Bytes()
}

func ask(t *testing.T, e *edges, traces host.Traces, allowlist, question string) host.Outcome {
	t.Helper()
	h, err := host.New(host.Config{
		Policy: policy(t, allowlist), Source: e, Caller: e, Writer: e, Traces: traces,
		Proposer: planner.Constant(plan.Call("kb", "get", jsontext.Value(`{"id":1}`))),
		Now:      func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return h.Ask(t.Context(), host.Question{Text: question})
}

// asked is the trace of a client's plan.
func asked(t *testing.T, e *edges, client, args string) (host.Outcome, []byte) {
	t.Helper()
	f := &file{}
	h, err := host.New(host.Config{
		Policy: policy(t, allowed), Source: e, Caller: e, Writer: e, Proposer: planner.Constant(nil), Traces: f,
		Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	out := h.Ask(t.Context(), host.Question{
		Plan: plan.Call("kb", "get", jsontext.Value(args)), Client: true, Summarize: new(false), Facts: gate.Facts{Client: client},
	})
	return out, f.Bytes()
}

func again(t *testing.T, b []byte, p *host.Policy) replay.Report {
	t.Helper()
	events, err := trace.Read(bytes.NewReader(b))
	if err != nil && verdict.CodeOf(err) != verdict.TraceIncomplete {
		t.Fatal(err)
	}
	opt := replay.Options{}
	if p != nil {
		opt.Change = func(host.Policy) host.Policy { return *p }
	}
	r, err := replay.Run(t.Context(), events, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const (
	allowed = `{"kb":{"read":["get"]}}`
	hello   = `{"content":[{"type":"text","text":"hello"}]}`
)

func TestEveryKindOfRunReplaysTheSame(t *testing.T) {
	t.Parallel()
	changed := `{"name":"get","description":"Get, and more.","inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}}`
	for name, e := range map[string]*edges{
		"answered":             {listed: get, live: get, answer: hello},
		"an error":             {listed: get, live: get, answer: `{"isError":true,"content":[{"type":"text","text":"no"}]}`},
		"not JSON":             {listed: get, live: get, answer: "\xff\xfe"},
		"not answered":         {listed: get, live: get, fails: errors.New("reset")},
		"answered by an error": {listed: get, live: get, fails: verdict.Fail(verdict.OutputRPCError, nil, "no such method")},
		"a descriptor changed": {listed: get, live: changed},
		"a broken descriptor":  {listed: "{", live: "{"},
		"gone before the call": {listed: get, live: get, early: verdict.Fail(verdict.ServerClosed, nil, "gone")},
		"bytes in an error":    {listed: get, live: get, early: errors.New("bad \xff byte")},
		"an empty answer":      {listed: get, live: get, answer: ""},
		"no longer listed":     {listed: get, early: verdict.Deny(verdict.PinAbsent, "no longer listed")},
		"not redeemed":         {listed: get, live: get, answer: hello, unredeemed: true},
	} {
		out, b := run(t, e, allowed, "Get entry 1, please")
		r := again(t, b, nil)
		if len(r.Differences) > 0 || !r.Complete || r.Outcome.Type != out.Type || r.Outcome.Call != out.Call || r.Outcome.RunID != out.RunID {
			t.Errorf("%s: %s became %s: %+v", name, out.Type, r.Outcome.Type, r.Differences)
		}
		if out.Error != nil && (r.Outcome.Error == nil || r.Outcome.Error.Code != out.Error.Code) {
			t.Errorf("%s: %+v became %+v", name, out.Error, r.Outcome.Error)
		}
		if !bytes.Equal(out.Typed, r.Outcome.Typed) || !bytes.Equal(out.Raw, r.Outcome.Raw) {
			t.Errorf("%s: %s%s became %s%s", name, out.Typed, out.Raw, r.Outcome.Typed, r.Outcome.Raw)
		}
	}
}

func TestAReplayMakesNoCallThatWasNotRecorded(t *testing.T) {
	t.Parallel()
	e := &edges{listed: get, live: get, answer: hello}
	out, b := run(t, e, `{"kb":["put"]}`, "Get entry 1, please")
	if out.Type != host.Blocked || e.calls != 0 {
		t.Fatalf("%s, %d calls", out.Type, e.calls)
	}
	p := policy(t, allowed)
	r := again(t, b, &p)
	if e.calls != 0 || r.Outcome.Call != host.None || r.Outcome.Error.Code != verdict.CallNotRecorded {
		t.Errorf("%d calls, call %s, %+v", e.calls, r.Outcome.Call, r.Outcome.Error)
	}
	var approve string
	for _, d := range r.Outcome.Verdicts {
		if d.Gate == "approve" {
			approve = d.Verdict
		}
	}
	if approve != "allow" {
		t.Errorf("the new policy allows the call, and its verdict is %q", approve)
	}
}

func TestAKilledRunIsReplayedAsFarAsItGoes(t *testing.T) {
	t.Parallel()
	_, b := run(t, &edges{listed: get, live: get, answer: hello}, allowed, "Get entry 1, please")
	lines := bytes.SplitAfter(b, []byte("\n"))
	for n := 1; n < len(lines)-1; n++ {
		r := again(t, bytes.Join(lines[:n], nil), nil)
		if len(r.Differences) > 0 || r.Complete {
			t.Errorf("cut after line %d: %+v, complete %v", n, r.Differences, r.Complete)
		}
	}
}

func TestWhatIsNotARunIsNotReplayed(t *testing.T) {
	t.Parallel()
	_, b := run(t, &edges{listed: get, live: get, answer: hello}, allowed, "Get entry 1, please")
	events, err := trace.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string][]trace.Event{"nothing": nil, "no begin": events[1:]}
	edited := func(name string, i int, from, to string) {
		es := slices.Clone(events)
		if es[i].Body = bytes.Replace(es[i].Body, []byte(from), []byte(to), 1); bytes.Equal(es[i].Body, events[i].Body) {
			t.Fatalf("%s: nothing to edit in %s", name, es[i].Body)
		}
		cases[name] = es
	}
	edited("another format", 0, `"format":5`, `"format":6`)
	for i, e := range events {
		if e.Kind != trace.Approval && e.Kind != trace.End { // compared, and of no use
			edited(fmt.Sprintf("an unknown member of line %d, %s", i+1, e.Kind), i, `{`, `{"x":1,`)
		}
	}
	edited("an unknown member of the policy", 0, `"policy":{`, `"policy":{"x":1,`)
	edited("an unknown member of a server", 0, `"policy":{`, `"servers":{"kb":{"x":1}},"policy":{`)
	edited("a policy in another case", 0, `"strict_formats"`, `"Strict_formats"`)
	for name, es := range cases {
		if r, err := replay.Run(t.Context(), es, replay.Options{}); err == nil {
			t.Errorf("%s was replayed: %+v", name, r.Differences)
		}
	}
}

// A replay reads what the lines refer to, next to the trace or in its export.
// Where some of it is missing or another, it does not run.
func TestAReplayNeedsEveryObject(t *testing.T) {
	t.Parallel()
	e, dir := &edges{listed: get, live: get, answer: hello}, runs.Dir(t.TempDir())
	out := ask(t, e, dir, allowed, "Get entry 1, please")
	b, err := os.ReadFile(out.TracePath)
	if err != nil || out.Type != host.ToolResult || e.calls != 1 {
		t.Fatalf("%s, %v", out.Type, err)
	}
	events, err := trace.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	same := func(name string, objects trace.Objects) {
		r, err := replay.Run(t.Context(), events, replay.Options{Objects: objects})
		if err != nil || len(r.Differences) > 0 || r.Outcome.Type != host.ToolResult || !bytes.Equal(r.Outcome.Raw, out.Raw) {
			t.Errorf("%s: %+v, %v", name, r.Differences, err)
		}
	}
	same("next to it", dir.Object)
	var file bytes.Buffer
	if _, err := trace.Export(&file, bytes.NewReader(b), dir.Object); err != nil {
		t.Fatal(err)
	}
	exported := map[trace.Hash]jsontext.Value{}
	if _, err := trace.Scan(&file, nil, func(h trace.Hash, v jsontext.Value) { exported[h] = v }); err != nil || len(exported) < 2 {
		t.Fatalf("%d objects, %v", len(exported), err)
	}
	same("exported", func(h trace.Hash) (jsontext.Value, error) { return exported[h], nil })
	for h, v := range exported {
		path := filepath.Join(filepath.Dir(out.TracePath), "objects", h.String())
		for name, spoil := range map[string]func() error{
			"missing": func() error { return os.Remove(path) },
			"altered": func() error { return os.WriteFile(path, bytes.ToUpper(v), 0o600) },
		} {
			spoiled := spoil()
			r, err := replay.Run(t.Context(), events, replay.Options{Objects: dir.Object})
			if spoiled != nil && name == "altered" || verdict.CodeOf(err) != verdict.TraceObject || r.Outcome.RunID != "" {
				t.Errorf("%s is %s: %s, %v, %v", v, name, r.Outcome.Type, err, spoiled)
			}
		}
		if err := os.WriteFile(path, v, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	same("put back", dir.Object)
	if e.calls != 1 {
		t.Errorf("%d calls", e.calls)
	}
}
