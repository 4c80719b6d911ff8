package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// served is a home with two of the demo's servers as configured ones, an audit, and
// the rule that nothing is written after strangers' words were read.
func served(t *testing.T) (home string) {
	t.Helper()
	home = t.TempDir()
	clitest.Write(t, home, "mcp.json", `{"mcpServers":{
	  "tickets":{"command":"ask","args":["demo","serve","mcp-servicenow"]},
	  "sites":{"command":"ask","args":["demo","serve","mcp-sharepoint"]}}}`)
	clitest.Write(t, home, "allowlist.json", `{"tickets":{"read":["get_ticket"],"write":["close_ticket"]},"sites":{"read":["search_sharepoint"]}}`)
	clitest.Write(t, home, "config.toml", "audit = \"audit.jsonl\"\naudit_required = true\n")
	clitest.Write(t, home, "policy.json", `{"rules":[
	  {"effect":"ask","tools":["tickets/close_ticket"],"why":"closing asks"},
	  {"effect":"deny","tools":["*/*"],"when":{"labels":{"has":"exposed"},"effect":"write"},"why":"no writing after strangers' words"}]}`)
	if err := os.Chmod(filepath.Join(home, "policy.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	clitest.Trust(t, home)
	return home
}

// chapter is one step of the story: what the run came to, in its audit line, by what it
// is explained, and by which rule.
type chapter struct {
	verdict, code, by, explained string
}

// audited is the last line of the audit, of the run with that id where one is given.
func audited(t *testing.T, home string) (last host.AuditLine) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(home, "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		last = host.AuditLine{}
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

// accounted holds the newest run against a step: its line in the audit, its explanation and
// its replay.
func accounted(t *testing.T, home, name string, want chapter) host.AuditLine {
	t.Helper()
	l := audited(t, home)
	if l.Phase != host.After || l.Verdict != want.verdict || string(l.Code) != want.code || l.DecidedBy != want.by {
		t.Errorf("%s: the audit says %+v", name, l)
	}
	for command, text := range map[string]string{"policy explain": want.explained, "trace replay": "", "trace verify": ""} {
		words := append(strings.Fields(command), l.RunID)
		if out, err := askIn(t, home, words...); err != nil || !strings.Contains(out, text) {
			t.Errorf("%s: %s: %v: %s", name, command, err, out)
		}
	}
	return l
}

// does runs ask with the servers of the home, and gives what it printed.
func does(t *testing.T, home string, want int, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "ask", args...)
	cmd.Env = append(os.Environ(), "ASK_HOME="+home)
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	var ended *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != want {
		t.Errorf("%q: exit %d, want %d:\n%s", args, code, want, &both)
	}
	return both.String()
}

const resolved = `","resolution":"Restarted the printer."}`

// closes are the words of a call that closes a ticket.
func closes(conversation, ticket string) []string {
	return []string{"call", "tickets/close_ticket", "--args", `{"ticket_id":"` + ticket + resolved, "--conversation", conversation}
}

// The story of a remembered approval, as ask shows it. Each step is in the audit, explained
// and replayed.
func TestAnApprovalIsRememberedForOneTicketInOneConversation(t *testing.T) {
	t.Parallel()
	home := served(t)
	asks := chapter{"ask", "approval.needed", "policy.json:2", "ask, by policy.json:2"}

	does(t, home, 3, "call", "tickets/search_servicenow_tickets", "--args", `{"query":"printer"}`)
	accounted(t, home, "denied by default", chapter{"deny", "allow.tool", "", "deny, by no rule"})

	does(t, home, 4, closes("c1", "INC0010001")...)
	accounted(t, home, "asked", asks)

	s := seated(t, nil, home, 200, closes("c1", "INC0010001")...)
	s.until(t, grantPrompt)
	s.types(t, "g\n")
	s.until(t, "May later calls have another text there? [y/N] ")
	s.types(t, "y\n")
	s.ends(t, 0)
	l := accounted(t, home, "approved", chapter{"allow", "", "policy.json:2", "ask, by policy.json:2"})
	if l.ApprovedHow != "terminal" || l.Approver == "" || l.ExecutionMS == nil || l.Call != host.Answered {
		t.Errorf("approved: %+v", l)
	}
	id := l.RunID

	explained := does(t, home, 0, append([]string{"policy", "explain"}, closes("c1", "INC0010001")[1:]...)...)
	if !strings.Contains(explained, "the grant "+id) {
		t.Errorf("before the call:\n%s", explained)
	}
	does(t, home, 0, closes("c1", "INC0010001")...)
	if l := accounted(t, home, "remembered", chapter{"allow", "", "policy.json:2", "the grant " + id}); l.ApprovedHow != "grant" {
		t.Errorf("remembered: %+v", l)
	}

	does(t, home, 4, closes("c1", "INC0010002")...)
	accounted(t, home, "the other ticket", asks)
	does(t, home, 4, closes("c2", "INC0010001")...)
	accounted(t, home, "another conversation", asks)

	does(t, home, 0, "grants", "revoke", id)
	does(t, home, 4, closes("c1", "INC0010001")...)
	accounted(t, home, "revoked", asks)

	does(t, home, 0, "call", "sites/search_sharepoint", "--args", `{"query":"vendor"}`, "--conversation", "c1")
	accounted(t, home, "an open world", chapter{"allow", "", "default", "allow, by default"})
	does(t, home, 3, closes("c1", "INC0010001")...)
	accounted(t, home, "writing after it", chapter{"deny", "rule.denied", "policy.json:3", "no writing after strangers' words"})
	does(t, home, 4, closes("c2", "INC0010001")...)
	accounted(t, home, "writing elsewhere", asks)
}

// The same story behind ask wrap. Its conversation is the process; what one wrapped
// server of a client reads counts for the others.
func TestAnApprovalIsRememberedBehindWrap(t *testing.T) {
	t.Parallel()
	home := served(t)
	const waits = "ask, by policy.json:2"
	closing := func(ticket string) string { return `{"ticket_id":"` + ticket + resolved }
	tickets := speak(t, wrapped(t.Context(), home, "tickets", "--hold", "1h"))
	tickets.greet("2025-11-25")

	if got := tickets.ask(calls("1", "search_servicenow_tickets", `{"query":"printer"}`)).text; !strings.Contains(got, "allow.tool") {
		t.Errorf("denied by default: %s", got)
	}
	accounted(t, home, "denied by default", chapter{"deny", "allow.tool", "", "deny, by no rule"})

	run := tickets.holds("2", "close_ticket", closing("INC0010001"))
	p := seated(t, nil, home, 200, "approve", run)
	p.until(t, grantPrompt)
	p.types(t, "g\n")
	p.until(t, "May later calls have another text there? [y/N] ")
	p.types(t, "n\n")
	p.ends(t, 0)
	if got := tickets.answered("2").text; !strings.Contains(got, `\"closed\"`) && !strings.Contains(got, `"closed"`) {
		t.Errorf("asked and approved: %s", got)
	}
	l := accounted(t, home, "approved", chapter{"allow", "", "policy.json:2", waits})
	if !strings.HasPrefix(l.Conversation, "wrap-") || l.Approver == "" {
		t.Errorf("approved: %+v", l)
	}
	if got := tickets.ask(calls("3", "close_ticket", closing("INC0010001"))).text; !strings.Contains(got, "is closed already") {
		t.Errorf("remembered: %s", got) // the server's own word: the call was made
	}
	l = accounted(t, home, "remembered", chapter{"allow", "output.error", "policy.json:2", "the grant " + run})
	if l.ApprovedHow != "grant" {
		t.Errorf("remembered: %+v", l)
	}
	tickets.holds("4", "close_ticket", closing("INC0010002"))
	tickets.send(cancels("4"))

	other := speak(t, wrapped(t.Context(), home, "tickets", "--hold", "1ms"))
	other.greet("2025-11-25")
	if got := other.ask(calls("1", "close_ticket", closing("INC0010001"))).text; !strings.Contains(got, "approval.needed") {
		t.Errorf("another conversation: %s", got)
	}
	accounted(t, home, "another conversation", chapter{"ask", "approval.needed", "policy.json:2", waits})

	does(t, home, 0, "grants", "revoke", run)
	tickets.holds("5", "close_ticket", closing("INC0010001"))
	tickets.send(cancels("5"))

	sites := speak(t, wrapped(t.Context(), home, "sites"))
	sites.greet("2025-11-25")
	if got := sites.ask(calls("1", "search_sharepoint", `{"query":"vendor"}`)).text; !strings.Contains(got, `"results"`) && !strings.Contains(got, "results") {
		t.Errorf("an open world: %s", got)
	}
	if got := other.ask(calls("2", "close_ticket", closing("INC0010003"))).text; !strings.Contains(got, "rule.denied") {
		t.Errorf("writing after it: %s", got)
	}
	accounted(t, home, "writing after it", chapter{"deny", "rule.denied", "policy.json:3", "no writing after strangers' words"})
}
