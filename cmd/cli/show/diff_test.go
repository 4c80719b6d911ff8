package show_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/cmd/cli/show"
)

func TestADiffShowsWordsThatGoAndCome(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("so it is said. ", 30)
	for name, row := range map[string]struct{ was, now, want string }{
		"the same":       {"Reads a file.", "Reads a file.", "| Reads a file."},
		"a word":         {"Reads a file.", "Writes a file.", "- Reads\n+ Writes\n| a file."},
		"more":           {"Reads a file.", "Reads a file, and sends it.", "| Reads a file\n+ , and sends it\n| ."},
		"an island":      {"x one, two y", "x 1, and 2 y", "| x\n- one, two\n+ 1, and 2\n| y"},
		"a mainland":     {"x one a b c two y", "x 1 a b c 2 y", "| x\n- one\n+ 1\n| a b c\n- two\n+ 2\n| y"},
		"all":            {"", "Reads.", "+ Reads."},
		"nothing":        {"Reads.", "", "- Reads."},
		"a mark of ours": {"a", "a\n- b", "| a\n+\n+ - b"},
		"far from it":    {long + "old", long + "new", "| … [113 words] … it is said. so it is said.\n- old\n+ new"},
		"hidden":         {"a b", "a \u202eb", "| a\n+ \\u{202E}\n| b"},
		"not UTF-8":      {"a", "a\xff", "| a\n+ \\xFF"},
	} {
		if got := strings.Join(show.Diff(row.was, row.now, 80), "\n"); got != row.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, row.want)
		}
	}
}

// TestADiffHoldsAllThatGoesAndComes, and each line begins with a mark of ours.
func TestADiffHoldsAllThatGoesAndComes(t *testing.T) {
	t.Parallel()
	texts := rapid.StringMatching(`[ab ,\n+-]{0,40}`)
	rapid.Check(t, func(t *rapid.T) {
		was, now := texts.Draw(t, "was"), texts.Draw(t, "now")
		var gone, came []string
		for _, line := range show.Diff(was, now, 200) {
			switch line[0] {
			case '-':
				gone = append(gone, line[1:])
			case '+':
				came = append(came, line[1:])
			case '|':
				gone, came = append(gone, line[1:]), append(came, line[1:])
			default:
				t.Fatalf("%q", line)
			}
		}
		bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if bare(strings.Join(gone, "")) != bare(was) || bare(strings.Join(came, "")) != bare(now) {
			t.Fatalf("%q to %q: %q, %q", was, now, gone, came)
		}
	})
}

func TestALongDiffIsBounded(t *testing.T) {
	t.Parallel()
	was, now := strings.Repeat("a b ", 20_000), strings.Repeat("c d ", 20_000)
	if lines := show.Diff("x "+was+"y", "x "+now+"y", 80); lines[0] != "| x" || lines[len(lines)-1] != "| y" || len(lines) < 1000 {
		t.Errorf("%d lines, from %q to %q", len(lines), lines[0], lines[len(lines)-1])
	}
}
