package report_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/report"
)

// inMarkdown is what gets out of a table's cell, with a mark of each kind.
const inMarkdown = "a | b\n\n# c\\| `d` **e** _f_ ![g](h) <script>i</script> \\<b> &lt;j&gt; \x1b\u202e"

// Every reader of Markdown shows an entity as the character. Some take a backslash
// before < for a backslash.
func TestATextInATableIsNoMarkup(t *testing.T) {
	t.Parallel()
	page, harmless := ofText(inMarkdown), ofText("text")
	if strings.ContainsAny(page, "<>\x1b\u202e") {
		t.Errorf("raw HTML or a control in\n%s", page)
	}
	if got, want := strings.Count(page, "\n"), strings.Count(harmless, "\n"); got != want {
		t.Errorf("%d lines, want %d:\n%s", got, want, page)
	}
	escaped := regexp.MustCompile(`\\.`)
	meant, meantBefore := escaped.ReplaceAllString(page, ""), escaped.ReplaceAllString(harmless, "")
	for _, mark := range []string{"|", "`", "*", "_", "[", "]", "!", "#"} {
		if got, want := strings.Count(meant, mark), strings.Count(meantBefore, mark); got != want {
			t.Errorf("%d marks %s, want %d:\n%s", got, mark, want, page)
		}
	}
	if !strings.Contains(page, "&lt;script&gt;") || !strings.Contains(page, "&amp;lt;j&amp;gt;") {
		t.Errorf("a text is not shown as it is:\n%s", page)
	}
}

// ofText is the page of a report whose every text is this one.
func ofText(text string) string {
	row := eval.Row{ID: text, Group: text, Half: text, Agent: text, Facts: map[string]int{text: 1}}
	other := eval.Row{ID: text, Group: text, Half: "", Agent: text + "2", Facts: map[string]int{text: 1}}
	r := eval.Report{
		Suite: text, Subject: text, File: text, Seed: text, Cases: 2, Measured: 1, Notes: []string{text},
		Failures: []eval.Failure{{ID: text, Code: text, Reason: text}}, Latency: []eval.Latency{{Agent: text}},
		Figures: eval.Tally([]eval.Row{row, other}, []eval.Measure{{Name: text, Title: text, Better: eval.Lower}}),
	}
	return string(report.Markdown(r))
}
