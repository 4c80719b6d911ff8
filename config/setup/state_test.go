//go:build unix

package setup_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/approval"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/proxy"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/host/trust"
)

const bothAllowed = `{"aws-s3": {"read": ["fetch_policy_entry"], "write": ["delete_policy_entry"]}, "team.kb": {"read": ["fetch_policy_entry"]}}`

// team is a server over HTTP and another over stdio, with one state.
type team struct {
	setup.Parts

	policies *demo.Demo
}

// newTeam has a person approve what both servers say.
func newTeam(t *testing.T) team {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	policies := demo.New()
	web := serve(policies, "s3cret")
	t.Cleanup(web.Close)
	servers, err := config.NewServers(t.TempDir(), map[string]config.Spec{
		"aws-s3":  {URL: web.URL, Headers: map[string]string{"Authorization": "Bearer s3cret"}},
		"team.kb": {Command: self, Env: map[string]string{server: filepath.Join(t.TempDir(), "pid")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	state := store.At(filepath.Join(t.TempDir(), "state.db"), time.Now)
	t.Cleanup(func() {
		if err := state.Close(); err != nil {
			t.Error(err)
		}
	})
	allow := allowing(t, bothAllowed)
	x := team{setup.Parts{Registry: servers, Allowlist: &allow, Key: new(pin.Key([]byte("thirty-two bytes, best random..."))), State: state, Traces: &memory{}}, policies}
	inv, err := setup.Open(config.Settings{}, x.options())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range inv.Names() {
		r, err := inv.Keeper.Look(t.Context(), inv.Target(name, false))
		if err == nil {
			_, err = inv.Keeper.Decide(t.Context(), r, trust.Choice{By: "grace", How: "digest", Digests: []string{r.Digest}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return x
}

func (x team) options() setup.Options { return setup.Options{Parts: x.Parts, Mode: setup.Plans} }

// host is a host of the team, with changes of its own.
func (x team) host(t *testing.T, change func(*setup.Options)) *setup.Ready {
	t.Helper()
	o := x.options()
	if change != nil {
		change(&o)
	}
	h, err := setup.Host(config.Settings{CloseGrace: config.Value[time.Duration]{V: time.Millisecond}}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func calling(tool, id string) host.Question {
	return host.Question{Plan: plan.Call("aws-s3", tool, fmt.Appendf(nil, `{"policy_id":%q}`, id)), Subject: "ada"}
}

// approves is a person who approves each call that waits, through a state.
func (x team) approves(t *testing.T) func(inbox.Holding) {
	return func(h inbox.Holding) {
		_, err := x.State.Move(context.WithoutCancel(t.Context()), h.RunID, h.Digest, approval.Step{To: approval.Approved, By: "grace", How: gate.ByDigest, Now: time.Now()})
		if err != nil && h.Waited < time.Second {
			t.Error(err)
		}
	}
}

// With a state of the program, an approval in it lets a call go on, and locked pins do not
// take it away. The state stays open when a host ends.
func TestAStateOfTheProgram(t *testing.T) {
	t.Parallel()
	x := newTeam(t)
	left := len(x.policies.Policies.All())
	for name, locked := range map[string]func(*setup.Options){
		"pins of the state":   nil,
		"pins of the program": func(o *setup.Options) { o.Pins = teamPins(t, x) },
	} {
		h := x.host(t, locked)
		q := calling("delete_policy_entry", fmt.Sprintf("policy-%03d", left))
		q.Hold = &inbox.Hold{For: time.Minute, Waiting: x.approves(t)}
		if out := h.Ask(t.Context(), q); out.Call != host.Answered || out.Approval.By != "grace" {
			t.Errorf("%s: %s, %+v", name, out.Type, out.Error)
		}
		left--
		if n := len(x.policies.Policies.All()); n != left {
			t.Errorf("%s: %d policies are left, want %d", name, n, left)
		}
		at, _ := h.Inventory.Place("aws-s3")
		if err := h.Inventory.Keeper.RecordHealth(t.Context(), at, nil); err != nil {
			t.Error(err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if all, err := x.State.HealthOf(t.Context(), at); len(all) == 0 || err != nil {
			t.Errorf("%s: health is %v, %v", name, all, err)
		}
	}
}

// teamPins are the approvals of the state, as pins of the program.
func teamPins(t *testing.T, x team) trust.Book {
	t.Helper()
	inv, err := setup.Open(config.Settings{}, x.options())
	if err != nil {
		t.Fatal(err)
	}
	at, _ := inv.Place("aws-s3")
	pins, err := inv.Keeper.Pins(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	shared, text := x.Registry.Shared("aws-s3")
	file, err := trust.Export([]trust.Exported{{Name: "aws-s3", Entry: text, Credential: shared.Credential, Pins: pins}})
	if err != nil {
		t.Fatal(err)
	}
	book, err := trust.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// Hosts of one name share the limits of their rules, and no others do.
func TestLimitsCountTheCallsOfOneName(t *testing.T) {
	t.Parallel()
	x := newTeam(t)
	x.CallRules = []rule.File{{Name: "policy.json", Text: []byte(`{"rules":[{"limit":{"calls":1,"per":"day"},"tools":["aws-s3/*"]}]}`)}}
	for _, c := range []struct {
		counts string
		want   verdict.Code
	}{{"agent:a", ""}, {"agent:b", ""}, {"agent:a", verdict.RuleRate}, {"", ""}, {"agent:b", verdict.RuleRate}, {"", verdict.RuleRate}} {
		out := x.host(t, func(o *setup.Options) { o.Counts = c.counts }).Ask(t.Context(), calling("fetch_policy_entry", "policy-001"))
		code := verdict.Code("")
		if out.Error != nil {
			code = out.Error.Code
		}
		if code != c.want {
			t.Errorf("%q: %+v, want %q", c.counts, out.Error, c.want)
		}
	}
}

// Rules decide alike as values and in files, and traces have the same digests.
func TestRulesOfTheProgram(t *testing.T) {
	t.Parallel()
	x, dir := newTeam(t), t.TempDir()
	texts := map[string]string{
		"policy.json": `{"rules":[{"effect":"deny","tools":["aws-s3/delete_*"],"why":"nothing is deleted"}]}`,
		"input.json":  `{"rules":[{"id":"no-moon","category":"input.harm","says":"moon","reason":"nothing is on the moon"}]}`,
	}
	var s config.Settings
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.Policy = []config.Value[string]{{V: filepath.Join(dir, "policy.json")}}
	s.Rules = []config.Value[string]{{V: filepath.Join(dir, "input.json")}}
	fromFiles, err := setup.Host(s, x.options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = fromFiles.Close() })
	values := func(o *setup.Options) {
		o.CallRules = []rule.File{{Name: "policy.json", Text: []byte(texts["policy.json"])}}
		o.InputRules = []config.Text{{Name: "input.json", Text: []byte(texts["input.json"])}}
	}
	fromValues := x.host(t, values)
	var policies, digests []string
	for _, h := range []*setup.Ready{fromFiles, fromValues} {
		if out := h.Ask(t.Context(), calling("delete_policy_entry", "policy-001")); out.Error == nil || out.Error.Code != verdict.RuleDenied || !strings.Contains(out.Error.Message, "nothing is deleted") {
			t.Errorf("%+v", out.Error)
		}
		q := calling("fetch_policy_entry", "policy-001")
		q.Text = "To the moon with policy-001"
		if out := h.Ask(t.Context(), q); out.Error == nil || !strings.HasPrefix(string(out.Error.Code), "input.") {
			t.Errorf("%+v", out.Error)
		}
		c, err := h.Latest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		policies = append(policies, c.Policy.Digest())
		var of []string
		for _, f := range c.Files {
			of = append(of, f.What+" "+filepath.Base(f.Path)+" "+f.Digest)
		}
		slices.Sort(of)
		digests = append(digests, strings.Join(of, ", "))
	}
	if policies[0] != policies[1] || digests[0] != digests[1] || !strings.Contains(digests[0], "policy policy.json sha256:") {
		t.Errorf("the policies are %q, of %q", policies, digests)
	}
	// A value takes the place of the files.
	o := x.options()
	o.CallRules, o.InputRules = []rule.File{}, []config.Text{}
	s.Policy, s.Rules = []config.Value[string]{{V: "/nowhere"}}, []config.Value[string]{{V: "/nowhere"}}
	none, err := setup.Host(s, o)
	if err != nil {
		t.Fatal(err)
	}
	if out := none.Ask(t.Context(), calling("fetch_policy_entry", "policy-001")); out.Error != nil {
		t.Errorf("%+v", out.Error)
	}
	if err := none.Close(); err != nil {
		t.Error(err)
	}
	for _, wrong := range []func(*setup.Options){
		func(o *setup.Options) { o.CallRules = []rule.File{{Name: "a", Text: []byte(`{"rules":`)}} },
		func(o *setup.Options) { o.CallRules = []rule.File{{Text: []byte(`{"rules":[]}`)}} },
		func(o *setup.Options) {
			o.CallRules = []rule.File{{Name: "a", Text: []byte(`{"rules":[]}`)}, {Name: "a", Text: []byte(`{"rules":[]}`)}}
		},
		func(o *setup.Options) { o.InputRules = []config.Text{{Name: "a", Text: []byte(`{"builtin":false}`)}} },
	} {
		o := x.options()
		wrong(&o)
		if _, err := setup.Host(config.Settings{}, o); verdict.CodeOf(err) != verdict.ConfigInvalid {
			t.Errorf("wrong rules are taken: %v", err)
		}
	}
}

// Two real servers are behind one address. A client of either era sees their tools under
// public names, calls one of each, and has a write approved while it waits.
func TestTwoServersBehindOneAddress(t *testing.T) {
	t.Parallel()
	x := newTeam(t)
	h := x.host(t, nil)
	web := httptest.NewServer(proxy.Handler(t.Context(), proxy.HTTP{
		Options: proxy.Options{
			Host: h, Server: "team", Servers: []string{"aws-s3", "team.kb"}, Subject: "agent:a", Version: "1",
			Hold: time.Minute, Waiting: x.approves(t),
		},
		Token: func(*http.Request) string { return "" }, Sessions: proxy.Rows(x.State),
	}))
	t.Cleanup(web.Close)
	for n, version := range []string{"2025-11-25", "2026-07-28"} {
		client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
		s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL, DisableStandaloneSSE: true}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		all, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range all.Tools {
			names = append(names, tool.Name)
		}
		slices.Sort(names)
		if want := []string{"mcp_aws_s3_delete_policy_entry", "mcp_aws_s3_fetch_policy_entry", "mcp_team_kb_fetch_policy_entry"}; !slices.Equal(names, want) {
			t.Errorf("%s: the tools are %q", version, names)
		}
		ask := func(tool, id string) (*mcp.CallToolResult, error) {
			return s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]any{"policy_id": id}})
		}
		before := len(x.policies.Policies.All())
		if got, err := ask("mcp_aws_s3_delete_policy_entry", fmt.Sprintf("policy-%03d", n+1)); err != nil || got.IsError || got.Meta["run.onestep/approved_by"] != "grace" {
			t.Errorf("%s: %+v, %v", version, got, err)
		}
		if after := len(x.policies.Policies.All()); after != before-1 {
			t.Errorf("%s: %d policies of %d are left", version, after, before)
		}
		// The process still has what the server over HTTP has no more.
		if got, err := ask("mcp_team_kb_fetch_policy_entry", "policy-001"); err != nil || got.IsError {
			t.Errorf("%s: %+v, %v", version, got, err)
		}
		if got, err := ask("mcp_aws_s3_fetch_policy_entry", "policy-001"); err != nil || !got.IsError {
			t.Errorf("%s: %+v, %v", version, got, err)
		}
		if _, err := ask("mcp_team_kb_delete_policy_entry", "policy-001"); err == nil || !strings.Contains(err.Error(), "no tool of this name") {
			t.Errorf("%s: a tool that is not allowed: %v", version, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if c := h.Catalog(t.Context(), "", "aws-s3", "team.kb"); len(c.Unreachable()) > 0 {
		t.Errorf("%v", c.Unreachable())
	}
}
