package host_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/trace"
)

// with is a host over the demo's servers, with a part of the program's own.
func with(o setup.Options, allowed string) *setup.Ready {
	allow, err := catalog.ParseAllowlist([]byte(allowed))
	if err != nil {
		panic(err)
	}
	o.Demo, o.Allowlist = true, &allow
	if o.Traces == nil {
		o.Traces = table{}
	}
	h, err := setup.Host(config.Settings{}, o)
	if err != nil {
		panic(err)
	}
	return h
}

// business approves small things and refuses the rest.
type business struct{}

func (business) Approve(_ context.Context, r host.Request) (gate.Yes, error) {
	if r.Tool != "close_ticket" || r.Marked {
		return gate.Yes{}, verdict.Deny(verdict.ApprovalRefused, "only a ticket that the question names is closed here")
	}
	return gate.Yes{Approval: r.Digest, By: "office hours", How: gate.ByDigest}, nil
}

// An approver is given all that a person would be shown, and answers for exactly
// that call.
func ExampleApprover() {
	h := with(setup.Options{Approver: business{}}, `{"mcp-servicenow": {"write": ["close_ticket"]}, "mcp-policy-kb": {"write": ["delete_policy_entry"]}}`)
	defer h.Close()
	for _, text := range []string{`Close ticket INC0010001 with the resolution "rolled back"`, "Delete policy-002"} {
		out := h.Ask(context.Background(), host.Question{Text: text})
		fmt.Println(out.Type, out.Call)
	}
	// Output:
	// tool_result answered
	// blocked none
}

// ticket proposes to read the ticket whose number the question holds.
type ticket struct{}

func (ticket) Propose(_ context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error) {
	for word := range strings.FieldsSeq(q.Words()) {
		if strings.HasPrefix(word, "INC") {
			return planner.Proposal{Said: plan.Call("mcp-servicenow", "get_ticket", fmt.Appendf(nil, `{"ticket_id":%q}`, word))}, nil
		}
	}
	return planner.Proposal{Said: plan.Decline(fmt.Sprintf("Which ticket? I have %d tool.", len(c.Tools())))}, nil
}

// A proposer may be a model, a table or a rule. Its bytes are read as a plan, and
// what they name is checked as if an enemy had written them.
func ExampleProposer() {
	h := with(setup.Options{Parts: setup.Parts{Proposer: ticket{}, Planner: "ticket"}}, `{"mcp-servicenow": {"read": ["get_ticket"]}}`)
	defer h.Close()
	for _, text := range []string{"What about INC0010001 ?", "What is open?"} {
		out := h.Ask(context.Background(), host.Question{Text: text})
		fmt.Printf("%s %q\n", out.Type, out.Asks)
	}
	// Output:
	// tool_result ""
	// final_answer "Which ticket? I have 1 tool."
}

// names finds names that must not be shown outside.
type names []string

func (n names) Scan(_ context.Context, s host.Sample) (found []scan.Finding, _ error) {
	for _, p := range s.Parts {
		for _, name := range n {
			if at := strings.Index(p.Text, name); at >= 0 {
				found = append(found, scan.Finding{Rule: "project", Tier: scan.Hard, Where: p.Where, Start: at, End: at + len(name)})
			}
		}
	}
	return found, nil
}

// A scanner can only withhold a result, or parts of it from summaries. A hard
// finding withholds all of it.
func ExampleScanner() {
	h := with(setup.Options{Parts: setup.Parts{
		Scanners: []host.NamedScanner{{Name: "names", Scanner: names{"INC0010002"}}},
	}}, `{"mcp-servicenow": {"read": ["get_ticket"]}}`)
	defer h.Close()
	for _, text := range []string{"Get ticket INC0010001", "Get ticket INC0010002"} {
		out := h.Ask(context.Background(), host.Question{Text: text})
		fmt.Println(out.Type, len(out.Guard.Findings))
	}
	// Output:
	// tool_result 0
	// blocked 2
}

// table has the traces of runs, as a database would.
type table map[string]*row

func (t table) Create(_ context.Context, runID string) (host.TraceSink, string, error) {
	if t[runID] != nil {
		return nil, "", os.ErrExist
	}
	t[runID] = &row{}
	return t[runID], "", nil
}

type row struct{ bytes.Buffer }

// Sync would return once the database has what was written. No call leaves before.
func (*row) Sync() error { return nil }

// Close ends the trace.
func (*row) Close() error { return nil }

// Traces may be anywhere that keeps what was synced. What is read back from there
// is checked.
func ExampleTraces() {
	runs := table{}
	h := with(setup.Options{Parts: setup.Parts{Traces: runs}}, `{"mcp-servicenow": {"read": ["get_ticket"]}}`)
	defer h.Close()
	out := h.Ask(context.Background(), host.Question{Text: "Get ticket INC0010001"})
	text := runs[out.RunID].Bytes()

	last, err := trace.Verify(bytes.NewReader(text), func(trace.Event) {})
	fmt.Println(last.Digest() == out.TraceDigest, err)
	_, err = trace.Verify(bytes.NewReader(bytes.Replace(text, []byte("INC0010001"), []byte("INC0010002"), 1)), func(trace.Event) {})
	fmt.Println(verdict.CodeOf(err))
	// Output:
	// true <nil>
	// trace.broken
}
