package main

import (
	"os"
	"strings"
	"testing"
)

// The sample at the head of the README is what is printed, but for what … leaves
// out. The call of a writing tool, which comes last, is shown at a terminal: the
// tests of approvals have that.
func TestTheReadmesSampleIsWhatIsPrinted(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for typed, args := range map[string][]string{
		`ask --demo "Summarize policy-002"`:                                                     {"--demo", "Summarize policy-002"},
		`ask call mcp-policy-kb/delete_policy_entry --demo --args '{"policy_id":"policy-002"}'`: {"call", "mcp-policy-kb/delete_policy_entry", "--demo", "--args", `{"policy_id":"policy-002"}`},
	} {
		_, sample, found := strings.Cut(string(page), "\n    $ "+typed+"\n")
		sample, _, _ = strings.Cut(sample, "\n    $ ")
		if !found || sample == "" {
			t.Errorf("the README does not type %s", typed)
			continue
		}
		cmd, _ := command(t, args...)
		said, err := cmd.CombinedOutput()
		if len(said) == 0 {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(sample, "\n") {
			line = strings.TrimPrefix(line, "    ")
			if strings.TrimSpace(line) != "…" && !strings.Contains(string(said), line+"\n") {
				t.Errorf("%s does not print %q, but\n%s", typed, line, said)
			}
		}
	}
}
