// Package report shows the results of a suite: as text, Markdown, JUnit XML, and one
// self-contained HTML page.
//
// It vouches that every figure is shown with its interval and its number of rows, and
// that cases' texts, which attackers may have written, are escaped and bounded
// everywhere. It computes no figure and omits none. cmd/ask-eval calls it.
package report

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/eval"
)

// Grid is a report's figures as a table.
type Grid struct {
	Heads []string
	Lines [][]string
}

// maxColumns bounds how many measures fit next to each other.
const maxColumns = 8

// Lay arranges the figures of a report, with a line for every group and half and a
// column for every measure. With several agents, the agents are the columns, and every
// measure has a line. If there are more measures than fit, the halves are the columns.
func Lay(r eval.Report) Grid {
	halves := distinct(r.Figures, func(f eval.Figure) string { return f.Half })
	agents := distinct(r.Figures, func(f eval.Figure) string { return f.Agent })
	column := func(f eval.Figure) string { return f.Title }
	if len(agents) < 2 && len(distinct(r.Figures, column)) > maxColumns {
		return grid(r.Figures, []string{"group", "measure"},
			func(f eval.Figure) []string { return []string{or(f.Group, "all"), f.Title} },
			func(f eval.Figure) string { return or(f.Half, "both") })
	}
	if len(agents) > 1 {
		column = func(f eval.Figure) string { return f.Agent }
	}
	line := func(f eval.Figure) []string {
		at := []string{or(f.Group, "all")}
		if len(halves) > 1 {
			at = append(at, or(f.Half, "both"))
		}
		if len(agents) > 1 {
			at = append(at, f.Title)
		}
		return at
	}
	heads := []string{"group", "half", "measure"}
	if len(halves) < 2 {
		heads = []string{"group", "measure"}
	}
	if len(agents) < 2 {
		heads = heads[:len(heads)-1]
	}
	return grid(r.Figures, heads, line, column)
}

// grid puts each figure into its line and column, both in the order of the figures.
func grid(figures []eval.Figure, heads []string, line func(eval.Figure) []string, column func(eval.Figure) string) Grid {
	columns := distinct(figures, column)
	g := Grid{Heads: slices.Concat(heads, columns)}
	at := map[string]int{}
	for _, f := range figures {
		head := line(f)
		place := strings.Join(head, "\x00")
		if _, there := at[place]; !there {
			at[place] = len(g.Lines)
			g.Lines = append(g.Lines, slices.Concat(head, slices.Repeat([]string{"-"}, len(columns))))
		}
		g.Lines[at[place]][len(heads)+slices.Index(columns, column(f))] = cell(f)
	}
	return g
}

// distinct returns the different names of figures, in their order.
func distinct(figures []eval.Figure, name func(eval.Figure) string) []string {
	var names []string
	for _, f := range figures {
		if n := name(f); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// cell returns a rate with its counts, followed by the sum if it is more than the
// hits.
func cell(f eval.Figure) string {
	s := f.Rate.Counted()
	if f.Sum > f.Rate.Hits {
		s += " (" + count(f.Sum) + " in all)"
	}
	return s
}
