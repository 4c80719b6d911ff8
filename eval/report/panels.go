package report

import (
	"slices"
	"strconv"

	"github.com/onestep-run/onestep/eval"
)

// panel is the drawing of one measure: bars in blocks.
type panel struct {
	Title     string
	Direction string // the better direction in words; "" for neither
	Arrow     string
	Blocks    []block
}

// block is some bars under a common head.
type block struct {
	Head string
	Bars []bar
}

// bar is one rate with its interval.
type bar struct {
	Label, Ink     string
	Rate, Low, Top percent
	Interval       string
	Of, Sum        string // Sum is "" if it equals the hits
	Text           string // the whole figure, for readers who cannot see the bar
}

// percent is a length or a place in a drawing.
type percent float64

// String returns the number for SVG.
func (p percent) String() string { return strconv.FormatFloat(float64(p), 'f', 2, 64) + "%" }

// Flip returns the same place, measured from below.
func (p percent) Flip() percent { return 100 - p }

// Shown returns the number for the reader.
func (p percent) Shown() string { return strconv.FormatFloat(float64(p), 'f', 1, 64) + "\u00a0%" }

// overall returns a panel for each measure over all groups. It has the agents one
// below the other, or the halves if there is only one agent.
func overall(figures []eval.Figure, ink map[string]string) []panel {
	one := len(ink) == 1
	return panels(figures, func(f eval.Figure) bool { return whole(figures, f) && (one || f.Half == "") },
		func(eval.Figure) string { return "" },
		func(f eval.Figure) string {
			if one {
				return or(f.Half, or(f.Agent, "all"))
			}
			return f.Agent
		}, ink)
}

// byGroup returns a panel for each measure, with the groups, and in each of them the
// agents side by side. It is empty if all cases are in one group.
func byGroup(figures []eval.Figure, ink map[string]string) []panel {
	has := func(f eval.Figure) bool { return f.Group != "" && f.Half == "" && !whole(figures, f) }
	if len(ink) == 1 {
		return panels(figures, has, func(eval.Figure) string { return "" }, func(f eval.Figure) string { return f.Group }, ink)
	}
	return panels(figures, has, func(f eval.Figure) string { return f.Group }, func(f eval.Figure) string { return f.Agent }, ink)
}

// whole reports whether a figure covers all the rows of its agent. If the agent's rows
// are in one group, that group's figures do.
func whole(figures []eval.Figure, f eval.Figure) bool {
	return f.Group == "" || !slices.ContainsFunc(figures, func(o eval.Figure) bool { return o.Agent == f.Agent && o.Group == "" })
}

// panels draws the figures for which has is true, a panel for each measure, in blocks
// by head.
func panels(figures []eval.Figure, has func(eval.Figure) bool, head, named func(eval.Figure) string, ink map[string]string) []panel {
	var list []panel
	for _, name := range distinct(figures, func(f eval.Figure) string { return f.Name }) {
		p := panel{}
		for _, f := range figures {
			if f.Name == name && has(f) {
				p.Title = label(f.Title)
				p.Arrow, p.Direction = direction(f.Better)
				p.add(label(head(f)), newBar(label(named(f)), f, ink[f.Agent]))
			}
		}
		if len(p.Blocks) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// add adds a bar under its head. Figures are sorted by agent, not by head.
func (p *panel) add(head string, b bar) {
	i := slices.IndexFunc(p.Blocks, func(b block) bool { return b.Head == head })
	if i < 0 {
		i = len(p.Blocks)
		p.Blocks = append(p.Blocks, block{Head: head})
	}
	p.Blocks[i].Bars = append(p.Blocks[i].Bars, b)
}

// Lone returns the only bar of a panel, or nil if there are several.
func (p panel) Lone() *bar {
	if len(p.Blocks) != 1 || len(p.Blocks[0].Bars) != 1 {
		return nil
	}
	return &p.Blocks[0].Bars[0]
}

func newBar(name string, f eval.Figure, ink string) bar {
	r := f.Rate
	b := bar{
		Label: name, Ink: ink, Text: name + ": " + cell(f),
		Of: grouped(r.Hits) + " of " + grouped(r.Of),
	}
	b.Rate, b.Low, b.Top = bounds(r)
	if r.Interval != nil {
		b.Interval = strconv.FormatFloat(100*r.Low, 'f', 1, 64) + "\u2013" + strconv.FormatFloat(100*r.High, 'f', 1, 64)
	}
	if f.Sum > r.Hits {
		b.Sum = grouped(f.Sum) + " in all"
	}
	return b
}

func direction(d eval.Direction) (arrow, words string) {
	switch d {
	case eval.Higher:
		return "\u2191", "higher is better"
	case eval.Lower:
		return "\u2193", "lower is better"
	}
	return "", ""
}

// inks is the number of colours in the style.
const inks = 6

// colours gives every agent the colour of its place. Names are next to the colours, so
// that nothing depends on colour alone.
func colours(r eval.Report) map[string]string {
	ink := map[string]string{}
	give := func(agent string) {
		if _, has := ink[agent]; !has {
			ink[agent] = "ink" + strconv.Itoa(len(ink)%inks)
		}
	}
	for _, f := range r.Figures {
		give(f.Agent)
	}
	for _, row := range r.Rows {
		give(row.Agent)
	}
	return ink
}
