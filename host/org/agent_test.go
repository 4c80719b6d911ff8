package org_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/org"
)

func TestNamesArePartsOfPaths(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	for _, name := range []string{"a", "A-b_c.1", strings.Repeat("x", 64)} {
		agent(t, w, name)
		member(t, w, name, org.Viewer)
		add(t, w, name, remote(name))
	}
	for _, name := range []string{"", ".", "..", ".a", "a/b", "/", "a b", "a\x00", "ä", "a\n", "%2e", strings.Repeat("x", 65)} {
		_, err := w.CreateAgent(t.Context(), ada, org.Agent{Name: name, Mode: org.Nothing})
		refused(t, err, verdict.OrgInvalid)
		_, err = w.CreateMember(t.Context(), ada, org.Member{Name: name, Role: org.Admin})
		refused(t, err, verdict.OrgInvalid)
		_, _, err = w.AddServer(t.Context(), ada, "a", remote(name))
		refused(t, err, verdict.OrgInvalid)
		_, err = w.Agent(t.Context(), name)
		refused(t, err, verdict.OrgUnknown)
		_, err = w.Use(t.Context(), "a", name)
		refused(t, err, verdict.OrgUnknown)
		if list, err := w.Uses(t.Context(), name, "", 9); len(list) > 0 || err != nil {
			t.Errorf("%q uses %v, %v", name, list, err)
		}
	}
	_, err := w.Use(t.Context(), "a/a", "")
	refused(t, err, verdict.OrgUnknown)
	_, err = w.CreateAgent(t.Context(), ada, org.Agent{Name: "a", Mode: org.Nothing})
	refused(t, err, verdict.OrgConflict)
	_, err = w.CreateMember(t.Context(), ada, org.Member{Name: "ada", Role: org.Viewer})
	refused(t, err, verdict.OrgConflict)
}

func TestAModeAllowsNoMoreThanItSays(t *testing.T) {
	t.Parallel()
	list := []string{"kb/get", "kb/a/b"}
	for _, c := range []struct {
		agent org.Agent
		want  []string // of kb/get, kb/put, kb/a/b and kb2/get
	}{
		{org.Agent{}, nil},
		{org.Agent{Enabled: true}, nil},
		{org.Agent{Enabled: true, List: list}, nil},
		{org.Agent{Enabled: true, Mode: "ALL", Acknowledged: true, List: list}, nil},
		{org.Agent{Enabled: true, Mode: org.Nothing, Acknowledged: true, List: list}, nil},
		{org.Agent{Enabled: true, Mode: org.Allowlist}, nil},
		{org.Agent{Enabled: true, Mode: org.Allowlist, List: list}, []string{"kb/get", "kb/a/b"}},
		{org.Agent{Mode: org.Allowlist, List: list}, nil},
		{org.Agent{Enabled: true, Mode: org.Denylist, Acknowledged: true, List: list}, []string{"kb/put", "kb2/get"}},
		{org.Agent{Enabled: true, Mode: org.Denylist, List: list}, nil},
		{org.Agent{Mode: org.Denylist, Acknowledged: true, List: list}, nil},
		{org.Agent{Enabled: true, Mode: org.All, Acknowledged: true, List: list}, []string{"kb/get", "kb/put", "kb/a/b", "kb2/get"}},
		{org.Agent{Enabled: true, Mode: org.All}, nil},
		{org.Agent{Mode: org.All, Acknowledged: true}, nil},
	} {
		var got []string
		for _, tool := range []string{"kb/get", "kb/put", "kb/a/b", "kb2/get"} {
			if server, name, _ := strings.Cut(tool, "/"); c.agent.Allows(server, name) {
				got = append(got, tool)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v: %s", c.agent, diff)
		}
	}
}

func TestAWideModeIsAcknowledged(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	many := make([]string, 10_001)
	for i := range many {
		many[i] = fmt.Sprint("kb/t", i)
	}
	for _, bad := range []org.Agent{
		{},
		{Mode: "All"},
		{Mode: org.All},
		{Mode: org.Denylist},
		{Mode: org.Nothing, Budget: org.Budget{Calls: -1}},
		{Mode: org.Allowlist, List: many},
		{Mode: org.Denylist, Acknowledged: true, List: []string{"kb"}},
		{Mode: org.Nothing, List: []string{"kb/"}},
		{Mode: org.Nothing, List: []string{"/get"}},
		{Mode: org.Nothing, List: []string{"kb /get"}},
		{Mode: org.Nothing, List: []string{"kb/" + strings.Repeat("x", 257)}},
	} {
		bad.Name = "a"
		_, err := w.CreateAgent(t.Context(), ada, bad)
		refused(t, err, verdict.OrgInvalid)
	}
	agent(t, w, "a")
	set := func(mode org.Mode, acknowledged bool) (org.Agent, error) {
		return w.UpdateAgent(t.Context(), ada, "a", 0, func(a *org.Agent) { a.Mode, a.Acknowledged = mode, a.Acknowledged || acknowledged })
	}
	for _, mode := range []org.Mode{org.Denylist, org.All} {
		_, err := set(mode, false)
		refused(t, err, verdict.OrgInvalid)
		if a := must[org.Agent](t)(set(mode, true)); !a.Acknowledged {
			t.Errorf("%+v", a)
		}
		if a := must[org.Agent](t)(set(org.Allowlist, false)); a.Acknowledged {
			t.Errorf("the acknowledgement outlives the mode: %+v", a)
		}
	}
	if is := must[org.Agent](t)(w.Agent(t.Context(), "a")); is.Mode != org.Allowlist {
		t.Errorf("%+v", is)
	}
}

func TestADeletedAgentLeavesNothing(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a", "ab")
	for _, of := range []string{"a", "ab"} {
		add(t, w, of, remote("kb"))
	}
	add(t, w, "a", started("own"))
	_, gone := token(t, w, org.Token{Agent: "a"})
	_, stays := token(t, w, org.Token{Agent: "ab"})
	_, err := w.UpdateAgent(t.Context(), ada, "a", 0, func(a *org.Agent) { a.Mode, a.Acknowledged, a.List = org.All, true, []string{"kb/get"} })
	ok(t, err)
	revision := must[string](t)(w.Revision(t.Context(), "a"))
	was := must[org.Agent](t)(w.Agent(t.Context(), "a"))
	ok(t, w.DeleteAgent(t.Context(), ada, "a"))
	refused(t, w.DeleteAgent(t.Context(), ada, "a"), verdict.OrgUnknown)
	for _, later := range []bool{false, true} { // another agent of this name
		if later {
			agent(t, w, "a")
		}
		_, err = w.Bearer(t.Context(), gone)
		refused(t, err, verdict.OrgToken)
		_, err = w.Use(t.Context(), "a", "kb")
		refused(t, err, verdict.OrgUnknown)
		_, err = w.Server(t.Context(), "own")
		refused(t, err, verdict.OrgUnknown)
		refused(t, called(t, w.Org, "a", revision), verdict.OrgChanged)
		if a, err := w.Agent(t.Context(), "a"); (err == nil) != later || len(a.List) > 0 || later && a.Number <= was.Number {
			t.Errorf("%+v, %v", a, err)
		}
	}
	if _, err := w.Bearer(t.Context(), stays); err != nil || secrets(t, w, "ab", "kb")[org.AuthSecret] == "" {
		t.Error(err)
	}
	_, err = w.UpdateAgent(t.Context(), ada, "a", was.Number, func(*org.Agent) {})
	refused(t, err, verdict.OrgMoved)
}

// called is what a call of an agent comes to in the transaction that redeems it.
func called(t *testing.T, o *org.Org, agent, revision string) error {
	t.Helper()
	return o.State.RedeemIf(t.Context(), grant.Redemption{}, org.Unchanged(agent, revision))
}

func TestACallOfAnOlderRevisionIsNotMade(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a", "other")
	add(t, w, "a", started("kb"))
	k, _ := token(t, w, org.Token{Agent: "a"})
	there := w.other(t) // which makes the calls
	for _, empty := range []string{"nobody", "a", ""} {
		refused(t, called(t, there, empty, ""), verdict.OrgChanged)
	}
	ctx := context.WithoutCancel(t.Context())
	update := func(c org.Change) error {
		_, _, err := w.UpdateServer(ctx, ada, "a", 0, true, c)
		return err
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"disable", func() error {
			_, err := w.UpdateAgent(ctx, ada, "a", 0, func(a *org.Agent) { a.Enabled = false })
			return err
		}},
		{"revoke", func() error { return w.RevokeToken(ctx, ada, k.ID) }},
		{"start", func() error {
			_, err := w.ApproveStart(ctx, ada, "kb", must[org.Server](t)(w.Server(ctx, "kb")).Command())
			return err
		}},
		{"decide", func() error { return w.Decided(ctx, ada, "tools_rejected", "kb", nil) }},
		{"use", func() error { c := started("kb"); c.Enabled = false; return update(c) }},
		{"spec", func() error { return update(remote("kb")) }},
		{"another's spec", func() error {
			c := remote("kb")
			if _, _, err := w.AddServer(ctx, ada, "other", c); err != nil {
				return err
			}
			c.Spec.URL += "x"
			_, _, err := w.UpdateServer(ctx, ada, "other", 0, true, c)
			return err
		}},
		{"remove", func() error { return w.RemoveServer(ctx, ada, "a", "kb") }},
		{"delete", func() error { return w.DeleteAgent(ctx, ada, "a") }},
	} {
		revision := must[string](t)(there.Revision(ctx, "a"))
		other := must[string](t)(there.Revision(ctx, "ab"))
		ok(t, called(t, there, "a", revision))
		ok(t, step.do())
		if err := called(t, there, "a", revision); err == nil || other != must[string](t)(there.Revision(ctx, "ab")) {
			t.Errorf("after %s: %v", step.name, err)
		} else {
			refused(t, err, verdict.OrgChanged)
		}
	}
}

// A number of an agent or a server never comes again, so that no If-Match holds for another one.
func TestARevisionNeverComesAgain(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agents, servers := map[int64]bool{}, map[int64]bool{}
	for range 3 {
		a := must[org.Agent](t)(w.CreateAgent(t.Context(), ada, org.Agent{Name: "a", Mode: org.Nothing}))
		s := add(t, w, "a", remote("kb"))
		b := must[org.Agent](t)(w.UpdateAgent(t.Context(), ada, "a", a.Number, func(a *org.Agent) { a.Name, a.Number = "b", 1 }))
		if b.Name != "a" || agents[a.Number] || agents[b.Number] || servers[s.Number] || a.Number == b.Number || is(t, w, "a") != b.Number {
			t.Errorf("%+v, %+v, %+v after %v, %v", a, b, s, agents, servers)
		}
		agents[a.Number], agents[b.Number], servers[s.Number] = true, true, true
		_, err := w.UpdateAgent(t.Context(), ada, "a", a.Number, func(*org.Agent) {})
		refused(t, err, verdict.OrgMoved)
		_, _, err = w.UpdateServer(t.Context(), ada, "a", s.Number+1, false, remote("kb"))
		refused(t, err, verdict.OrgMoved)
		ok(t, w.DeleteAgent(t.Context(), ada, "a"))
	}
}

func is(t *testing.T, w *world, name string) int64 {
	t.Helper()
	return must[org.Agent](t)(w.Agent(t.Context(), name)).Number
}

func TestConcurrentChangesLoseNothing(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a")
	both := []*org.Org{w.Org, w.other(t)}
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			o := both[i%2]
			if _, err := o.UpdateAgent(t.Context(), ada, "a", 0, func(a *org.Agent) { a.List = append(a.List, fmt.Sprint("kb/t", i)) }); err != nil {
				t.Error(err)
			}
			if _, _, err := o.AddServer(t.Context(), ada, "a", remote(fmt.Sprint("kb", i))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	a := must[org.Agent](t)(w.Agent(t.Context(), "a"))
	used := must[[]org.Use](t)(w.Uses(t.Context(), "a", "", 100))
	list, _ := events(t, w, 0)
	if len(a.List) != 10 || len(used) != 10 || len(list) != 2+10+10 {
		t.Errorf("%v, %d servers, %v", a.List, len(used), list)
	}
}

// If-Match of two processes.
func TestExactlyOneOfManyWithOneRevision(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a")
	s := add(t, w, "a", remote("kb"))
	both, number := []*org.Org{w.Org, w.other(t)}, is(t, w, "a")
	var won, servers atomic.Int64
	var all sync.WaitGroup
	for i := range 10 {
		all.Go(func() {
			if _, err := both[i%2].UpdateAgent(t.Context(), ada, "a", number, func(*org.Agent) {}); err == nil {
				won.Add(1)
			}
			if _, _, err := both[i%2].UpdateServer(t.Context(), ada, "a", s.Number, false, remote("kb")); err == nil {
				servers.Add(1)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 || servers.Load() != 1 {
		t.Errorf("%d changes of the agent and %d of the server were made", won.Load(), servers.Load())
	}
}

// A list continues after a name, skips no row, and has no row of another agent.
func TestListsAreInOrderAndWhole(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	names := []string{"A", "a", "a-b", "a.b", "ab", "a_b", "b"}
	agent(t, w, names...)
	for _, name := range names {
		for _, server := range names {
			add(t, w, name, remote(server))
		}
		token(t, w, org.Token{Agent: "a", Name: name})
	}
	slices.Sort(names)
	var got [4][]string
	for after := ""; ; {
		page := must[[]org.Agent](t)(w.Agents(t.Context(), after, 2))
		if len(page) == 0 {
			break
		}
		for _, a := range page {
			after, got[0] = a.Name, append(got[0], a.Name)
		}
	}
	for after := ""; ; {
		page := must[[]org.Use](t)(w.Uses(t.Context(), "a", after, 3))
		if len(page) == 0 {
			break
		}
		for _, u := range page {
			after, got[1] = u.Server, append(got[1], u.Agent+"/"+u.Server)
		}
	}
	for after := ""; ; {
		page := must[[]org.Server](t)(w.Servers(t.Context(), after, 1))
		if len(page) == 0 {
			break
		}
		after, got[2] = page[0].Name, append(got[2], page[0].Name)
	}
	for after := ""; ; {
		page := must[[]org.Token](t)(w.Tokens(t.Context(), after, 2))
		if len(page) == 0 {
			break
		}
		for _, k := range page {
			after, got[3] = k.ID, append(got[3], k.Name)
		}
	}
	slices.Sort(got[3])
	uses := make([]string, len(names))
	for i, name := range names {
		uses[i] = "a/" + name
	}
	if diff := cmp.Diff([4][]string{names, uses, names, names}, got); diff != "" {
		t.Error(diff)
	}
	for _, limit := range []int{-1, 0} {
		if some, err := w.Agents(t.Context(), "", limit); len(some) > 0 || err != nil {
			t.Errorf("at most %d: %d, %v", limit, len(some), err)
		}
		if some, err := w.Events(t.Context(), 0, limit); len(some) > 0 || err != nil {
			t.Errorf("at most %d: %d events, %v", limit, len(some), err)
		}
	}
}
