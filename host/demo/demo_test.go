package demo_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/demo"
)

// serveEnv names the demo server that this test binary is to be, when a test
// starts it as a stdio server.
const serveEnv = "DEMO_TEST_SERVE"

func TestMain(m *testing.M) {
	if name := os.Getenv(serveEnv); name != "" {
		if err := demo.New().Serve(context.Background(), name, os.Stdin, os.Stdout); err != nil {
			log.Fatal(err)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

func TestNothingIsCountedBeforeSomebodySpeaks(t *testing.T) {
	t.Parallel()
	d := demo.New()
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
	d := demo.New()
	cs := session(t, d, "mcp-policy-kb")
	call(t, cs, "fetch_policy_entry", `{"policy_id":"policy-001"}`)
	call(t, cs, "fetch_policy_entry", `{"policy_id":7}`) // refused, yet it arrived
	if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_ticket"}); err == nil {
		t.Error("the policy server answers for the ticket server")
	}
	for key, want := range map[[2]string]int{
		{"mcp-policy-kb", "fetch_policy_entry"}:  2,
		{"mcp-policy-kb", "delete_policy_entry"}: 0,
		{"mcp-policy-kb", "get_ticket"}:          0,
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

func TestAnUnknownServerIsAnError(t *testing.T) {
	t.Parallel()
	d := demo.New()
	for _, name := range []string{"", "mcp-policy", "MCP-POLICY-KB", "mcp-policy-kb "} {
		if _, err := d.Transport(t.Context(), name); err == nil {
			t.Errorf("Transport(%q) succeeds", name)
		}
		if _, err := d.Handler(name); err == nil {
			t.Errorf("Handler(%q) succeeds", name)
		}
		if err := d.Serve(t.Context(), name, nil, nil); err == nil {
			t.Errorf("Serve(%q) succeeds", name)
		}
	}
}

func TestTheAllowlistHoldsExactlyTheToolsThatOnlyRead(t *testing.T) {
	t.Parallel()
	var list map[string]struct {
		Read []string `json:"read"`
	}
	if err := schema.Decode(demo.Allowlist(), &list, schema.PlanLimits); err != nil {
		t.Fatal(err)
	}
	allowed := map[string]bool{}
	for server, tools := range list {
		for _, tool := range tools.Read {
			allowed[server+"/"+tool] = true
		}
	}
	if len(allowed) != 6 {
		t.Errorf("%d tools, want 6", len(allowed))
	}
	for key, tool := range listed(t) {
		if allowed[key] != tool.Annotations.ReadOnlyHint {
			t.Errorf("%s: allowed %v, only reads %v", key, allowed[key], tool.Annotations.ReadOnlyHint)
		}
	}
}

func ExampleDemo_Transport() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tr, err := demo.New().Transport(ctx, "mcp-policy-kb")
	if err != nil {
		log.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, nil)
	session, err := client.Connect(ctx, tr, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	res, err := session.CallTool(ctx, &mcp.CallToolParams{
		Name:      "search_policy_kb",
		Arguments: map[string]any{"query": "PII logging", "limit": 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range res.StructuredContent.(map[string]any)["results"].([]any) {
		fmt.Println(hit.(map[string]any)["title"])
	}
	// Output: PII logging policy
}
