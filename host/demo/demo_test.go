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
