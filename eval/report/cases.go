package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/escape"
)

// caseList is the rows on the page: the cases, the values to filter them by, and what
// was left out.
type caseList struct {
	Cases   []*oneCase
	Agents  []name // empty if there is only one
	Groups  []name
	Of      string // how many there are
	LeftOut []string
}

type name struct{ Text, Ink string }

// oneCase is the rows of one case, which are in sequence.
type oneCase struct {
	ID    string
	Query string
	Bad   bool // one of its rows is not as expected
	Marks []mark
	Parts []*part
}

// mark shows one agent's result in a case's head.
type mark struct {
	Agent, Ink string
	Bad, Of    int
}

// part is one question in a case, and its agents' results.
type part struct {
	Group                       int // index in caseList.Groups
	GroupName, Query, Half, Exp string
	Runs                        []*run
	Data                        extra // the common data of all of its runs
}

// run is one row.
type run struct {
	Agent                   int // index in caseList.Agents
	AgentName, Ink          string
	Bad                     bool
	Observed, Detail, Facts string
	Data                    extra
	Trace                   steps
}

func newCaseList(r eval.Report, ink map[string]string) caseList {
	l := caseList{}
	agents, groups := map[string]int{}, map[string]int{}
	index := func(at map[string]int, names *[]name, text, ink string) int {
		i, there := at[text]
		if !there {
			i = len(at)
			at[text] = i
			*names = append(*names, name{label(text), ink})
		}
		return i
	}
	for i, row := range r.Rows {
		if i == 0 || row.ID != r.Rows[i-1].ID {
			l.Cases = append(l.Cases, &oneCase{ID: label(row.ID), Query: escape.Line(row.Query, maxLabel)})
		}
		c := l.Cases[len(l.Cases)-1]
		if n := len(c.Parts); n == 0 || !sameAsked(row, r.Rows[i-1]) {
			c.Parts = append(c.Parts, newPart(row, index(groups, &l.Groups, row.Group, "")))
		}
		p := c.Parts[len(c.Parts)-1]
		p.Runs = append(p.Runs, newRun(row, index(agents, &l.Agents, row.Agent, ink[row.Agent]), ink[row.Agent]))
		c.count(row, ink[row.Agent])
	}
	for _, c := range l.Cases {
		for _, p := range c.Parts {
			p.share()
		}
	}
	l.Of = grouped(len(l.Cases))
	l.fit()
	return l
}

func sameAsked(a, b eval.Row) bool {
	asked := func(r eval.Row) [4]string { return [4]string{r.Group, r.Query, r.Expected, r.Half} }
	return asked(a) == asked(b)
}

func newPart(row eval.Row, group int) *part {
	return &part{Group: group, GroupName: label(row.Group), Half: label(row.Half), Query: escape.Text(row.Query, maxField), Exp: escape.Text(row.Expected, maxField)}
}

func newRun(row eval.Row, agent int, ink string) *run {
	return &run{
		Agent: agent, AgentName: label(row.Agent), Ink: ink, Bad: !row.Passed,
		Observed: escape.Text(row.Observed, maxField), Detail: escape.Text(row.Detail, maxField), Facts: facts(row.Facts),
		Data: newExtra(row.Data), Trace: newSteps(row.Trace),
	}
}

func facts(of map[string]int) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		list = append(list, fmt.Sprintf("%s\u00a0%d", strings.ReplaceAll(name, "_", " "), of[name]))
	}
	return escape.Line(strings.Join(list, ", "), maxField)
}

func (c *oneCase) count(row eval.Row, ink string) {
	c.Bad = c.Bad || !row.Passed
	agent := label(row.Agent)
	i := slices.IndexFunc(c.Marks, func(m mark) bool { return m.Agent == agent })
	if i < 0 {
		i = len(c.Marks)
		c.Marks = append(c.Marks, mark{Agent: agent, Ink: ink})
	}
	c.Marks[i].Of++
	c.Marks[i].Bad += eval.Fact(!row.Passed)
}

// share moves data that is the same for every agent to the part.
func (p *part) share() {
	first := p.Runs[0].Data
	if slices.ContainsFunc(p.Runs, func(r *run) bool { return r.Data != first }) {
		return
	}
	p.Data = first
	for _, r := range p.Runs {
		r.Data = extra{}
	}
}
