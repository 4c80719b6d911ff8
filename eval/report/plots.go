package report

import (
	"math"
	"strconv"
	"strings"

	"github.com/onestep-run/onestep/eval"
)

// plot is one curve over all thresholds: the share that passes rightly over the share
// that passes wrongly. It also shows the places of the agents.
type plot struct {
	Name   string
	Line   string // the points of the curve, for SVG, in per cent from the upper left
	Dots   []dot
	Agents []dot
}

// dot is a place in a plot.
type dot struct {
	Name       string
	X, Y       percent // from the lower left
	Key        string  // the letter of an agent
	Label      string  // the text next to the dot: the name or the key, or "" if a neighbour has it
	Left       bool    // the label is to the left of the dot
	Ink        string
	Drawn      bool // false if one of the rates has no rows
	Text       string
	Right      string // the rates, for the table
	Wrong      string
	LowX, TopX percent
	LowY, TopY percent
}

func plots(r eval.Report, ink map[string]string) []plot {
	var names []string
	curves := map[string][]eval.Point{}
	for _, p := range r.Curve {
		if curves[p.Name] == nil {
			names = append(names, p.Name)
		}
		curves[p.Name] = append(curves[p.Name], p)
	}
	var list []plot
	for _, name := range names {
		list = append(list, newPlot(name, curves[name], r.Figures, ink))
	}
	return list
}

func newPlot(name string, points []eval.Point, figures []eval.Figure, ink map[string]string) plot {
	p := plot{Name: label(name)}
	var line []string
	for _, at := range points {
		d := newDot(strconv.FormatFloat(at.Threshold, 'g', 4, 64), at.Right, at.Wrong)
		if d.Drawn {
			line = append(line, coordinate(d.X)+","+coordinate(d.Y.Flip()))
		}
		p.Dots = append(p.Dots, d)
	}
	p.Line = strings.Join(line, " ")
	thin(p.Dots)
	p.Agents = standing(points, figures, ink)
	return p
}

func newDot(name string, right, wrong *eval.Rate) dot {
	d := dot{Name: name, Label: name, Text: name + ": right " + right.String() + ", wrong " + wrong.String(), Right: right.Counted(), Wrong: wrong.Counted(), Drawn: right != nil && wrong != nil}
	if wrong != nil {
		d.X, d.LowX, d.TopX = bounds(wrong)
	}
	if right != nil {
		d.Y, d.LowY, d.TopY = bounds(right)
	}
	d.Left = d.X > 90
	return d
}

// bounds returns a rate and its interval. Without an interval, both ends are the rate.
func bounds(r *eval.Rate) (rate, low, top percent) {
	rate = percent(100 * r.Rate)
	if r.Interval == nil {
		return rate, rate, rate
	}
	return rate, percent(100 * r.Low), percent(100 * r.High)
}

// pairs are the measures that correspond to the points of a curve: for an agent
// instead of a threshold.
var pairs = [][2]string{{"true_accept", "false_accept"}, {"harmless_accepted", "harmful_accepted"}}

// standing returns the places of the agents that were measured on the rows of a curve.
func standing(points []eval.Point, figures []eval.Figure, ink map[string]string) []dot {
	var dots []dot
	for _, pair := range pairs {
		for _, f := range figures {
			if f.Name != pair[0] || f.Half != "" || !whole(figures, f) {
				continue
			}
			for _, o := range figures {
				other := o.Name != pair[1] || o.Agent != f.Agent
				if other || o.Group != f.Group || o.Half != "" {
					continue
				}
				if sameRows(points, f.Rate, o.Rate) {
					d := newDot(label(f.Agent), f.Rate, o.Rate)
					d.Ink, d.Key = ink[f.Agent], letter(len(dots))
					d.Label = d.Key
					dots = append(dots, d)
				}
			}
		}
	}
	return together(dots)
}

// letter returns the key of a dot, because a name may be too long.
func letter(i int) string { return string(rune('A' + i%26)) }

// sameRows reports whether rates are about the rows of the curve: other rates would be
// points of another drawing.
func sameRows(points []eval.Point, right, wrong *eval.Rate) bool {
	p := points[0]
	if p.Right == nil || p.Wrong == nil {
		return false
	}
	return p.Right.Of == right.Of && p.Wrong.Of == wrong.Of
}

// near is the least distance of two dots at which no label hides the other.
const near = 9

func touching(a, b dot) bool {
	return math.Abs(float64(a.X-b.X)) < near && math.Abs(float64(a.Y-b.Y)) < near
}

// thin removes the labels of dots that are too near to the last labelled one.
func thin(dots []dot) {
	last := -1
	for i := range dots {
		if last >= 0 && touching(dots[i], dots[last]) {
			dots[i].Label = ""
			continue
		}
		last = i
	}
}

// together gives dots in the same place one label with all their names.
func together(dots []dot) []dot {
	for i := range dots {
		for j := range i {
			if dots[j].Label != "" && touching(dots[i], dots[j]) {
				dots[j].Label += " " + dots[i].Label
				dots[i].Label = ""
				break
			}
		}
	}
	return dots
}

func coordinate(p percent) string { return strings.TrimSuffix(p.String(), "%") }
