package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// A tool that a server lists only after a call is hidden, named as new, reported, and
// reviewed by what the session listed. A session that does not list it calls nothing, and
// withdraws nothing.
func TestAToolThatIsListedAfterACallCanBeApproved(t *testing.T) {
	t.Parallel()
	home := talking(t)
	clitest.Write(t, home, "allowlist.json", strings.Replace(contents(t, home+"/allowlist.json"), `"grow"`, `"grow","later"`, 1))
	s := speak(t, wrapped(t.Context(), home, "t"))
	s.greet("2025-11-25")
	s.ask(list)
	if got := s.ask(calls("1", "grow", "{}")); got.Result == nil || strings.Contains(got.text, "isError") {
		t.Fatal(got.text)
	}
	s.untilChanged()
	const fresh = "it is new: the server lists it only since a call"
	if got := s.ask(calls("2", "onestep_status", "{}")).text; !strings.Contains(got, "- later: pin.unapproved: "+fresh) || !strings.Contains(got, "ask servers review t --all-tools") {
		t.Errorf("the status: %s", got)
	}
	if got := s.ask(calls("3", "later", "{}")).text; !strings.Contains(got, "onestep refused: ") || !strings.Contains(got, fresh) {
		t.Errorf("the refusal: %s", got)
	}
	if n := happened(t, home, "call later"); n != 0 {
		t.Fatalf("it was called %d times", n)
	}
	if out, err := askIn(t, home, "servers", "approve", "t", "--read", "later", "--no-input"); err == nil || err.Error() != "exit status 2" {
		t.Errorf("an approval of nothing: %v: %s", err, out)
	}
	out, _ := askIn(t, home, "servers", "review", "t", "--all-tools", "--json")
	if text, _ := askIn(t, home, "servers", "review", "t", "--all-tools", "--no-input"); !strings.Contains(text, "  listed     after a call: as an earlier session listed it") {
		t.Errorf("the review: %s", text)
	}
	if text, _ := askIn(t, home, "call", "t/later", "--no-input"); strings.Contains(text, "next: to allow it") {
		t.Errorf("the advice: %s", text)
	}
	part := regexp.MustCompile(`(?s)"tool": *"later".*?"digest": *"(sha256:[0-9a-f]+)"`).FindStringSubmatch(out)
	if part == nil {
		t.Fatalf("the review: %s", out)
	}
	if out, err := askIn(t, home, "servers", "approve", "t", "--digest", part[1], "--read", "later", "--read", "unlisted"); err == nil || !strings.Contains(out, "none of these digests approves unlisted") {
		t.Errorf("an effect of a tool that the digest leaves unapproved: %v: %s", err, out)
	}
	if strings.Contains(contents(t, home+"/allowlist.json"), "unlisted") {
		t.Error("the allowlist has it")
	}
	if out, err := askIn(t, home, "servers", "approve", "t", "--digest", part[1], "--read", "later"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.untilListed(func(list string) bool { return strings.Contains(list, "Comes later.") })
	if got := s.ask(calls("4", "later", "{}")).text; !strings.Contains(got, `"text":"late"`) {
		t.Errorf("the approved tool: %s", got)
	}
	if text, _ := askIn(t, home, "servers", "show", "t"); !strings.Contains(text, "  approved   later: listed after a call\n") {
		t.Errorf("the pin: %s", text)
	}
	if text, err := askIn(t, home, "servers", "refresh", "t"); err != nil {
		t.Errorf("a refresh: %v: %s", err, text)
	}
	// Another session has not listed it: no call, and it stays approved.
	if out, err := askIn(t, home, "call", "t/later"); err == nil || !strings.Contains(out, "pin.absent") {
		t.Errorf("a session without it: %v: %s", err, out)
	}
	if got := s.ask(calls("5", "later", "{}")).text; !strings.Contains(got, `"text":"late"`) {
		t.Errorf("after that: %s", got)
	}
	if n := happened(t, home, "call later"); n != 2 {
		t.Errorf("it was called %d times", n)
	}
}
