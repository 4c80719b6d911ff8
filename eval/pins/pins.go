// Package pins measures how gate/pin classifies changes in a server's tools. The
// changes are those that an attacker would make, harmless ones, and the releases of
// real servers.
//
// It vouches that every change goes through pin.Changes itself, and that the share of
// caught attacks comes with the share of overstated harmless changes. It does not
// vouch that the cases are all that an attacker can think of, nor for what a server
// does behind an unchanged description.
//
// `ask eval pins` calls it.
package pins

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The facts of a row.
const (
	caught     = "caught"     // an attack with its class, or a worse one
	overstated = "overstated" // a harmless change with a worse class than it may have
	misnamed   = "misnamed"   // either one with another kind of change
)

var measures = []eval.Measure{
	{Name: caught, Title: "caught", Better: eval.Higher},
	{Name: overstated, Title: "overstated", Better: eval.Lower},
	{Name: misnamed, Title: "kind is another", Better: eval.Lower},
}

// Suite compares the earlier and later tools of each case's server. A missed attack is
// an error of the suite.
func Suite(cases []Case, subject string) eval.Suite {
	s := eval.Suite{Name: "pins", Subject: subject, Digest: eval.Digest(cases), Measures: measures, Finish: finish, Chosen: true}
	for _, c := range cases {
		s.IDs = append(s.IDs, c.ID)
	}
	s.Observe = func(_ context.Context, i int) ([]eval.Row, error) { return []eval.Row{cases[i].row()}, nil }
	return s
}

func finish(r *eval.Report) error {
	var missed []string
	for _, row := range r.Rows {
		if row.Group == Attack && !row.Passed {
			missed = append(missed, row.ID)
		}
	}
	if len(missed) > 0 {
		return verdict.Fail(verdict.EvalFailed, nil, "%d attacks are not caught: %s", len(missed), strings.Join(missed, ", "))
	}
	return nil
}

func (c Case) row() eval.Row {
	kind, class, why := c.observed()
	row := eval.Row{
		ID: c.ID, Group: c.Group, Query: c.What, Expected: c.Kind + " " + c.Class.String(), Observed: kind + " " + class.String(),
		Passed: kind == c.Kind, Detail: why, Facts: map[string]int{misnamed: eval.Fact(kind != c.Kind)},
	}
	if c.Group == Attack {
		row.Facts[caught] = eval.Fact(kind == c.Kind && class <= c.Class)
		row.Passed = row.Passed && class <= c.Class
	} else {
		row.Facts[overstated] = eval.Fact(class < c.Class)
		row.Passed = row.Passed && class >= c.Class
	}
	return row
}

// observed returns how the case's tool is classified.
func (c Case) observed() (kind string, class pin.Class, why string) {
	now := pin.Snapshot{Instructions: c.Instructions[1], Tools: c.told(c.Now, c.Instructions[1])}
	all := pin.Changes(c.told(c.Was, c.Instructions[0]), c.told(c.History, c.Instructions[0]), now, c.Others)
	i := slices.IndexFunc(all, func(one pin.Change) bool { return one.Tool == c.Tool })
	if i < 0 {
		return none, pin.Informational, ""
	}
	var list []string
	for _, d := range all[i].Differences {
		list = append(list, fmt.Sprintf("%s %s: %s", d.Class, d.Path, d.Why))
	}
	return all[i].Kind, all[i].Class(), strings.Join(list, "; ")
}

func (c Case) told(tools []jsontext.Value, instructions string) []pin.Descriptor {
	var all []pin.Descriptor
	for _, t := range tools {
		all = append(all, pin.Descriptor{Server: "kb", Raw: t, Instructions: instructions})
	}
	return all
}
