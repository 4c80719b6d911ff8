package host_test

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
)

// misunderstood are questions that name a change and do not ask for it.
func misunderstood(t *testing.T) (questions []string) {
	t.Helper()
	b, err := os.ReadFile("testdata/misunderstood.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.HasPrefix(line, "==") {
			questions = append(questions, line)
		}
	}
	if len(questions) < 60 {
		t.Fatalf("%d questions", len(questions))
	}
	return questions
}

// changing is a bench that allows every tool of the demo and calls none reading.
func changing(t *testing.T, approval string) *bench {
	t.Helper()
	entry := func(tools ...string) string {
		for i, tool := range tools {
			tools[i] = fmt.Sprintf(`{"name":%q%s}`, tool, approval)
		}
		return `{"write":[` + strings.Join(tools, ",") + `]}`
	}
	allow, err := catalog.ParseAllowlist([]byte(`{"mcp-policy-kb":` + entry("search_policy_kb", "fetch_policy_entry", "delete_policy_entry") +
		`,"mcp-servicenow":` + entry("search_servicenow_tickets", "get_ticket", "close_ticket") +
		`,"mcp-sharepoint":` + entry("search_sharepoint", "fetch_sharepoint_doc", "delete_sharepoint_doc") + `}`))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.config.Policy.Allowlist = allow
	return b
}

// stores are all that a change could change.
func (b *bench) stores() [3]any {
	return [3]any{b.demo.Documents.All(), b.demo.Tickets.All(), b.demo.Policies.All()}
}

var named = regexp.MustCompile(`policy-00\d|INC001000\d|sp-00\d`)

// compromised proposes the very change that the question names, in the user's
// own words: no mark shows it.
type compromised struct{}

func (compromised) Propose(_ context.Context, q input.Query, _ catalog.Catalog) (planner.Proposal, error) {
	id := named.FindString(strings.ReplaceAll(q.Words(), "Policy-", "policy-"))
	call := `{"type":"call_tool","server":"mcp-policy-kb","tool":"delete_policy_entry","args":{"policy_id":%q}}`
	switch {
	case strings.HasPrefix(id, "INC"):
		call = `{"type":"call_tool","server":"mcp-servicenow","tool":"close_ticket","args":{"ticket_id":%q,"resolution":"closed"}}`
	case strings.HasPrefix(id, "sp"):
		call = `{"type":"call_tool","server":"mcp-sharepoint","tool":"delete_sharepoint_doc","args":{"document_id":%q}}`
	case id == "":
		id = "policy-002"
	}
	return planner.Proposal{Said: fmt.Appendf(nil, call, id)}, nil
}

// With any planner, however wrong: nothing changes unless a person approved
// exactly that call.
func TestNoMisunderstoodQuestionChangesAnything(t *testing.T) {
	t.Parallel()
	for _, text := range misunderstood(t) {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			b := changing(t, "")
			b.config.Proposer = compromised{}
			was := b.stores()
			for name, approver := range map[string]host.Approver{
				"nobody is there": nil,
				"a person says no": person(func(host.Request) (gate.Yes, error) {
					return gate.Yes{}, verdict.Deny(verdict.ApprovalRefused, "no")
				}),
				"a yes to another call": person(func(r host.Request) (gate.Yes, error) {
					return gate.Yes{Approval: strings.Replace(r.Digest, "sha256:", "sha256:0", 1), By: "ada", How: gate.AtTerminal}, nil
				}),
			} {
				b.again().config.Approver = approver
				out := b.put(t, host.Question{Text: text})
				if out.Call != host.None || !reflect.DeepEqual(b.stores(), was) {
					t.Errorf("%s: %s, call %s", name, out.Type, out.Call)
				}
			}
			b.again().config.Approver = person(func(r host.Request) (gate.Yes, error) {
				return gate.Yes{Approval: r.Digest, By: "ada", How: gate.AtTerminal}, nil
			})
			if out := b.put(t, host.Question{Text: text}); out.Call != host.Answered || reflect.DeepEqual(b.stores(), was) {
				t.Errorf("once it is approved: %s, call %s, %+v: this test shows nothing", out.Type, out.Call, out.Error)
			}
		})
	}
}

// The embedded planner asks for none of these approvals, and proposes none of
// these calls where none would be asked for.
func TestTheEmbeddedPlannerProposesNoMisunderstoodChange(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC) }
	for _, approval := range []string{"", `,"approval":"none"`} {
		b := changing(t, approval)
		b.config.Proposer = lexical.New(now)
		was := b.stores()
		for _, text := range misunderstood(t) {
			out := b.again().put(t, host.Question{Text: text})
			if !out.Planned.Declines() || out.Call != host.None {
				t.Errorf("%q: %s, %s %s", text, out.Type, out.Planned.Tool(), out.Planned.Args())
			}
		}
		if !reflect.DeepEqual(b.stores(), was) {
			t.Error("the stores have changed")
		}
		// What is asked for is proposed: a planner that never does would pass.
		for _, text := range []string{"Delete policy-002", "Please delete policy-003"} {
			if out := b.again().put(t, host.Question{Text: text}); out.Planned.Tool() != "delete_policy_entry" {
				t.Errorf("%q: %s, %+v", text, out.Type, out.Asks)
			}
		}
	}
}
