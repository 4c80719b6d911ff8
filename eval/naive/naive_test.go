package naive_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/onestep-run/onestep/eval/naive"
	"github.com/onestep-run/onestep/eval/watched"
)

// script is a brain that says its lines in turn, and then that it is done.
type script struct {
	lines   []string
	writing string
	asked   [][]string // the results that each question came with
	offered []naive.Tool
}

func (s *script) Next(_ context.Context, _ string, tools []naive.Tool, results []string) ([]byte, error) {
	s.offered = tools
	s.asked = append(s.asked, slices.Clone(results))
	if len(s.lines) == 0 {
		return []byte(`{"type":"final_answer","answer":"done"}`), nil
	}
	line := s.lines[0]
	s.lines = s.lines[1:]
	if line == "broken" {
		return nil, errors.New("no answer")
	}
	return []byte(line), nil
}

func (s *script) Write(context.Context, string, string) ([]byte, error) {
	return []byte(s.writing), nil
}

func agent(d *watched.Demo, s *script) naive.Agent {
	return naive.Agent{Servers: d.Servers(), Connect: d.Transport, Brain: s}
}

const fetch = `{"type":"call_tool","server":"mcp-policy-kb","tool":"fetch_policy_entry","args":{"policy_id":"policy-002"}}`

func TestACallThatAPersonDeclinesIsNotMade(t *testing.T) {
	t.Parallel()
	d, s := watched.New(), &script{lines: []string{fetch, strings.Replace(fetch, "fetch", "delete", 1)}}
	a := agent(d, s)
	var shown []string
	a.Approve = func(server, tool string) bool {
		shown = append(shown, server+"/"+tool)
		return tool == "fetch_policy_entry"
	}
	run, err := a.Run(t.Context(), "what does policy-002 say?", false)
	if err != nil || len(run.Calls) != 2 || run.Calls[0].Failed || !run.Calls[1].Failed || run.Calls[1].Result != "error: the user declined this call" {
		t.Errorf("%v: %+v", err, run)
	}
	if d := cmp.Diff([]string{"mcp-policy-kb/fetch_policy_entry", "mcp-policy-kb/delete_policy_entry"}, shown); d != "" {
		t.Error(d)
	}
	if n := d.Calls("mcp-policy-kb", "delete_policy_entry"); n != 0 || len(s.asked[1]) != 1 {
		t.Errorf("%d calls reached the server", n)
	}
}

func TestAQuestionIsAnsweredByOneCallAndAnAnswer(t *testing.T) {
	t.Parallel()
	d, s := watched.New(), &script{lines: []string{fetch, `{"type":"final_answer","answer":"Never without an agreement."}`}}
	run, err := agent(d, s).Run(t.Context(), "what does policy-002 say?", false)
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Calls) != 1 || run.Calls[0].Failed || run.Answer != "Never without an agreement." || run.Asks != "" || run.Claims != nil {
		t.Errorf("%+v", run)
	}
	if len(s.asked) != 2 || len(s.asked[1]) != 1 || !strings.Contains(s.asked[1][0], "Vendor data sharing policy") {
		t.Errorf("the result did not go into the next question: %q", s.asked)
	}
	if len(s.offered) != 9 {
		t.Errorf("%d tools were offered, not every one of three servers", len(s.offered))
	}
	if n := d.Calls("mcp-policy-kb", "fetch_policy_entry"); n != 1 {
		t.Errorf("%d calls reached the server", n)
	}
}

func TestNothingKeepsItFromAToolThatDeletes(t *testing.T) {
	t.Parallel()
	d := watched.New()
	s := &script{lines: []string{fetch, `{"server":"mcp-policy-kb","tool":"delete_policy_entry","args":{"policy_id":"policy-002"}}`}}
	run, err := agent(d, s).Run(t.Context(), "what does policy-002 say?", false)
	if err != nil || len(run.Calls) != 2 {
		t.Fatal(err, run)
	}
	if _, there := d.Policies.Get("policy-002"); there {
		t.Error("the policy is still there")
	}
}

func TestAnAllowlistKeepsTheLoopToItsTools(t *testing.T) {
	t.Parallel()
	d := watched.New()
	s := &script{lines: []string{`{"server":"mcp-policy-kb","tool":"delete_policy_entry","args":{"policy_id":"policy-002"}}`, fetch}}
	a := agent(d, s)
	a.Allow = func(_, tool string) bool { return tool == "fetch_policy_entry" }
	run, err := a.Run(t.Context(), "what does policy-002 say?", false)
	if err != nil || len(run.Calls) != 2 || !run.Calls[0].Failed || run.Calls[1].Failed {
		t.Fatal(err, run)
	}
	if len(s.offered) != 1 || d.Calls("mcp-policy-kb", "delete_policy_entry") != 0 {
		t.Errorf("%d tools were offered, %d calls reached the other one", len(s.offered), d.Calls("mcp-policy-kb", "delete_policy_entry"))
	}
}

func TestALoopStopsAfterItsSteps(t *testing.T) {
	t.Parallel()
	d, s := watched.New(), &script{lines: slices.Repeat([]string{fetch}, 9)}
	run, err := agent(d, s).Run(t.Context(), "again and again", false)
	if err != nil {
		t.Fatal(err)
	}
	if n := d.Calls("mcp-policy-kb", "fetch_policy_entry"); n != naive.DefaultSteps || len(run.Calls) != n {
		t.Errorf("%d calls reached the server, %d by its own word", n, len(run.Calls))
	}
	if !strings.Contains(run.Answer, "Vendor data sharing policy") {
		t.Errorf("it ran out of steps and shows %q, not the last result", run.Answer)
	}
}

func TestWhatWentWrongIsToldToTheBrain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ said, told string }{
		"an unknown server":         {`{"server":"mcp-mail","tool":"send_mail","args":{}}`, "no server"},
		"an unknown tool":           {`{"server":"mcp-policy-kb","tool":"send_mail","args":{}}`, "send_mail"},
		"an argument that is wrong": {`{"server":"mcp-policy-kb","tool":"fetch_policy_entry","args":{"policy_id":7}}`, "policy_id"},
		"broken JSON":               {`{"server":"mcp-policy-kb",`, "no JSON object"},
		"a key twice":               {`{"tool":"a","tool":"b"}`, "no JSON object"},
		"neither":                   {`{"x":1}`, "neither a tool nor an answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{lines: []string{c.said}}
			run, err := agent(watched.New(), s).Run(t.Context(), "q", false)
			if err != nil || run.Answer != "done" {
				t.Fatal(err, run)
			}
			if len(s.asked) != 2 || !strings.Contains(s.asked[1][0], c.told) {
				t.Errorf("it was told %q", s.asked)
			}
		})
	}
}

func TestABrainIsReadAsLenientlyAsIsCommon(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{
		"in a fence":           "```json\n" + fetch + "\n```",
		"after some words":     "I shall look it up: " + fetch,
		"before another":       fetch + `{"server":"x","tool":"y","args":{}}`,
		"with another key":     strings.Replace(fetch, `"type"`, `"thought":"a } in a string","type"`, 1),
		"in another case":      strings.Replace(fetch, `"tool"`, `"TOOL"`, 1),
		"of a server it isn't": strings.Replace(fetch, `"mcp-policy-kb"`, `"policies"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := watched.New()
			if _, err := agent(d, &script{lines: []string{said}}).Run(t.Context(), "q", false); err != nil {
				t.Fatal(err)
			}
			if n := d.Calls("mcp-policy-kb", "fetch_policy_entry"); n != 1 {
				t.Errorf("%d calls reached the server", n)
			}
		})
	}
}

func TestProseIsAnAnswerAndAQuestionIsNone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ said, answer, asks string }{
		"prose":      {" It is forbidden.\n", "It is forbidden.", ""},
		"an answer":  {`{"type":"final_answer","answer":"It is.","needs_more_info":false}`, "It is.", ""},
		"a question": {`{"type":"final_answer","answer":"Which?","needs_more_info":true}`, "", "Which?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run, err := agent(watched.New(), &script{lines: []string{c.said}}).Run(t.Context(), "q", true)
			if diff := cmp.Diff(naive.Run{Answer: c.answer, Asks: c.asks}, run); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestWhatASummaryClaimsIsShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		said  string
		shown []string
	}{
		"a summary": {
			`{"type":"summary","bullets":[{"claim":"A.","evidence":"x"},"B."],"risks":[{"claim":"C."}],"recommendations":null}`,
			[]string{"A.", "B.", "C."},
		},
		"fenced": {"```\n" + `{"bullets":[{"claim":"A."}]}` + "\n```", []string{"A."}},
		"prose":  {" All is well. ", []string{"All is well."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{lines: []string{fetch}, writing: c.said}
			run, err := agent(watched.New(), s).Run(t.Context(), "q", true)
			if diff := cmp.Diff(c.shown, run.Claims); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestABrainOrAServerThatFailsIsAnError(t *testing.T) {
	t.Parallel()
	d := watched.New()
	run, err := agent(d, &script{lines: []string{fetch, "broken"}}).Run(t.Context(), "q", false)
	if err == nil || len(run.Calls) != 1 {
		t.Errorf("a brain: %v, %+v", err, run)
	}
	a := agent(d, &script{lines: []string{fetch}})
	a.Servers = append(a.Servers, "mcp-mail")
	if _, err := a.Run(t.Context(), "q", false); err == nil || !strings.Contains(err.Error(), "mcp-mail") {
		t.Errorf("a server: %v", err)
	}
	if n := d.Calls("mcp-policy-kb", "fetch_policy_entry"); n != 1 {
		t.Errorf("%d calls reached the server", n)
	}
}
