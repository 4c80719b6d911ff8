package rule_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/verdict"
)

// id is the resource of a call whose one argument has a value, "" where it is not known.
func id(t *testing.T, name, value, entry string) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	_, q := call{
		input: fmt.Sprintf(`{"type":"object","properties":{%q:{}},"required":[%q]}`, name, name),
		args:  fmt.Sprintf(`{%q:%s}`, name, text), entry: entry,
	}.made(t)
	if q.Record.Resource.ID == nil {
		return ""
	}
	return *q.Record.Resource.ID
}

func TestTwoSpellingsAreOneResource(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		want   string
		spelt  []string
		others []string // that are another one, or not known
	}{
		"path": {
			"path:/srv/b",
			[]string{"/srv/b", "/srv/b/", "/srv//b", "/srv/./b", "/srv/a/../b", "/../srv/b"},
			[]string{"/srv/B", "/srv/bb", "srv/b", `\srv\b`, "../srv/b", "", "/srv/b\n"},
		},
		"url": {
			"url:https://example.com/b",
			[]string{"https://example.com/b", "HTTPS://EXAMPLE.com/b", "https://example.com:443/b", "https://example.com/a/../b", "https://example.com/%62", "https://example.com/./b"},
			[]string{"http://example.com/b", "https://example.com/B", "https://example.com/b/", "https://example.com/b?x", "https://user@example.com/b", "https://example.com/a%2f..%2fb", "https://example.com:8443/b", "/b", "https:///b", `https://example.com\b`},
		},
		"ticket_id": {
			"ticket:INC1",
			[]string{"INC1"},
			[]string{"inc1", "INC1 ", " INC1", "INC1/", "INC1:", "INC%31", "", "INC1\x00"},
		},
	} {
		for _, s := range c.spelt {
			if got := id(t, name, s, ""); got != c.want {
				t.Errorf("%s %q is %q, not %q", name, s, got, c.want)
			}
		}
		for _, s := range c.others {
			if got := id(t, name, s, ""); got == c.want {
				t.Errorf("%s %q is %q too", name, s, got)
			}
		}
	}
}

func TestWhatACallIsAboutIsSaidOrConventional(t *testing.T) {
	t.Parallel()
	two := `{"type":"object","properties":{"a_id":{"type":"string"},"b_id":{"type":"string"},"n":{"type":"integer"},"at":{"type":"object","properties":{"k":{"type":"string"}}}},"required":["a_id","b_id"]}`
	entry := func(resource string) string {
		return fmt.Sprintf(`{"tickets":{"write":[{"name":"close_ticket","resource":%q}]}}`, resource)
	}
	for name, c := range map[string]struct{ entry, args, want string }{
		"two by convention":    {"", `{"a_id":"1","b_id":"2"}`, ""},
		"said":                 {entry("pair:{a_id}/{b_id}"), `{"a_id":"1","b_id":"2"}`, "pair:1/2"},
		"a value of two parts": {entry("pair:{a_id}/{b_id}"), `{"a_id":"1/2","b_id":"3"}`, "pair:1%2F2/3"},
		"a number":             {entry("pair:{n}"), `{"a_id":"1","b_id":"2","n":7}`, "pair:7"},
		"a pointer":            {entry("key:{/at/k}"), `{"a_id":"1","b_id":"2","at":{"k":"x"}}`, "key:x"},
		"a constant":           {entry("mailbox:own"), `{"a_id":"1","b_id":"2"}`, "mailbox:own"},
		"not given":            {entry("pair:{n}"), `{"a_id":"1","b_id":"2"}`, ""},
		"not a text":           {entry("pair:{at}"), `{"a_id":"1","b_id":"2","at":{}}`, ""},
	} {
		_, q := call{input: two, args: c.args, entry: c.entry}.made(t)
		got := ""
		if q.Record.Resource.ID != nil {
			got = *q.Record.Resource.ID
		}
		if got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

// Over generated policies and calls: another rule that denies never widens the policy.
// Another rule that asks never allows a call that asked before, and a rule that cannot
// be checked never allows a call.
func TestAddingADenyNeverWidens(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	conditions := []string{
		`"where":{"queue":"NET"}`, `"where":{"queue":{"not":"NET"}}`, `"where":{"amount":{"min":5}}`, `"where":{"note":{"under":"/srv"}}`, `"when":{"effect":"write"}`,
		`"when":{"labels":{"has":"exposed"}}`, `"when":{"/time/minute":{"min":60}}`, `"why":"x"`, `"where":{"schema":{"type":"object","required":["queue"]}}`, `"where":{"nosuch":1}`,
	}
	rules := func(effects ...string) string {
		return fmt.Sprintf(`{"effect":%q,"tools":["tickets/*"],%s}`, effects[random.IntN(len(effects))], conditions[random.IntN(len(conditions))])
	}
	for range 400 {
		c := call{def: verdict.Ruling(random.IntN(3)), args: []string{`{"ticket_id":"INC1"}`, `{"ticket_id":"INC1","queue":"NET","amount":7}`, `{"ticket_id":"INC1","queue":"APP","note":"/srv/x"}`}[random.IntN(3)]}
		if random.IntN(2) == 0 {
			c.hints = `{"destructiveHint":true}`
		}
		if random.IntN(2) == 0 {
			c.facts.Labels, c.facts.Time = []string{"exposed"}, "2026-11-24T17:05:00Z"
		}
		var policy []string
		for range random.IntN(4) {
			policy = append(policy, rules("allow", "ask", "deny"))
		}
		before := decide(t, c, append([]string{`{"effect":"deny","tools":["other/*"]}`}, policy...)...)
		for _, effect := range []string{"deny", "ask"} {
			more := rules(effect)
			after := decide(t, c, append([]string{more}, policy...)...)
			if after.Ruling > before.Ruling && (effect == "deny" || before.By != "default") {
				t.Fatalf("with %s %v becomes %v\n%s\n%+v", more, before.Ruling, after.Ruling, policy, c)
			}
			if effect == "ask" && after.Ruling == verdict.Allow && before.Ruling != verdict.Allow {
				t.Fatalf("with %s %v becomes allowed\n%s", more, before.Ruling, policy)
			}
		}
		for _, s := range before.Spoke {
			if s.Error != "" && before.Ruling != verdict.Refuse {
				t.Fatalf("%s failed, and the call is %v\n%s", s.Rule, before.Ruling, policy)
			}
		}
	}
}
