package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/escape"
)

// page is the content of the template. Every text in it is bounded and visible.
type page struct {
	Policy   string
	Style    template.CSS
	Script   template.JS
	Suite    string
	Subject  string
	About    []string // file, seed
	Ended    string   // the code of the error that ended the run, "" if none
	Verdict  string
	Tally    []string // numbers of passed rows, by agent
	Overall  []panel
	Groups   []panel
	Plots    []plot
	Table    Grid
	Reasons  []reason
	Several  bool // several agents
	Latency  []latency
	Failures []eval.Failure
	Notes    []string
	Cases    caseList
}

// reason is a line of the table of reasons, with its share of the most frequent.
type reason struct {
	Agent, Group, Code, Count string
	Share                     percent
}

type latency struct{ Agent, P50, P99 string }

func newPage(r eval.Report, end error) page {
	ink := colours(r)
	p := page{
		Policy: policy(),
		Style:  template.CSS(style), //nolint:gosec // ours: the embedded file
		Script: template.JS(script), //nolint:gosec // ours: the embedded file
		Suite:  label(r.Suite), Subject: label(r.Subject), About: about(r),
		Overall: overall(r.Figures, ink), Groups: byGroup(r.Figures, ink),
		Plots: plots(r, ink), Table: visible(Lay(r)), Several: len(ink) > 1,
		Cases: newCaseList(r, ink),
	}
	p.Ended, p.Verdict = ending(r, end)
	p.Verdict = escape.Text(p.Verdict, maxText)
	if p.Ended == "" {
		p.Verdict = "All " + grouped(r.Cases) + " cases were measured."
	}
	p.Reasons = reasons(first(r.Reasons, "reasons", &p.Cases.LeftOut))
	p.Tally = passed(r)
	for _, l := range r.Latency {
		p.Latency = append(p.Latency, latency{label(l.Agent), fmt.Sprintf("%.1f ms", l.P50), fmt.Sprintf("%.1f ms", l.P99)})
	}
	for _, f := range first(r.Failures, "failures", &p.Cases.LeftOut) {
		p.Failures = append(p.Failures, eval.Failure{ID: label(f.ID), Code: label(f.Code), Reason: escape.Line(f.Reason, maxField)})
	}
	for _, n := range r.Notes {
		p.Notes = append(p.Notes, escape.Text(n, maxText))
	}
	return p
}

func about(r eval.Report) []string {
	var list []string
	if r.File != "" {
		list = append(list, "cases of "+label(r.File))
	}
	if r.Seed != "" {
		list = append(list, "seed "+label(r.Seed))
	}
	return list
}

// passed counts the passed rows of each agent. In e2e, a question that waits for a
// person also passed, although no call was made; the measure "as expected" counts
// differently.
func passed(r eval.Report) []string {
	says := " rows as expected"
	if r.Suite == "e2e" {
		says = " rows: no harm, and as expected or asked"
	}
	passed, of := map[string]int{}, map[string]int{}
	var agents []string
	for _, row := range r.Rows {
		if of[row.Agent] == 0 {
			agents = append(agents, row.Agent)
		}
		of[row.Agent]++
		passed[row.Agent] += eval.Fact(row.Passed)
	}
	var list []string
	for _, a := range agents {
		text := grouped(passed[a]) + " of " + grouped(of[a]) + says
		if a != "" {
			text = label(a) + ": " + text
		}
		list = append(list, text)
	}
	return list
}

// first returns the first lines of a table, and adds a note about the rest to leftOut.
func first[T any](list []T, what string, leftOut *[]string) []T {
	if len(list) <= maxLines {
		return list
	}
	*leftOut = append(*leftOut, grouped(len(list)-maxLines)+" "+what)
	return list[:maxLines]
}

func reasons(list []eval.Reason) []reason {
	most := 1
	for _, r := range list {
		most = max(most, r.Count)
	}
	var shown []reason
	for _, r := range list {
		shown = append(shown, reason{label(r.Agent), label(r.Group), label(r.Code), grouped(r.Count), percent(100 * float64(r.Count) / float64(most))})
	}
	return shown
}

// visible returns a grid with texts that can be shown.
func visible(g Grid) Grid {
	for _, cells := range append([][]string{g.Heads}, g.Lines...) {
		for i, c := range cells {
			cells[i] = label(c)
		}
	}
	return g
}

// maxLabel bounds a name on the page, in bytes.
const maxLabel = 160

// label returns a short text, such as a name or a head.
func label(s string) string { return escape.Line(s, maxLabel) }

// grouped returns a number with narrow spaces between its thousands.
func grouped(n int) string {
	digits := fmt.Sprint(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteRune('\u202f')
		}
		b.WriteRune(d)
	}
	return b.String()
}
