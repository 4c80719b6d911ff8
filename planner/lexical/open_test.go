package lexical_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
)

// A decline that an answer can close is also given as data; any other is not.
func TestADeclineSaysWhatIsOpen(t *testing.T) {
	t.Parallel()
	tools := demoTools(t)
	for _, d := range tools {
		if d.Server == "mcp-policy-kb" {
			tools = append(tools, pin.Descriptor{Server: "mirror", Raw: d.Raw})
		}
	}
	c := admit(t, tools...)
	for words, want := range map[string]*planner.Open{
		"Fetch policy-002":       {Tools: []string{"mirror/fetch_policy_entry", "mcp-policy-kb/fetch_policy_entry"}},
		"Get a ticket":           {Tools: []string{"mcp-servicenow/get_ticket"}, Missing: []string{"ticket_id"}},
		"Get ticket INC0010001":  nil,
		"Close ticket 7 for me":  nil,
		"Get ticket 10001":       {Tools: []string{"mcp-servicenow/get_ticket"}, Missing: []string{"ticket_id"}},
		"What is the weather":    nil,
		"Get INC0010001 by noon": nil,
	} {
		p, err := lexical.New(noon).Propose(t.Context(), ask(t, words, ""), c)
		if diff := cmp.Diff(want, p.Open); err != nil || diff != "" {
			t.Errorf("%q says %s, %v: %s", words, p.Said, err, diff)
		}
	}
}

func TestAnAnswerIsTheValueThatWasMissing(t *testing.T) {
	t.Parallel()
	note := pin.Descriptor{Server: "notes", Raw: []byte(`{"name":"read_note","description":"Read one note.","inputSchema":{"type":"object","properties":{"folder":{"type":"string"},"title":{"type":"string"}},"required":["folder","title"]}}`)}
	memo := pin.Descriptor{Server: "notes", Raw: []byte(`{"name":"read_memo","description":"Read one memo.","inputSchema":{"type":"object","properties":{"ticket":{"type":"string","pattern":"^INC[0-9]{7}$"},"heading":{"type":"string"}},"required":["heading"]}}`)}
	c := admit(t, append(demoTools(t), note, memo)...)
	for asked, want := range map[[2]string]string{
		{"Search the policies", "vendor data"}:         `{"query":"vendor data"}`,
		{"Search the policies", `"vendor data"`}:       `{"query":"vendor data"}`,
		{"Search the policies", "about vendor data"}:   `{"query":"vendor data"}`,
		{"Search the policies", "who, when and why?"}:  `{"query":"who, when and why?"}`,
		{"Search the policies", "e\u0301toile"}:        "{\"query\":\"\u00e9toile\"}",
		{"Get a ticket", "INC0010001"}:                 `{"ticket_id":"INC0010001"}`,
		{"Get a ticket", "the newest"}:                 "", // of no form that it takes
		{"Search the policies", "no idea"}:             "",
		{"Search the policies", "none, never mind"}:    "",
		{"Search the policies", "forget it"}:           "",
		{"Search the policies", "n"}:                   "",
		{"Search the policies", "Cancel that."}:        "",
		{"Search the policies", "stop"}:                "",
		{"Search the policies", `"stop words"`}:        `{"query":"stop words"}`,
		{"Search the 'policies", "vendor' data"}:       "", // the quotation is of both
		{"Search the policies '", "vendor' data"}:      "",
		{"Search the policies '", "' data"}:            "",
		{"Search the tickets", "INC0010002, VPN"}:      `{"query":"INC0010002, VPN"}`,
		{"Read a memo about it", "for INC0010002"}:     "", // has the form of another parameter
		{"Read a note", "shopping"}:                    "", // which of two?
		{"Read a note", `folder "home", title "milk"`}: `{"folder":"home","title":"milk"}`,
		{"What is the weather", "in Oslo"}:             "", // nothing was asked that this would answer
	} {
		if got := argsOf(t, propose(t, lexical.New(noon), answered(t, asked[0], asked[1]), c)); got != want {
			t.Errorf("%q: %s, want %s", asked, got, want)
		}
	}
	// What cannot be the value is asked for again.
	again := answered(t, "Read a note", "shopping")
	if p, err := lexical.New(noon).Propose(t.Context(), again, c); err != nil || p.Open == nil || len(p.Open.Missing) != 2 {
		t.Errorf("%s, %+v, %v", p.Said, p.Open, err)
	}
	// A second line that answers nothing is the asker's own, as any.
	if got := planned(t, c, "Search the policies\nThanks", ""); got[0] != '?' {
		t.Error(got)
	}
}

// What is changed rests on what an answer says by its words: by its form, by
// the parameter's name, or in quotation marks.
func TestNoAnswerIsTheValueOfAChangeByItsPlaceAlone(t *testing.T) {
	t.Parallel()
	c := admitAs(t, func(string) bool { return false }, listed(t, filepath.Join("..", "..", "host", "demo", "tools", "mcp-servicenow.json"), "mcp-servicenow")...)
	const closed = `{"ticket_id":"INC0010001","resolution":"new cable"}`
	for asked, want := range map[[2]string]string{
		{"Close ticket INC0010001", "forget it"}:                     "",
		{"Close ticket INC0010001", "n"}:                             "",
		{"Close ticket INC0010001", "cancel"}:                        "",
		{"Close ticket INC0010001", "sorry, I meant INC0010002"}:     "",
		{"Close ticket INC0010001", "INC0010002"}:                    "",
		{"Close ticket INC0010001", "what do you mean"}:              "",
		{"Close ticket INC0010001", "new cable"}:                     "",
		{"Close ticket INC0010001 '", "new' one"}:                    "",
		{"Close ticket INC0010001", `"new cable"`}:                   closed,
		{"Close ticket INC0010001", `with resolution "new cable"`}:   closed,
		{`Close a ticket with resolution "new cable"`, "INC0010001"}: closed,
	} {
		q := answered(t, asked[0], asked[1])
		if got := argsOf(t, propose(t, lexical.New(noon), q, c)); got != want {
			t.Errorf("%q: %s, want %s", asked, got, want)
		}
	}
	again := propose(t, lexical.New(noon), answered(t, "Close ticket INC0010001", "new cable"), c)
	if p, err := plan.Parse(again); err != nil || !strings.Contains(p.Answer(), "resolution") || !strings.Contains(p.Answer(), "quotation marks") {
		t.Errorf("%s, %v", again, err)
	}
}

// answered is a question that was asked, and what was typed then.
func answered(tb testing.TB, words, answer string) input.Query {
	tb.Helper()
	q, err := input.Admit(input.Asked{Words: words + "\n" + answer, Answer: answer}, input.BuiltIn())
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

// argsOf are the arguments of the call that is proposed, or "".
func argsOf(tb testing.TB, said []byte) string {
	tb.Helper()
	p, err := plan.Parse(said)
	if err != nil {
		tb.Fatal(err)
	}
	return string(p.Args())
}
