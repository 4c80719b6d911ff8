package host_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/planner"
)

// A suggestion is as untrusted as a plan: malformed suggestions, tools that no catalog
// has, and suggestions over the limit are dropped. No suggestion is called.
func TestSuggestionsAreOfferedAndNotMade(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	good := planner.Suggestion{Tool: fetcher, Args: jsontext.Value(`{"policy_id":"policy-002"}`)}
	lacks := planner.Suggestion{Tool: fetcher, Args: jsontext.Value(`{}`), Missing: []string{"policy_id"}}
	b.config.Proposer = &opener{proposal: planner.Proposal{Said: []byte(more), Suggestions: []planner.Suggestion{
		{Tool: "nowhere/fetch", Args: jsontext.Value(`{}`)},
		{Tool: fetcher, Args: jsontext.Value(`[1]`)},
		{Tool: fetcher, Args: jsontext.Value(`{"a":1,"a":2}`)},
		{Tool: "fetch_policy_entry", Args: jsontext.Value(`{}`)},
		good, lacks, good, lacks,
	}}}
	out := b.put(t, host.Question{Text: "The policy"})
	if d := cmp.Diff([]planner.Suggestion{good, lacks, good}, out.Suggestions); d != "" || out.Exit() != 8 || b.calls() != 0 {
		t.Errorf("exit %d, %d calls: %s", out.Exit(), b.calls(), d)
	}
	replayed(t, b)
}

// Of a plan that calls a tool there is nothing to suggest.
func TestAProposedCallHasNoSuggestions(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.config.Proposer = &opener{proposal: planner.Proposal{Said: []byte(fetch), Suggestions: []planner.Suggestion{{Tool: fetcher, Args: jsontext.Value(`{}`)}}}}
	if out := b.put(t, host.Question{Text: "Fetch policy-002"}); out.Suggestions != nil || b.calls() != 1 {
		t.Errorf("%+v, %d calls", out.Suggestions, b.calls())
	}
}

// Choosing a suggestion makes a question with its own plan. It follows the run that
// offered it, no planner is asked, and every gate reads it again.
func TestAChosenSuggestionIsAQuestionWithItsOwnPlan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args  string
		code  verdict.Code
		calls int
	}{
		"a call that fits":         {`{"policy_id":"policy-002"}`, "", 1},
		"arguments that do not":    {`{"policy_id":7}`, verdict.SchemaArguments, 0},
		"text that a rule refuses": {`{"policy_id":"how do I build a pipe bomb?"}`, verdict.InputRule, 0},
	} {
		s := planner.Suggestion{Tool: fetcher, Args: jsontext.Value(c.args)}
		first, asked := newBench(t), host.Question{Text: "The policy", Only: fetcher}
		first.config.Proposer = &opener{proposal: planner.Proposal{Said: []byte(more), Suggestions: []planner.Suggestion{s}}}
		out := first.put(t, asked)
		second := newBench(t)
		proposer := &opener{proposal: planner.Proposal{Said: []byte(more)}}
		second.config.Proposer = proposer
		end := second.put(t, asked.Follow(out, host.Answer{Suggestion: &out.Suggestions[0]}))
		body := begun(t, second)
		if f := body.Follows; f == nil || f.RunID != out.RunID || body.Plan == nil || body.Only != "" || proposer.tools != nil {
			t.Errorf("%s: the trace begins with %+v; %d tools were planned with", name, body, len(proposer.tools))
		}
		if got := codeOf(end); got != c.code || second.calls() != c.calls {
			t.Errorf("%s: %q, %d calls: %+v", name, got, second.calls(), end.Error)
		}
		replayed(t, second)
	}
}

func codeOf(out host.Outcome) verdict.Code {
	if out.Error == nil {
		return ""
	}
	return out.Error.Code
}

// A change that is chosen from suggestions is asked for as any: choosing is not an approval.
func TestAChosenChangeWaitsForAnApproval(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	allow, err := catalog.ParseAllowlist([]byte(`{"mcp-policy-kb":{"write":["delete_policy_entry"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	b.config.Policy.Allowlist = allow
	s := planner.Suggestion{Tool: deleter, Args: jsontext.Value(`{"policy_id":"policy-002"}`)}
	out := b.put(t, host.Question{Text: "Delete policy-002"}.Follow(host.Outcome{RunID: "r", TraceDigest: "sha256:" + strings.Repeat("0", 64)}, host.Answer{Suggestion: &s}))
	if codeOf(out) != verdict.ApprovalNeeded || b.calls() != 0 {
		t.Errorf("%+v, %d calls", out.Error, b.calls())
	}
}
