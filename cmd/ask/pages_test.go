package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/cmd/cli/clitest"
	"github.com/onestep-run/onestep/gate/lex"
)

// elsewhere are the lines of pages that this test leaves to another one, by how
// they begin, or by what they hold, and which has them, or what they need.
var elsewhere = []struct{ line, why string }{
	{"ask eval ", "minutes; make eval runs the suites, and cmd/ask-eval/testdata the others"},
	{"ask servers fetch", "a registry; interop/testdata/fetch.txtar"},
	{"ask servers log", "an authorization server; TestLoginRecipes"},
	{"ask models test", "a model; models.txtar"},
	{" ID", "a grant or a conversation of the reader's; grants_linux_test.go"},
	{"RUN", "a run of the reader's; approve.txtar and quarantine.txtar"},
	{"sha256:…", "a digest of the reader's; TestTheReadmesSetUpWorks and review.txtar"},
	{`"…"`, "a question of the reader's; places.txtar and locked.txtar"},
	{"s/screenshot", "a server with images; TestAttachmentsAreSavedUnderNamesOfOurOwn"},
	{"which PRs are open", "a planner's question, which has no answer here; converse_test.go"},
}

// Every command of a page can be given as it is printed: in a home with servers
// of the names that the pages use it ends with no internal failure and no wrong
// usage. README.md, recipes.md and login.md have tests of their own, which compare
// what is printed.
func TestEveryCommandOfAPageCanBeGiven(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil && os.Getenv("ASK_RECIPES_REQUIRED") == "" {
		t.Skip("the lines are those of a shell; bash is not installed")
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	given, used := 0, map[string]bool{}
	for _, file := range pages {
		if name := filepath.Base(file); name == "recipes.md" || name == "login.md" || name == "interop.md" {
			continue
		}
		for _, line := range typedLines(pageOf(t, file)) {
			left := slices.IndexFunc(elsewhere, func(e struct{ line, why string }) bool { return strings.Contains(line, e.line) })
			if left >= 0 {
				used[elsewhere[left].line] = true
				continue
			}
			given++
			give(t, filepath.Base(file), line)
		}
	}
	const least = 40
	if given < least {
		t.Errorf("%d lines were given", given)
	}
	for _, e := range elsewhere {
		if !used[e.line] {
			t.Errorf("no page has %q any more", e.line)
		}
	}
}

var (
	typedLine = lex.Pattern(`(?m)^    (?:\$ )?(ask [^\n]*)$`)
	remark    = lex.Pattern(`\s+# .*$|\s{3,}.*$`)
)

// typedLines are the examples of a page, without what is said next to them.
func typedLines(text string) (lines []string) {
	for _, m := range typedLine().FindAllStringSubmatch(text, -1) {
		lines = append(lines, remark().ReplaceAllString(m[1], ""))
	}
	return lines
}

// give runs one line in a home of its own.
func give(t *testing.T, page, line string) {
	t.Run(line, func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		const desk = `{"command": "ask", "args": ["demo", "serve", "mcp-servicenow"]}`
		for name, text := range map[string]string{
			".cursor/mcp.json": `{"mcpServers": {"tickets": ` + desk + `}}`,
			".claude.json":     `{"mcpServers": {"tickets": ` + desk + `}}`,
			".mcp.json":        `{"mcpServers": {"tickets": ` + desk + `}}`,
			".vscode/mcp.json": `{"servers": {"github": ` + desk + `}}`,
			".config/Claude/claude_desktop_config.json": `{"mcpServers": {"claude": ` + desk + `}}`,
			"page.html":          "<p>An honest page.</p>",
			"ask/mcp.json":       `{"mcpServers": {"files": ` + desk + `, "tickets": ` + desk + `, "notes": ` + desk + `}}`,
			"ask/allowlist.json": `{"files": {"read": ["get_ticket"]}, "tickets": {"read": ["get_ticket"]}}`,
		} {
			if strings.HasPrefix(line, "ask servers add") && name == "ask/mcp.json" {
				continue
			}
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
				t.Fatal(err)
			}
			clitest.Write(t, dir, name, text)
		}
		cmd := exec.CommandContext(t.Context(), "bash", "-c", line)
		cmd.Dir = dir
		cmd.Env = []string{
			"PATH=" + released(t) + ":" + os.Getenv("PATH"), "HOME=" + dir, "ASK_HOME=" + filepath.Join(dir, "ask"), "LANG=C.UTF-8",
			"TICKETS_TOKEN=t0ken-of-a-test", "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent",
		}
		said, _ := cmd.CombinedOutput() // the exit code is compared below
		if code := cmd.ProcessState.ExitCode(); code < 0 || code == 1 || code == 2 || code > 10 {
			t.Errorf("%s: %s\nends with %d:\n%s", page, line, code, said)
		}
	})
}
