package show_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/onestep-run/onestep/cmd/cli/show"
)

func TestALineIsBrokenIntoMarkedRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line  string
		width int
		want  []string
	}{
		"one that fits":         {"question   Delete policy-002", 40, []string{"question   Delete policy-002"}},
		"nothing":               {"", 40, []string{""}},
		"under its text":        {"question   Delete policy-002", 24, []string{"question   Delete", "         | policy-002"}},
		"a word of any length":  {"why:  " + strings.Repeat("x", 20), 16, []string{"why:  xxxxxxxxxx", "    | xxxxxxxxxx"}},
		"after a mark":          {"  input      | one two three", 24, []string{"  input      | one two", "             | three"}},
		"after a sign":          {"      + one two three", 14, []string{"      + one", "      | two", "      | three"}},
		"no room under it":      {"question   Delete policy-002", 16, []string{"question", "| Delete", "| policy-002"}},
		"no label":              {"called a/b one two", 14, []string{"called a/b one", "  | two"}},
		"an indentation":        {"    one two three", 12, []string{"    one two", "  | three"}},
		"wide characters":       {"a  " + strings.Repeat("日", 6), 9, []string{"a  日日日", " | 日日日"}},
		"wide ones that do not": {"a  " + strings.Repeat("日", 4), 8, []string{"a  日日", " | 日日"}},
		"marks go with a base":  {"a  bce\u0301\u0301de\u0301", 6, []string{"a  bce\u0301\u0301", " | de\u0301"}},
		"a style has no column": {"\x1b[1mabcdef\x1b[0m", 6, []string{"\x1b[1mabcdef\x1b[0m"}},
		"a style that is none":  {"\x1b[2Jabc", 6, []string{"\x1b[2Jab", "  | c"}},
		"a marked line":         {"| one two three", 9, []string{"| one two", "| three"}},
		"tabs":                  {"a\tb\tc", 8, []string{"a    b", "   | c"}},
		"spaces alone":          {"a" + strings.Repeat(" ", 30), 8, []string{"a"}},
		"the narrowest":         {"日日", 1, []string{"日日"}},
	} {
		if diff := cmp.Diff(c.want, show.Rows(c.line, c.width)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// No row is wider than allowed, each but the first begins with a mark, and together
// they are the whole line.
func TestRowsHoldTheWholeLineBehindMarks(t *testing.T) {
	t.Parallel()
	lines := rapid.StringMatching(`[ab |+\-日e\x{301}]{0,80}`)
	rapid.Check(t, func(t *rapid.T) {
		line, width := lines.Draw(t, "line"), rapid.IntRange(4, 40).Draw(t, "width")
		var all strings.Builder
		for i, row := range show.Rows(line, width) {
			text := row
			if i > 0 {
				marked := strings.TrimLeft(row, " ")
				if !strings.HasPrefix(marked, "| ") {
					t.Fatalf("row %d is %q", i, row)
				}
				text = marked[2:]
			}
			if n := strings.Count(row, "日") + len([]rune(strings.ReplaceAll(row, "\u0301", ""))); n > width {
				t.Fatalf("row %d of %q is %d wide", i, row, n)
			}
			all.WriteString(text)
		}
		bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if got, want := bare(all.String()), bare(line); got != want {
			t.Fatalf("%q holds %q", line, got)
		}
	})
}
