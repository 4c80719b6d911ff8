package lexical_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/pin"
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
		"What is the weather":    nil,
		"Get INC0010001 by noon": nil,
	} {
		p, err := lexical.New(noon).Propose(t.Context(), ask(t, words, ""), c)
		if diff := cmp.Diff(want, p.Open); err != nil || diff != "" {
			t.Errorf("%q says %s, %v: %s", words, p.Said, err, diff)
		}
	}
}
