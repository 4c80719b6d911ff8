package pins

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// The kinds of a [Turn].
const (
	Poisoned = "poisoned" // one tool in the step is dangerous
	Honest   = "honest"
)

// Turn is one step of a server as a person reviews it. It has the approved tools, the
// tools listed now, and the tool that an attacker changed.
type Turn struct {
	ID         string           `json:"id"`
	Kind       string           `json:"kind"`
	Configured []string         `json:"configured"` // tools on other servers
	Before     []jsontext.Value `json:"before"`
	After      []jsontext.Value `json:"after"`
	Dangerous  string           `json:"dangerous"` // the name of the poisoned tool, now
	Why        string           `json:"why,omitzero"`
}

// The facts of a turn and of a first review.
const (
	onTop = "on_top" // the dangerous tool is the first in the review
	last  = "last"   // the dangerous tool is the last of several
	rank  = "rank"   // its place, from 1
	cued  = "cued"   // a tool that is not yet approved carries a finding or a cue

	warned   = "warned"   // the dangerous tool is classed as a cue or worse
	overread = "overread" // so is a tool of an honest step
)

// Turns measures the place of the dangerous tool in the review of each step, and how
// many decisions a step needs. The rows of different kinds are never combined.
func Turns(turns []Turn) eval.Suite {
	s := eval.Suite{Name: "pins_steps", Subject: "steps of servers", Digest: eval.Digest(turns), Measures: []eval.Measure{
		{Name: onTop, Title: "dangerous on top", Better: eval.Higher},
		{Name: last, Title: "dangerous last", Better: eval.Lower},
		{Name: rank, Title: "its place", Better: eval.Lower},
		{Name: decisions, Title: "decisions", Better: eval.Lower},
		{Name: cued, Title: "tools with a cue", Better: eval.Neither},
		{Name: warned, Title: "dangerous, cue or worse", Better: eval.Higher},
		{Name: overread, Title: "honest, cue or worse", Better: eval.Lower},
	}}
	for _, t := range turns {
		s.IDs = append(s.IDs, t.ID)
	}
	s.Observe = func(_ context.Context, i int) ([]eval.Row, error) { return turns[i].rows(), nil }
	return s
}

// ReadTurns reads rows of [Turn]. A step of one tool may give the tool in place of a
// list, and is then about that one.
func ReadTurns(path string) (eval.Cases[Turn], error) { return eval.ReadCases(parseTurn, path) }

func parseTurn(l *eval.Line) (id string, t Turn, err error) {
	row, err := eval.Decode[struct {
		ID         string         `json:"id"`
		Kind       string         `json:"kind"`
		Configured []string       `json:"configured"`
		Before     jsontext.Value `json:"before"`
		After      jsontext.Value `json:"after"`
		Dangerous  string         `json:"dangerous"`
		Why        string         `json:"why"`
	}](l)
	if err != nil {
		return "", Turn{}, err
	}
	t = Turn{ID: row.ID, Kind: row.Kind, Configured: row.Configured, Dangerous: row.Dangerous, Why: row.Why}
	if t.Kind != Poisoned && t.Kind != Honest {
		return "", Turn{}, fmt.Errorf("%.40q is neither poisoned nor honest", t.Kind)
	}
	var bad [2]error
	t.Before, bad[0] = listOf(row.Before)
	t.After, bad[1] = listOf(row.After)
	if row.After.Kind() == '{' && t.Kind == Poisoned {
		f, err := pin.Descriptor{Raw: row.After}.Fields()
		if err != nil {
			return "", Turn{}, err
		}
		t.Dangerous = f.Name
	}
	return t.ID, t, errors.Join(bad[:]...)
}

// listOf are the tools of a list, or one tool.
func listOf(v jsontext.Value) ([]jsontext.Value, error) {
	if v.Kind() == '{' {
		return []jsontext.Value{v}, nil
	}
	members, err := schema.Elements(v)
	list := make([]jsontext.Value, len(members))
	for i, m := range members {
		list[i] = m.Value
	}
	return list, err
}

// rows returns a row for the step, and one for each tool that a person reviews in it.
func (t Turn) rows() []eval.Row {
	others := map[string]string{}
	for _, name := range t.Configured {
		others[name] = "other"
	}
	all := pin.Changes(described(t.Before), nil, pin.Snapshot{Tools: described(t.After)}, others)
	all = slices.DeleteFunc(all, func(c pin.Change) bool { return c.Class() == pin.Informational && c.Tool != t.Dangerous })
	step := eval.Row{ID: t.ID, Agent: ofStep, Group: t.Kind, Passed: true, Facts: map[string]int{decisions: len(distinct(all))}}
	step.Observed = fmt.Sprintf("%d changes, %d decisions", len(all), step.Facts[decisions])
	if t.Kind == Poisoned {
		at := slices.IndexFunc(all, func(c pin.Change) bool { return c.Tool == t.Dangerous })
		step.Passed = at == 0
		step.Facts[onTop], step.Facts[last], step.Facts[rank] = eval.Fact(at == 0), eval.Fact(at != 0 && at == len(all)-1), at+1
		step.Observed += fmt.Sprintf(", the dangerous tool is number %d", at+1)
	}
	rows := []eval.Row{step}
	for _, c := range all {
		row := eval.Row{ID: t.ID + "/" + c.Tool, Agent: ofTool, Group: t.Kind, Observed: c.Kind + " " + c.Class().String(), Passed: true}
		row.Facts = map[string]int{cued: eval.Fact(suspect(c))}
		switch {
		case c.Tool == t.Dangerous:
			row.Facts[warned] = eval.Fact(c.Class() <= pin.Cue)
		case t.Kind == Honest:
			row.Facts[overread] = eval.Fact(c.Class() <= pin.Cue)
		}
		rows = append(rows, row)
	}
	return rows
}

// suspect reports whether a change has words that are a cue or worse.
func suspect(c pin.Change) bool {
	return slices.ContainsFunc(c.Differences, func(d pin.Difference) bool { return d.Class == pin.Cue || d.Class == pin.Finding })
}

func described(tools []jsontext.Value) []pin.Descriptor {
	var all []pin.Descriptor
	for _, raw := range tools {
		all = append(all, pin.Descriptor{Server: "kb", Raw: raw})
	}
	return all
}

// Described is a tool with the style of its description.
type Described struct {
	ID    string         `json:"id"`
	Style string         `json:"style"`
	Tool  jsontext.Value `json:"tool"`
}

// ReadDescribed reads rows of [Described].
func ReadDescribed(path string) (eval.Cases[Described], error) {
	return eval.ReadCases(func(l *eval.Line) (string, Described, error) {
		d, err := eval.Decode[Described](l)
		return d.ID, d, err
	}, path)
}

// First measures which tools have a cue before any approval.
func First(tools []Described) eval.Suite {
	s := eval.Suite{Name: "pins_first", Subject: "first reviews", Digest: eval.Digest(tools), Measures: []eval.Measure{
		{Name: cued, Title: "with a cue", Better: eval.Neither},
	}}
	for _, t := range tools {
		s.IDs = append(s.IDs, t.ID)
	}
	s.Observe = func(_ context.Context, i int) ([]eval.Row, error) {
		all := pin.Changes(nil, nil, pin.Snapshot{Tools: described([]jsontext.Value{tools[i].Tool})}, nil)
		return []eval.Row{{ID: tools[i].ID, Group: tools[i].Style, Passed: true, Facts: map[string]int{cued: eval.Fact(suspect(all[0]))}}}, nil
	}
	return s
}
