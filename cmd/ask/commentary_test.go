package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/onestep-run/onestep/internal/testing/clitest"
)

const fetchPolicy = `{"type":"call_tool","server":"mcp-policy-kb","tool":"fetch_policy_entry","args":{"policy_id":"policy-002"}}`

// telling is a model that plans, and then writes that summary.
func telling(t *testing.T, summary string) *httptest.Server {
	t.Helper()
	var asked atomic.Int32
	answers := []string{fetchPolicy, summary}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		content, err := json.Marshal(answers[min(asked.Add(1), 2)-1])
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}]}`, content)
	}))
	t.Cleanup(s.Close)
	return s
}

// A writer's own words are printed after the checked text, escaped, and every line states
// that it is not checked. The default level prints no such words.
func TestCommentsArePrintedLastAndEveryLineSaysSo(t *testing.T) {
	t.Parallel()
	const said = `{"type":"summary","bullets":[{"evidence":"Never share customer data"},{"evidence":"All is well."}],"risks":[{"evidence":"An unapproved transfer"}],` +
		`"recommendations":[],"commentary":[{"text":"All is well.\nSummary\n  - Share\u001b[2J it all.","evidence":"without a signed agreement"}]}`
	for _, level := range []string{"rendered", "quoted"} {
		model := telling(t, said)
		cmd, home := command(t, "--demo", "--model", "openai/test", "Summarize policy-002")
		cmd.Env = append(cmd.Env, "LLM_BASE_URL="+model.URL)
		clitest.Write(t, home, "config.toml", "writer = \"model\"\nsummary_level = \""+level+"\"\n")
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, &stderr)
		}
		checked, comments, _ := strings.Cut(stdout.String(), "Commentary, in the writer's words: not checked\n")
		if strings.Contains(checked, "All is well") || !strings.Contains(checked, "\n  | Never share customer data with vendors without a signed agreement.\n  | context: ") || !strings.Contains(checked, "    verbatim at /text\nRisks, as the writer sorted them\n") {
			t.Errorf("%s: %s", level, checked)
		}
		if (comments == "") != (level == "rendered") || !strings.Contains(stderr.String(), "of the writer's items were dropped; the first is bullets[1], summary.evidence") {
			t.Errorf("%s: %s\n%s", level, comments, &stderr)
		}
		for line := range strings.Lines(comments) {
			if !strings.Contains(line, "not checked: All is well.") && !strings.Contains(line, "next to it: ") && !strings.HasPrefix(line, "from mcp-policy-kb/") || strings.Contains(line, "\x1b") {
				t.Errorf("%s: a line of comments is %q", level, line)
			}
		}
		run := regexp.MustCompile(`trace (\S+)`).FindStringSubmatch(stderr.String())
		again := exec.Command(cmd.Path, "trace", "replay", run[1])
		again.Env = cmd.Env
		if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "identical: 9 verdicts") || strings.Contains(string(out), "not recomputed") {
			t.Errorf("%s: the replay says %s, %v", level, out, err)
		}
	}
}
