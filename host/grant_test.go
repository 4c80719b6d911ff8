package host_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval/watched"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/session"
	"github.com/onestep-run/onestep/host/store"
)

// granter approves each call, and grants what it is offered.
type granter struct {
	asked   int
	offered int
	change  func(*gate.Yes)
}

func (g *granter) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	g.asked++
	yes := gate.Yes{Approval: r.Digest, By: "bo", How: gate.AtTerminal}
	if r.Offer != nil {
		g.offered++
		given, err := r.Offer.Accept(yes.By, yes.How, time.Now(), time.Now().Add(grant.MaxLife), r.Offer.Free)
		if err != nil {
			return gate.Yes{}, err
		}
		yes.Gives = &given
	}
	if g.change != nil {
		g.change(&yes)
	}
	return yes, nil
}

// inConversation is a question of the conversation c1 that a person is there for.
func inConversation(q host.Question, by *granter) host.Question {
	q.Facts.Conversation, q.Approver = "c1", by
	return q
}

// remembered is a bench on which a person approved fetching policy-002 in c1, and
// granted it.
func remembered(t *testing.T, rules ...string) (*bench, *store.Store, *granter) {
	t.Helper()
	b, kept := writing(t, fetchWrites)
	if len(rules) > 0 {
		b.config.Policy.CallRules = policy(t, rules...)
	}
	by := &granter{}
	out := b.put(t, inConversation(fetching, by))
	if diff := cmp.Diff(ended{"", 1}, end(b, out)); diff != "" || by.offered != 1 {
		t.Fatalf("%s %+v, %d offers", diff, out.Error, by.offered)
	}
	replayed(t, b)
	return b.again(), kept, by
}

// A call that a grant answers leaves without a person, with a consent on its trace,
// and is replayed.
func TestAGrantAnswersTheSecondCall(t *testing.T) {
	t.Parallel()
	for name, rules := range map[string][]string{"without rules": nil, "by a rule that asks": {askRead}, "by default": {denyDelete}} {
		b, _, by := remembered(t, rules...)
		out := b.put(t, inConversation(fetching, by))
		if diff := cmp.Diff(ended{"", 2}, end(b, out)); diff != "" || by.asked != 1 || out.Approval.How != gate.ByGrant || out.Approval.By != "bo" {
			t.Errorf("%s: %s, asked %d times, %+v", name, diff, by.asked, out.Approval)
		}
		if !strings.Contains(b.disk.String(), `"how":"grant"`) {
			t.Errorf("%s: no consent names the grant", name)
		}
		replayed(t, b)
	}
}

// What is not the very triple asks a person again.
func TestAnotherCallThanTheGrantedOneAsks(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*bench, *host.Question){
		"another resource": func(_ *bench, q *host.Question) {
			q.Text, q.Plan = "Fetch policy-001", []byte(strings.Replace(fetch, "002", "001", 1))
		},
		"another conversation": func(_ *bench, q *host.Question) { q.Facts.Conversation = "c2" },
		"a guess":              func(_ *bench, q *host.Question) { q.Facts.Conversation = "%" },
		"no conversation":      func(_ *bench, q *host.Question) { q.Facts.Conversation = "" },
		"another subject":      func(_ *bench, q *host.Question) { q.Subject = "eve" },
		"no subject":           func(_ *bench, q *host.Question) { q.Subject = "" },
		"after its time": func(b *bench, _ *host.Question) {
			b.config.Now = func() time.Time { return time.Now().Add(grant.MaxLife + time.Second) }
		},
		"after its tool changed": func(b *bench, _ *host.Question) { b.config.Source = described{b.config.Source} },
		"a rule asks now":        func(b *bench, _ *host.Question) { b.config.Policy.CallRules = policy(t, askRead) },
		"at a terminal from now": func(b *bench, _ *host.Question) {
			b.allow(t, `{"write":[{"name":"fetch_policy_entry","approval":"terminal"}]}`)
		},
		"a mark on the resource": func(b *bench, q *host.Question) { q.Text = "Fetch the logging policy" },
		"said by others":         func(b *bench, q *host.Question) { b.config.Policy.OthersApprove, q.Subject = true, "bo" },
	} {
		b, _, by := remembered(t)
		q := inConversation(fetching, by)
		q.Approver = nil
		change(b, &q)
		if diff := cmp.Diff(ended{verdict.ApprovalNeeded, 1}, end(b, b.put(t, q))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		replayed(t, b)
	}
}

// described is a source whose tools say something else than before.
type described struct{ host.Source }

func (d described) Discover(ctx context.Context, subject string, servers []string) []catalog.Listing {
	all := d.Source.Discover(ctx, subject, servers)
	for i := range all {
		for j, tool := range all[i].Tools {
			all[i].Tools[j].Raw = []byte(strings.Replace(string(tool.Raw), `"description":"`, `"description":"More. `, 1))
		}
	}
	return all
}

func (b *bench) allow(t *testing.T, entry string) {
	t.Helper()
	other, _ := writing(t, entry)
	b.config.Policy.Allowlist = other.config.Policy.Allowlist
}

func TestAGrantThatEndedAnswersNothing(t *testing.T) {
	t.Parallel()
	for name, end1 := range map[string]func(*store.Store) error{
		"revoked": func(s *store.Store) error {
			all, err := s.Grants(t.Context())
			if err != nil || len(all) != 1 {
				return err
			}
			return s.Revoke(t.Context(), all[0].ID, "bo")
		},
		"its conversation ended": func(s *store.Store) error { return s.End(t.Context(), []string{"c1"}) },
	} {
		b, kept, _ := remembered(t)
		if err := end1(kept); err != nil {
			t.Fatal(err)
		}
		q := inConversation(fetching, nil)
		q.Approver = nil
		if diff := cmp.Diff(ended{verdict.ApprovalNeeded, 1}, end(b, b.put(t, q))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		replayed(t, b)
	}
}

// interfering ends a grant between the decision and the call.
type interfering struct {
	*store.Store
	between func(*store.Store) error
}

func (i interfering) Redeem(ctx context.Context, r grant.Redemption) error {
	if err := i.between(i.Store); err != nil {
		return err
	}
	return i.Store.Redeem(ctx, r)
}

func TestAGrantThatEndsBeforeTheCallMakesNone(t *testing.T) {
	t.Parallel()
	for name, rules := range map[string][]string{"without rules": nil, "with rules": {denyDelete}, "read by a rule": {`{"effect":"allow","tools":["*/*"],"when":{"/resource/granted":true}}`}} {
		b, kept, by := remembered(t, rules...)
		b.config.Approvals = interfering{kept, func(s *store.Store) error { return s.End(t.Context(), []string{"c1"}) }}
		if diff := cmp.Diff(ended{verdict.GrantEnded, 1}, end(b, b.put(t, inConversation(fetching, by)))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		replayed(t, b)
	}
}

// A deny is a deny, whatever was granted.
func TestAGrantOpensNoDeny(t *testing.T) {
	t.Parallel()
	b, _, by := remembered(t)
	b.config.Policy.CallRules = policy(t, denyFetch)
	if diff := cmp.Diff(ended{verdict.RuleDenied, 1}, end(b, b.put(t, inConversation(fetching, by)))); diff != "" {
		t.Error(diff)
	}
	replayed(t, b)
}

// What the conversation read while a person decided is a label that the rules have
// not read: the call does not leave, and the next one is decided with it.
func TestALabelThatComesWhileAPersonDecidesRefusesTheCall(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, fetchWrites)
	b.config.Policy.CallRules = policy(t, denyExposed, askRead)
	by := &granter{change: func(*gate.Yes) {
		exposed := grant.Mark{Conversation: "c1", Name: grant.Exposed, Run: "another", At: time.Now()}
		if err := kept.Redeem(t.Context(), grant.Redemption{Run: "another", Marks: []grant.Mark{exposed}, Now: time.Now()}); err != nil {
			t.Error(err)
		}
	}}
	if diff := cmp.Diff(ended{verdict.StateLabels, 0}, end(b, b.put(t, inConversation(fetching, by)))); diff != "" || by.asked != 1 {
		t.Errorf("%s, asked %d times", diff, by.asked)
	}
	replayed(t, b)
	if diff := cmp.Diff(ended{verdict.RuleDenied, 0}, end(b, b.again().put(t, inConversation(fetching, by)))); diff != "" || by.asked != 1 {
		t.Errorf("the next one: %s, asked %d times", diff, by.asked)
	}
}

// A yes that grants another call than it is given to is not a yes.
func TestAForgedGrantIsNotKept(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*gate.Yes){
		"another resource":     func(y *gate.Yes) { y.Gives.Resource = "policy:policy-001" },
		"another conversation": func(y *gate.Yes) { y.Gives.Conversation = "c2" },
		"another giver":        func(y *gate.Yes) { y.Gives.By = "eve" },
		"another run":          func(y *gate.Yes) { y.Gives.ID = "run2" },
		"longer":               func(y *gate.Yes) { y.Gives.Until = y.Gives.Until.Add(time.Hour) },
		"a grant in its place": func(y *gate.Yes) { y.How, y.Grant, y.Gives = gate.ByGrant, y.Gives, nil },
		"a grant besides":      func(y *gate.Yes) { y.Grant = y.Gives },
	} {
		b, kept := writing(t, fetchWrites)
		out := b.put(t, inConversation(fetching, &granter{change: change}))
		if out.Type != host.Blocked || b.calls() != 0 {
			t.Errorf("%s: %s, %d calls", name, out.Type, b.calls())
		}
		if all, err := kept.Grants(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("%s: %+v, %v", name, all, err)
		}
	}
}

// Nothing is offered where the conversation, the resource or the asker is not known,
// nor where a floor holds that no grant answers.
func TestWhatCannotBeGrantedIsNotOffered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		entry  string
		change func(*host.Question)
	}{
		"no conversation": {fetchWrites, func(q *host.Question) { q.Facts.Conversation = "" }},
		"no subject":      {fetchWrites, func(q *host.Question) { q.Subject = "" }},
		"at a terminal":   {`{"write":[{"name":"fetch_policy_entry","approval":"terminal"}]}`, func(*host.Question) {}},
		"no resource":     {`{"write":[{"name":"fetch_policy_entry","resource":"policy:{nothing}"}]}`, func(*host.Question) {}},
		"a mark on it":    {fetchWrites, func(q *host.Question) { q.Text = "Fetch the logging policy" }},
	} {
		b, _ := writing(t, c.entry)
		by := &granter{}
		q := inConversation(fetching, by)
		c.change(&q)
		b.put(t, q)
		if by.asked != 1 || by.offered != 0 {
			t.Errorf("%s: asked %d times, offered %d", name, by.asked, by.offered)
		}
	}
}

// A call of a tool that says to destroy is answered by a grant that was given when
// this was shown.
func TestAGrantAnswersADestroyingCallThatWasShown(t *testing.T) {
	t.Parallel()
	b, _ := writing(t, writes1)
	b.config.Policy.CallRules = policy(t, `{"effect":"deny","tools":["x/y"]}`)
	by := &granter{}
	for n := range 2 {
		out := b.again().put(t, inConversation(deleting, by))
		if by.asked != 1 || b.calls() != n+1 {
			t.Errorf("call %d: asked %d times, %d calls, %+v", n, by.asked, b.calls(), out.Error)
		}
		replayed(t, b)
	}
}

// The clock is never before what the state has.
func TestAClockBehindTheStateIsAnError(t *testing.T) {
	t.Parallel()
	b, _, by := remembered(t)
	b.config.Now = func() time.Time { return time.Now().Add(-time.Minute) }
	if diff := cmp.Diff(ended{verdict.StateClock, 1}, end(b, b.put(t, inConversation(fetching, by)))); diff != "" {
		t.Error(diff)
	}
	replayed(t, b)
}

const denyExposed = `{"effect":"deny","tools":["*/*"],"when":{"labels":{"has":"exposed"},"effect":"write"}}`

// openWorld is a bench with a server next to the demo's, whose tool does not say what
// it reads, and what it answers.
func openWorld(t *testing.T, answer string) (*bench, *store.Store) {
	t.Helper()
	b, kept := writing(t, fetchWrites)
	allow, err := catalog.ParseAllowlist([]byte(`{"web":{"read":["read_page"]},"mcp-policy-kb":` + fetchWrites + `}`))
	if err != nil {
		t.Fatal(err)
	}
	web := watched.Scripted("web", []watched.ScriptedTool{{Name: "read_page", Description: "Read a page.", InputSchema: jsontext.Value(`{"type":"object"}`), Answer: answer}})
	pool := session.New([]session.Server{{Name: "web", InProcess: web.Transport}, {Name: "mcp-policy-kb", InProcess: b.demo.Dial("mcp-policy-kb")}}, session.Limits{})
	t.Cleanup(func() { _ = pool.Close() })
	b.config.Source, b.config.Caller, b.config.Policy.Allowlist = pool, pool, allow
	return b, kept
}

var reading = host.Question{
	Text: "Read the page", Subject: "ada", Labelled: "client-1", Facts: gate.Facts{Conversation: "c1"},
	Plan: []byte(`{"type":"call_tool","server":"web","tool":"read_page","args":{}}`),
}

// The label is on disk before the call leaves that makes it so, and holds for every
// later call that shares it.
func TestAConversationIsExposedBeforeTheCallLeaves(t *testing.T) {
	t.Parallel()
	b, kept := openWorld(t, "a page")
	b.config.Policy.CallRules = policy(t, denyExposed, `{"effect":"allow","tools":["*/*"]}`)
	writes := fetching
	writes.Labelled, writes.Facts.Conversation = "client-1", "c2"
	if diff := cmp.Diff(ended{"", 1}, end(b, b.put(t, writes))); diff != "" {
		t.Fatal(diff)
	}
	if out := b.again().put(t, reading); out.Type != host.ToolResult {
		t.Fatalf("%s %+v", out.Type, out.Error)
	}
	replayed(t, b)
	if is, err := kept.Known(t.Context(), grant.Key{Labelled: "client-1"}); err != nil || len(is.Labels) != 1 || is.Labels[0] != grant.Exposed {
		t.Fatalf("%+v, %v", is, err)
	}
	if diff := cmp.Diff(ended{verdict.RuleDenied, 1}, end(b, b.again().put(t, writes))); diff != "" {
		t.Errorf("after what was read: %s", diff)
	}
	replayed(t, b)
	writes.Labelled = "client-2"
	if diff := cmp.Diff(ended{"", 2}, end(b, b.again().put(t, writes))); diff != "" {
		t.Errorf("another client: %s", diff)
	}
	replayed(t, b)
}

// A tool that says to read no open world labels nothing.
func TestAClosedWorldExposesNothing(t *testing.T) {
	t.Parallel()
	b, kept := writing(t, `{"read":["fetch_policy_entry"]}`)
	q := fetching
	q.Facts.Conversation = "c1"
	b.put(t, q)
	if all, err := kept.Marks(t.Context()); err != nil || len(all) != 0 || b.calls() != 1 {
		t.Errorf("%+v, %v, %d calls", all, err, b.calls())
	}
}

// Where labels cannot be read no call leaves that rules decide on, before and after an
// approval.
func TestACallWhoseLabelsCannotBeReadDoesNotLeave(t *testing.T) {
	t.Parallel()
	damaged := func(path string) error {
		db, err := sql.Open("sqlite", path)
		if err != nil {
			return err
		}
		_, err = db.ExecContext(t.Context(), `UPDATE conversation SET run = run || 'x'`)
		return errors.Join(err, db.Close())
	}
	for name, while := range map[string]bool{"before the decision": false, "while a person decides": true} {
		b, _ := openWorld(t, "a page")
		path := filepath.Join(t.TempDir(), "state.db")
		kept := store.At(path, time.Now)
		t.Cleanup(func() { _ = kept.Close() })
		b.config.Approvals, b.config.Policy.CallRules = kept, policy(t, `{"effect":"ask","tools":["mcp-policy-kb/*"]}`)
		if out := b.put(t, reading); out.Type != host.ToolResult {
			t.Fatalf("%s %+v", out.Type, out.Error)
		}
		damage := func() {
			if err := damaged(path); err != nil {
				t.Fatal(err)
			}
		}
		if !while {
			damage()
		}
		writes := inConversation(fetching, &granter{change: func(*gate.Yes) {
			if while {
				damage()
			}
		}})
		writes.Labelled = "client-1"
		out := b.again().put(t, writes)
		if codeOf(out) != verdict.StateUnreadable || out.Call != host.None || b.calls() != 0 {
			t.Errorf("%s: call %s, %+v, %d calls", name, out.Call, out.Error, b.calls())
		}
		replayed(t, b)
	}
}

// Where a label cannot be kept no such call leaves.
func TestACallWhoseLabelIsNotKeptDoesNotLeave(t *testing.T) {
	t.Parallel()
	b, kept := openWorld(t, "a page")
	b.config.Approvals = interfering{kept, func(*store.Store) error { return verdict.Fail(verdict.StateUnwritable, nil, "the disk is full") }}
	out := b.put(t, reading)
	if codeOf(out) != verdict.StateUnwritable || out.Call != host.None {
		t.Errorf("call %s, %+v", out.Call, out.Error)
	}
	replayed(t, b)
}

// A conversation in which a secret was redacted is sensitive from then on, and a
// result whose label cannot be kept is not shown.
func TestARedactionMakesAConversationSensitive(t *testing.T) {
	t.Parallel()
	const leaks = "the key is ghp_0123456789abcdefghijABCDEFGHIJ012345 and no other"
	b, kept := openWorld(t, leaks)
	if out := b.put(t, reading); out.Type != host.ToolResult || strings.Contains(string(out.Raw), "ghp_0") {
		t.Fatalf("%s %+v %s", out.Type, out.Error, out.Raw)
	}
	replayed(t, b)
	if is, err := kept.Known(t.Context(), grant.Key{Labelled: "client-1"}); err != nil || len(is.Labels) != 2 {
		t.Errorf("%+v, %v", is, err)
	}
	b, kept = openWorld(t, leaks)
	first := true
	b.config.Approvals = interfering{kept, func(*store.Store) error {
		if first {
			first = false
			return nil
		}
		return verdict.Fail(verdict.StateUnwritable, nil, "the disk is full")
	}}
	out := b.put(t, reading)
	if codeOf(out) != verdict.StateUnwritable || out.Call != host.Answered || out.Raw != nil || out.Result != nil {
		t.Errorf("call %s, %+v, %s", out.Call, out.Error, out.Raw)
	}
	replayed(t, b)
}
