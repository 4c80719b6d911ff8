package org_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/org"
)

func TestAgentsShareAServerOfTheSameSpec(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a", "ab")
	first := add(t, w, "a", remote("kb"))
	if diff := cmp.Diff(first, add(t, w, "ab", remote("kb"))); diff != "" {
		t.Error(diff)
	}
	_, _, err := w.AddServer(t.Context(), ada, "a", remote("kb"))
	refused(t, err, verdict.OrgConflict)
	agent(t, w, "c")
	for _, other := range others() {
		c := remote("kb")
		other(&c)
		_, _, err := w.AddServer(t.Context(), ada, "c", c)
		refused(t, err, verdict.OrgConflict)
	}
	_, err = w.Use(t.Context(), "c", "kb")
	refused(t, err, verdict.OrgUnknown)
	_, _, err = w.AddServer(t.Context(), ada, "nobody", remote("kb"))
	refused(t, err, verdict.OrgUnknown)

	ok(t, w.RemoveServer(t.Context(), ada, "a", "kb"))
	must[org.Server](t)(w.Server(t.Context(), "kb"))
	ok(t, w.RemoveServer(t.Context(), ada, "ab", "kb"))
	_, err = w.Server(t.Context(), "kb")
	refused(t, err, verdict.OrgUnknown)
	refused(t, w.RemoveServer(t.Context(), ada, "ab", "kb"), verdict.OrgUnknown)
}

// others are changes of what is started or dialled.
func others() map[string]func(*org.Change) {
	return map[string]func(*org.Change){
		"address":     func(c *org.Change) { c.Spec.URL += "/" },
		"type":        func(c *org.Change) { c.Spec.Type = "sse" },
		"header":      func(c *org.Change) { c.Spec.Headers = map[string]string{"X-Other": "${HEADER_X_TEAM}"} },
		"issuer":      func(c *org.Change) { c.Spec.OAuth = &config.OAuth{Issuer: "https://evil.example"} },
		"command":     func(c *org.Change) { c.Spec.Command += "x" },
		"args":        func(c *org.Change) { c.Spec.Args = []string{"--std", "io"} },
		"directory":   func(c *org.Change) { c.Spec.Dir = "/tmp" },
		"variable":    func(c *org.Change) { c.Spec.Env = map[string]string{"LD_PRELOAD": "${KB_TOKEN}"} },
		"manifest":    func(c *org.Change) { c.Spec.Manifest = jsontext.Value(`{"network": ["evil.example"]}`) },
		"scopes":      func(c *org.Change) { c.Spec.Scopes = jsontext.Value(`{"net": {"hosts": ["evil.example"]}}`) },
		"confinement": func(c *org.Change) { c.Unconfined = "it needs the disk" },
	}
}

// Another command or address ends the approval of the command and the secrets of all agents, and
// the one before does not bring them back.
func TestAnotherPlaceEndsTheApprovalAndTheSecrets(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a", "b")
	for name, other := range others() {
		for _, of := range []func(string) org.Change{remote, started} {
			c := of(name)
			s := add(t, w, "a", c)
			add(t, w, "b", c)
			if s.Starts() {
				_, err := w.ApproveStart(t.Context(), ada, name, s.Command()[:8])
				refused(t, err, verdict.OrgMoved)
				if s = must[org.Server](t)(w.ApproveStart(t.Context(), ada, name, s.Command())); !s.Approved() || s.Started.By != "ada" {
					t.Errorf("%s: %+v", name, s.Started)
				}
			}
			changed, was := s, c
			changed.Spec.Args = []string{"--other"} // by a person with the database
			if s.Starts() && changed.Approved() {
				t.Errorf("%s: another command is approved", name)
			}
			c.Values = nil
			other(&c)
			_, _, err := w.UpdateServer(t.Context(), ada, "a", 0, false, c)
			refused(t, err, verdict.OrgConflict)
			if got := secrets(t, w, "a", name); !maps.Equal(got, was.Values) {
				t.Errorf("%s: a refused change has the secrets %v", name, got)
			}
			for _, c := range []org.Change{c, was} {
				c.Values = nil
				is, _, err := w.UpdateServer(t.Context(), ada, "a", 0, true, c)
				if ok(t, err); is.Approved() == is.Starts() || secrets(t, w, "a", name) != nil || secrets(t, w, "b", name) != nil {
					t.Errorf("%s: approved %v, %v, %v", name, is.Approved(), secrets(t, w, "a", name), secrets(t, w, "b", name))
				}
			}
			ok(t, w.RemoveServer(t.Context(), ada, "a", name))
			ok(t, w.RemoveServer(t.Context(), ada, "b", name))
		}
	}
	if (org.Server{}).Approved() || (org.Server{Spec: config.Spec{URL: "https://kb.example", Command: "sh"}}).Approved() {
		t.Error("what no admin approved is approved")
	}
	add(t, w, "a", remote("far"))
	_, err := w.ApproveStart(t.Context(), ada, "far", must[org.Server](t)(w.Server(t.Context(), "far")).Command())
	refused(t, err, verdict.OrgMoved)
}

func TestASecretIsKeptWhileItsPlaceIsTheSame(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a", "b")
	c := remote("kb")
	add(t, w, "a", c)
	add(t, w, "b", c)
	all, team := maps.Clone(c.Values), map[string]string{"HEADER_X_TEAM": canary + "team"}
	issuer := func(at string) org.Auth { return org.Auth{Type: org.OAuth2, OAuth: &config.OAuth{Issuer: at}} }
	for i, step := range []struct {
		auth   org.Auth
		values map[string]string
		names  []string
		want   map[string]string
	}{
		{c.Auth, nil, c.Names, all},
		{c.Auth, map[string]string{"OTHER": canary + "x"}, append(c.Names, c.Names...), all},
		{org.Auth{Type: org.APIKey, Header: "X-Key"}, nil, c.Names, team},
		{issuer("https://a.example"), map[string]string{org.AuthSecret: canary + "\x00ä\u2028"}, c.Names, map[string]string{"HEADER_X_TEAM": canary + "team", org.AuthSecret: canary + "\x00ä\u2028"}},
		{issuer("https://b.example"), nil, c.Names, team},
		{c.Auth, map[string]string{"HEADER_X_TEAM": ""}, c.Names, map[string]string{"HEADER_X_TEAM": ""}},
		{c.Auth, all, c.Names[1:], map[string]string{org.AuthSecret: canary + "auth"}},
		{c.Auth, nil, nil, nil},
	} {
		c := c
		c.Auth, c.Values, c.Names = step.auth, step.values, step.names
		_, u, err := w.UpdateServer(t.Context(), ada, "a", 0, false, c)
		ok(t, err)
		if diff := cmp.Diff(step.want, secrets(t, w, "a", "kb")); diff != "" || !slices.Equal(u.Has, slices.Sorted(maps.Keys(step.want))) {
			t.Errorf("step %d has %v: %s", i, u.Has, diff)
		}
		if diff := cmp.Diff(all, secrets(t, w, "b", "kb")); diff != "" {
			t.Errorf("step %d, the other agent: %s", i, diff)
		}
	}
	for _, bad := range []string{canary + strings.Repeat("x", 1<<20), canary + "\xff"} {
		c.Values = map[string]string{org.AuthSecret: bad}
		_, _, err := w.UpdateServer(t.Context(), ada, "a", 0, false, c)
		refused(t, err, verdict.OrgInvalid)
	}
	w.Keys = fresh(t).Keys
	_, err := w.Secrets(must[org.Server](t)(w.Server(t.Context(), "kb")), must[org.Use](t)(w.Use(t.Context(), "b", "kb")))
	refused(t, err, verdict.OrgSecret)
}

var boxOf = regexp.MustCompile(`"secrets":\{[^}]*\}`)

// A person with the database moves a sealed box, or changes what is next to it.
func TestAMovedSecretDoesNotOpen(t *testing.T) {
	t.Parallel()
	replaced := func(from, to string) func(string) string {
		return func(body string) string { return strings.Replace(body, from, to, 1) }
	}
	for name, c := range map[string]struct {
		kind, row string
		change    func(w *world) func(string) string
	}{
		"to another agent":  {"use", "b/kb", boxFrom("a/kb")},
		"to another server": {"use", "a/kb2", boxFrom("a/kb")},
		"another address":   {"server", "kb", func(*world) func(string) string { return replaced("kb.example", "evil.example") }},
		"another issuer":    {"use", "a/kb", func(*world) func(string) string { return replaced("login.example", "evil.example") }},
		"another header":    {"server", "kb", func(*world) func(string) string { return replaced("X-Team", "Host") }},
		"unconfined":        {"server", "kb", func(*world) func(string) string { return replaced(`"unconfined":""`, `"unconfined":"x"`) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := fresh(t)
			agent(t, w, "a", "b")
			for _, at := range [][2]string{{"a", "kb"}, {"b", "kb"}, {"a", "kb2"}} {
				c := remote(at[1])
				c.Auth = org.Auth{Type: org.OAuth2, OAuth: &config.OAuth{Issuer: "https://login.example"}}
				add(t, w, at[0], c)
			}
			altered(t, w, c.kind, c.row, c.change(w))
			of, server, _ := strings.Cut(c.row, "/")
			if c.kind == "server" {
				of, server = "a", "kb"
			}
			u := must[org.Use](t)(w.Use(t.Context(), of, server))
			values, err := w.Secrets(must[org.Server](t)(w.Server(t.Context(), server)), u)
			if refused(t, err, verdict.OrgSecret); values != nil {
				t.Error("it opened")
			}
		})
	}
}

func boxFrom(row string) func(*world) func(string) string {
	return func(w *world) func(string) string {
		body, _ := w.State.Record(context.Background(), "use", row)
		return func(to string) string { return boxOf.ReplaceAllLiteralString(to, boxOf.FindString(string(body))) }
	}
}

// A spec is the same after it was stored, however its documents are spelled: else no secret
// would open, and no approval would hold.
func TestASpecIsTheSameAfterItWasStored(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a")
	for i, spec := range []config.Spec{
		{Command: "kb", Args: []string{}, Env: map[string]string{}},
		{Command: "kb", Args: []string{"", "<&>", "\u2028\x00\x7f", "é", "é"}},
		{Command: "kb", Sandboxed: config.Sandboxed{Manifest: jsontext.Value("{ \"b\" : 1.0,\n\"a\":\"\\u0041\\/\", \"c\": -0, \"d\": 1e2}"), Scopes: jsontext.Value(` null `)}},
		{URL: "https://kb.example/?a=1&b=<>", OAuth: &config.OAuth{}},
	} {
		c := started(fmt.Sprint("kb", i))
		c.Spec = spec
		s := add(t, w, "a", c)
		if is := must[org.Server](t)(w.other(t).Server(t.Context(), c.Server)); is.Command() != s.Command() || secrets(t, w, "a", c.Server)["KB_TOKEN"] == "" {
			t.Errorf("%d: %+v", i, is.Spec)
		}
		if _, u, err := w.UpdateServer(t.Context(), ada, "a", s.Number, false, c); err != nil || len(u.Has) != 1 {
			t.Errorf("%d: %v, %v", i, u.Has, err)
		}
	}
}

// What cannot be read again is not stored: it would be in the way of every list.
func TestARowThatCannotBeReadIsNotStored(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a")
	add(t, w, "a", started("cli"))
	_, before := events(t, w, 0)
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	for _, text := range []string{"1e400", strings.Repeat("9", 70), deep, `{"a":1,"a":2}`, "{", "[1,]", `"` + strings.Repeat("x", 1<<20) + `"`, "\"\xff\""} {
		c := started("kb")
		c.Spec.Manifest = jsontext.Value(text)
		_, _, err := w.AddServer(t.Context(), ada, "a", c)
		refused(t, err, verdict.OrgInvalid)
		_, err = w.CreateAgent(t.Context(), ada, org.Agent{Name: "b", Mode: org.Nothing, Rules: jsontext.Value(text)})
		refused(t, err, verdict.OrgInvalid)
		refused(t, w.Decided(t.Context(), ada, "tools_approved", "cli", jsontext.Value(text)), verdict.OrgInvalid)
	}
	c := started("kb")
	c.Spec.Args = []string{"\xff"}
	_, _, err := w.AddServer(t.Context(), ada, "a", c)
	refused(t, err, verdict.OrgInvalid)
	if got, _ := events(t, w, before); len(got) > 0 {
		t.Errorf("refused changes have the events %v", got)
	}
	ok(t, w.Note(t.Context(), org.Event{Seq: 9, Agent: "a", Action: "agent_tool_call", Type: "mcp_tool", Resource: "kb/get", Details: jsontext.Value(deep)}))
	if got, _ := events(t, w, before); !slices.Equal(got, []string{"  agent_tool_call kb/get"}) {
		t.Errorf("a call with strange arguments has the events %v", got)
	}
}

// A value of a variable may say what a command does: another one ends the approval for the agent.
func TestAnotherValueEndsTheApprovalOfItsAgent(t *testing.T) {
	t.Parallel()
	w := fresh(t)
	agent(t, w, "a", "b")
	c := started("cli")
	s := add(t, w, "a", c)
	add(t, w, "b", c)
	starts := func(agent string) bool {
		return must[org.Use](t)(w.Use(t.Context(), agent, "cli")).Starts(must[org.Server](t)(w.Server(t.Context(), "cli")))
	}
	if starts("a") {
		t.Error("it starts before an approval")
	}
	must[org.Server](t)(w.ApproveStart(t.Context(), ada, "cli", s.Command()))
	if !starts("a") || !starts("b") {
		t.Error("it does not start after the approval")
	}
	c.Values = map[string]string{c.Names[0]: "--require ./other.js"}
	_, _, err := w.UpdateServer(t.Context(), ada, "a", 0, false, c)
	if ok(t, err); starts("a") || !starts("b") {
		t.Errorf("after another value: %v, %v", starts("a"), starts("b"))
	}
	if (org.Use{}).Starts(s) {
		t.Error("the zero use starts")
	}
}
