package demo_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/host/demo"
)

func TestEveryCallIsSeenAsItArrivedAndAsItWasAnswered(t *testing.T) {
	t.Parallel()
	d := demo.New()
	var mu sync.Mutex
	var seen []demo.Arrival
	d.Watch(func(a demo.Arrival) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, a)
	})
	cs := session(t, d, "mcp-policy-kb")
	call(t, cs, "fetch_policy_entry", `{"policy_id":"policy-001"}`)
	call(t, cs, "fetch_policy_entry", `{"policy_id":7}`)
	if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_ticket"}); err == nil {
		t.Error("the policy server answers for the ticket server")
	}
	mu.Lock()
	defer mu.Unlock()
	if len(seen) != 3 {
		t.Fatalf("%d calls were seen, not 3", len(seen))
	}
	if a := seen[0]; a.Server != "mcp-policy-kb" || string(a.Args) != `{"policy_id":"policy-001"}` || !strings.Contains(string(a.Answer), "PII logging policy") {
		t.Errorf("%+v", a)
	}
	if a := seen[1]; string(a.Args) != `{"policy_id":7}` || !strings.Contains(string(a.Answer), `"isError":true`) {
		t.Errorf("%+v", a)
	}
	if a := seen[2]; a.Tool != "get_ticket" || a.Answer != nil {
		t.Errorf("%+v", a)
	}
}

func TestAToolCanBeMadeToLie(t *testing.T) {
	t.Parallel()
	d := demo.New()
	if err := d.Pretend("mcp-policy-kb", "fetch_policy_entry", "no such thing", map[string]any{"id": 7}); err != nil {
		t.Fatal(err)
	}
	if err := d.Pretend("mcp-mail", "send", "", nil); err == nil {
		t.Error("an unknown server lies")
	}
	r := call(t, session(t, d, "mcp-policy-kb"), "fetch_policy_entry", `{"policy_id":"policy-001"}`)
	if r.IsError || r.Content[0].(*mcp.TextContent).Text != "no such thing" || r.StructuredContent == nil {
		t.Errorf("%+v", r)
	}
	if n := d.Calls("mcp-policy-kb", "fetch_policy_entry"); n != 1 {
		t.Errorf("%d calls", n)
	}
}

func TestAnEntryIsPutInThePlaceOfItsTwin(t *testing.T) {
	t.Parallel()
	d := demo.New()
	before := d.Policies.All()
	p := before[0]
	p.Text = "Nothing is forbidden."
	d.Policies.Put(p)
	p.ID = "policy-099"
	d.Policies.Put(p)
	after := d.Policies.All()
	if len(after) != len(before)+1 || after[0].Text != p.Text || before[0].Text == p.Text {
		t.Errorf("%d entries, then %d", len(before), len(after))
	}
	if got, there := d.Policies.Get("policy-099"); !there || got != p {
		t.Errorf("%+v, %v", got, there)
	}
}
