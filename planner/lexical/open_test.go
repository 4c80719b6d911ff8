package lexical_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
)

// What an answer can close is told as data too; what it cannot is not.
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
	c := admit(t, append(demoTools(t), note)...)
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
		{"Read a note", "shopping"}:                    "", // which of two?
		{"Read a note", `folder "home", title "milk"`}: `{"folder":"home","title":"milk"}`,
		{"What is the weather", "in Oslo"}:             "", // nothing was asked that this would answer
	} {
		rules := input.BuiltIn()
		answered, err := input.Admit(input.Asked{Words: asked[0] + "\n" + asked[1], Answer: asked[1]}, rules)
		if err != nil {
			t.Fatal(err)
		}
		if got := argsOf(t, propose(t, lexical.New(noon), answered, c)); got != want {
			t.Errorf("%q: %s, want %s", asked, got, want)
		}
	}
	// What cannot be the value is asked for again.
	again, err := input.Admit(input.Asked{Words: "Read a note\nshopping", Answer: "shopping"}, input.BuiltIn())
	if err != nil {
		t.Fatal(err)
	}
	if p, err := lexical.New(noon).Propose(t.Context(), again, c); err != nil || p.Open == nil || len(p.Open.Missing) != 2 {
		t.Errorf("%s, %+v, %v", p.Said, p.Open, err)
	}
	// A second line that answers nothing is the asker's own, as any.
	if got := planned(t, c, "Search the policies\nThanks", ""); got[0] != '?' {
		t.Error(got)
	}
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
