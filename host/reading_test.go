package host_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/trace"
)

// living is a bench whose policy another process changes while a host lives.
type living struct {
	*bench
	latest  atomic.Pointer[host.Config]
	unread  atomic.Pointer[verdict.Fault]
	retired atomic.Int32
}

func newLiving(b *bench) *living {
	c := &living{bench: b}
	first := b.config
	c.latest.Store(&first)
	b.config.Latest = func(context.Context) (host.Config, error) {
		if f := c.unread.Load(); f != nil {
			return host.Config{}, f
		}
		return *c.latest.Load(), nil
	}
	return c
}

// change has another reading decide.
func (c *living) change(change func(p *host.Policy)) {
	is := *c.latest.Load()
	change(&is.Policy)
	is.Reading++
	is.Retired = func() { c.retired.Add(1) }
	is.Files = []host.File{{What: "policy", Path: "/etc/policy.json", Digest: strings.Repeat("0", int(is.Reading))}}
	c.latest.Store(&is)
}

func deniesAll(t testing.TB, p *host.Policy) { p.CallRules = policy(t, denyFetch, denyDelete) }

// at does something when an edge of the run is reached.
type at struct {
	host.Source
	host.Caller
	host.Proposer
	proposes, calls func()
}

func (a at) Propose(ctx context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error) {
	if a.proposes != nil {
		a.proposes()
	}
	return a.Proposer.Propose(ctx, q, c)
}

func (a at) Call(ctx context.Context, p gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
	if a.calls != nil {
		a.calls()
	}
	return a.Caller.Call(ctx, p, on, yes)
}

// through has the bench's edges do something.
func (c *living) through(proposes, calls func()) {
	a := at{c.config.Source, c.config.Caller, c.config.Proposer, proposes, calls}
	c.config.Caller, c.config.Proposer = a, a
	first := *c.latest.Load()
	first.Caller = a
	c.latest.Store(&first)
}

func TestALaterReadingDecidesTheNextQuestion(t *testing.T) {
	t.Parallel()
	c := newLiving(newBench(t))
	h, err := host.New(c.config)
	if err != nil {
		t.Fatal(err)
	}
	if out := h.Ask(t.Context(), host.Question{Text: "Fetch policy-002"}); out.Type != host.ToolResult {
		t.Fatalf("%s %+v", out.Type, out.Error)
	}
	replayed(t, c.bench)
	c.change(func(p *host.Policy) { deniesAll(t, p) })
	c.disk.Reset()
	if out := h.Ask(t.Context(), host.Question{Text: "Fetch policy-002"}); codeOf(out) != verdict.RuleDenied || c.calls() != 1 {
		t.Errorf("%s %+v, %d calls", out.Type, out.Error, c.calls())
	}
	replayed(t, c.bench)
	c.change(func(p *host.Policy) { p.Allowlist = allowedBy(t, `{"read":["search_policy_kb"]}`) })
	if got := h.Catalog(t.Context(), ""); len(got.Tools()) != 1 || got.Tools()[0].Name() != "search_policy_kb" {
		t.Errorf("%d tools", len(got.Tools()))
	}
	if n := c.retired.Load(); n != 1 { // the first has no one to report to
		t.Errorf("%d readings are retired", n)
	}
}

func TestWhatCannotBeReadRefuses(t *testing.T) {
	t.Parallel()
	c := newLiving(newBench(t))
	h, err := host.New(c.config)
	if err != nil {
		t.Fatal(err)
	}
	c.unread.Store(verdict.Fail(verdict.ConfigUnreadable, nil, "policy.json: permission denied"))
	out := h.Ask(t.Context(), host.Question{Text: "Fetch policy-002"})
	if codeOf(out) != verdict.ConfigUnreadable || out.Exit() != 2 || c.requests() != 0 {
		t.Errorf("%s %+v, %d requests", out.Type, out.Error, c.requests())
	}
	replayed(t, c.bench)
	if no := h.Catalog(t.Context(), "").Refusal(); verdict.CodeOf(no) != verdict.ConfigUnreadable {
		t.Errorf("the catalog: %v", no)
	}
	c.unread.Store(nil)
	c.disk.Reset()
	if out := h.Ask(t.Context(), host.Question{Text: "Fetch policy-002"}); out.Type != host.ToolResult {
		t.Errorf("%s %+v", out.Type, out.Error)
	}
}

func TestWhatChangesWhileAPlanIsMadeDecides(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct {
		change func(c *living)
		code   verdict.Code
	}{
		"a denial": {func(c *living) { c.change(func(p *host.Policy) { deniesAll(t, p) }) }, verdict.RuleDenied},
		"another tool": {func(c *living) {
			c.change(func(p *host.Policy) { p.Allowlist = allowedBy(t, `{"read":["search_policy_kb"]}`) })
		}, verdict.AllowTool},
		"an input rule":  {func(c *living) { c.change(func(p *host.Policy) { p.Rules = input.Rules{} }) }, verdict.InputRulesMissing},
		"nothing":        {func(c *living) {}, ""},
		"a rule besides": {func(c *living) { c.change(func(p *host.Policy) { p.CallRules = policy(t, denyDelete) }) }, ""},
		"it is unread":   {func(c *living) { c.unread.Store(verdict.Fail(verdict.ConfigInvalid, nil, "broken")) }, verdict.ConfigInvalid},
	} {
		c := newLiving(newBench(t))
		c.through(func() { r.change(c) }, nil)
		out := c.ask(t, "Fetch policy-002")
		want := 0
		if r.code == "" {
			want = 1
		}
		if codeOf(out) != r.code || c.calls() != want {
			t.Errorf("%s: %s %+v, %d calls", name, out.Type, out.Error, c.calls())
		}
		replayed(t, c.bench)
	}
}

func TestWhatChangesWhileAPersonIsAskedDecides(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct {
		change func(c *living)
		code   verdict.Code
		asked  int
	}{
		"nothing":  {func(*living) {}, "", 1},
		"a denial": {func(c *living) { c.change(func(p *host.Policy) { deniesAll(t, p) }) }, verdict.RuleDenied, 1},
		"no tool":  {func(c *living) { c.change(func(p *host.Policy) { p.Allowlist = allowedBy(t, `{"read":[]}`) }) }, verdict.AllowEmpty, 1},
		"a terminal": {func(c *living) {
			c.change(func(p *host.Policy) {
				p.Allowlist = allowedBy(t, `{"write":[{"name":"delete_policy_entry","approval":"terminal"}]}`)
			})
		}, "", 2},
		"a read": {func(c *living) {
			c.change(func(p *host.Policy) { p.Allowlist = allowedBy(t, `{"read":["delete_policy_entry"]}`) })
		}, "", 2},
		"a rule besides": {func(c *living) { c.change(func(p *host.Policy) { p.CallRules = policy(t, denyFetch) }) }, "", 2},
		"it is unread":   {func(c *living) { c.unread.Store(verdict.Fail(verdict.ConfigInvalid, nil, "broken")) }, verdict.ConfigInvalid, 1},
	} {
		b, _ := writing(t, writes1)
		c := newLiving(b)
		asked := 0
		var why []string
		c.config.Approver = answers(func(q host.Request) (gate.Yes, error) {
			if asked++; asked == 1 {
				r.change(c)
			}
			why = append(why, q.Again)
			return gate.Yes{Approval: q.Digest, By: "ada", How: gate.AtTerminal}, nil
		})
		out := c.put(t, deleting)
		want := 0
		if r.code == "" {
			want = 1
		}
		if codeOf(out) != r.code || c.calls() != want || asked != r.asked {
			t.Errorf("%s: %s %+v, %d calls, asked %d times", name, out.Type, out.Error, c.calls(), asked)
		}
		if r.asked == 2 && (why[0] != "" || !strings.Contains(why[1], "policy policy.json")) {
			t.Errorf("%s: %q", name, why)
		}
		replayed(t, c.bench)
	}
}

type answers func(host.Request) (gate.Yes, error)

func (a answers) Approve(_ context.Context, r host.Request) (gate.Yes, error) { return a(r) }

func TestWhatChangesRightBeforeTheCallDecides(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct {
		change func(c *living, n int)
		code   verdict.Code
		calls  int
	}{
		"a denial": {func(c *living, n int) { c.change(func(p *host.Policy) { deniesAll(t, p) }) }, verdict.RuleDenied, 0},
		"a rule besides": {func(c *living, n int) {
			if n == 1 {
				c.change(func(p *host.Policy) { p.CallRules = policy(t, denyDelete) })
			}
		}, "", 1},
		"an ask":                     {func(c *living, n int) { c.change(func(p *host.Policy) { p.CallRules = policy(t, askRead) }) }, verdict.ApprovalNeeded, 0},
		"it is unread":               {func(c *living, n int) { c.unread.Store(verdict.Fail(verdict.ConfigUnreadable, nil, "gone")) }, verdict.ConfigUnreadable, 0},
		"it changes again and again": {func(c *living, n int) { c.change(func(p *host.Policy) { p.MaxResult = 1<<20 + n }) }, verdict.ConfigChanged, 0},
	} {
		c := newLiving(newBench(t))
		n := 0
		c.through(nil, func() { n++; r.change(c, n) })
		out := c.ask(t, "Fetch policy-002")
		if codeOf(out) != r.code || c.calls() != r.calls {
			t.Errorf("%s: %s %+v, %d calls", name, out.Type, out.Error, c.calls())
		}
		replayed(t, c.bench)
	}
}

// A grant is compared with the rules of the moment, not with those of its own time:
// also with those that are written after it was read.
func TestAGrantIsComparedWithTheRulesOfTheMoment(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct {
		rules []string
		code  verdict.Code
		calls int
		asked int
	}{
		"the same":     {nil, "", 2, 1},
		"a denial":     {[]string{denyFetch}, verdict.RuleDenied, 1, 1},
		"a rule asks":  {[]string{askRead}, "", 2, 2},
		"another tool": {[]string{denyDelete}, "", 2, 1},
	} {
		for _, late := range []bool{false, true} {
			b, _, by := remembered(t)
			c := newLiving(b)
			change := func() {
				if r.rules != nil && c.latest.Load().Reading == 0 {
					c.change(func(p *host.Policy) { p.CallRules = policy(t, r.rules...) })
				}
			}
			if late {
				c.through(nil, change)
			} else {
				change()
			}
			out := c.put(t, inConversation(fetching, by))
			if codeOf(out) != r.code || c.calls() != r.calls || by.asked != r.asked {
				t.Errorf("%s, late %v: %s %+v, %d calls, asked %d times", name, late, out.Type, out.Error, c.calls(), by.asked)
			}
			replayed(t, c.bench)
		}
	}
}
