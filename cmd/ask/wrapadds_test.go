package main

import (
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// greetAs is the handshake of a client of this name.
func (r *spoken) greetAs(name string) {
	r.t.Helper()
	r.ask(strings.NewReplacer("VERSION", "2025-11-25", `"name":"t"`, `"name":"`+name+`"`).Replace(hello))
	r.send(ready)
}

const geminiCLI = "gemini-cli-mcp-client"

var runOf = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"run.onestep/run_id":"([^"]+)"`) })

// gemini-cli adds a boolean to every tool, and sends it. The call leaves without it,
// the record has what was sent, and the run replays.
func TestWhatAClientAddsDoesNotLeave(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1ms"))
	s.greetAs(geminiCLI)
	got := s.ask(calls("1", "echo", `{"n":1,"wait_for_previous":true}`)).text
	if !strings.Contains(got, `{\"n\":1}`) {
		t.Fatalf("%s", got)
	}
	run := runOf().FindStringSubmatch(got)[1]
	for _, command := range []string{"verify", "replay"} {
		if out, err := askIn(t, home, "trace", command, run); err != nil {
			t.Errorf("trace %s: %v\n%s", command, err, out)
		}
	}
	if out, err := askIn(t, home, "trace", "show", run); err != nil || strings.Count(out, "wait_for_previous = true") != 2 {
		t.Errorf("trace show: %v\n%s", err, out)
	}
	out, err := askIn(t, home, "trace", "replay", run, "--json")
	if want := `"removed":{"client":"gemini-cli-mcp-client","argument":"wait_for_previous","value":true}`; err != nil || !strings.Contains(stripped(out), want) {
		t.Errorf("the outcome does not have %s: %v\n%s", want, err, out)
	}
	line, err := os.ReadFile(home + "/traces/trace_" + run + ".jsonl")
	if err != nil || !strings.Contains(string(line), `\"n\":1,\"wait_for_previous\":true`) {
		t.Errorf("the trace does not have what was sent: %v\n%s", err, line)
	}
	// Arguments that fit neither way are refused, and another client's are as they were.
	if got := s.ask(calls("2", "echo", `{"n":"x","wait_for_previous":true}`)).text; !strings.Contains(got, "schema.arguments") {
		t.Errorf("%s", got)
	}
	other := speak(t, wrapped(t.Context(), home, "t"))
	other.greetAs("other")
	if got := other.ask(calls("1", "echo", `{"n":1,"wait_for_previous":true}`)).text; !strings.Contains(got, "schema.arguments") {
		t.Errorf("%s", got)
	}
	if n := happened(t, home, "call echo"); n != 1 {
		t.Errorf("the server was called %d times", n)
	}
}

// A call is the same with and without the addition: one approval is of both.
func TestAnApprovalIsOfTheCallWithoutTheAddition(t *testing.T) {
	t.Parallel()
	home := talking(t)
	s := speak(t, wrapped(t.Context(), home, "t", "--hold", "1ms"))
	s.greetAs(geminiCLI)
	asked := regexp.MustCompile("ask approve ([^`]+)`")
	first := asked.FindStringSubmatch(s.ask(calls("1", "write", `{"to":"x","wait_for_previous":true}`)).text)
	for i, args := range []string{`{"to":"x","wait_for_previous":false}`, `{"to":"x"}`} {
		again := asked.FindStringSubmatch(s.ask(calls("2", "write", args)).text)
		if first == nil || again == nil || again[1] != first[1] {
			t.Fatalf("%d: %q, then %q", i, first, again)
		}
	}
	if out, err := askIn(t, home, "approvals", "show", first[1]); err != nil || !strings.Contains(out, "wait_for_previous = true") {
		t.Errorf("the approver is not shown what was removed: %v\n%s", err, out)
	}
	sayYes(t, home, first[1])
	if got := s.ask(calls("3", "write", `{"wait_for_previous":true,"to":"x"}`)).text; !strings.Contains(got, "written") {
		t.Errorf("%s", got)
	}
	if n := happened(t, home, "call write"); n != 1 {
		t.Errorf("the server was called %d times", n)
	}
}

// stripped is JSON without white space between its tokens.
func stripped(text string) string {
	return strings.NewReplacer("\n", "", " ", "").Replace(text)
}
