package org_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/org"
	"github.com/onestep-run/onestep/host/store"
)

var every = []string{org.Calls, org.Reads, org.Decides, org.Changes}

func TestATokenHasNoMoreScopesThanItsOwner(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a")
	member(t, w, "vi", org.Viewer)
	member(t, w, "bo", org.Approver)
	for _, c := range []struct {
		of   org.Token
		want []string
	}{
		{org.Token{Agent: "a"}, every[:1]},
		{org.Token{Member: "vi"}, every[1:2]},
		{org.Token{Member: "bo"}, every[1:3]},
		{org.Token{Member: "ada"}, every[1:]},
		{org.Token{Member: "ada", Scopes: []string{org.Reads}}, every[1:2]},
		{org.Token{Agent: "a", Scopes: []string{}}, []string{}},
	} {
		k, text := token(t, w, c.of)
		if is, err := w.other(t).Bearer(t.Context(), text); err != nil || cmp.Diff(c.want, is.Scopes) != "" || is.ID != k.ID {
			t.Errorf("%+v: %+v, %v", c.of, is, err)
		}
		for _, scope := range append(every, "", "*", "admin ") {
			if c.of.Scopes = append(slices.Clone(c.want), scope); c.of.Member == "ada" || slices.Contains(c.want, scope) {
				continue
			}
			if len(c.want) == 0 && scope == org.Calls {
				continue
			}
			_, text, err := w.CreateToken(t.Context(), ada, c.of)
			if refused(t, err, verdict.OrgInvalid); text != "" {
				t.Error("the text of a refused token")
			}
		}
	}
	for _, bad := range []org.Token{{}, {Agent: "a", Member: "ada"}, {Agent: "a", Name: strings.Repeat("x", 65)}, {Agent: "a", Name: "\xff"}, {Agent: "a", Expires: time.Date(1e5, 1, 1, 0, 0, 0, 0, time.UTC)}} {
		_, _, err := w.CreateToken(t.Context(), ada, bad)
		refused(t, err, verdict.OrgInvalid)
	}
	for _, of := range []org.Token{{Agent: "ada"}, {Member: "a"}, {Agent: "a/"}} {
		_, _, err := w.CreateToken(t.Context(), ada, of)
		refused(t, err, verdict.OrgUnknown)
	}
	// A person with the database widens an agent's token.
	k, text := token(t, w, org.Token{Agent: "a"})
	altered(t, w, "token", k.Digest, func(body string) string { return strings.Replace(body, `["mcp"]`, `["mcp","approve","admin"]`, 1) })
	if is := must[org.Token](t)(w.Bearer(t.Context(), text)); !slices.Equal(is.Scopes, every[:1]) {
		t.Errorf("%v", is.Scopes)
	}
}

func TestADemotedMemberLosesScopesAtOnce(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	member(t, w, "bo", org.Admin)
	_, text := token(t, w, org.Token{Member: "bo"})
	there := w.other(t)
	for _, role := range []org.Role{org.Admin, org.Approver, org.Viewer} {
		must[org.Member](t)(w.UpdateMember(t.Context(), ada, "bo", role, true))
		if is := must[org.Token](t)(there.Bearer(t.Context(), text)); !slices.Equal(is.Scopes, role.Scopes()) {
			t.Errorf("%s: %v", role, is.Scopes)
		}
	}
	must[org.Member](t)(w.UpdateMember(t.Context(), ada, "bo", org.Admin, false))
	_, err := there.Bearer(t.Context(), text)
	refused(t, err, verdict.OrgToken)
	// The members cannot be read: the token may be valid.
	ok(t, w.State.Change(t.Context(), func(tx *store.Tx) error { return tx.Put("member", "bo", []byte("{")) }))
	if _, err := there.Bearer(t.Context(), text); err == nil || verdict.CodeOf(err) == verdict.OrgToken {
		t.Error(err)
	}
}

func TestTheLastAdminStays(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	member(t, w, "bo", org.Approver)
	set := func(name string, role org.Role, enabled bool) error {
		_, err := w.UpdateMember(context.WithoutCancel(t.Context()), ada, name, role, enabled)
		return err
	}
	refused(t, set("ada", org.Approver, true), verdict.OrgConflict)
	refused(t, set("ada", org.Admin, false), verdict.OrgConflict)
	refused(t, set("ada", "", true), verdict.OrgInvalid)
	refused(t, set("nobody", org.Admin, true), verdict.OrgUnknown)
	ok(t, set("bo", org.Admin, false))
	refused(t, set("ada", org.Viewer, true), verdict.OrgConflict)
	ok(t, set("bo", org.Admin, true))
	ok(t, set("ada", org.Viewer, true))
	refused(t, set("bo", org.Viewer, true), verdict.OrgConflict)
	list := must[[]org.Member](t)(w.Members(t.Context(), "", 9))
	if len(list) != 2 || list[0].Role != org.Viewer || list[1].Role != org.Admin {
		t.Errorf("%+v", list)
	}
	_, err := w.CreateMember(t.Context(), ada, org.Member{Name: "eve", Role: "owner"})
	refused(t, err, verdict.OrgInvalid)
}

// The answer does not say whether a token was ever valid.
func TestARefusedTokenSaysNotWhy(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a")
	member(t, w, "bo", org.Viewer)
	k, revoked := token(t, w, org.Token{Agent: "a"})
	expires := w.now().Add(time.Hour).In(time.FixedZone("", 5*3600+1)) // an offset with seconds
	_, expired := token(t, w, org.Token{Agent: "a", Expires: expires})
	_, disabled := token(t, w, org.Token{Member: "bo"})
	_, stays := token(t, w, org.Token{Agent: "a", Revoked: w.now(), ID: "x", Digest: "y"})
	w.pass(time.Hour - time.Second)
	for _, text := range []string{revoked, expired, disabled, stays} {
		must[org.Token](t)(w.Bearer(t.Context(), text))
	}
	w.pass(time.Second)
	for _, id := range []string{"", k.ID[:15], k.Digest, k.ID + "0", "%", "_"} {
		refused(t, w.RevokeToken(t.Context(), ada, id), verdict.OrgUnknown)
	}
	ok(t, w.RevokeToken(t.Context(), ada, k.ID))
	ok(t, w.RevokeToken(t.Context(), ada, k.ID)) // it is revoked
	must[org.Member](t)(w.UpdateMember(t.Context(), ada, "bo", org.Viewer, false))
	says := map[string]bool{}
	for _, text := range []string{revoked, expired, disabled, "", "askd_", k.Digest, "askd_" + k.Digest, stays + " ", strings.ToLower(stays), stays[5:]} {
		is, err := w.other(t).Bearer(t.Context(), text)
		if refused(t, err, verdict.OrgToken); is.Scopes != nil || is.ID != "" {
			t.Errorf("%+v", is)
		}
		says[fmt.Sprint(err)] = true
	}
	if len(says) != 1 {
		t.Errorf("%v", says)
	}
	must[org.Token](t)(w.Bearer(t.Context(), stays))
}

// Each change has one event with who made it, and a change that fails has none.
func TestEachChangeHasOneEvent(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	ctx := context.WithoutCancel(t.Context())
	var k org.Token
	kb, cli := remote("kb"), started("cli")
	kb.Values[org.AuthSecret] += "2"
	steps := []struct {
		want string
		do   func(by org.By) error
	}{
		{"agent_created a", func(by org.By) error {
			_, err := w.CreateAgent(ctx, by, org.Agent{Name: "a", Mode: org.Nothing})
			return err
		}},
		{"agent_updated a", func(by org.By) error {
			_, err := w.UpdateAgent(ctx, by, "a", 0, func(a *org.Agent) { a.Enabled = true })
			return err
		}},
		{"member_created bo", func(by org.By) error {
			_, err := w.CreateMember(ctx, by, org.Member{Name: "bo", Role: org.Viewer})
			return err
		}},
		{"member_updated bo", func(by org.By) error { _, err := w.UpdateMember(ctx, by, "bo", org.Approver, true); return err }},
		{"token_created ID", func(by org.By) (err error) { k, _, err = w.CreateToken(ctx, by, org.Token{Agent: "a"}); return err }},
		{"token_revoked ID", func(by org.By) error { return w.RevokeToken(ctx, by, k.ID) }},
		{"server_attached kb", func(by org.By) error { _, _, err := w.AddServer(ctx, by, "a", kb); return err }},
		{"server_updated kb", func(by org.By) error { _, _, err := w.UpdateServer(ctx, by, "a", 0, false, kb); return err }},
		{"server_attached cli", func(by org.By) error { _, _, err := w.AddServer(ctx, by, "a", cli); return err }},
		{"server_start_approved cli", func(by org.By) error {
			_, err := w.ApproveStart(ctx, by, "cli", must[org.Server](t)(w.Server(ctx, "cli")).Command())
			return err
		}},
		{"tools_approved kb", func(by org.By) error { return w.Decided(ctx, by, "tools_approved", "kb", map[string]int{"tools": 1}) }},
		{"server_detached kb", func(by org.By) error { return w.RemoveServer(ctx, by, "a", "kb") }},
		{"agent_deleted a", func(by org.By) error { return w.DeleteAgent(ctx, by, "a") }},
	}
	own, _, err := w.CreateToken(ctx, ada, org.Token{Member: "ada"})
	ok(t, err)
	who := org.By{Member: "ada", Token: own.ID}
	_, last := events(t, w, 0)
	for _, step := range steps {
		refused(t, step.do(org.By{Token: "t0"}), verdict.Internal) // by no one
		lost := w.Keys
		if w.Keys = fresh(t).Keys; step.want == "server_updated kb" {
			refused(t, step.do(who), verdict.OrgSecret)
		}
		w.Keys = lost
		if got, _ := events(t, w, last); got != nil {
			t.Errorf("%s failed, and has the events %v", step.want, got)
		}
		ok(t, step.do(who))
		var got []string
		got, last = events(t, w, last)
		if diff := cmp.Diff([]string{"ada " + own.ID + " " + strings.Replace(step.want, "ID", k.ID, 1)}, got); diff != "" {
			t.Error(diff)
		}
	}
}

// A change is refused in its transaction when the token of who makes it has ended meanwhile, or its
// member has lost the role.
func TestAChangeNeedsATokenThatHolds(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a")
	ctx := t.Context()
	for name, end := range map[string]func(org.Token) error{
		"revoked":  func(k org.Token) error { return w.RevokeToken(ctx, ada, k.ID) },
		"demoted":  func(k org.Token) error { _, err := w.UpdateMember(ctx, ada, k.Member, org.Approver, true); return err },
		"disabled": func(k org.Token) error { _, err := w.UpdateMember(ctx, ada, k.Member, org.Admin, false); return err },
	} {
		must[org.Member](t)(w.CreateMember(ctx, ada, org.Member{Name: name, Role: org.Admin}))
		k, _, err := w.CreateToken(ctx, ada, org.Token{Member: name})
		ok(t, err)
		by := org.By{Member: name, Token: k.ID}
		_, err = w.UpdateAgent(ctx, by, "a", 0, func(*org.Agent) {})
		ok(t, err)
		ok(t, end(k))
		_, err = w.UpdateAgent(ctx, by, "a", 0, func(*org.Agent) {})
		refused(t, err, verdict.OrgToken)
	}
	_, err := w.UpdateAgent(ctx, org.By{Member: "ada", Token: "0"}, "a", 0, func(*org.Agent) {})
	refused(t, err, verdict.OrgToken)
}
