package intent_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/intent"
)

// A changing call is marked where the question forbids, asks about, quotes or
// conditions the change, and not where it asks for it in other words.
func TestWhatSpeaksAgainstAChange(t *testing.T) {
	t.Parallel()
	for tool, questions := range map[string]map[string]string{
		"delete_policy_entry": {
			"Don't delete policy-002":                                                  "forbidden",
			"Please do not delete policy-002":                                          "forbidden",
			"You must not remove policy-002":                                           "forbidden",
			"No need to delete policy-002":                                             "forbidden",
			"Delete nothing, not even policy-002":                                      "forbidden",
			"Keep policy-002, delete it not":                                           "forbidden",
			"Leave policy-002 alone":                                                   "forbidden",
			"Never delete policy-002, whatever Bob writes":                             "forbidden",
			"Forget to delete policy-002":                                              "forbidden",
			"I don't think we should delete policy-002":                                "forbidden",
			"Delete policy-002?":                                                       "asked about",
			"Who can delete policy-002?":                                               "asked about",
			"How do I delete policy-002":                                               "asked about",
			"Should we delete policy-002?":                                             "asked about",
			"Can I delete policy-002?":                                                 "asked about",
			"What happens when policy-002 is deleted?":                                 "asked about",
			"Show me policy-002":                                                       "asked about",
			"How can you delete policy-002?":                                           "asked about",
			"Why would you delete policy-002?":                                         "asked about",
			"When would you delete policy-002?":                                        "asked about",
			"Which could you delete, policy-002?":                                      "asked about",
			"Tell me how to delete policy-002":                                         "asked about",
			"Find out why we delete policy-002":                                        "asked about",
			"Can you tell me who deleted policy-002?":                                  "asked about",
			`Translate "delete policy-002" into French`:                                "quoted",
			`The mail says "delete policy-002"`:                                        "quoted",
			"Bob said: delete policy-002":                                              "reported",
			"My boss wants me to delete policy-002":                                    "reported",
			"According to the runbook, delete policy-002":                              "reported",
			"policy-002 was deleted yesterday":                                         "reported",
			"Maybe delete policy-002":                                                  "reported",
			"Remind me to delete policy-002":                                           "reported",
			"Delete policy-002 if it is old":                                           "conditional",
			"If policy-002 is a draft, delete it":                                      "conditional",
			"Delete policy-002 unless it is in force":                                  "conditional",
			"When the audit is over, delete policy-002":                                "conditional",
			"Delete policy-002 once legal agrees":                                      "conditional",
			"Delete policy-002 as soon as it is out of force":                          "conditional",
			"Before you delete policy-002, ask me":                                     "conditional",
			"Stop: do not delete sp-001!":                                              "forbidden",
			"Leave policy-002 alone, no deletion":                                      "forbidden",
			"I was told to delete policy-002":                                          "reported",
			"The plan is to delete policy-002":                                         "reported",
			"Delete policy-002 maybe":                                                  "reported",
			"Bob is going to delete policy-002":                                        "reported",
			"The intern deletes policy-002 every week":                                 "reported",
			"Forget about deleting policy-002":                                         "reported",
			"Is it possible to delete policy-002?":                                     "asked about",
			"Any chance you could delete policy-002?":                                  "",
			"Bob is out today, can you delete policy-002?":                             "",
			"Delete policy-002 because it was never used":                              "",
			"Delete policy-002, which Bob asked for if I remember":                     "",
			"policy-002 needs to be deleted":                                           "",
			"Delete policy-002":                                                        "",
			"policy-002: delete it":                                                    "",
			"Please remove policy-002 now":                                             "",
			"Could you delete policy-002?":                                             "",
			"Would you mind deleting policy-002?":                                      "",
			"I need policy-002 deleted":                                                "",
			"I want you to delete policy-002":                                          "",
			"Don't forget to delete policy-002":                                        "",
			"Delete policy-002, we don't need it any more":                             "",
			"policy-002 doesn't apply any more. Delete it.":                            "",
			"Delete policy-002 and let me know if it fails":                            "",
			"Please delete policy-002 if possible":                                     "",
			"Look up who owns it, and delete policy-002":                               "",
			"Get rid of policy-002":                                                    "",
			"Lösche policy-002":                                                        "",
			"I can't find the owner of policy-002 any more, please delete it":          "",
			"Thanks! Now delete policy-002.":                                           "",
			"We decided to scrap it, so go ahead and delete policy-002":                "",
			`Delete "do not delete"`:                                                   "",
			"Delete the policy that nobody reads, policy-002":                          "",
			"Why don't you delete policy-002":                                          "",
			"Delete policy-002 before lunch":                                           "",
			"It would be great to have policy-002 deleted, please":                     "",
			"Delete policy-002 \u2014 do we need more of them? I think not at present": "",
		},
		"create_issue": {
			`Create an issue "Do not delete the logs" in acme/checkout`: "",
			"File a bug: the login fails when the name is empty":        "",
			"Open an issue titled Broken login":                         "",
			"What would the issue say?":                                 "asked about",
			"Don't issue INC1 yet":                                      "forbidden",
		},
		"sendMessage": {
			"Tell the team in #ops that I am late":      "",
			"Message Bob: should we delete policy-002?": "",
			"Ping Bob":                                              "",
			"Yesterday I sent Bob the numbers":                      "reported",
			"Paid and sent, Bob has the numbers":                    "reported",
			`Tell #deploys "Deploy of checkout finished"`:           "",
			`Tell me who wrote "delete the channel"`:                "asked about",
			`Don't tell #deploys "Deploy of checkout finished"`:     "forbidden",
			`If it is green, tell #deploys "deploy of api is done"`: "conditional",
		},
		"send_email": {
			"Never email Bob":          "forbidden",
			"If it is late, email Bob": "conditional",
			"Email Bob":                "",
		},
		"remove_member": {
			`Tell #ops "remove the member Bob"`: "quoted",
		},
		"Open": {
			"What is on page 7?":   "",
			"Don't open page 7":    "forbidden",
			"Open page 7 if it is": "conditional",
		},
		"open_account": {
			"What is in account 7?": "asked about",
		},
		"read_file": {
			"What is in notes.txt?":     "",
			"Do not read the notes.txt": "forbidden",
		},
		"fetch_policy_entry": {
			"What does policy-002 say?": "",
			"Show policy-002":           "",
			"Don't fetch policy-002":    "forbidden",
		},
		"run_query": {
			"How many orders are open?": "",
			"Which orders are late?":    "",
		},
	} {
		for question, want := range questions {
			got := ""
			if s := intent.Against(question, tool); s != nil {
				got = s.Kind
			}
			if got != want {
				t.Errorf("%s: %q: %q, want %q", tool, question, got, want)
			}
		}
	}
}

// What a call holds is not a sign; what is forbidden of a value is, whatever else is ordered.
func TestWhatACallHoldsIsNoSign(t *testing.T) {
	t.Parallel()
	at := func(question, value string) intent.Span {
		for i := range question {
			if len(question)-i >= len(value) && question[i:i+len(value)] == value {
				return intent.Span{Start: i, End: i + len(value), Text: value}
			}
		}
		panic(value)
	}
	for _, c := range []struct{ question, value, want string }{
		{"Comment never delete this on INC1", "never delete this", ""},
		{"Close INC1 and don't close INC2", "INC1", ""},
		{"Close INC1 and don't close INC2", "INC2", "forbidden"},
		{"Don't close INC1, close INC2", "INC1", "forbidden"},
		{"Don't close INC1, close INC2", "INC2", ""},
		{"Close all tickets except INC1", "INC1", "forbidden"},
		{"Close everything but INC1", "INC1", "forbidden"},
		{"Close INC1 rather than INC2", "INC2", "forbidden"},
		{"Close INC1 rather than INC2", "INC1", ""},
	} {
		got := ""
		if s := intent.Against(c.question, "close_comment", at(c.question, c.value)); s != nil {
			got = s.Kind
		}
		if got != c.want {
			t.Errorf("%q with %q: %q, want %q", c.question, c.value, got, c.want)
		}
	}
	if intent.Against("", "x") != nil {
		t.Error("nothing has a sign")
	}
}

// Of a tool with an action the value of the action is read as a word of the
// request: it is what has to be asked for.
func TestAnActionIsAskedForAsTheNameOfATool(t *testing.T) {
	t.Parallel()
	const service = `{"type":"object","properties":{"host":{"type":"string"},"action":{"enum":["status","start","stop","restart","preview_stop"]},
		"state":{"enum":["open","stop"]},"title":{"type":"string"}}}`
	for _, c := range []struct{ question, args, want string }{
		{"Is nginx up on web-03? Do not restart it", `{"host":"web-03","action":"restart"}`, "forbidden"},
		{"Can nginx be restarted on web-03?", `{"host":"web-03","action":"restart"}`, "asked about"},
		{"If web-03 is idle, restart it", `{"host":"web-03","action":"restart"}`, "conditional"},
		{`The note says "restart web-03"`, `{"host":"web-03","action":"restart"}`, "quoted"},
		{"Is web-03 up? Do not restart it", `{"host":"web-03","action":"status"}`, ""},
		{"What would it cost to stop web-03?", `{"host":"web-03","action":"preview_stop"}`, ""},
		{"Restart web-03", `{"host":"web-03","action":"restart"}`, ""},
		{"Please bring web-03 back up", `{"host":"web-03","action":"restart"}`, ""},
		{"Could you restart web-03?", `{"host":"web-03","action":"restart"}`, ""},
		{"Which are at stop?", `{"state":"stop"}`, ""},          // no parameter of an action
		{"Which is called restart?", `{"title":"restart"}`, ""}, // nor one of a list
	} {
		got := ""
		if n := compare(t, intent.Question{Text: c.question, Server: "hosts", Tool: "service", Changes: true}, service, c.args).NotAsked; n != nil {
			got = n.Kind
		}
		if got != c.want {
			t.Errorf("%q %s: %q, want %q", c.question, c.args, got, c.want)
		}
	}
}
