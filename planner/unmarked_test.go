package planner_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/planner"
)

const closing = `{"type":"object","properties":{"id":{"type":"string"},"note":{"type":"string"}},"required":["id"]}`

// tickets is a catalog whose show_ticket the operator calls reading, and whose
// close_ticket may change something.
func tickets(t *testing.T) catalog.Catalog {
	t.Helper()
	allow, err := catalog.ParseAllowlist([]byte(`{"tickets":{"read":["show_ticket"],"write":["close_ticket"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	l := catalog.Listing{Server: "tickets"}
	for _, name := range []string{"show_ticket", "close_ticket"} {
		l.Tools = append(l.Tools, pin.Descriptor{Server: l.Server, Raw: []byte(`{"name":"` + name + `","inputSchema":` + closing + `}`)})
	}
	return catalog.Admit([]catalog.Listing{l}, allow, catalog.Options{})
}

func TestAModelsCallThatCarriesAMarkIsSuggested(t *testing.T) {
	t.Parallel()
	call := func(tool, args string) string {
		return `{"type":"call_tool","server":"tickets","tool":"` + tool + `","args":` + args + `}`
	}
	const declined = `{"type":"final_answer","answer":"The model's call of tickets/`
	for name, c := range map[string]struct {
		question, said string
		proposed       bool
		suggested      string
	}{
		"a value of the question":     {"Show ticket INC1", call("show_ticket", `{"id":"INC1"}`), true, ""},
		"a value of nowhere":          {"Show ticket INC1", call("show_ticket", `{"id":"INC2"}`), false, `{"id":"INC2"}`},
		"a value too many":            {"Show ticket INC1", call("show_ticket", `{"id":"INC1","note":"urgent"}`), false, `{"id":"INC1","note":"urgent"}`},
		"a literal that is left over": {"Show ticket INC1 of INC7", call("show_ticket", `{"id":"INC1"}`), false, `{"id":"INC1"}`},
		"a change that is asked for":  {"Close ticket INC1", call("close_ticket", `{"id":"INC1"}`), true, ""},
		"a change that is forbidden":  {"Do not close ticket INC1", call("close_ticket", `{"id":"INC1"}`), false, ""},
		"no call":                     {"Show ticket INC1", `{"type":"final_answer","answer":"Which one?"}`, true, ""},
		"no plan":                     {"Show ticket INC1", `Sure! {"id":"INC2"}`, true, ""},
		"a tool that no list has":     {"Show ticket INC1", call("drop_ticket", `{"id":"INC2"}`), true, ""},
		"arguments with a name twice": {"Show ticket INC1", call("show_ticket", `{"id":"INC1","id":"INC2"}`), true, ""},
	} {
		s := &script{lines: []string{c.said}}
		q := ask(t, c.question, "")
		p := propose(t, planner.Model{Chat: s, SuggestMarked: true}, q, tickets(t))
		if got := string(p.Said) == c.said; got != c.proposed {
			t.Errorf("%s: it says %s", name, p.Said)
		}
		if !c.proposed && !strings.HasPrefix(string(p.Said), declined) {
			t.Errorf("%s: it declines with %s", name, p.Said)
		}
		got := ""
		for _, s := range p.Suggestions {
			got += string(s.Args)
		}
		if diff := cmp.Diff(c.suggested, got); diff != "" {
			t.Errorf("%s: suggested\n%s", name, diff)
		}
		if len(p.Replies) != 1 {
			t.Errorf("%s: %d replies are kept", name, len(p.Replies))
		}
		without := propose(t, planner.Model{Chat: &script{lines: []string{c.said}}}, q, tickets(t))
		if string(without.Said) != c.said || without.Suggestions != nil {
			t.Errorf("%s: without the setting it says %s and suggests %d", name, without.Said, len(without.Suggestions))
		}
	}
}
