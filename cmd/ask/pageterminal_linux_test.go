package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// What pages show of a terminal is what a terminal shows.
func TestTheTerminalsOfPagesAreWhatIsShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		page, typed string
		columns     uint16
		args        []string
		until, keys string
		code        int
	}{
		{"results.md", `ask --demo "Search the policy KB for customer data"`, 100, []string{"--demo", "Search the policy KB for customer data"}, "", "", 0},
		{"planner.md", `ask --demo "Fetch the policy entry"`, 200, []string{"--demo", "Fetch the policy entry"}, "skip): ", "policy-002\n", 0},
		{"planner.md", `ask "which PRs are open in acme/checkout"`, 200, []string{"which PRs are open in acme/checkout"}, "skip): ", "1\n", 0},
	} {
		t.Run(c.typed, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			if c.args[0] != "--demo" {
				pullRequests(t, home)
			}
			s := seated(t, nil, home, c.columns, c.args...)
			if c.until != "" {
				s.until(t, c.until)
				s.types(t, c.keys)
			}
			prints(t, pageOf(t, "../../docs/"+c.page), c.typed, strings.ReplaceAll(s.ends(t, c.code), "\r", ""))
		})
	}
}

// pullRequests is a home with a server of that name, which was approved.
func pullRequests(t *testing.T, home string) {
	t.Helper()
	const repository = `"owner":{"type":"string"},"repo":{"type":"string"}`
	clitest.Write(t, home, "list.json", `[
	  {"name":"list_pull_requests","title":"List pull requests","description":"List pull requests in a GitHub repository.","inputSchema":{"type":"object",
	    "properties":{`+repository+`,"state":{"type":"string","enum":["open","closed","all"],"description":"Filter by state"}},"required":["owner","repo"]}},
	  {"name":"get_pull_request","title":"Get pull request details","description":"Get details of a specific pull request.","inputSchema":{"type":"object",
	    "properties":{`+repository+`,"pullNumber":{"type":"number","description":"Pull request number"}},"required":["owner","repo","pullNumber"]}}]`)
	clitest.Write(t, home, "mcp.json", fmt.Sprintf(`{"mcpServers":{"github":{"command":"talker","env":{"TALKER_LIST":%q,"TALKER_LOG":%q,"GORACE":%q}}}}`,
		home+"/list.json", home+"/log", clitest.AtOnce))
	clitest.Write(t, home, "allowlist.json", `{"github":{"read":["list_pull_requests","get_pull_request"]}}`)
	clitest.Trust(t, home)
}

// The commands of docs/policy.md that name a grant or a conversation are given for
// one.
func TestTheCommandsOfAGrantCanBeGiven(t *testing.T) {
	t.Parallel()
	home := homeOf(t)
	s := sit(t, home, 200, removes("c1", "policy-001")...)
	s.until(t, grantPrompt)
	s.types(t, "g 90m\n")
	s.ends(t, 0)
	id := strings.TrimSpace(exits(t, home, 0, "grants", "list", "-q", "--jq", ".grants[0].id"))
	page := pageOf(t, "../../docs/policy.md")
	for line, value := range map[string]string{"ask grants explain ID": id, "ask grants revoke ID": id, "ask conversations end ID": "c1"} {
		if !strings.Contains(page, "\n    "+line+"\n") {
			t.Errorf("the page has no %s", line)
		}
		exits(t, home, 0, strings.Fields(strings.Replace(line, "ID", value, 1))[1:]...)
	}
}

// What waits is approved with the README's line, at a terminal.
func TestTheReadmesPendingCallIsMade(t *testing.T) {
	t.Parallel()
	const line = "ask approve RUN --demo --allowlist all.json"
	if !strings.Contains(pageOf(t, readme), "\n    "+line+"\n") {
		t.Errorf("the README has no %s", line)
	}
	home := homeOf(t)
	exits(t, home, 4, "--no-input", "Delete policy-002")
	s := seated(t, nil, home, 120, "approve", waits(t, home)[0], "--demo", "--allowlist", filepath.Join(home, "all.json"))
	s.until(t, prompt)
	s.types(t, "y\n")
	if shown := s.ends(t, 0); !strings.Contains(shown, deleted) {
		t.Error(shown)
	}
}
