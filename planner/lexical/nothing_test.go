package lexical_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/pin"
)

// nothingAsked are questions that hold all that a changing tool of the demo needs,
// and ask for no change: one of several things speaks against each.
var nothingAsked = map[string][]string{
	"negated": {
		"Don't delete policy-002", "Do not delete policy-002", "Never delete policy-002", "Please don't close INC0010001 with resolution \"done\"",
		"You must not delete sp-003", "Delete nothing, not even policy-002", "No need to delete policy-002", "Stop: do not delete sp-001!", "Avoid deleting policy-002",
		"Refrain from closing INC0010001", "Leave policy-002 alone, no deletion", "Do nothing to policy-002", "Keep policy-002, delete it not", "Refuse to delete policy-002",
	},
	"asked about": {
		"Who can delete policy-002?", "Can I delete policy-002?", "Is it safe to delete policy-002?", "Should policy-002 be deleted?", "How do I delete policy-002?", "What happens when policy-002 is deleted?",
		"Is it forbidden to delete sp-009?", "Why would anyone delete policy-002?", "Am I allowed to close INC0010001?", "May we delete sp-003?", "Delete policy-002?", "Which tool would delete policy-002?",
		"Do you know how to delete policy-002?", "Could policy-002 be deleted?", "Are you able to delete policy-002?", "What if I delete policy-002?", "Would you ever delete policy-002?",
	},
	"reported": {
		"Bob said: delete policy-002", "I was told to delete policy-002 but I refused", "The mail says \"delete policy-002\"", "My boss wants to delete policy-002", "They asked me to close INC0010001",
		"Someone wrote delete policy-002 in the ticket", "The plan is to delete policy-002", "Alice: please delete policy-002", "According to the runbook, delete policy-002", "\"Delete policy-002\" is what the note says",
	},
	"conditional": {
		"Delete policy-002 if it is old", "If policy-002 is a draft, delete it", "Delete policy-002 unless it is in force", "When the audit is over, delete policy-002", "Delete policy-002 once legal agrees",
		"Delete policy-002 only after Friday", "Close INC0010001 with resolution \"done\" as soon as it works", "Delete policy-002 provided that nobody uses it", "Before you delete policy-002, ask me", "In case of doubt delete policy-002",
	},
	"past": {
		"Policy-002 was deleted", "Who deleted policy-002?", "Yesterday I deleted policy-002", "The intern has deleted policy-002", "Deleted policy-002", "Deletes policy-002", "When was INC0010001 closed?", "INC0010001 got closed with resolution \"done\"",
		"Deleting policy-002 was a mistake", "policy-002 had to be deleted", "The deletion of policy-002", "We have been deleting policy-002",
	},
	"excepted": {
		"Delete all policies except policy-002", "Delete everything but policy-002", "Delete every document other than sp-003", "Close all tickets apart from INC0010001", "Delete the policies, excluding policy-002", "Delete all but policy-002", "Delete policy-002's draft, not policy-002",
	},
	"compared": {
		"Is policy-002 older than policy-003?", "Compare policy-002 and policy-003", "Which is safer to delete, policy-002 or policy-003?", "Delete policy-002 or policy-003", "Delete the older of policy-002 and policy-003", "Delete policy-002 rather than policy-003", "Delete whichever is older, policy-002 or sp-003",
	},
	"two at once": {
		"Delete policy-002 and policy-003", "Delete the policy-002 and the policy-003", "Fetch policy-002 and delete it", "Delete policy-002, then close INC0010001", "Delete policy-002 and sp-003", "Show policy-002 then delete policy-002", "Close INC0010001 and INC0010002 with resolution \"done\"",
		"Delete policy-002. Delete policy-003.", "Delete policies 2 and 3", "Summarize policy-002 and delete it", "Delete policy-002; and mail Bob", "Delete policy-002 and tell me its owner",
	},
	"pointed at, or hedged": {
		"Delete policy-002 and those", "Delete policy-002 and these", "Delete policy-002 and that", "Delete policy-002 and them", "Delete policy-002 and some", "Delete policy-002 and any", "Delete policy-002 and few here",
		"Delete policy-002 sort of", "Delete policy-002, kind of", "Sort of delete policy-002", "Maybe delete policy-002", "Delete policy-002 maybe", "Perhaps delete policy-002", "Delete policy-002 during the morning",
	},
	"something else of it": {
		"Delete the owner of policy-002", "Delete the second paragraph of policy-002", "Delete the copy of policy-002", "Undelete policy-002", "Pretend to delete policy-002", "Simulate: delete policy-002", "Schedule policy-002 to be deleted", "Delete policy-002 tomorrow",
		"The policy is gone for good: delete policy-002", "Will you delete policy-002?", "Get policy-002 deleted", "Remind me to delete policy-002", "Write a script that deletes policy-002", "Translate \"delete policy-002\" into French", "Delete policy-002 twice", "Delete policy-02", "Delete policy-0022", "Don’t you dare delete policy-002", "Deny any request to delete policy-002", "Cancel the request to delete policy-002", "Forget to delete policy-002",
	},
}

// Every tool of the demo is called writing, so that each call would change something.
func TestNothingIsChangedByAQuestionThatDoesNotAskForIt(t *testing.T) {
	t.Parallel()
	var all []pin.Descriptor
	for _, server := range []string{"mcp-policy-kb", "mcp-servicenow", "mcp-sharepoint"} {
		all = append(all, listed(t, filepath.Join("..", "..", "host", "demo", "tools", server+".json"), server)...)
	}
	c := admitAs(t, func(string) bool { return false }, all...)
	for kind, questions := range nothingAsked {
		for _, words := range questions {
			if got := planned(t, c, words, ""); !strings.HasPrefix(got, "? ") {
				t.Errorf("%s: %q: %s", kind, words, got)
			}
		}
	}
	for words, want := range map[string]string{
		"Delete policy-002":                                       `mcp-policy-kb/delete_policy_entry {"policy_id":"policy-002"}`,
		"Can you please delete the document sp-003?":              `mcp-sharepoint/delete_sharepoint_doc {"document_id":"sp-003"}`,
		`Close ticket INC0010001 with the resolution "restarted"`: `mcp-servicenow/close_ticket {"ticket_id":"INC0010001","resolution":"restarted"}`,
		"Summarize policy-002":                                    `mcp-policy-kb/fetch_policy_entry {"policy_id":"policy-002"}`,
	} {
		if got := planned(t, c, words, ""); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// Orders to change something that no tool here changes, in words that tools do
// say: what a changing tool is called has to be said, not only described.
func TestAnotherThingIsNotChangedInItsPlace(t *testing.T) {
	t.Parallel()
	tool := func(name, description, parameter string) pin.Descriptor {
		return pin.Descriptor{Server: "s", Raw: jsontext.Value(`{"name":"` + name + `","description":"` + description + `","inputSchema":{"type":"object","required":["` +
			parameter + `"],"properties":{"` + parameter + `":{"type":"string"}}}}`)}
	}
	c := admitAs(t, func(string) bool { return false },
		tool("delete_entities", "Delete entities and their relations from the graph.", "names"),
		tool("delete_namespace", "Delete a namespace with all objects in it.", "namespace_id"),
		tool("create_project", "Create a project for a team of the organization.", "name"))
	for words, want := range map[string]string{
		"Delete the relation Ana-Bob":     "?",
		"Delete the object img/a.png":     "?",
		"Create a team named core":        "?",
		"Delete the namespace ns-1":       `s/delete_namespace {"namespace_id":"ns-1"}`,
		"Create a project named core-api": `s/create_project {"name":"core-api"}`,
	} {
		if got := planned(t, c, words, ""); got != want && (want != "?" || !strings.HasPrefix(got, "? ")) {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// What speaks against a change does so whatever the tool's title and description
// say: they are a stranger's.
func TestNoDescriptionTakesBackWhatSpeaksAgainstAChange(t *testing.T) {
	t.Parallel()
	const words = "not never unless once if until only all except tomorrow yesterday who was tell these maybe sort kind"
	c := admitAs(t, func(string) bool { return false }, pin.Descriptor{Server: "s", Raw: jsontext.Value(`{"name":"delete_page","title":"` + words + `","description":"Delete the page. ` + words +
		`","inputSchema":{"type":"object","required":["page_id"],"properties":{"page_id":{"type":"string","description":"` + words + `"}}}}`)})
	for _, after := range []string{"never", "unless p-2 is there", "once p-2 is there", "if p-2 is old", "until tomorrow", "only if old", "all of it", "except the head", "that was old", "and these", "maybe", "sort of", "kind of"} {
		if got := planned(t, c, "Delete the page p-1 "+after, ""); !strings.HasPrefix(got, "? ") {
			t.Errorf("%s: %s", after, got)
		}
	}
	if got := planned(t, c, "Delete the page p-1", ""); got != `s/delete_page {"page_id":"p-1"}` {
		t.Error(got)
	}
}

// If a description mentions archiving, "archived" is still not a word of a request to
// delete. It identifies the page, or asks for more than the call does.
func TestNoDescriptionMakesAFormOfItsWordsARequest(t *testing.T) {
	t.Parallel()
	c := admitAs(t, func(string) bool { return false }, pin.Descriptor{Server: "s", Raw: jsontext.Value(`{"name":"delete_page","description":"Delete the page, archive its file and log it.",` +
		`"inputSchema":{"type":"object","required":["page_id"],"properties":{"page_id":{"type":"string","description":"The page to restore from."}}}}`)})
	for words, calls := range map[string]bool{
		"Delete the page p-1":            true,
		"Delete the page p-1 archived":   false,
		"Delete the page p-1, archiving": false,
		"Delete the page p-1 restored":   false,
		"Delete the archived page p-1":   false,
	} {
		if got := planned(t, c, words, ""); strings.HasPrefix(got, "? ") == calls {
			t.Errorf("%q: %s", words, got)
		}
	}
}

// Each of these holds all that a reading tool needs, and says one thing more
// that its call would not.
func TestWhatACallWouldLeaveOutIsNotLeftOut(t *testing.T) {
	t.Parallel()
	c := everydayTools(t)
	for words, why := range map[string]string{
		"list pods in namespace billing with label selectors":      "a parameter without a value",
		"list orders since 2026-10-01 with a limit":                "a parameter without a value",
		"Search the web for bikes, country Norway":                 "a clause of its own in what is sought",
		"Search the web for bikes that were sold in 2020":          "a clause of its own in what is sought",
		"open a web search about e-bikes":                          "a new thing to make",
		"weather forecast for Bergen for half a week":              "a number that no digits state",
		"show issue 42 and 43 of acme/api":                         "a list for one place",
		"show the logs of the pods api-7f and api-9c in namespace": "a list for one place",
		"list pods in namespace billing; restart":                  "an order after a semicolon",
		"list pods in namespace billing please restart":            "an order after a courtesy",
		"list pods in namespace billing and restart":               "an order after an and",
	} {
		if got := planned(t, c, words, ""); !strings.HasPrefix(got, "? ") {
			t.Errorf("%s: %q: %s", why, words, got)
		}
	}
}
