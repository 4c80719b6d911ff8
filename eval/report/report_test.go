package report_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/report"
)

// wide is a report of so many measures, of two groups and two halves.
func wide(measures int, agents ...string) eval.Report {
	var rows []eval.Row
	var of []eval.Measure
	for i := range measures {
		of = append(of, eval.Measure{Name: fmt.Sprint("m", i), Title: fmt.Sprint("M", i)})
	}
	for _, agent := range agents {
		for i := range 4 {
			facts := map[string]int{}
			for m := range measures {
				facts[fmt.Sprint("m", m)] = i % 2
			}
			rows = append(rows, eval.Row{Agent: agent, Group: []string{"g", "h"}[i/2], Half: []string{"open", "sealed"}[i%2], Facts: facts})
		}
	}
	return eval.Report{Figures: eval.Tally(rows, of)}
}

// However a report is laid out, every figure has a cell of its own.
func TestEveryFigureHasItsCell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		measures int
		agents   []string
		heads    []string
		lines    int
	}{
		{2, []string{""}, []string{"group", "half", "M0", "M1"}, 9},
		{8, []string{""}, []string{"group", "half", "M0", "M1", "M2", "M3", "M4", "M5", "M6", "M7"}, 9},
		{9, []string{""}, []string{"group", "measure", "both", "open", "sealed"}, 27},
		{9, []string{"a", "b"}, []string{"group", "half", "measure", "a", "b"}, 81},
	} {
		r := wide(c.measures, c.agents...)
		g := report.Lay(r)
		if !slices.Equal(g.Heads, c.heads) || len(g.Lines) != c.lines {
			t.Errorf("%d measures of %q: %q, %d lines", c.measures, c.agents, g.Heads, len(g.Lines))
		}
		shown := 0
		for _, line := range g.Lines {
			if len(line) != len(g.Heads) || slices.Contains(line, "-") {
				t.Errorf("%q", line)
			}
			for _, cell := range line {
				if len(cell) > 8 { // a rate and what it is of
					shown++
				}
			}
		}
		if shown != len(r.Figures) {
			t.Errorf("%d measures of %q: %d cells for %d figures", c.measures, c.agents, shown, len(r.Figures))
		}
	}
}
