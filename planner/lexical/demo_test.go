package lexical_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/planner/lexical"
)

// demoTools are the six read-only tools of the demo.
func demoTools(tb testing.TB) []pin.Descriptor {
	tb.Helper()
	var ds []pin.Descriptor
	for _, server := range []string{"mcp-policy-kb", "mcp-servicenow", "mcp-sharepoint"} {
		for _, d := range listed(tb, filepath.Join("..", "..", "host", "demo", "tools", server+".json"), server) {
			if f, err := d.Fields(); err == nil && !strings.HasPrefix(f.Name, "delete") && !strings.HasPrefix(f.Name, "close") {
				ds = append(ds, d)
			}
		}
	}
	return ds
}

// listed reads an array of tools.
func listed(tb testing.TB, file, server string) []pin.Descriptor {
	tb.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	var tools []jsontext.Value
	if jsontext.Value(b).Kind() == '{' {
		var o struct {
			Tools []jsontext.Value `json:"tools"`
			List  struct {
				Tools []jsontext.Value `json:"tools"`
			} `json:"tools_list"`
		}
		if err := json.Unmarshal(b, &o); err != nil {
			tb.Fatal(err)
		}
		tools = append(o.Tools, o.List.Tools...)
	} else if err := json.Unmarshal(b, &tools); err != nil {
		tb.Fatal(err)
	}
	var ds []pin.Descriptor
	for _, raw := range tools {
		ds = append(ds, pin.Descriptor{Server: server, Raw: raw})
	}
	return ds
}

// planned is "server/tool args" or "? question".
func planned(tb testing.TB, c catalog.Catalog, words, around string) string {
	tb.Helper()
	b := propose(tb, lexical.New(noon), ask(tb, words, around), c)
	p, err := plan.Parse(b)
	if err != nil {
		tb.Fatalf("%q: %v: %s", words, err, b)
	}
	if p.Declines() {
		return "? " + p.Answer()
	}
	return p.Server() + "/" + p.Tool() + " " + string(p.Args())
}

func TestDemoQuestions(t *testing.T) {
	t.Parallel()
	c := admit(t, demoTools(t)...)
	for words, want := range map[string]string{
		"Fetch the PII logging policy":                        `mcp-policy-kb/search_policy_kb {"query":"PII logging"}`,
		"Summarize policy-002":                                `mcp-policy-kb/fetch_policy_entry {"policy_id":"policy-002"}`,
		"policy-001":                                          `mcp-policy-kb/fetch_policy_entry {"policy_id":"policy-001"}`,
		"Summarize the incident response policy":              `mcp-policy-kb/search_policy_kb {"query":"incident response"}`,
		"What does our policy say about vendor data sharing?": `mcp-policy-kb/search_policy_kb {"query":"vendor data sharing"}`,
		"Which policies cover encryption?":                    `mcp-policy-kb/search_policy_kb {"query":"encryption"}`,
		"Get ticket INC0010003":                               `mcp-servicenow/get_ticket {"ticket_id":"INC0010003"}`,
		"What is the status of INC0010007?":                   `mcp-servicenow/get_ticket {"ticket_id":"INC0010007"}`,
		"search servicenow for VPN outage":                    `mcp-servicenow/search_servicenow_tickets {"query":"VPN outage"}`,
		"Is there a ticket about the failed backup?":          `mcp-servicenow/search_servicenow_tickets {"query":"failed backup"}`,
		"top 3 tickets about single sign-on":                  `mcp-servicenow/search_servicenow_tickets {"query":"single sign-on","limit":3}`,
		"show me sp-004":                                      `mcp-sharepoint/fetch_sharepoint_doc {"document_id":"sp-004"}`,
		"Find the onboarding guide in SharePoint":             `mcp-sharepoint/search_sharepoint {"query":"onboarding guide"}`,
		"find documents about travel expenses":                `mcp-sharepoint/search_sharepoint {"query":"travel expenses"}`,
		"search sharepoint for \"release checklist\" limit 3": `mcp-sharepoint/search_sharepoint {"query":"release checklist","limit":3}`,
	} {
		if got := planned(t, c, words, ""); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// A decline asks for the missing part, or names the nearest tool.
func TestDeclinesWithAUsefulQuestion(t *testing.T) {
	t.Parallel()
	c := admit(t, demoTools(t)...)
	for words, want := range map[string]string{
		"get ticket":                          `get_ticket needs "ticket_id"`,
		"fetch the policy":                    `fetch_policy_entry needs "policy_id"`,
		"Fetch policy POLICY-2":               `fetch_policy_entry needs "policy_id", and "POLICY-2" is not of the form`, // not of the form that the tool asks for
		"Delete policy-002":                   `No allowed tool does what "Delete" asks for. The nearest is mcp-policy-kb/fetch_policy_entry`,
		"close ticket INC0010003":             `No allowed tool does what "close" asks for`,
		"Compare INC0010001 and sp-001":       "(a comparison)",
		"Get INC0010001 and INC0010002":       `get_ticket takes one "ticket_id" at a time: "INC0010001" or "INC0010002"?`,
		"Who owns the data retention policy?": "Which call is meant?",
		"What is the weather in Oslo?":        "No allowed tool",
		"How are you?":                        "No allowed tool",
		"??":                                  "No allowed tool",
	} {
		if got := planned(t, c, words, ""); !strings.HasPrefix(got, "? ") || !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// With the tools that change things allowed too, they still need a question
// that says so.
func TestDestructiveToolsNeedTheirWord(t *testing.T) {
	t.Parallel()
	all := listed(t, filepath.Join("..", "..", "host", "demo", "tools", "mcp-policy-kb.json"), "kb")
	c := admit(t, all...)
	for words, want := range map[string]string{
		"policy-002":               `kb/fetch_policy_entry {"policy_id":"policy-002"}`,
		"Delete policy-002":        `kb/delete_policy_entry {"policy_id":"policy-002"}`,
		"please remove policy-002": `kb/delete_policy_entry {"policy_id":"policy-002"}`,
	} {
		if got := planned(t, c, words, ""); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
	for _, d := range all {
		if f, err := d.Fields(); err == nil && strings.HasPrefix(f.Name, "delete") {
			if got := planned(t, admit(t, d), "Summarize the policy policy-002", ""); !strings.HasPrefix(got, "? ") {
				t.Errorf("alone, %s", got)
			}
		}
	}
}

// A tool whose name begins with a verb that changes the world is not reached by
// a question that only holds what it would need.
func TestChangingToolsNeedTheirWord(t *testing.T) {
	t.Parallel()
	c := admit(t, listed(t, corpus.Path(t, "tools-list/server-filesystem.json"), "fs")...)
	for _, words := range []string{"file /tmp/a.txt \"hello\"", "files /tmp/a.txt /tmp/b.txt source destination", "directory /tmp/new", "new content \"x\" for the file /tmp/a.txt", "the file system at /tmp/a.txt"} {
		got := planned(t, c, words, "")
		for _, tool := range []string{"fs/write_file", "fs/edit_file", "fs/move_file", "fs/create_directory"} {
			if strings.HasPrefix(got, tool) {
				t.Errorf("%q: %s", words, got)
			}
		}
	}
}

func TestFileQuestions(t *testing.T) {
	t.Parallel()
	c := admit(t, listed(t, corpus.Path(t, "tools-list/server-filesystem.json"), "fs")...)
	for words, want := range map[string]string{
		"read the text file /tmp/x/notes.txt": `fs/read_text_file {"path":"/tmp/x/notes.txt"}`,
		"list the directory /tmp/x":           `fs/list_directory {"path":"/tmp/x"}`,
		"write \"hello\" to /tmp/a.txt":       `fs/write_file {"path":"/tmp/a.txt","content":"hello"}`,
		"search for *.go files in /src":       `fs/search_files {"path":"/src","pattern":"*.go"}`,
		"move /tmp/a.txt to /tmp/b.txt":       `fs/move_file {"source":"/tmp/a.txt","destination":"/tmp/b.txt"}`,
		"create a directory /tmp/new":         `fs/create_directory {"path":"/tmp/new"}`,
		"get info about /etc/hosts":           `fs/get_file_info {"path":"/etc/hosts"}`,
		"read /tmp/a.txt and /tmp/b.txt":      `fs/read_multiple_files {"paths":["/tmp/a.txt","/tmp/b.txt"]}`,
		"which directories are allowed?":      `fs/list_allowed_directories {}`,

		"Show the first 10 lines of ./README.md": `fs/read_text_file {"path":"./README.md","head":10}`,
	} {
		if got := planned(t, c, words, ""); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
	for _, words := range []string{"delete /tmp/a.txt", "read the file", "What is the capital of Norway?"} {
		if got := planned(t, c, words, ""); !strings.HasPrefix(got, "? ") {
			t.Errorf("%q: %s", words, got)
		}
	}
}

func TestRankPutsTheToolsThatFitFirst(t *testing.T) {
	t.Parallel()
	c := admit(t, demoTools(t)...)
	ranked := lexical.New(noon).Rank("search the tickets about VPN", c.Tools())
	if len(ranked) != 6 || ranked[0].Name() != "search_servicenow_tickets" {
		t.Errorf("%d tools, first %s", len(ranked), ranked[0].Name())
	}
	same := lexical.New(noon).Rank("xyzzy", c.Tools())
	for i, tool := range c.Tools() {
		if same[i].Digest() != tool.Digest() {
			t.Fatalf("tools that share no word changed places")
		}
	}
}
