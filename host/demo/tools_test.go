package demo_test

import (
	"encoding/json"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/onestep-run/onestep/eval/watched"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host/demo"
)

func raw(s string) json.RawMessage { return json.RawMessage(s) }

// listed is every tool as a client receives it, by "server/tool".
func listed(t *testing.T) map[string]*mcp.Tool {
	t.Helper()
	d := demo.New()
	all := map[string]*mcp.Tool{}
	for _, server := range d.Servers() {
		res, err := session(t, d, server).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range res.Tools {
			all[server+"/"+tool.Name] = tool
		}
	}
	return all
}

func TestEachListedToolHasATypeAndASample(t *testing.T) {
	t.Parallel()
	tools, types := listed(t), demo.Types()
	if len(tools) != 9 || len(types) != 9 || len(samples) != 9 {
		t.Fatalf("%d tools, %d types, %d samples; want 9 of each", len(tools), len(types), len(samples))
	}
	for key := range tools {
		if types[key] == nil || samples[key] == "" {
			t.Errorf("%s: no type or no sample", key)
		}
	}
}

// hints describe each tool: a closed ticket still exists, and the sites that SharePoint
// searches have guests of other companies.
var hints = map[string]struct{ reads, destroys, open bool }{
	"mcp-policy-kb/search_policy_kb":           {reads: true},
	"mcp-policy-kb/fetch_policy_entry":         {reads: true},
	"mcp-policy-kb/delete_policy_entry":        {destroys: true},
	"mcp-servicenow/search_servicenow_tickets": {reads: true},
	"mcp-servicenow/get_ticket":                {reads: true},
	"mcp-servicenow/close_ticket":              {},
	"mcp-sharepoint/search_sharepoint":         {reads: true, open: true},
	"mcp-sharepoint/fetch_sharepoint_doc":      {reads: true},
	"mcp-sharepoint/delete_sharepoint_doc":     {destroys: true},
}

func TestDescriptorsAreCompleteAndEnforceable(t *testing.T) {
	t.Parallel()
	for key, tool := range listed(t) {
		server, _ := path.Split(key)
		d := pin.Descriptor{Server: path.Clean(server), Raw: marshal(t, tool)}
		f, err := d.Fields()
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		if f.Title == "" || f.Description == "" || f.Annotations.ReadOnly == nil || f.Annotations.Destructive == nil ||
			f.Annotations.Idempotent == nil || f.Annotations.OpenWorld == nil {
			t.Errorf("%s: title, description or an annotation is missing", key)
		}
		if says := hints[key]; *f.Annotations.ReadOnly != says.reads || *f.Annotations.Destructive != says.destroys || *f.Annotations.OpenWorld != says.open {
			t.Errorf("%s: the hints are %s", key, marshal(t, tool.Annotations))
		}
		admit(t, key, f.InputSchema, schema.Input)
		admit(t, key, f.OutputSchema, schema.Output)
	}
}

func admit(t *testing.T, key string, raw []byte, role schema.Role) {
	t.Helper()
	s, err := schema.Admit(raw, schema.Options{Role: role, StrictFormats: true})
	if err != nil {
		t.Fatalf("%s: not admitted: %v", key, err)
	}
	if _, err := s.Compile(); err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	if len(s.Notes()) > 0 {
		t.Errorf("%s: %v", key, s.Notes())
	}
}

func TestArgumentsThatMissTheSchemaAreRefused(t *testing.T) {
	t.Parallel()
	d := demo.New()
	misses := map[string][]string{
		"mcp-policy-kb/search_policy_kb": {
			`{}`, `{"query":""}`, `{"query":7}`, `{"query":null}`, `{"query":["pii"]}`, `{"Query":"pii"}`,
			`{"query":"pii","limit":0}`, `{"query":"pii","limit":11}`, `{"query":"pii","limit":-1}`,
			`{"query":"pii","limit":"5"}`, `{"query":"pii","limit":2.5}`, `{"query":"pii","extra":1}`,
			`{"query":"` + strings.Repeat("a", 201) + `"}`,
		},
		"mcp-policy-kb/delete_policy_entry": {
			`{}`, `{"policy_id":null}`, `{"policy_id":1}`, `{"policy_id":""}`, `{"policy_id":"policy-1"}`,
			`{"policy_id":"policy-0001"}`, `{"policy_id":"POLICY-001"}`, `{"policy_id":" policy-001"}`,
			`{"policy_id":"policy-001\n"}`, `{"policy_id":"policy-00١"}`, `{"policy_id":["policy-001"]}`,
			`{"id":"policy-001"}`, `{"policy_id":"policy-001","force":true}`, `{"POLICY_ID":"policy-001"}`,
		},
		"mcp-sharepoint/delete_sharepoint_doc": {`{"document_id":"sp-01"}`, `{"document_id":"policy-001"}`, `{"document_id":"sp-001/.."}`},
		"mcp-servicenow/get_ticket": {
			`{}`, `{"ticket_id":10001}`, `{"ticket_id":"inc0010001"}`, `{"ticket_id":"INC10001"}`, `{"ticket_id":"INC0010001","state":"closed"}`,
		},
	}
	for key, all := range misses {
		server, tool := path.Split(key)
		cs := session(t, d, path.Clean(server))
		for _, args := range all {
			if res := call(t, cs, tool, args); !res.IsError || res.StructuredContent != nil {
				t.Errorf("%s accepts %s", key, args)
			}
		}
	}
	if _, ok := d.Policies.Get("policy-001"); !ok {
		t.Error("a refused call deleted the policy")
	}
	if _, ok := d.Documents.Get("sp-001"); !ok {
		t.Error("a refused call deleted the document")
	}
}

// Two tools take what comes, so that what holds a call to their schemas can be
// attributed to the client.
func TestTwoToolsCheckNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ tool, args, says string }{
		"an argument too many":    {"search_servicenow_tickets", `{"query":"VPN","cursor":"again"}`, "INC0010001"},
		"a number as a text":      {"search_servicenow_tickets", `{"query":"phishing","limit":"9"}`, "INC0010010"},
		"more than the schema's":  {"search_servicenow_tickets", `{"query":"the vendor laptop backup phishing VPN certificate","limit":1000}`, "INC00"},
		"less than nothing":       {"search_servicenow_tickets", `{"query":"VPN","limit":-5}`, `"results":[]`},
		"a number past any":       {"search_servicenow_tickets", `{"query":"VPN","limit":1e300}`, "INC0010001"},
		"a list for a text":       {"search_servicenow_tickets", `{"query":["VPN"]}`, "INC0010001"},
		"nothing at all":          {"search_servicenow_tickets", `{}`, `"results":[]`},
		"no resolution":           {"close_ticket", `{"ticket_id":"INC0010001"}`, `"state":"closed"`},
		"a resolution of objects": {"close_ticket", `{"ticket_id":"INC0010002","resolution":{"a":1},"state":"open"}`, `"state":"closed"`},
	} {
		d := demo.New()
		res := call(t, session(t, d, "mcp-servicenow"), c.tool, c.args)
		if res.IsError || !strings.Contains(text(t, res), c.says) || res.StructuredContent == nil {
			t.Errorf("%s: isError %v, %q", name, res.IsError, text(t, res))
		}
	}
	d := demo.New()
	for _, args := range []string{`{}`, `{"ticket_id":null,"resolution":"x"}`, `{"ticket_id":"inc0010001"}`} {
		if res := call(t, session(t, d, "mcp-servicenow"), "close_ticket", args); !res.IsError {
			t.Errorf("%s closes %q", args, text(t, res))
		}
	}
}

func TestAnIDThatLeadsNowhereIsReportedAsAToolError(t *testing.T) {
	t.Parallel()
	d := demo.New()
	for key, want := range map[[3]string]string{
		{"mcp-policy-kb", "fetch_policy_entry", `{"policy_id":"policy-999"}`}:                  "there is no policy with the id policy-999",
		{"mcp-policy-kb", "delete_policy_entry", `{"policy_id":"policy-013"}`}:                 "there is no policy with the id policy-013",
		{"mcp-sharepoint", "fetch_sharepoint_doc", `{"document_id":"sp-000"}`}:                 "there is no document with the id sp-000",
		{"mcp-servicenow", "get_ticket", `{"ticket_id":"INC0010013"}`}:                         "there is no ticket with the id INC0010013",
		{"mcp-servicenow", "close_ticket", `{"ticket_id":"INC9999999","resolution":"solved"}`}: "there is no ticket with the id INC9999999",
	} {
		res := call(t, session(t, d, key[0]), key[1], key[2])
		if !res.IsError || !strings.HasPrefix(text(t, res), want) || res.StructuredContent != nil {
			t.Errorf("%v: isError %v, %q", key, res.IsError, text(t, res))
		}
	}
}

func TestDeletingDeletesThatEntryAndNoOther(t *testing.T) {
	t.Parallel()
	for name, dial := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := demo.New()
			cs := connect(t, dial(t, d, "mcp-policy-kb"), "")
			for _, step := range []struct {
				tool, id string
				fails    bool
			}{
				{"fetch_policy_entry", "policy-003", false},
				{"delete_policy_entry", "policy-003", false},
				{"fetch_policy_entry", "policy-003", true},
				{"delete_policy_entry", "policy-003", true},
				{"fetch_policy_entry", "policy-002", false},
				{"fetch_policy_entry", "policy-004", false},
			} {
				if res := call(t, cs, step.tool, `{"policy_id":"`+step.id+`"}`); res.IsError != step.fails {
					t.Errorf("%s %s: %s", step.tool, step.id, text(t, res))
				}
			}
		})
	}
}

func TestATestCanSeeWhatWasDeleted(t *testing.T) {
	t.Parallel()
	d, other := demo.New(), demo.New()
	call(t, session(t, d, "mcp-sharepoint"), "delete_sharepoint_doc", `{"document_id":"sp-004"}`)
	if _, ok := d.Documents.Get("sp-004"); ok {
		t.Error("the document is still there")
	}
	if doc, ok := other.Documents.Get("sp-004"); !ok || doc.ID != "sp-004" {
		t.Error("the document is gone from stores of another New")
	}
}

func TestATicketClosesOnce(t *testing.T) {
	t.Parallel()
	d := demo.New()
	cs := session(t, d, "mcp-servicenow")
	args := `{"ticket_id":"INC0010004","resolution":"The inventory is corrected."}`
	if res := call(t, cs, "close_ticket", args); res.IsError {
		t.Fatal(text(t, res))
	}
	again := `{"ticket_id":"INC0010004","resolution":"Something else."}`
	if res := call(t, cs, "close_ticket", again); !res.IsError {
		t.Error("a closed ticket was closed again")
	}
	if got, _ := d.Tickets.Get("INC0010004"); got.State != "closed" || got.Resolution != "The inventory is corrected." {
		t.Errorf("the ticket is now %+v", got)
	}
}

func TestOfManyDeletionsOneSucceeds(t *testing.T) {
	t.Parallel()
	d := watched.New()
	var wg sync.WaitGroup
	var succeeded atomic.Int32
	for range 8 {
		cs := session(t, d.Demo, "mcp-policy-kb")
		wg.Go(func() {
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "delete_policy_entry", Arguments: raw(`{"policy_id":"policy-006"}`)})
			if err == nil && !res.IsError {
				succeeded.Add(1)
			}
		})
	}
	wg.Wait()
	if succeeded.Load() != 1 || d.Calls("mcp-policy-kb", "delete_policy_entry") != 8 {
		t.Errorf("%d of %d calls deleted the policy", succeeded.Load(), d.Calls("mcp-policy-kb", "delete_policy_entry"))
	}
}
