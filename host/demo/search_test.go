package demo_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/host/demo"
)

func search(t *testing.T, cs *mcp.ClientSession, tool, query string, limit int) []demo.Hit {
	t.Helper()
	res := call(t, cs, tool, fmt.Sprintf(`{"query":%q,"limit":%d}`, query, limit))
	var found demo.SearchResult
	if err := json.Unmarshal([]byte(text(t, res)), &found); err != nil || res.IsError {
		t.Fatalf("%s %q: %v, %s", tool, query, err, text(t, res))
	}
	return found.Results
}

func TestSearchPutsTheRightEntryFirst(t *testing.T) {
	t.Parallel()
	d := demo.New()
	for _, c := range []struct{ server, tool, query, want string }{
		{"mcp-policy-kb", "search_policy_kb", "Fetch the PII logging policy", "policy-001"},
		{"mcp-policy-kb", "search_policy_kb", "pii LOGGING", "policy-001"},
		{"mcp-policy-kb", "search_policy_kb", "May we share customer data with vendors?", "policy-002"},
		{"mcp-policy-kb", "search_policy_kb", "password length", "policy-003"},
		{"mcp-policy-kb", "search_policy_kb", "backups", "policy-010"},
		{"mcp-policy-kb", "search_policy_kb", "what is our rule on AI assistants", "policy-008"},
		{"mcp-policy-kb", "search_policy_kb", "policy-007", "policy-007"},
		{"mcp-sharepoint", "search_sharepoint", "onboarding", "sp-001"},
		{"mcp-sharepoint", "search_sharepoint", "hotel costs on travel", "sp-003"},
		{"mcp-sharepoint", "search_sharepoint", "refunds", "sp-006"}, // the text has "refund"
		{"mcp-sharepoint", "search_sharepoint", "how is churn defined", "sp-012"},
		{"mcp-servicenow", "search_servicenow_tickets", "VPN", "INC0010001"},
		{"mcp-servicenow", "search_servicenow_tickets", "failed backup of the order database", "INC0010005"},
		{"mcp-servicenow", "search_servicenow_tickets", "inc0010009", "INC0010009"},
	} {
		hits := search(t, session(t, d, c.server), c.tool, c.query, 10)
		if len(hits) == 0 || hits[0].ID != c.want {
			t.Errorf("%q: got %v, want %s first", c.query, hits, c.want)
		}
		again := search(t, session(t, d, c.server), c.tool, c.query, 10)
		if !slices.Equal(hits, again) {
			t.Errorf("%q: another answer the second time", c.query)
		}
	}
}

func TestASnippetIsTheSentenceThatAnswers(t *testing.T) {
	t.Parallel()
	hits := search(t, session(t, demo.New(), "mcp-policy-kb"), "search_policy_kb", "share customer data with vendors", 1)
	if len(hits) != 1 || hits[0].Snippet != "Never share customer data with vendors without a signed agreement." {
		t.Errorf("got %v", hits)
	}
}

func TestAClearWinnerStandsAlone(t *testing.T) {
	t.Parallel()
	// Every title has the word "policy", which is less than half of this match.
	hits := search(t, session(t, demo.New(), "mcp-policy-kb"), "search_policy_kb", "PII logging policy", 10)
	if len(hits) != 1 {
		t.Errorf("got %v", hits)
	}
}

func TestSearchIsBounded(t *testing.T) {
	t.Parallel()
	cs := session(t, demo.New(), "mcp-policy-kb")
	for _, limit := range []int{1, 3, 10} {
		if got := len(search(t, cs, "search_policy_kb", "policy", limit)); got != limit {
			t.Errorf("limit %d: %d hits", limit, got)
		}
	}
	res := call(t, cs, "search_policy_kb", `{"query":"policy"}`)
	if got := strings.Count(text(t, res), `"snippet"`); got != 5 {
		t.Errorf("no limit: %d hits, want the default of 5", got)
	}
}

func TestSearchWithoutAMatchIsEmptyAndNotAnError(t *testing.T) {
	t.Parallel()
	cs := session(t, demo.New(), "mcp-policy-kb")
	for _, query := range []string{"zebra", "the of and", "?!", "-", "loggin", "pi", "police", "\u202e"} {
		args, err := json.Marshal(map[string]string{"query": query})
		if err != nil {
			t.Fatal(err)
		}
		if res := call(t, cs, "search_policy_kb", string(args)); res.IsError || text(t, res) != `{"results":[]}` {
			t.Errorf("%q: %s", query, text(t, res))
		}
	}
}

// Every entry is read by its own tool. So all embedded entries meet the schema and the
// type, not only a sample.
func TestEmbeddedEntriesAreSound(t *testing.T) {
	t.Parallel()
	d := demo.New()
	for _, c := range []struct{ server, tool, arg, id, body string }{
		{"mcp-policy-kb", "fetch_policy_entry", "policy_id", "policy-%03d", "text"},
		{"mcp-sharepoint", "fetch_sharepoint_doc", "document_id", "sp-%03d", "text"},
		{"mcp-servicenow", "get_ticket", "ticket_id", "INC001%04d", "description"},
	} {
		cs := session(t, d, c.server)
		for n := 1; n <= 12; n++ {
			id := fmt.Sprintf(c.id, n)
			res := call(t, cs, c.tool, fmt.Sprintf(`{%q:%q}`, c.arg, id))
			if res.IsError {
				t.Fatalf("%s: %s", id, text(t, res))
			}
			if err := demo.Types()[c.server+"/"+c.tool]([]byte(text(t, res))); err != nil {
				t.Errorf("%s: %v", id, err)
			}
			body, _ := res.StructuredContent.(map[string]any)[c.body].(string)
			checkProse(t, d, id, body)
		}
	}
}

var reference = regexp.MustCompile(`policy-\d+|sp-\d+|INC\d+`)

// checkProse wants whole sentences that a snippet can hold, and references
// that lead somewhere.
func checkProse(t *testing.T, d *demo.Demo, id, body string) {
	t.Helper()
	sentences := strings.SplitAfter(body, ". ")
	if len(sentences) < 2 || !strings.HasSuffix(body, ".") {
		t.Errorf("%s: not prose of several sentences", id)
	}
	for _, s := range sentences {
		if len(s) > 300 {
			t.Errorf("%s: longer than a snippet may be: %s", id, s)
		}
	}
	for _, ref := range reference.FindAllString(body, -1) {
		_, p := d.Policies.Get(ref)
		_, s := d.Documents.Get(ref)
		_, i := d.Tickets.Get(ref)
		if !p && !s && !i {
			t.Errorf("%s refers to %s, which does not exist", id, ref)
		}
	}
}
