package host_test

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
)

const remove = `{"type":"call_tool","server":"mcp-policy-kb","tool":"delete_policy_entry","args":{"policy_id":"policy-002"}}`

var deleting = host.Question{Text: "Delete policy-002", Subject: "ada", Plan: []byte(remove)}

// writing is a bench whose allowlist says of one tool that it writes, and the store
// of its approvals.
func writing(t testing.TB, entry string) (*bench, *store.Store) {
	t.Helper()
	b := newBench(t)
	kept := state(t)
	b.config.Policy.Allowlist, b.config.Approvals = allowedBy(t, entry), kept
	return b, kept
}

// state is a separate store.
func state(t testing.TB) *store.Store {
	t.Helper()
	s := store.At(filepath.Join(t.TempDir(), "state.db"), time.Now)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

const writes1 = `{"write":["delete_policy_entry"]}`

// again makes the bench fit for another run with a trace of its own.
func (b *bench) again() *bench {
	b.disk = &disk{}
	b.config.Traces = b.disk
	return b
}

// asked leaves a pending approval, and gives the question that brings it.
func asked(t *testing.T, b *bench) host.Question {
	t.Helper()
	out := b.put(t, deleting)
	if out.Type != host.ApprovalNeeded || out.Exit() != 4 || out.Error.Code != verdict.ApprovalNeeded || out.Call != host.None || b.calls() != 0 {
		t.Fatalf("%s, exit %d, %+v, %d calls", out.Type, out.Exit(), out.Error, b.calls())
	}
	replayed(t, b)
	q := deleting
	q.Approval = &host.Binding{RunID: out.RunID, Digest: out.Approval.Digest, By: "ada", How: gate.ByDigest}
	b.again()
	return q
}

func TestAChangeWaitsForAPersonAndIsMadeOnce(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, writes1)
	q := asked(t, b)
	if waiting, err := kept.Waiting(t.Context()); err != nil || len(waiting) != 1 || waiting[0].Digest != q.Approval.Digest {
		t.Fatalf("%+v, %v", waiting, err)
	}
	out := b.put(t, q)
	if out.Type != host.ToolResult || b.calls() != 1 || out.Approval.By != "ada" || out.Approval.How != "digest" || out.Approval.RunID != q.Approval.RunID {
		t.Fatalf("%s %+v, %d calls, %+v", out.Type, out.Error, b.calls(), out.Approval)
	}
	if !strings.Contains(b.disk.String(), `"kind":"consent"`) {
		t.Error("the consent is not on the trace")
	}
	replayed(t, b)
	out = b.again().put(t, q)
	if out.Exit() != 4 || out.Error.Code != verdict.ApprovalSpent || b.calls() != 1 {
		t.Errorf("the second time: %+v, %d calls", out.Error, b.calls())
	}
	if waiting, err := kept.Waiting(t.Context()); err != nil || len(waiting) != 0 {
		t.Errorf("%+v, %v", waiting, err)
	}
}

func TestAnApprovalIsOfNoOtherCall(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*bench, *host.Question){
		"other arguments":  func(_ *bench, q *host.Question) { q.Plan = []byte(strings.Replace(remove, "002", "001", 1)) },
		"another question": func(_ *bench, q *host.Question) { q.Text = "Delete policy-002 now" },
		"a context":        func(_ *bench, q *host.Question) { q.Context = "policy-002" },
		"another asker":    func(_ *bench, q *host.Question) { q.Subject = "eve" },
		"another server": func(b *bench, _ *host.Question) {
			b.config.Servers = map[string]pin.Identity{"mcp-policy-kb": {Kind: "stdio", Entry: "e"}}
		},
		"another digest": func(_ *bench, q *host.Question) { q.Approval.Digest = strings.Repeat("0", 71) },
		"another tool": func(b *bench, q *host.Question) {
			b.config.Policy.Allowlist, _ = catalog.ParseAllowlist([]byte(`{"mcp-policy-kb":["fetch_policy_entry"]}`))
			q.Plan = []byte(fetch)
		},
	} {
		b, kept := writing(t, writes1)
		q := asked(t, b)
		change(b, &q)
		out := b.put(t, q)
		if out.Error == nil || out.Error.Code != verdict.ApprovalChanged || out.Exit() != 4 || b.calls() != 0 {
			t.Errorf("%s: %s %+v, %d calls", name, out.Type, out.Error, b.calls())
		}
		if waiting, err := kept.Waiting(t.Context()); err != nil || len(waiting) != 1 {
			t.Errorf("%s: the approval is gone: %+v, %v", name, waiting, err)
		}
		replayed(t, b)
	}
}

// person answers at once.
type person func(host.Request) (gate.Yes, error)

func (p person) Approve(_ context.Context, r host.Request) (gate.Yes, error) { return p(r) }

func TestAPersonIsAskedAtOnce(t *testing.T) {
	t.Parallel()
	yes := func(r host.Request) (gate.Yes, error) {
		return gate.Yes{Approval: r.Digest, By: "ada", How: gate.AtTerminal}, nil
	}
	for name, c := range map[string]struct {
		answer person
		others bool
		want   verdict.Code
		exit   int
	}{
		"yes":                  {yes, false, "", 0},
		"yes, of another":      {func(host.Request) (gate.Yes, error) { return gate.Yes{Approval: "sha256:0", By: "ada"}, nil }, false, verdict.ApprovalChanged, 4},
		"yes, of nothing":      {func(host.Request) (gate.Yes, error) { return gate.Yes{}, nil }, false, verdict.ApprovalChanged, 4},
		"no":                   {func(host.Request) (gate.Yes, error) { return gate.Yes{}, verdict.Deny(verdict.ApprovalRefused, "no") }, false, verdict.ApprovalRefused, 3},
		"the end of the input": {func(host.Request) (gate.Yes, error) { return gate.Yes{}, io.EOF }, false, verdict.ApprovalRefused, 3},
		"a panic":              {func(host.Request) (gate.Yes, error) { panic("a defect") }, false, verdict.Internal, 1},
		"by the asker":         {yes, true, verdict.ApprovalRefused, 3},
		"by nobody":            {func(r host.Request) (gate.Yes, error) { return gate.Yes{Approval: r.Digest}, nil }, true, verdict.ApprovalRefused, 3},
		"by another than asked it": {func(r host.Request) (gate.Yes, error) {
			return gate.Yes{Approval: r.Digest, By: "bo", How: gate.AtTerminal}, nil
		}, true, "", 0},
	} {
		b, kept := writing(t, writes1)
		b.config.Approver, b.config.Policy.OthersApprove = c.answer, c.others
		out := b.put(t, deleting)
		calls := 0
		if c.want == "" {
			calls = 1
		}
		if out.Exit() != c.exit || c.want != "" && out.Error.Code != c.want || b.calls() != calls {
			t.Errorf("%s: %s, exit %d, %+v, %d calls", name, out.Type, out.Exit(), out.Error, b.calls())
		}
		if waiting, err := kept.Waiting(t.Context()); err != nil || len(waiting) != 0 {
			t.Errorf("%s: somebody was there, and %+v waits, %v", name, waiting, err)
		}
		if c.want != verdict.Internal {
			replayed(t, b)
		}
	}
}

func TestWhoHasToApproveIsTheOperatorsWord(t *testing.T) {
	t.Parallel()
	marked, plain := host.Question{Text: "Remove what policy-001 says", Plan: []byte(remove)}, deleting
	for name, c := range map[string]struct {
		entry  string
		strict bool
		q      host.Question
		needs  bool
	}{
		"write":                      {writes1, false, plain, true},
		"a plain list":               {`["delete_policy_entry"]`, false, plain, true},
		"read":                       {`{"read":["delete_policy_entry"]}`, false, plain, false},
		"read, marked":               {`{"read":["delete_policy_entry"]}`, false, marked, false},
		"read, marked, strict":       {`{"read":["delete_policy_entry"]}`, true, marked, true},
		"read, strict":               {`{"read":["delete_policy_entry"]}`, true, plain, false},
		"needs none":                 {`{"write":[{"name":"delete_policy_entry","approval":"none"}]}`, false, plain, false},
		"needs none, and is marked":  {`{"write":[{"name":"delete_policy_entry","approval":"none"}]}`, false, marked, true},
		"a plain list, needs none":   {`[{"name":"delete_policy_entry","approval":"none"}]`, false, plain, false},
		"only at a terminal":         {`{"write":[{"name":"delete_policy_entry","approval":"terminal"}]}`, false, plain, true},
		"a dry run is never pending": {writes1, false, host.Question{Text: plain.Text, Plan: plain.Plan, DryRun: true}, false},
	} {
		b, kept := writing(t, c.entry)
		b.config.Policy.StrictIntent = c.strict
		out := b.put(t, c.q)
		if (out.Type == host.ApprovalNeeded) != c.needs {
			t.Errorf("%s: %s %+v", name, out.Type, out.Error)
		}
		if waiting, err := kept.Waiting(t.Context()); err != nil || (len(waiting) == 1) != c.needs {
			t.Errorf("%s: %+v waits, %v", name, waiting, err)
		}
		replayed(t, b)
	}
}

func TestATerminalsCallIsNotApprovedFromElsewhere(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"read", "write"} {
		b, _ := writing(t, `{"`+list+`":[{"name":"delete_policy_entry","approval":"terminal"}]}`)
		q := asked(t, b)
		out := b.put(t, q)
		if out.Error == nil || out.Error.Code != verdict.ApprovalRefused || out.Exit() != 3 || b.calls() != 0 {
			t.Errorf("%s: %s %+v, %d calls", list, out.Type, out.Error, b.calls())
		}
		replayed(t, b)
		q.Approval.How = gate.AtTerminal // and it waits still
		if out = b.again().put(t, q); out.Call != host.Answered || b.calls() != 1 {
			t.Errorf("%s: %s %+v, %d calls", list, out.Type, out.Error, b.calls())
		}
	}
}

// An approval is of one call: where none is needed by now it is used up all the same.
func TestAnApprovalIsUsedUpWhereNoneIsNeededByNow(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, `{"read":["fetch_policy_entry"]}`)
	b.config.Policy.CallRules = policy(t, `{"effect":"ask","tools":["*/*"],"when":{"/time/minute":{"max":600}}}`)
	b.config.Now = func() time.Time { return time.Date(2026, 11, 24, 8, 55, 0, 0, time.UTC) } // 9:55 in Berlin
	q := host.Question{Text: "Fetch policy-002", Plan: []byte(fetch)}
	out := b.put(t, q)
	if out.Type != host.ApprovalNeeded || out.Error.Code != verdict.ApprovalNeeded || out.Intent.Effect != "read" {
		t.Fatalf("%s %+v", out.Type, out.Error)
	}
	q.Approval = &host.Binding{RunID: out.RunID, Digest: out.Approval.Digest, By: "ada", How: gate.ByDigest}
	b.config.Now = func() time.Time { return time.Date(2026, 11, 24, 9, 5, 0, 0, time.UTC) }
	if out := b.again().put(t, q); out.Call != host.Answered || out.Approval.How != gate.ByDigest {
		t.Errorf("%s %+v", out.Type, out.Error)
	}
	if out := b.again().put(t, q); out.Error == nil || out.Error.Code != verdict.ApprovalSpent || b.calls() != 1 {
		t.Errorf("%s %+v, %d calls", out.Type, out.Error, b.calls())
	}
}

// An approval that was asked for under another allowlist, other rules or other
// settings makes no call. A new one is asked for, also where none would be needed.
func TestAnApprovalIsOfWhatDecidedWhenItWasAskedFor(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*host.Policy){
		"an effect that is not stated": func(p *host.Policy) { p.Allowlist = allowedBy(t, `["delete_policy_entry"]`) },
		"a tool that reads":            func(p *host.Policy) { p.Allowlist = allowedBy(t, `{"read":["delete_policy_entry"]}`) },
		"another tool besides": func(p *host.Policy) {
			p.Allowlist = allowedBy(t, `{"write":["delete_policy_entry","fetch_policy_entry"]}`)
		},
		"a rule of another tool": func(p *host.Policy) { p.CallRules = policy(t, denyFetch) },
		"a rule that allows":     func(p *host.Policy) { p.CallRules = policy(t, `{"effect":"allow","tools":["*/*"]}`) },
		"a setting":              func(p *host.Policy) { p.StrictIntent = true },
	} {
		b, kept := writing(t, writes1)
		q := asked(t, b)
		change(&b.config.Policy)
		out := b.put(t, q)
		if out.Error == nil || out.Error.Code != verdict.ApprovalNeeded || out.Exit() != 4 || b.calls() != 0 {
			t.Errorf("%s: %s %+v, %d calls", name, out.Type, out.Error, b.calls())
		}
		waiting, err := kept.Waiting(t.Context())
		if err != nil || len(waiting) != 1 || waiting[0].RunID != out.RunID {
			t.Errorf("%s: %+v, %v", name, waiting, err)
			continue
		}
		if want := "rules, allowlist or settings have changed since run " + q.Approval.RunID; !strings.Contains(b.disk.String(), want) {
			t.Errorf("%s: the new approval does not say why it is asked for", name)
		}
		replayed(t, b)
		if out = b.again().put(t, q); codeOf(out) != verdict.ApprovalChanged || b.calls() != 0 {
			t.Errorf("%s: the old approval: %s %+v, %d calls", name, out.Type, out.Error, b.calls())
		}
		q.Approval = &host.Binding{RunID: waiting[0].RunID, Digest: waiting[0].Digest, By: "ada", How: gate.ByDigest}
		if out = b.again().put(t, q); out.Call != host.Answered || b.calls() != 1 {
			t.Errorf("%s: the new approval: %s %+v, %d calls", name, out.Type, out.Error, b.calls())
		}
		replayed(t, b)
	}
}

// A rule that denies refuses a call whose approval was asked for before.
func TestADenialBeatsAnApprovalThatWasAskedForBefore(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, writes1)
	q := asked(t, b)
	b.config.Policy.CallRules = policy(t, denyDelete)
	if out := b.put(t, q); codeOf(out) != verdict.RuleDenied || b.calls() != 0 {
		t.Errorf("%s %+v, %d calls", out.Type, out.Error, b.calls())
	}
	replayed(t, b)
}

func allowedBy(t testing.TB, entry string) catalog.Allowlist {
	t.Helper()
	allow, err := catalog.ParseAllowlist([]byte(`{"mcp-policy-kb":` + entry + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return allow
}

// The approver sees what has changed since the call was shown.
func TestARefusalNamesWhatChanged(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, writes1)
	q := asked(t, b)
	was := `{"args":{"policy_id":"policy-001"},"gone":1,"tool":"delete_policy_entry","was":"run me"}`
	q.Approval.Digest, q.Approval.Record = "sha256:other", []byte(was)
	out := b.put(t, q)
	if out.Error == nil || out.Error.Code != verdict.ApprovalChanged || !strings.Contains(out.Error.Message, `args: {"policy_id":"policy-001"} is now {"policy_id":"policy-002"}`) ||
		!strings.Contains(out.Error.Message, "gone: 1 is now nothing") || strings.Contains(out.Error.Message, "run me") || strings.Contains(out.Error.Message, "tool: ") || b.calls() != 0 {
		t.Errorf("%+v, %d calls", out.Error, b.calls())
	}
	replayed(t, b)
}

// The disk fails at every step in turn: no call without its consent on it.
func TestNoChangeWithoutItsConsentOnDisk(t *testing.T) {
	t.Parallel()
	for failAt := 1; ; failAt++ {
		b, _ := writing(t, writes1)
		b.config.Approver = person(func(r host.Request) (gate.Yes, error) {
			return gate.Yes{Approval: r.Digest, By: "ada", How: gate.AtTerminal}, nil
		})
		b.disk.failAt = failAt
		out := b.put(t, deleting)
		if out.Exit() == 0 {
			if failAt < 12 {
				t.Errorf("only %d steps", failAt)
			}
			return
		}
		if b.calls() > 0 && !strings.Contains(b.disk.String(), `"kind":"consent"`) {
			t.Fatalf("step %d: a call without its consent", failAt)
		}
	}
}

func TestABroughtPlanHasNoConsentInIt(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, writes1)
	out := b.put(t, host.Question{Plan: plan.Call("mcp-policy-kb", "delete_policy_entry", []byte(`{"policy_id":"policy-002"}`))})
	if out.Type != host.ApprovalNeeded || b.calls() != 0 || out.Intent.Leaves[0].Origin.String() != "given" {
		t.Errorf("%s %+v, %d calls, %+v", out.Type, out.Error, b.calls(), out.Intent)
	}
}

// Who said yes is on the trace and in the outcome, also where someone else asked.
func TestWhoConsentedIsRecorded(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, writes1)
	q := asked(t, b)
	q.Approval.By = "bo"
	out := b.put(t, q)
	if out.Approval == nil || out.Approval.By != "bo" {
		t.Fatalf("%s, %+v: %+v", out.Type, out.Error, out.Approval)
	}
	if !strings.Contains(b.disk.String(), `"by":"bo"`) {
		t.Errorf("the trace does not hold who consented:\n%s", b.disk)
	}
}

// The person to ask belongs to the question, and reads server, tool and arguments
// from the request; the host's is asked for a question that has none.
func TestAQuestionBringsItsApprover(t *testing.T) {
	t.Parallel()
	type call struct{ Who, Server, Tool, Args string }
	var got []call
	asks := func(who string) host.Approver {
		return person(func(r host.Request) (gate.Yes, error) {
			got = append(got, call{who, r.Server, r.Tool, string(r.Args)})
			return gate.Yes{Approval: r.Digest, By: who, How: gate.AtTerminal}, nil
		})
	}
	b, _ := writing(t, writes1)
	b.config.Approver = asks("the host's")
	q := deleting
	q.Approver = asks("the question's")
	out := b.put(t, q)
	if out.Approval == nil || out.Approval.By != "the question's" {
		t.Errorf("%+v, %+v", out.Approval, out.Error)
	}
	replayed(t, b)
	b.again().put(t, deleting)
	const server, tool, args = "mcp-policy-kb", "delete_policy_entry", `{"policy_id":"policy-002"}`
	want := []call{{"the question's", server, tool, args}, {"the host's", server, tool, args}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
