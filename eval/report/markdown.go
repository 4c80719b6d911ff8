package report

import (
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/escape"
)

// Markdown returns a report as a page: what was measured, the figures, and what could
// not be measured.
func Markdown(r eval.Report) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n%d of %d cases measured%s. Rates with 95 %% Wilson intervals.\n\n",
		plain(r.Suite), plain(r.Subject), r.Measured, r.Cases, seed(r))
	g := Lay(r)
	row(&b, g.Heads)
	fmt.Fprintf(&b, "|%s\n", strings.Repeat("---|", len(g.Heads)))
	for _, line := range g.Lines {
		row(&b, line)
	}
	for _, l := range r.Latency {
		fmt.Fprintf(&b, "\n%s: %.1f ms at the median, %.1f ms at the 99th percentile.\n", plain(l.Agent), l.P50, l.P99)
	}
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "\nNot measured: %s: %s: %s\n", plain(f.ID), plain(f.Code), plain(f.Reason))
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "\n%s\n", plain(note))
	}
	return []byte(b.String())
}

func seed(r eval.Report) string {
	if r.Seed == "" {
		return ""
	}
	return ", seed " + plain(r.Seed)
}

func row(b *strings.Builder, cells []string) {
	for i, c := range cells {
		cells[i] = plain(c)
	}
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// marks are the characters with a meaning in Markdown, or in HTML inside Markdown.
// Some readers of Markdown do not know a backslash before < or &.
var marks = strings.NewReplacer(`\`, `\\`, "`", "\\`", "|", `\|`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "#", `\#`, "!", `\!`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;")

// plain returns a text that Markdown shows literally.
func plain(s string) string { return marks.Replace(escape.Line(s, maxText)) }

// maxText bounds one text of a page, in bytes.
const maxText = 2 << 10
