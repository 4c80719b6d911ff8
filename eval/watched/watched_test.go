package watched_test

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/eval/watched"
)

func TestEveryCallIsSeenAsItArrivedAndAsItWasAnswered(t *testing.T) {
	t.Parallel()
	d := watched.New()
	cs := session(t, d, "mcp-policy-kb")
	call(t, cs, "fetch_policy_entry", `{"policy_id":"policy-001"}`)
	call(t, cs, "fetch_policy_entry", `{"policy_id":7}`)
	if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_ticket"}); err == nil {
		t.Error("the policy server answers for the ticket server")
	}
	seen := d.Arrived()
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
	d := watched.New()
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

func TestNothingIsCountedBeforeSomebodySpeaks(t *testing.T) {
	t.Parallel()
	d := watched.New()
	for _, s := range d.Servers() {
		if _, err := d.Transport(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if n := d.Requests(s); n != 0 {
			t.Errorf("%s: %d requests", s, n)
		}
	}
}

func TestACallCountsAtItsOwnToolAndServer(t *testing.T) {
	t.Parallel()
	d := watched.New()
	cs := session(t, d, "mcp-policy-kb")
	call(t, cs, "fetch_policy_entry", `{"policy_id":"policy-001"}`)
	call(t, cs, "fetch_policy_entry", `{"policy_id":7}`) // refused, yet it arrived
	if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_ticket"}); err == nil {
		t.Error("the policy server answers for the ticket server")
	}
	for key, want := range map[[2]string]int{
		{"mcp-policy-kb", "fetch_policy_entry"}:  2,
		{"mcp-policy-kb", "delete_policy_entry"}: 0,
		{"mcp-policy-kb", "get_ticket"}:          1,
		{"mcp-servicenow", "get_ticket"}:         0,
		{"no-such-server", "get_ticket"}:         0,
	} {
		if got := d.Calls(key[0], key[1]); got != want {
			t.Errorf("%s: %d calls, want %d", key, got, want)
		}
	}
	if d.Requests("mcp-policy-kb") < 4 || d.Requests("mcp-sharepoint") != 0 {
		t.Errorf("requests: %d and %d", d.Requests("mcp-policy-kb"), d.Requests("mcp-sharepoint"))
	}
}
