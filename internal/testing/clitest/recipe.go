package clitest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// Recipe runs the commands in a section of a page. It gives the sh blocks to one bash,
// in a folder and an environment, without a terminal. After each block it compares the
// output of both streams with the text block that follows. In a text block "…" matches
// any text, and on a separate line any lines. Recipe returns the blocks of other
// languages, which the caller has to check.
func Recipe(t *testing.T, page, title, dir string, env []string) (others map[string][]string) {
	t.Helper()
	steps, others := recipe(section(t, page, title))
	if len(steps) == 0 {
		t.Fatalf("%q has nothing to run", title)
	}
	for i, printed := range run(t, steps, dir, env) {
		if want := steps[i].prints; !pattern(want).MatchString(printed) {
			t.Errorf("after\n%s\n%q prints\n%s\nwhere the page has\n%s", steps[i].script, title, printed, want)
		}
	}
	return others
}

// step is an sh block, and its output according to the page, or "…" if the page shows
// none.
type step struct{ script, prints string }

func section(t *testing.T, page, title string) string {
	t.Helper()
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, text, there := strings.Cut(string(b), "\n## "+title+"\n")
	if !there {
		t.Fatalf("%s has no section %q", page, title)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

var fence = regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$")

func recipe(text string) (steps []step, others map[string][]string) {
	others = map[string][]string{}
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		switch language, body := block[1], block[2]; language {
		case "sh":
			steps = append(steps, step{body, "…\n"})
		case "text":
			steps[len(steps)-1].prints = body
		default:
			others[language] = append(others[language], body)
		}
	}
	return steps, others
}

// mark ends the output of one block; no page prints it.
const mark = "\x01\n"

func run(t *testing.T, steps []step, dir string, env []string) []string {
	t.Helper()
	script := "exec 2>&1\n"
	for _, s := range steps {
		script += s.script + "printf '\\001\\n'\n"
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.Output()
	printed := strings.Split(strings.TrimSuffix(string(out), mark), mark)
	if err != nil || len(printed) != len(steps) {
		t.Fatalf("the blocks end with %v, %d of %d printed:\n%s", err, len(printed), len(steps), out)
	}
	return printed
}

// pattern returns an expression for a text block.
func pattern(prints string) *regexp.Regexp {
	var re strings.Builder
	for line := range strings.Lines(prints) {
		if line == "…\n" {
			re.WriteString(`(?:.*\n)*`)
			continue
		}
		re.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", `.*`))
	}
	return regexp.MustCompile(fmt.Sprintf(`^%s$`, re.String()))
}
