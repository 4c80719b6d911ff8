package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// deskOf is a home with one server that is not approved.
func deskOf(t *testing.T) (home string, files []string) {
	t.Helper()
	home = homeOf(t)
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{"s":{"command":"ask","args":["demo","serve","mcp-servicenow"]}}}`)
	clitest.Write(t, home, "allow.json", `{"s":{"write":["close_ticket"]}}`)
	return home, []string{"--demo=false", "--servers", filepath.Join(home, "mcp.json"), "--allowlist", filepath.Join(home, "allow.json")}
}

// TestAPersonApprovesToolByTool, says in the same step what a tool does, and
// has decided nothing before the last one.
func TestAPersonApprovesToolByTool(t *testing.T) {
	t.Parallel()
	// The search comes first, for its description names another tool.
	for name, c := range map[string]struct {
		keys     []string
		code     int
		approved string
		allows   string
	}{
		"each":              {[]string{"n\n", "y\n", "r\n"}, 0, "s: approved close_ticket, get_ticket\r\n", `"read": ["get_ticket"]`},
		"all that follow":   {[]string{"a\n", "y\n"}, 0, "s: approved close_ticket, get_ticket, search_servicenow_tickets\r\n", ""},
		"all, as listed":    {[]string{"W\n", "y\n"}, 0, "s: approved close_ticket, get_ticket, search_servicenow_tickets\r\n", `{"s":{"write":["close_ticket","search_servicenow_tickets"],"read": ["get_ticket"]}}`}, // the third has a cue
		"all, as writing":   {[]string{"W\n", "w\n"}, 0, "s: approved close_ticket, get_ticket, search_servicenow_tickets\r\n", `{"s":{"write":["close_ticket","get_ticket","search_servicenow_tickets"]}}`},
		"not as listed":     {[]string{"W\n", "n\n", "y\n", "n\n", "n\n"}, 0, "s: approved search_servicenow_tickets\r\n", `{"s":{"write":["close_ticket"]}}`},
		"none":              {[]string{"\n", "N\n", "n\n"}, 0, "", ""},
		"a word":            {[]string{"yes\n", "Y es\n", "y\n", "n\n", "n\n"}, 0, "s: approved search_servicenow_tickets\r\n", ""},
		"one, one rejected": {[]string{"w\n", "n\n", "x\n"}, 0, "s: approved search_servicenow_tickets\r\n", ""},
		"help":              {[]string{"?\n", "y\n", "n\n", "n\n"}, 0, "s: approved search_servicenow_tickets\r\n", ""},
		"an end in between": {[]string{"y\n", "\x04"}, 3, "", ""},
		"an interrupt":      {[]string{"y\n", "\x03"}, 130, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, files := deskOf(t)
			s := sit(t, home, 120, append(files, "servers", "review", "s", "--all-tools")...)
			s.refuses(t)
			asked := false // about a list
			for _, keys := range c.keys {
				ends := "[y/r/w/x/a/W/N/?] "
				if asked {
					ends = "[y/N] "
				}
				s.until(t, ends)
				s.types(t, keys)
				asked = keys == "a\n" || keys == "W\n"
			}
			shown := s.ends(t, c.code)
			if strings.Contains(shown, "s: approved") != (c.approved != "") || !strings.Contains(shown, c.approved) {
				t.Errorf("it shows\n%s", shown)
			}
			b, err := os.ReadFile(filepath.Join(home, "allow.json"))
			if err != nil || !strings.Contains(string(b), c.allows) {
				t.Errorf("%s, %v", b, err)
			}
			if strings.Contains(shown, "s: rejected get_ticket") != strings.Contains(name, "rejected") {
				t.Errorf("it shows\n%s", shown)
			}
		})
	}
}

// TestAPersonApprovesWhatIsStartedFirst: who does not is asked about no tool of it.
func TestAPersonApprovesWhatIsStartedFirst(t *testing.T) {
	t.Parallel()
	for answer, approved := range map[string]string{"n": "", "y": "s: approved what is started\r\n", "a": "s: approved what is started, get_ticket\r\n"} {
		home, files := deskOf(t)
		program := filepath.Join(home, "desk.sh")
		clitest.Write(t, home, "desk.sh", "exec ask demo serve mcp-servicenow")
		clitest.Write(t, home, "mcp.json", fmt.Sprintf(`{"mcpServers":{"s":{"command":"sh","args":[%q]}}}`, program))
		clitest.Trust(t, home, files[1:]...)
		clitest.Write(t, home, "desk.sh", "ask demo serve mcp-servicenow")
		clitest.Write(t, home, "allow.json", `{"s":{"write":["close_ticket","get_ticket"]}}`)
		s := sit(t, home, 120, append(files, "servers", "review", "s")...)
		s.until(t, "Approve what is started? [y/a/N/?] ")
		s.types(t, answer+"\n")
		if answer == "a" {
			s.until(t, "Approve this tool? [y/N] ")
			s.types(t, "y\n")
		}
		if answer == "y" {
			s.until(t, "Approve get_ticket? [y/r/w/x/a/W/N/?] ")
			s.types(t, "n\n")
		}
		shown := s.ends(t, 0)
		if strings.Contains(shown, "s: approved") != (approved != "") || !strings.Contains(shown, approved) || answer != "y" && strings.Contains(shown, "Approve get_ticket?") {
			t.Errorf("%s: it shows\n%s", answer, shown)
		}
	}
}

// What was typed before a tool was shown answers nothing.
func TestAnAnswerThatWasTypedAheadApprovesNothing(t *testing.T) {
	t.Parallel()
	home, files := deskOf(t)
	s := sit(t, home, 120, append(files, "servers", "review", "s")...)
	s.types(t, "y\ny\n")
	s.refuses(t)
	s.until(t, "[y/r/w/x/a/W/N/?] ")
	s.types(t, "n\n")
	if shown := s.ends(t, 0); strings.Contains(shown, "approved close_ticket") {
		t.Error(shown)
	}
}

// TestAFirstQuestionOpensTheReview: who approves is answered, and who does not
// is not.
func TestAFirstQuestionOpensTheReview(t *testing.T) {
	t.Parallel()
	home, files := deskOf(t)
	clitest.Write(t, home, "allow.json", `{"s":{"read":["get_ticket"]}}`)
	ask := append(files, "Get ticket INC0010001")
	s := sit(t, home, 120, ask...)
	s.until(t, "Approve get_ticket? [y/r/w/x/a/W/N/?] ")
	s.types(t, "n\n")
	if shown := s.ends(t, 4); strings.Count(shown, "pin.unapproved") != 1 || !strings.Contains(shown, "s: nothing was decided") {
		t.Errorf("no approval was given, and the tool appears\n%s", shown)
	}
	for keys, code := range map[string]int{"\x04": 3, "\x03": 130} {
		s = sit(t, home, 120, ask...)
		s.until(t, "Approve get_ticket? [y/r/w/x/a/W/N/?] ")
		s.types(t, keys)
		if shown := s.ends(t, code); (code == 3) != strings.Contains(shown, "nothing was saved") {
			t.Errorf("after %q it shows\n%s", keys, shown)
		}
	}
	s = sit(t, home, 120, ask...)
	s.until(t, "Approve get_ticket? [y/r/w/x/a/W/N/?] ")
	s.types(t, "y\n")
	if shown := s.ends(t, 0); !strings.Contains(shown, "VPN") {
		t.Errorf("it was approved, and it shows\n%s", shown)
	}
	s = sit(t, home, 120, ask...)
	if shown := s.ends(t, 0); strings.Contains(shown, "Approve") {
		t.Errorf("it asks again:\n%s", shown)
	}
}

// TestOneServerIsReviewedAtATime: the next one where the question still waits
// after the first was approved.
func TestOneServerIsReviewedAtATime(t *testing.T) {
	t.Parallel()
	home, files := deskOf(t)
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{"a":{"command":"ask","args":["demo","serve","mcp-policy-kb"]},"s":{"command":"ask","args":["demo","serve","mcp-servicenow"]}}}`)
	clitest.Write(t, home, "allow.json", `{"a":{"read":["fetch_policy_entry"]},"s":{"read":["get_ticket"]}}`)
	s := sit(t, home, 120, append(files, "Get ticket INC0010001")...)
	s.until(t, "Approve fetch_policy_entry? [y/r/w/x/a/W/N/?] ")
	if shown := s.shown.String(); strings.Contains(shown, "get_ticket") || !strings.Contains(shown, "also waiting: s.") {
		t.Errorf("before an answer it shows\n%s", shown)
	}
	s.types(t, "y\n")
	s.until(t, "Approve get_ticket? [y/r/w/x/a/W/N/?] ")
	s.types(t, "y\n")
	if shown := s.ends(t, 0); !strings.Contains(shown, "VPN") {
		t.Errorf("both were approved, and it shows\n%s", shown)
	}
}

// TestWhatWasApprovedWithAnotherCredentialIsAskedAtOnce, and says who approved
// it. Who says no is asked tool by tool.
func TestWhatWasApprovedWithAnotherCredentialIsAskedAtOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.write(t, "mcp.json", fmt.Sprintf(`{"mcpServers":{"pay":{"url":%[1]q,"headers":{"Authorization":"Bearer ${OURS:-a}"}},"theirs":{"url":%[1]q,"headers":{"Authorization":"Bearer ${THEIRS:-b}"}},"idle":{"url":"http://127.0.0.1:1"}}}`, o.URL))
	o.trust(t)
	clitest.Write(t, o.home, "allow.json", `{"theirs":{"write":["pay"]}}`)
	given := []string{"--demo=false", "--allowlist", filepath.Join(o.home, "allow.json"), "servers", "review", "theirs"}
	s := sit(t, o.home, 120, given...)
	s.until(t, "Approve theirs? [y/N] ")
	s.types(t, "n\n")
	s.until(t, "Approve pay? [y/r/w/x/a/W/N/?] ")
	s.types(t, "n\n")
	shown := s.ends(t, 0)
	if !strings.Contains(shown, "same as    what the test approved with the credential authorization ${OURS} on 20") || strings.Contains(shown, "approved pay") {
		t.Errorf("no approval was given, and the tool appears\n%s", shown)
	}
	s = sit(t, o.home, 120, given...)
	s.until(t, "Approve theirs? [y/N] ")
	s.types(t, "y\n")
	if shown := s.ends(t, 0); !strings.Contains(shown, "theirs: approved pay") {
		t.Errorf("it was approved, and it shows\n%s", shown)
	}
	o.description.Store("Pay every bill.")
	s = sit(t, o.home, 120, given...)
	s.until(t, "Approve pay? [y/r/w/x/a/W/N/?] ")
	s.types(t, "n\n")
	if shown := s.ends(t, 0); strings.Contains(shown, "same as") {
		t.Errorf("it says something else now, and it shows\n%s", shown)
	}
}
