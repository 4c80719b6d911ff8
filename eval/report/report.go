// Package report shows what a suite found out: as text, Markdown, JUnit XML,
// and one self-contained HTML page.
//
// It vouches that every figure of a report is shown with its interval and what
// it is of, and that cases' texts, which attackers may have written, are
// escaped and bounded wherever they are shown. It computes no figure and
// leaves none out. cmd/ask calls it.
package report

import (
	"slices"

	"github.com/onestep-run/onestep/eval"
)

// Grid is a report's figures as a table: a line for every agent, group and
// half, a column for every measure.
type Grid struct {
	Heads []string
	Lines [][]string
}

// Lay lays the figures of a report out. Columns that would be the same in
// every line are left out.
func Lay(r eval.Report) Grid {
	places, measures := axes(r.Figures)
	cells := map[eval.Figure]string{}
	for _, f := range r.Figures {
		cells[key(f)] = cell(f)
	}
	places = besides(places)
	agents, halves := several(places, func(f eval.Figure) string { return f.Agent }), several(places, func(f eval.Figure) string { return f.Half })
	var g Grid
	if agents {
		g.Heads = append(g.Heads, "agent")
	}
	g.Heads = append(g.Heads, "group")
	if halves {
		g.Heads = append(g.Heads, "half")
	}
	for _, m := range measures {
		g.Heads = append(g.Heads, m.Title)
	}
	for _, p := range places {
		var line []string
		if agents {
			line = append(line, p.Agent)
		}
		line = append(line, or(p.Group, "all"))
		if halves {
			line = append(line, or(p.Half, "both"))
		}
		for _, m := range measures {
			p.Name = m.Name
			line = append(line, or(cells[p], "-"))
		}
		g.Lines = append(g.Lines, line)
	}
	return g
}

// besides puts the agents of a group under each other, for that is what is
// compared.
func besides(places []eval.Figure) []eval.Figure {
	var groups []string
	for _, p := range places {
		if !slices.Contains(groups, p.Group) {
			groups = append(groups, p.Group)
		}
	}
	slices.SortStableFunc(places, func(a, b eval.Figure) int {
		return slices.Index(groups, a.Group) - slices.Index(groups, b.Group)
	})
	return places
}

// axes are the different places and measures of figures, in their order.
func axes(figures []eval.Figure) (places, measures []eval.Figure) {
	for _, f := range figures {
		place := key(f)
		place.Name = ""
		if !slices.Contains(places, place) {
			places = append(places, place)
		}
		if !slices.ContainsFunc(measures, func(m eval.Figure) bool { return m.Name == f.Name }) {
			measures = append(measures, f)
		}
	}
	return places, measures
}

// key is what tells a figure from every other.
func key(f eval.Figure) eval.Figure {
	return eval.Figure{Name: f.Name, Agent: f.Agent, Group: f.Group, Half: f.Half}
}

// cell is a rate and what it is of; a sum that is more than the hits, beside it.
func cell(f eval.Figure) string {
	s := f.Rate.Counted()
	if f.Sum > f.Rate.Hits {
		s += " (" + count(f.Sum) + " in all)"
	}
	return s
}

func several(figures []eval.Figure, name func(eval.Figure) string) bool {
	return slices.ContainsFunc(figures, func(f eval.Figure) bool { return name(f) != name(figures[0]) })
}
