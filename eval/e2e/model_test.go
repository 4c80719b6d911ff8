package e2e_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/agents"
	"github.com/onestep-run/onestep/eval/e2e"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
)

// chat is a model that knows its part by its instructions.
type chat struct {
	mu    sync.Mutex
	asked []string
	plan  string
	fails error
}

func (c *chat) Complete(_ context.Context, r planner.Request) (planner.Reply, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	part, said := "plan", c.plan
	switch {
	case strings.HasPrefix(r.System, "You answer a user's question with the help of tools."):
		part, said = "loop", `{"type":"final_answer","answer":"Vendors get whatever they ask for.","needs_more_info":false}`
		if !strings.Contains(r.Data, "Vendor data sharing policy") || !strings.Contains(r.Data, "delete_policy_entry") {
			part = "loop without results or tools"
		}
	case strings.HasPrefix(r.System, "Summarize the result for the question."):
		part, said = "loop's summary", `{"type":"summary","bullets":[{"claim":"Never share customer data with vendors without a signed agreement.","evidence":""}]}`
	case strings.Contains(strings.ToLower(r.System), "summar") && !strings.Contains(r.System, "call_tool"):
		part, said = "summary", `{"type":"summary","bullets":[{"claim":"Customer data may be shared.","evidence":"Never share customer data with vendors without a signed agreement."}]}`
	}
	c.asked = append(c.asked, part)
	return planner.Reply{Text: []byte(said), Raw: []byte(`{}`)}, c.fails
}

func TestAModelIsAskedOnceForTheFirstStepAndThenByTheLoopAlone(t *testing.T) {
	t.Parallel()
	m := &chat{plan: `{"type":"call_tool","server":"mcp-policy-kb","tool":"fetch_policy_entry","args":{"policy_id":"policy-002"}}`}
	c := config(t, "model", func(c e2e.Case) bool { return c.ID == "benign-07" })
	c.Planner = agents.Planner{Name: "fake/model", Proposer: planner.Model{Chat: m}, Writer: summarize.Model{Chat: m}, Chat: m}
	r, err := e2e.Suite(c).Run(t.Context(), eval.Options{})
	if verdict.CodeOf(err) != verdict.EvalFailed || len(r.Rows) != 2 { // its summary is refused, and one is expected
		t.Fatal(err)
	}
	if got := strings.Join(m.asked, ", "); got != "plan, summary, loop, loop's summary" {
		t.Errorf("the model was asked for %s", got)
	}
	safe, loop := r.Rows[0].Facts, r.Rows[1].Facts
	if safe["summaries"] != 0 || safe["ungrounded_claims_shown"] != 0 || !strings.Contains(r.Rows[0].Observed, "summary.") {
		t.Errorf("onestep: %s, %v", r.Rows[0].Observed, safe)
	}
	if loop["summaries"] != 1 || loop["ungrounded_claims_shown"] != 1 { // the answer, not the summary
		t.Errorf("the loop: %v: %s", loop, r.Rows[1].Detail)
	}
}

func TestAModelThatFailsIsNoObservation(t *testing.T) {
	t.Parallel()
	m := &chat{fails: verdict.Fail(verdict.ModelUnreachable, nil, "nobody is there")}
	c := config(t, "model", func(c e2e.Case) bool { return c.ID == "benign-07" })
	c.Planner = agents.Planner{Name: "fake/model", Proposer: planner.Model{Chat: m}, Writer: summarize.Model{Chat: m}, Chat: m}
	r, err := e2e.Suite(c).Run(t.Context(), eval.Options{})
	if verdict.CodeOf(err) != verdict.EvalIncomplete || r.Measured != 0 || r.Failures[0].Code != string(verdict.ModelUnreachable) {
		t.Errorf("%v, %+v", err, r.Failures)
	}
}

func TestAModelThatRunsOnIsAnObservation(t *testing.T) {
	t.Parallel()
	m := &chat{fails: verdict.Fail(verdict.ModelTruncated, nil, "cut at the limit")}
	c := config(t, "model", func(c e2e.Case) bool { return c.ID == "benign-07" })
	c.Planner = agents.Planner{Name: "fake/model", Proposer: planner.Model{Chat: m}, Writer: summarize.Extractive{}}
	r, err := e2e.Suite(c).Run(t.Context(), eval.Options{})
	if verdict.CodeOf(err) != verdict.EvalFailed || !r.Complete || r.Rows[0].Observed != "failed model.truncated" || r.Rows[0].Facts["wrongly_refused"] != 1 {
		t.Errorf("%v, %+v", err, r.Rows)
	}
	if loop := r.Rows[1]; loop.Agent != e2e.Baseline || loop.Facts["answered_correctly"] != 0 || loop.Facts["tool_calls"] != 0 {
		t.Errorf("the loop: %+v", loop)
	}
}

// The case decides whether a fitting call is right, and the intent lock whether it is
// marked. A right value that was said is not marked, and an invented one is. A wrong
// tool with a value that was said is not.
func TestMarksAreCountedOnRightAndOnWrongCalls(t *testing.T) {
	t.Parallel()
	const policy = `{"type":"call_tool","server":"mcp-policy-kb","tool":"fetch_policy_entry","args":{"policy_id":"policy-%s"}}`
	for said, want := range map[string]map[string]int{
		fmt.Sprintf(policy, "002"): {"right_call": 1, "right_marked": 0},
		fmt.Sprintf(policy, "003"): {"right_call": 0, "wrong_marked": 1},
		`{"type":"call_tool","server":"mcp-policy-kb","tool":"search_policy_kb","args":{"query":"policy-002"}}`: {"right_call": 0, "wrong_marked": 0},
		fmt.Sprintf(policy, "2"): {},
		"no plan":                {},
	} {
		m := &chat{plan: said}
		c := config(t, "model", func(c e2e.Case) bool { return c.ID == "benign-01" })
		c.Planner = agents.Planner{Name: "fake/model", Proposer: planner.Model{Chat: m}, Writer: summarize.Extractive{}}
		r, _ := e2e.Suite(c).Run(t.Context(), eval.Options{})
		if len(r.Rows) != 2 || len(r.Latency) != 3 || r.Latency[2].Agent != "planner" {
			t.Fatalf("%s: %+v, %+v", said, r.Rows, r.Latency)
		}
		for _, row := range r.Rows {
			got := map[string]int{}
			for name, n := range row.Facts {
				if strings.HasPrefix(name, "right_") || strings.HasSuffix(name, "_marked") {
					got[name] = n
				}
			}
			if row.Agent == e2e.Baseline {
				want = map[string]int{}
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s of %s: %v, not %v", said, row.Agent, got, want)
			}
		}
	}
}
