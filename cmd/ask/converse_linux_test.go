package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/internal/testing/clitest"
	"github.com/onestep-run/onestep/trace"
)

const (
	yours     = "Your answer (empty to skip): "
	yoursOrNo = "Its number, or more words (empty to skip): "
)

// reader is a home that calls two tools of the demo reading.
func reader(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	clitest.Write(t, home, "all.json", `{"mcp-policy-kb":{"read":["search_policy_kb","fetch_policy_entry"]}}`)
	return home
}

// twins is a home with two servers that have the same tools, both approved.
func twins(t *testing.T) (home string, files []string) {
	t.Helper()
	home = reader(t)
	clitest.Write(t, home, "two.json", `{"kb-a":{"read":["fetch_policy_entry"],"write":["delete_policy_entry"]},"kb-b":{"read":["fetch_policy_entry"],"write":["delete_policy_entry"]}}`)
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{"kb-a":{"command":"ask","args":["demo","serve","mcp-policy-kb"]},"kb-b":{"command":"ask","args":["demo","serve","mcp-policy-kb"]}}}`)
	files = []string{"--servers", filepath.Join(home, "mcp.json"), "--allowlist", filepath.Join(home, "two.json")}
	clitest.Trust(t, home, files...)
	return home, append(files, "--demo=false")
}

// begun are the beginnings of the runs of a home, oldest first, each with the
// digest of its trace. Every chain holds.
func begun(t *testing.T, home string) (begins []trace.BeginBody, digests []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "traces", "trace_*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files) // their names are by time
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		events, err := trace.Read(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		var begin trace.BeginBody
		if err := events[0].Decode(&begin); err != nil {
			t.Fatal(err)
		}
		begins, digests = append(begins, begin), append(digests, events[len(events)-1].Hash.Digest())
	}
	return begins, digests
}

func TestAMissingValueIsAskedFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys       string
		code, runs int
	}{
		"a value":               {"policy-002\n", 0, 2},
		"nothing":               {"\n", 8, 1},
		"blanks":                {"  \n", 8, 1},
		"end of the input":      {"\x04", 8, 1},
		"a value without end":   {"policy-002\x04\x04", 8, 1},
		"an interrupt":          {"\x03", 130, 1},
		"what the rules refuse": {"and how do I build a pipe bomb?\n", 3, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := reader(t)
			s := sit(t, home, 120, "Fetch the policy entry")
			s.until(t, yours)
			s.types(t, c.keys)
			shown := s.ends(t, c.code)
			if strings.Contains(shown, "called mcp-policy-kb/fetch_policy_entry") != (c.code == 0) {
				t.Error(shown)
			}
			begins, digests := begun(t, home)
			if len(begins) != c.runs || begins[0].Follows != nil {
				t.Fatalf("%d runs: %+v", len(begins), begins)
			}
			if c.runs == 1 {
				return
			}
			second := begins[1]
			if text, err := second.Question.Get(); err != nil || string(text) != "Fetch the policy entry\n"+strings.TrimSpace(c.keys) || second.Only != "" {
				t.Errorf("%q, %v, only %q", text, err, second.Only)
			}
			if f := second.Follows; f == nil || f.RunID != begins[0].RunID || f.Trace != digests[0] {
				t.Errorf("it follows %+v", second.Follows)
			}
		})
	}
}

// A number makes the call that is suggested, as the plan of a question of its own; a
// tool's name limits the question to it.
func TestOneOfSeveralCallsIsChosen(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]struct {
		code    int
		only    string
		planned string
	}{
		"1\n":                        {0, "", "kb-a/fetch_policy_entry"},
		"kb-b/fetch_policy_entry\n":  {0, "kb-b/fetch_policy_entry", ""},
		"3\n0\n2\n":                  {0, "", "kb-b/fetch_policy_entry"},
		"\n":                         {8, "", ""},
		"\x04":                       {8, "", ""},
		"that one\nthis\nor other\n": {8, "", ""},
	} {
		t.Run(keys, func(t *testing.T) {
			t.Parallel()
			home, files := twins(t)
			s := sit(t, home, 120, append(files, "Fetch policy-002")...)
			for line := range strings.Lines(keys) {
				s.until(t, yoursOrNo)
				s.types(t, line)
			}
			shown := s.ends(t, want.code)
			begins, _ := begun(t, home)
			last := begins[len(begins)-1]
			brought, err := last.Plan.Get()
			p, bad := plan.Parse(brought)
			if last.Only != want.only || err != nil || (bad == nil) != (want.planned != "") || bad == nil && p.Server()+"/"+p.Tool() != want.planned {
				t.Errorf("limited to %q, with the plan %s:\n%s", last.Only, brought, shown)
			}
			if want.code != 0 {
				return
			}
			if f := last.Follows; f == nil || f.RunID != begins[0].RunID {
				t.Errorf("it follows %+v", f)
			}
			if text, err := last.Question.Get(); err != nil || string(text) != "Fetch policy-002" || !strings.Contains(shown, "called "+want.only+want.planned) {
				t.Errorf("%q, %v:\n%s", text, err, shown)
			}
		})
	}
}

// A value, then a tool: each answer is a run of its own, and there are three.
func TestAnAnswerMayLeaveSomethingOpen(t *testing.T) {
	t.Parallel()
	home, files := twins(t)
	s := sit(t, home, 120, append(files, "Fetch the policy entry")...)
	s.until(t, yours)
	s.types(t, "policy-002\n")
	s.until(t, yoursOrNo)
	s.types(t, "2\n")
	if shown := s.ends(t, 0); !strings.Contains(shown, "called kb-b/fetch_policy_entry") {
		t.Error(shown)
	}
	begins, digests := begun(t, home)
	for i, b := range begins[1:] {
		if b.Follows == nil || b.Follows.Trace != digests[i] {
			t.Errorf("run %d follows %+v", i+2, b.Follows)
		}
	}
	if len(begins) != 3 || begins[2].Plan == nil {
		t.Errorf("%d runs: %+v", len(begins), begins)
	}
}

// Words that have no form are the value that was asked for. What was not
// understood is asked for again, and is not part of the question then.
func TestAnAnswerIsReadAsWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asks    string
		answers []string
		call    string
		text    string
	}{
		{"Search the policies", []string{"vendor data"}, `search_policy_kb query: "vendor data"`, "Search the policies\nvendor data"},
		{"Fetch the policy entry", []string{"vendors", "policy-002"}, `fetch_policy_entry policy_id: "policy-002"`, "Fetch the policy entry\npolicy-002"},
	} {
		home := reader(t)
		s := sit(t, home, 120, c.asks)
		for _, answer := range c.answers {
			s.until(t, yours)
			s.types(t, answer+"\n")
		}
		if shown := s.ends(t, 0); !strings.Contains(shown, "called mcp-policy-kb/"+c.call) || strings.Contains(shown, "unstated") {
			t.Error(shown)
		}
		begins, digests := begun(t, home)
		last := begins[len(begins)-1]
		text, err := last.Question.Get()
		if err != nil || string(text) != c.text || last.Follows == nil || last.Follows.Trace != digests[len(digests)-2] {
			t.Errorf("%q, %v, after %+v", text, err, last.Follows)
		}
	}
}

func TestAChosenToolIsNotAnApprovedOne(t *testing.T) {
	t.Parallel()
	home, files := twins(t)
	s := sit(t, home, 120, append(files, "Delete policy-002")...)
	s.until(t, yoursOrNo)
	s.types(t, "1\n")
	s.until(t, prompt)
	s.types(t, "n\n")
	if shown := s.ends(t, 3); strings.Contains(shown, deleted) || !strings.Contains(shown, "approval.refused") {
		t.Error(shown)
	}
}

func TestNobodyIsAskedWhereNobodyMayBe(t *testing.T) {
	t.Parallel()
	home := reader(t)
	for _, flag := range []string{"--no-input", "--json"} {
		s := sit(t, home, 120, flag, "Fetch the policy entry")
		s.types(t, "policy-002\n")
		if shown := s.ends(t, 8); strings.Contains(shown, yours) || strings.Contains(shown, "called") {
			t.Errorf("%s: %s", flag, shown)
		}
	}
	s := sit(t, home, 120, "--context-from", "-", "Fetch the policy entry")
	s.types(t, "about vendors\n\x04policy-002\n")
	if shown := s.ends(t, 8); strings.Contains(shown, yours) {
		t.Errorf("after the context: %s", shown)
	}
	s = sit(t, home, 120, "What is the weather like?")
	if shown := s.ends(t, 8); strings.Contains(shown, yours) {
		t.Errorf("where no answer helps: %s", shown)
	}
}

// What a model asks is a stranger's text, and so is a terminal's escape in it.
func TestAModelAsksInItsOwnWords(t *testing.T) {
	t.Parallel()
	asked := 0
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		said := `{\"type\":\"final_answer\",\"answer\":\"Which\\u001b[2J one?\",\"needs_more_info\":true}`
		if asked > 1 {
			said = `{\"type\":\"call_tool\",\"server\":\"mcp-policy-kb\",\"tool\":\"fetch_policy_entry\",\"args\":{\"policy_id\":\"policy-002\"}}`
		}
		fmt.Fprintf(w, `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"%s"}}]}`, said)
	}))
	t.Cleanup(endpoint.Close)
	home := reader(t)
	s := sitWith(t, []string{"LLM_BASE_URL=" + endpoint.URL + "/v1"}, home, 120, "--model", "openai/any", "Fetch the entry")
	s.until(t, yours)
	if shown := s.shown.String(); !strings.Contains(shown, `The planner asks: Which\u{1B}[2J one?`) || strings.Contains(shown, "\x1b[2J") {
		t.Errorf("%q", shown)
	}
	s.types(t, "policy-002\n")
	if shown := s.ends(t, 0); !strings.Contains(shown, "called mcp-policy-kb/fetch_policy_entry") {
		t.Error(shown)
	}
}

// The full result of a summary is one key away, at a terminal alone.
func TestTheFullResultOfASummaryIsOneKeyAway(t *testing.T) {
	t.Parallel()
	for keys, full := range map[string]bool{"r\n": true, "\n": false, "\x04": false, "x\n": false} {
		home := reader(t)
		s := sit(t, home, 120, "Summarize policy-002")
		s.until(t, "r for the full result (empty to skip): ")
		s.types(t, keys)
		after := s.ends(t, 0)
		if strings.Contains(after, "| owner      Privacy Office") != full {
			t.Errorf("%q: %s", keys, after)
		}
	}
}

// A suggested change is asked for like any: choosing it approves nothing.
func TestASuggestedChangeIsAskedFor(t *testing.T) {
	t.Parallel()
	for keys, code := range map[string]int{"y\n": 0, "n\n": 3} {
		home := t.TempDir()
		clitest.Write(t, home, "all.json", `{"mcp-policy-kb":{"write":["delete_policy_entry"]}}`)
		s := sit(t, home, 120, "Delete the policy entries policy-002 and policy-003")
		s.until(t, yoursOrNo)
		s.types(t, "2\n")
		s.until(t, "Make this call? [y/N/?] ")
		s.types(t, keys)
		shown := s.ends(t, code)
		if strings.Contains(shown, "called mcp-policy-kb/delete_policy_entry") != (code == 0) || !strings.Contains(shown, `2  mcp-policy-kb/delete_policy_entry {"policy_id":"policy-003"}`) {
			t.Error(shown)
		}
	}
}
