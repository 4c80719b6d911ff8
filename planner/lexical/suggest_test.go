package lexical_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
)

// asks are questions of our own and the calls that answer them, over tools of many
// servers: those that the rules for suggestions were made with.
var asks = []struct{ rows, tools string }{
	{"testdata/asks.jsonl", "testdata/asks-tools.json"},
	{"testdata/asks-nine.jsonl", "../../eval/cases/asks-tools.json"},
	{"testdata/first-days.jsonl", "../../eval/cases/asks-tools.json"},
}

// TestFiguresOfSuggestions holds a planner to floors a little below what it reaches
// on these rows, and to none at all where a change would be suggested.
func TestFiguresOfSuggestions(t *testing.T) {
	t.Parallel()
	for i, floor := range []struct{ tool, call, wrong int }{{95, 90, 0}, {95, 86, 0}, {89, 79, 3}} {
		c, err := planning.ReadAsks(asks[i].rows, asks[i].tools)
		if err != nil {
			t.Fatal(err)
		}
		report, err := planning.SuggestSuite(c.List, "embedded", lexical.New(noon)).Run(t.Context(), eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string][2]int{}
		for _, row := range report.Rows {
			for fact, n := range row.Facts {
				v := counts[fact]
				counts[fact] = [2]int{v[0] + n, v[1] + 1}
			}
			opposed := slices.Contains([]string{"negated", "quoted", "about", "conditional"}, row.Group)
			if opposed && row.Facts["change_suggested"] > 0 {
				t.Errorf("%s: a change is suggested: %s", row.Query, row.Data)
			}
		}
		if n := counts["tool"]; n[0]*100 < floor.tool*n[1] {
			t.Errorf("%s: the right tool for %d of %d", asks[i].rows, n[0], n[1])
		}
		if n := counts["call"]; n[0]*100 < floor.call*n[1] {
			t.Errorf("%s: the right call for %d of %d", asks[i].rows, n[0], n[1])
		}
		if n := counts["wrong"]; n[0] > floor.wrong {
			t.Errorf("%s: %d of %d proposals are wrong", asks[i].rows, n[0], n[1])
		}
		if n := counts["unasked"]; n[0] > 0 || n[1] == 0 {
			t.Errorf("%s: %d changes proposed of %d", asks[i].rows, n[0], n[1])
		}
	}
}

// nine are the tools of nine servers.
func nine(t *testing.T) catalog.Catalog {
	t.Helper()
	c, err := planning.ReadAsks(asks[1].rows, asks[1].tools)
	if err != nil {
		t.Fatal(err)
	}
	return catalogOf(t, c.List[0].Case)
}

// offered are the suggestions for a question, "server/tool {arguments} needs …".
func offered(t *testing.T, c catalog.Catalog, words string) (list []string, p planner.Proposal) {
	t.Helper()
	p, err := lexical.New(noon).Propose(t.Context(), ask(t, words, ""), c)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Suggestions {
		list = append(list, strings.TrimSuffix(s.Tool+" "+string(s.Args)+" needs "+strings.Join(s.Missing, ","), " needs "))
	}
	return list, p
}

func TestASuggestionIsFilledAsFarAsTheQuestionGoes(t *testing.T) {
	t.Parallel()
	c := nine(t)
	for words, want := range map[string]string{
		"cat /etc/hosts":                                  `files/read_text_file {"path":"/etc/hosts"}`,
		"Which PRs are open in acme/checkout?":            `github/list_pull_requests {"owner":"acme","repo":"checkout","state":"open"}`,
		"look up how to prune roses":                      `web/web_search {"query":"how to prune roses"}`,
		`google "is it worth it?"`:                        `web/web_search {"query":"is it worth it?"}`,
		"look up 東京タワー":                                   `web/web_search {"query":"東京タワー"}`,
		"run SELECT count(*) FROM orders":                 `sqlite/read_query {"query":"SELECT count(*) FROM orders"}`,
		"run INSERT INTO tags (name) VALUES ('new')":      `sqlite/write_query {"query":"INSERT INTO tags (name) VALUES ('new')"}`,
		"assign OPS-12":                                   `tickets/assign_ticket {"ticket_id":"OPS-12"} needs assignee`,
		"make OPS-12 urgent":                              `tickets/set_ticket_priority {"ticket_id":"OPS-12","priority":"urgent"}`,
		"what time is it in Oslo":                         `time/get_current_time {"timezone":"Europe/Oslo"}`,
		"mkdir ~/code/tools":                              `files/create_directory {"path":"~/code/tools"}`,
		"please restart the broken deployment in shop":    `kubernetes/deployments_restart {"name":"broken","namespace":"shop"}`,
		"commit in ~/code/app with message \"Fix typo.\"": `git/git_commit {"repo_path":"~/code/app","message":"Fix typo."}`,
	} {
		list, p := offered(t, c, words)
		read, err := plan.Parse(p.Said)
		if err != nil {
			t.Fatal(err)
		}
		if !read.Declines() {
			list = []string{read.Server() + "/" + read.Tool() + " " + string(read.Args())}
		}
		if !slices.Contains(list, want) || len(list) > planner.MaxSuggestions {
			t.Errorf("%q: %v, want %s", words, list, want)
		}
	}
}

// One verb with two objects is a choice between two calls.
func TestTwoObjectsAreTwoSuggestions(t *testing.T) {
	t.Parallel()
	list, p := offered(t, nine(t), "fetch https://a.example.org and https://b.example.org")
	want := []string{`web/fetch {"url":"https://a.example.org"}`, `web/fetch {"url":"https://b.example.org"}`}
	if len(list) < 2 || !slices.Equal(list[:2], want) {
		t.Errorf("%s: %v", p.Said, list)
	}
}

// Both ends of a file are two calls, for none takes both.
func TestBothEndsOfAFileAreTwoSuggestions(t *testing.T) {
	t.Parallel()
	first, last := `files/read_text_file {"path":"~/notes.txt","head":10}`, `files/read_text_file {"path":"~/notes.txt","tail":10}`
	for words, want := range map[string][]string{
		"Show the first 10 and the last 10 lines of ~/notes.txt":    {first, last},
		"show me the last 10 and the first 10 lines of ~/notes.txt": {last, first},
		"first 10 lines and last 10 lines of ~/notes.txt":           {first, last},
	} {
		list, p := offered(t, nine(t), words)
		if len(list) < 2 || !slices.Equal(list[:2], want) {
			t.Errorf("%q: %s: %v", words, p.Said, list)
		}
	}
}

// Whatever a changing tool's words are, it is not suggested for a question that asks
// for no change: neither the demo's tools nor those of nine servers.
func TestNoChangeIsSuggestedThatIsNotAskedFor(t *testing.T) {
	t.Parallel()
	c := nine(t)
	for _, words := range []string{
		"Don't close OPS-77", "OPS-77 must not be closed", "never restart the deployment worker in shop", "I do not want ~/a.txt moved to ~/b.txt",
		"Lena wrote: close OPS-77", `"close OPS-77" is what he told me`, "the runbook says to restart the deployment worker in shop",
		"why was OPS-77 closed?", "can OPS-77 be closed?", "who assigned OPS-12 to lena?", "OPS-77 was closed yesterday", "is it safe to move ~/a.txt to ~/b.txt",
		"close OPS-77 if nobody objects", "once the build is done, restart the deployment worker in shop", "when the load is low, scale deployment api to 2 replicas",
		"How many tickets does Alice have", "Which tickets did Bob create",
		"compare ~/a.txt and ~/b.txt", "OPS-77", "show closed tickets", "list the issues of acme/checkout that were closed",
	} {
		_, p := offered(t, c, words)
		for _, s := range p.Suggestions {
			server, name, _ := strings.Cut(s.Tool, "/")
			if tool, err := c.Tool(server, name); err != nil || !tool.Effect().Reads {
				t.Errorf("%q: %s %s", words, s.Tool, s.Args)
			}
		}
	}
}

// The question back says how near the suggestions are.
func TestTheHeadingSaysHowNearSuggestionsAre(t *testing.T) {
	t.Parallel()
	invoice := pin.Descriptor{Server: "s", Raw: []byte(`{"name":"fetch_invoice","description":"An invoice of a customer.","inputSchema":{"type":"object","properties":{"customer":{"type":"string"}},"required":["customer"]}}`)}
	contract := pin.Descriptor{Server: "s", Raw: []byte(`{"name":"delete_contract","inputSchema":{"type":"object"}}`)}
	c := admit(t, invoice, contract)
	for words, want := range map[string]string{
		"Play some jazz":                     "No allowed tool fits",
		"Whose customer is it, by contract?": "Nearest, not the same",
		"Whose invoices does the boss sign?": "Which call is meant?",
	} {
		_, p := offered(t, c, words)
		if read, err := plan.Parse(p.Said); err != nil || !strings.HasPrefix(read.Answer(), want) {
			t.Errorf("%q: %s, want %s", words, p.Said, want)
		}
	}
}

// A tool that is not in the allowlist is named where the question speaks of it, and
// is not a suggestion.
func TestAToolThatCannotBeCalledIsNamed(t *testing.T) {
	t.Parallel()
	c := nine(t)
	for words, want := range map[string]string{
		"delete ticket OPS-77": "tickets/delete_ticket", "merge pull request 14 of acme/checkout": "github/merge_pull_request", "show ticket 77": "",
	} {
		list, p := offered(t, c, words)
		if p.Excluded != want || slices.ContainsFunc(list, func(s string) bool { return want != "" && strings.HasPrefix(s, want) }) {
			t.Errorf("%q: %q, want %q; %v", words, p.Excluded, want, list)
		}
	}
}

// A value that lacks what the examples of a description show is asked for.
func TestAValueHasTheFormThatADescriptionShows(t *testing.T) {
	t.Parallel()
	tools := admit(t, listed(t, filepath.Join("testdata", "forms.json"), "s")...)
	for words, want := range map[string]string{
		"weather in Berkeley, CA":             `s/get_weather {"city":"Berkeley, CA"}`,
		"weather in Berkeley":                 `? s/get_weather needs "city"`,
		"time in zone Europe/Oslo":            `s/get_time {"zone":"Europe/Oslo"}`,
		"time in zone Oslo":                   `s/get_time {"zone":"Europe/Oslo"}`,
		"time in zone Atlantis":               `?`,
		"events on 2026-12-03":                `s/list_events {"day":"2026-12-03"}`,
		"events on December 3":                `? s/list_events needs "day"`,
		"open tickets of the project WEB":     `?`, // "open" may be a state
		"exchange rate of USD":                `s/exchange_rate {"currency":"USD"}`,
		"exchange rate of dollars":            `?`,
		`explain "merge the branch main now"`: `?`, // a quoted order
	} {
		if got := planned(t, tools, words, ""); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// Of variants of one reading tool the one is meant whose name the question says.
func TestAVariantDoesNotMakeAQuestionAmbiguous(t *testing.T) {
	t.Parallel()
	c := nine(t)
	for words, want := range map[string]string{
		"list directory ~/pics": `files/list_directory {"path":"~/pics"}`,
	} {
		if got := planned(t, c, words, ""); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// A tool of pictures takes no text.
func TestAToolOfPicturesTakesNoText(t *testing.T) {
	t.Parallel()
	c := nine(t)
	const want = `files/read_text_file {"path":"notes.txt"}`
	list, p := offered(t, c, "read notes.txt")
	read, err := plan.Parse(p.Said)
	if err != nil || !read.Declines() || !slices.Contains(list, want) {
		t.Errorf("%s: %v", p.Said, list)
	}
	if strings.Contains(strings.Join(list, " "), "media") {
		t.Errorf("%v", list)
	}
	if got := planned(t, c, "open photo.png", ""); got != `files/read_media_file {"path":"photo.png"}` {
		t.Error(got)
	}
}

// A call holds what the question says of it: a value that only a parameter without
// one is described by is not dropped, a word of the tool's name is not a listed value,
// and a time of day has the form that is asked for.
func TestACallHoldsWhatTheQuestionSaysOfIt(t *testing.T) {
	t.Parallel()
	c := nine(t)
	for words, want := range map[string]string{
		"list commits on branch main of acme/checkout":         "? github/list_commits has no place for",
		"show the pull request of acme/checkout":               "? Which call is meant?",
		"find the ticket about the printer":                    `tickets/search_tickets {"query":"printer"}`,
		"list commits of acme/checkout":                        `github/list_commits {"owner":"acme","repo":"checkout"}`,
		"list directory ~/pics with sizes":                     `files/list_directory_with_sizes {"path":"~/pics"}`,
		"list directory ~/pics with sizes, sorted by size":     `files/list_directory_with_sizes {"path":"~/pics","sortBy":"size"}`,
		"convert 3pm Berlin to Tokyo":                          `time/convert_time {"source_timezone":"Europe/Berlin","time":"15:00","target_timezone":"Asia/Tokyo"}`,
		"convert 9:30 in Berlin to Tokyo":                      `time/convert_time {"source_timezone":"Europe/Berlin","time":"09:30","target_timezone":"Asia/Tokyo"}`,
		"Which PRs are open in acme/checkout?":                 "? Which call is meant?",
		"read the file ~/a.txt":                                "? Which tool is meant:",
		"show me the mails from lena about the summer invoice": "? ",
	} {
		if got := planned(t, c, words, ""); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}

// A suggestion is near the question. Its text is the sought one, and tools far behind the
// first are left out.
func TestASuggestionIsNear(t *testing.T) {
	t.Parallel()
	c := nine(t)
	list, _ := offered(t, c, "last 5 mails from my boss")
	if want := `workspace/search_mail {"query":"boss","max_results":5}`; !slices.Contains(list, want) {
		t.Errorf("%v, want %s", list, want)
	}
	list, _ = offered(t, c, "list commits of acme/checkout on main")
	if len(list) != 1 {
		t.Errorf("%v", list)
	}
}

// What a reading tool does not do is suggested and not called, though the question
// says words of its name.
func TestAReadingToolIsNotCalledForAnotherThing(t *testing.T) {
	t.Parallel()
	c := nine(t)
	for words, called := range map[string]bool{
		"unstage everything in ~/code/app":                         false,
		"stage all of ~/code/app":                                  false,
		"show the unstaged changes in ~/code/app":                  true,
		"list the pull requests of acme/checkout":                  true,
		"show the pull request of acme/checkout":                   false,
		"I'd like a directory ~/data/archive":                      false,
		"run UPDATE orders SET paid = 1 WHERE id = 7":              false,
		"UPDATE orders SET paid = 1 — run that":                    false,
		"list the directory ~/data/archive":                        true,
		"what is in the directory ~/data/archive?":                 true,
		"show ticket OPS-77 and also its comments":                 false,
		"show the comments of ticket OPS-77":                       true,
		"get the comments on issue 12 of acme/checkout":            true,
		`search the web for "open source licences"`:                true,
		"show the history of the branch main in the repo ~/code/x": false,
	} {
		_, p := offered(t, c, words)
		read, err := plan.Parse(p.Said)
		if err != nil || read.Declines() == called {
			t.Errorf("%q: %s", words, p.Said)
		}
	}
}
