package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

// The first call of the README is shown as it says, and made after a y.
func TestTheReadmesCallIsAskedFor(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	clitest.Write(t, home, "all.json", `{"mcp-policy-kb":{"write":["delete_policy_entry"]}}`)
	s := sit(t, home, 120, "Delete policy-002")
	s.until(t, prompt)
	s.types(t, "y\n")
	prints(t, pageOf(t, readme), `ask --demo --allowlist all.json "Delete policy-002"`, strings.ReplaceAll(s.ends(t, 0), "\r", ""))
}

// The set-up of the README works at a terminal, line by line: a server is added
// and reviewed, a question is answered, and a change is approved and made.
func TestTheReadmesSetUpWorks(t *testing.T) {
	t.Parallel()
	_, section, _ := strings.Cut(pageOf(t, readme), "\n## Set it up\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var lines []string
	for line := range strings.Lines(section) {
		if typed, is := strings.CutPrefix(line, "    ask "); is {
			lines = append(lines, strings.TrimSpace(typed))
		}
	}
	home := t.TempDir()
	files := []string{"--demo=false", "--allowlist", filepath.Join(home, "allowlist.json")}
	steps := []struct {
		line, shows string
		args        []string
		keys        [][2]string // after what is shown, what is typed
	}{
		{"servers add tickets -- ask demo serve mcp-servicenow", "added tickets to ", []string{"servers", "add", "tickets", "--", "ask", "demo", "serve", "mcp-servicenow"}, nil},
		{"servers review tickets --all-tools", "tickets: approved close_ticket, get_ticket, search_servicenow_tickets", []string{"servers", "review", "tickets", "--all-tools"}, [][2]string{{confineThis, "\n"}, {"/?] ", "W\n"}, {"[y/N] ", "y\n"}}},
		{"doctor", "3 can be called", []string{"doctor"}, nil},
		{`"Get ticket INC0010001"`, "VPN disconnects", []string{"Get ticket INC0010001"}, nil},
		{`'Close ticket INC0010001 with the resolution "Firmware rolled back"'`, "Firmware rolled back", []string{`Close ticket INC0010001 with the resolution "Firmware rolled back"`}, [][2]string{{prompt, "y\n"}}},
	}
	if len(lines) != len(steps) {
		t.Fatalf("the README types %q", lines)
	}
	for i, step := range steps {
		if lines[i] != step.line {
			t.Fatalf("the README types %s where the test has %s", lines[i], step.line)
		}
		s := sit(t, home, 120, append(files, step.args...)...)
		for _, key := range step.keys {
			if key[0] == confineThis && !confinable() {
				continue
			}
			s.until(t, key[0])
			s.types(t, key[1])
		}
		if shown := s.ends(t, 0); !strings.Contains(shown, step.shows) {
			t.Fatalf("ask %s shows\n%s", step.line, shown)
		}
	}
	if traces, err := os.ReadDir(filepath.Join(home, "traces")); err != nil || len(traces) == 0 {
		t.Errorf("no trace is kept: %v", err)
	}
}
