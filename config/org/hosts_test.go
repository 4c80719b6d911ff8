package org_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onestep-run/onestep/config"
	orgs "github.com/onestep-run/onestep/config/org"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/seal"
	"github.com/onestep-run/onestep/host/store"
)

const (
	kb    = "kb"
	token = "s3cret-of-the-agent"
)

// upstream is the demo's policies behind a token, and the number of requests that it got.
type upstream struct {
	*httptest.Server
	demo     *demo.Demo
	requests atomic.Int64
	refused  atomic.Int64
}

func newUpstream(t *testing.T) *upstream {
	t.Helper()
	u := &upstream{demo: demo.New()}
	h, err := u.demo.Handler("mcp-policy-kb")
	if err != nil {
		t.Fatal(err)
	}
	u.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u.requests.Add(1)
		if r.Header.Get("Authorization") != "Bearer "+token {
			u.refused.Add(1)
			http.Error(w, "who is asking?", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(u.Close)
	return u
}

func (u *upstream) change() org.Change {
	return org.Change{
		Server: kb, Spec: config.Spec{URL: u.URL}, Enabled: true, Auth: org.Auth{Type: org.BearerToken},
		Values: map[string]string{org.AuthSecret: token}, Names: []string{org.AuthSecret},
	}
}

var ada = org.By{Member: "ada"}

// newHosts is an organisation with the agent "support".
func newHosts(t *testing.T, state *store.Store) *orgs.Hosts {
	t.Helper()
	keys, err := seal.Read(seal.NewKey())
	if err != nil {
		t.Fatal(err)
	}
	h := replica(t, state, keys)
	if _, err := h.Org.CreateAgent(t.Context(), ada, org.Agent{Name: "support", Enabled: true, Mode: org.All, Acknowledged: true}); err != nil {
		t.Fatal(err)
	}
	return h
}

// replica is what one process has of an organisation.
func replica(t *testing.T, state *store.Store, keys seal.Keys) *orgs.Hosts {
	t.Helper()
	o := &org.Org{State: state, Keys: keys, Now: time.Now}
	h, err := orgs.New(orgs.Options{
		Org: o, Home: t.TempDir(), Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Key: new(pin.Key([]byte("thirty-two bytes, best random..."))), Hold: 20 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

func newState(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.OpenAt(t.Context(), filepath.Join(t.TempDir(), "state", "state.db"), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// approved has the agent use the server, with its tools approved.
func approved(t *testing.T, h *orgs.Hosts, u *upstream, agent string) {
	t.Helper()
	if _, _, err := h.Org.AddServer(t.Context(), ada, agent, u.change()); err != nil {
		t.Fatal(err)
	}
	r, err := h.Look(t.Context(), agent, kb)
	if err != nil {
		t.Fatal(err)
	}
	d := orgs.Decision{Digests: []string{r.Digest}, Effects: map[string]string{"fetch_policy_entry": "read"}}
	for _, p := range r.Parts {
		if p.Alone {
			d.Digests = append(d.Digests, p.Digest)
		}
	}
	if _, err := h.Decide(t.Context(), ada, agent, kb, d); err != nil {
		t.Fatal(err)
	}
}

func asks(tool, id string) host.Question {
	return host.Question{Subject: orgs.OfAgent("support"), Plan: plan.Call(kb, tool, []byte(`{"policy_id":"`+id+`"}`)), Client: true}
}

// bearer is a new token of an agent.
func bearer(t *testing.T, h *orgs.Hosts, agent string) org.Caller {
	t.Helper()
	k, _, err := h.Org.CreateToken(t.Context(), ada, org.Token{Agent: agent})
	if err != nil {
		t.Fatal(err)
	}
	return org.Caller{Token: k.ID, Scope: org.Calls}
}

func ask(t *testing.T, h *orgs.Hosts, agent string, q host.Question) host.Outcome {
	t.Helper()
	out, err := h.Ask(t.Context(), agent, bearer(t, h, agent), q)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func codeOf(out host.Outcome) verdict.Code {
	if out.Error == nil {
		return ""
	}
	return out.Error.Code
}

func TestAnAgentCallsWhatWasApproved(t *testing.T) {
	t.Parallel()
	h, u := newHosts(t, newState(t)), newUpstream(t)
	if _, _, err := h.Org.AddServer(t.Context(), ada, "support", u.change()); err != nil {
		t.Fatal(err)
	}
	before := ask(t, h, "support", asks("fetch_policy_entry", "policy-002"))
	if before.Call != "none" || u.requests.Load() > 0 {
		t.Errorf("before the review: %s, %d requests", before.Call, u.requests.Load())
	}
	if err := h.Org.RemoveServer(t.Context(), ada, "support", kb); err != nil {
		t.Fatal(err)
	}
	approved(t, h, u, "support")
	out := ask(t, h, "support", asks("fetch_policy_entry", "policy-002"))
	if out.Type != host.ToolResult || u.refused.Load() > 0 {
		t.Errorf("%s, %+v, %d refused", out.Type, out.Error, u.refused.Load())
	}
	tools, err := h.Tools(t.Context(), "support", kb)
	if err != nil || len(tools) == 0 || slices.ContainsFunc(tools, func(tool orgs.Tool) bool { return !tool.Callable }) {
		t.Errorf("%+v, %v", tools, err)
	}
}

// A write waits, an approver sees exactly it, and the call is made once.
func TestAWriteWaitsForAnApprover(t *testing.T) {
	t.Parallel()
	h, u := newHosts(t, newState(t)), newUpstream(t)
	approved(t, h, u, "support")
	policies := len(u.demo.Policies.All())
	answer := func(yes bool) host.Outcome {
		done := make(chan host.Outcome, 1)
		q := asks("delete_policy_entry", "policy-002")
		q.Hold = &inbox.Hold{For: 20 * time.Second}
		q.Facts.Conversation = fmt.Sprint(t.Name(), yes)
		by := bearer(t, h, "support")
		go func() {
			out, err := h.Ask(context.WithoutCancel(t.Context()), "support", by, q)
			if err != nil {
				t.Error(err)
			}
			done <- out
		}()
		w := waiting(t, h)
		if w.Err != nil || w.Shown.Tool != "delete_policy_entry" || w.Agent() != "support" {
			t.Errorf("%+v", w)
		}
		if err := h.Answer(t.Context(), ada, w.Approval.RunID, "sha256:0", true); err == nil {
			t.Error("another call is approved")
		}
		if err := h.Answer(t.Context(), ada, w.Approval.RunID, w.Approval.Digest, yes); err != nil {
			t.Error(err)
		}
		return <-done
	}
	if out := answer(false); out.Call != "none" || len(u.demo.Policies.All()) != policies {
		t.Errorf("denied: %s, %d", out.Call, len(u.demo.Policies.All()))
	}
	if out := answer(true); out.Type != host.ToolResult || len(u.demo.Policies.All()) != policies-1 {
		t.Errorf("approved: %s %+v, %d", out.Type, out.Error, len(u.demo.Policies.All()))
	}
}

func waiting(t *testing.T, h *orgs.Hosts) orgs.Waiting {
	t.Helper()
	for range 400 {
		all, err := h.Waits(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == 1 && all[0].Approval.Held.After(time.Now()) {
			return all[0]
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatal("no call waits")
	return orgs.Waiting{}
}

// What was changed while a call waited decides it: the call is not made.
func TestAChangeCountsForACallThatWaits(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*testing.T, *orgs.Hosts) error{
		"another list": func(t *testing.T, h *orgs.Hosts) error {
			_, err := h.Org.UpdateAgent(t.Context(), ada, "support", 0, func(a *org.Agent) { a.Mode = org.Nothing })
			return err
		},
		"no server": func(t *testing.T, h *orgs.Hosts) error { return h.Org.RemoveServer(t.Context(), ada, "support", kb) },
		"no agent":  func(t *testing.T, h *orgs.Hosts) error { return h.Org.DeleteAgent(t.Context(), ada, "support") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, u := newHosts(t, newState(t)), newUpstream(t)
			approved(t, h, u, "support")
			policies := len(u.demo.Policies.All())
			done := make(chan host.Outcome, 1)
			q := asks("delete_policy_entry", "policy-002")
			q.Hold, q.Facts.Conversation = &inbox.Hold{For: 20 * time.Second}, name
			by := bearer(t, h, "support")
			go func() {
				out, _ := h.Ask(context.WithoutCancel(t.Context()), "support", by, q)
				done <- out
			}()
			w := waiting(t, h)
			if err := change(t, h); err != nil {
				t.Fatal(err)
			}
			if err := h.Answer(t.Context(), ada, w.Approval.RunID, w.Approval.Digest, true); err != nil {
				t.Fatal(err)
			}
			want := verdict.OrgChanged
			if name == "no agent" {
				want = verdict.OrgToken // its tokens are gone, too
			}
			if out := <-done; codeOf(out) != want || out.Call != "none" || len(u.demo.Policies.All()) != policies {
				t.Errorf("%s, %+v, %d policies", out.Call, out.Error, len(u.demo.Policies.All()))
			}
		})
	}
}

// A revoked token makes no call, also of a request that began before.
func TestARevokedTokenMakesNoCall(t *testing.T) {
	t.Parallel()
	h, u := newHosts(t, newState(t)), newUpstream(t)
	approved(t, h, u, "support")
	by := bearer(t, h, "support")
	if err := h.Org.RevokeToken(t.Context(), ada, by.Token); err != nil {
		t.Fatal(err)
	}
	for name, by := range map[string]org.Caller{"revoked": by, "none": {}, "another scope": {Token: bearer(t, h, "support").Token, Scope: org.Changes}} {
		before := u.requests.Load()
		if out, err := h.Ask(t.Context(), "support", by, asks("fetch_policy_entry", "policy-002")); verdict.CodeOf(err) != verdict.OrgToken || out.Call == "answered" || u.requests.Load() != before {
			t.Errorf("%s: %v, %s", name, err, out.Call)
		}
	}
}

// A decision on a server's tools counts for every name of that server at once.
func TestADecisionCountsUnderEveryName(t *testing.T) {
	t.Parallel()
	h, u := newHosts(t, newState(t)), newUpstream(t)
	approved(t, h, u, "support")
	if _, err := h.Org.CreateAgent(t.Context(), ada, org.Agent{Name: "other", Enabled: true, Mode: org.All, Acknowledged: true}); err != nil {
		t.Fatal(err)
	}
	c := u.change()
	c.Server = "kb2"
	if _, _, err := h.Org.AddServer(t.Context(), ada, "other", c); err != nil {
		t.Fatal(err)
	}
	q := host.Question{Subject: orgs.OfAgent("other"), Plan: plan.Call("kb2", "fetch_policy_entry", []byte(`{"policy_id":"policy-002"}`)), Client: true}
	if out := ask(t, h, "other", q); out.Type != host.ToolResult {
		t.Fatalf("%s, %+v", out.Type, out.Error)
	}
	r, err := h.Look(t.Context(), "support", kb)
	if err != nil {
		t.Fatal(err)
	}
	d := orgs.Decision{Effects: map[string]string{"fetch_policy_entry": "write"}}
	for _, p := range r.Parts {
		if p.Tool == "fetch_policy_entry" {
			d.Digests = []string{p.Digest}
		}
	}
	if _, err := h.Decide(t.Context(), ada, "support", kb, d); err != nil {
		t.Fatal(err)
	}
	if out := ask(t, h, "other", q); out.Call != "none" {
		t.Errorf("a tool that writes by now is called: %s", out.Type)
	}
}

// A member does not approve their own question, and a question of a member who was disabled
// meanwhile makes no call.
func TestAMembersQuestion(t *testing.T) {
	t.Parallel()
	h, u := newHosts(t, newState(t)), newUpstream(t)
	approved(t, h, u, "support")
	policies := len(u.demo.Policies.All())
	if _, err := h.Org.CreateMember(t.Context(), ada, org.Member{Name: "root", Role: org.Admin}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Org.CreateMember(t.Context(), ada, org.Member{Name: "bo", Role: org.Approver}); err != nil {
		t.Fatal(err)
	}
	k, _, err := h.Org.CreateToken(t.Context(), ada, org.Token{Member: "bo"})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan host.Outcome, 1)
	q := asks("delete_policy_entry", "policy-002")
	q.Client, q.Subject, q.Hold = false, orgs.OfMember("bo", "support"), &inbox.Hold{For: 20 * time.Second}
	go func() {
		out, _ := h.Ask(context.WithoutCancel(t.Context()), "support", org.Caller{Token: k.ID, Scope: org.Decides}, q)
		done <- out
	}()
	w := waiting(t, h)
	if w.Agent() != "support" {
		t.Errorf("the approver sees the agent %q", w.Agent())
	}
	if err := h.Answer(t.Context(), org.By{Member: "bo", Token: k.ID}, w.Approval.RunID, w.Approval.Digest, true); verdict.CodeOf(err) != verdict.ApprovalRefused {
		t.Errorf("their own question: %v", err)
	}
	if _, err := h.Org.UpdateMember(t.Context(), ada, "bo", org.Approver, false); err != nil {
		t.Fatal(err)
	}
	if err := h.Answer(t.Context(), ada, w.Approval.RunID, w.Approval.Digest, true); err != nil {
		t.Fatal(err)
	}
	if out := <-done; codeOf(out) != verdict.OrgToken || out.Call != "none" || len(u.demo.Policies.All()) != policies {
		t.Errorf("%s %+v, %d policies", out.Type, out.Error, len(u.demo.Policies.All()))
	}
}
