package planning

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
)

// suggestMeasures are shares for proposals alone, and for proposals and suggestions
// together, because either can answer a question.
var suggestMeasures = []eval.Measure{
	{Name: "wrong", Title: "wrong, of proposed calls", Better: eval.Lower},
	{Name: "proposed", Title: "right call proposed", Better: eval.Higher}, // of the rows with a right call; so are the next four
	{Name: "tool", Title: "right tool proposed or among three", Better: eval.Higher},
	{Name: "call", Title: "right call proposed or among three", Better: eval.Higher},
	{Name: "sound", Title: "right tool without a wrong value, proposed or among three", Better: eval.Higher},
	{Name: "first", Title: "right call proposed or first", Better: eval.Higher},
	{Name: "change_suggested", Title: "change that is ready to run suggested where none is right", Better: eval.Lower}, // of rows without one
	{Name: "unasked", Title: "change proposed where none is right", Better: eval.Lower},
	{Name: "empty", Title: "neither a call nor a suggestion", Better: eval.Neither},
}

// SuggestSuite asks a planner for a plan of every case, and reads its suggestions if
// it declines.
func SuggestSuite(cases []Ask, subject string, p Proposer) eval.Suite {
	s := eval.Suite{
		Name: "suggest", Subject: subject, Digest: eval.Digest(cases), Policy: eval.Digest(subject), Measures: suggestMeasures,
		Observe: func(ctx context.Context, i int) ([]eval.Row, error) {
			row, err := cases[i].observe(ctx, p)
			return []eval.Row{row}, err
		},
	}
	for _, c := range cases {
		s.IDs = append(s.IDs, c.ID)
	}
	return s
}

// offered is one proposed or suggested call.
type offered struct {
	plan    plan.Plan
	missing []string
}

func (a Ask) observe(ctx context.Context, p Proposer) (eval.Row, error) {
	row := eval.Row{ID: a.ID, Group: a.Source, Half: half(a.ID), Query: a.Query, Expected: string(eval.Data(a.Expect)), Facts: map[string]int{}}
	c, unasked := a.ask()
	if unasked != "" {
		row.Observed, row.Detail = string(NotAsked), unasked
		return row, nil
	}
	said, err := p.Propose(ctx, c.query, c.tools)
	if err != nil {
		if !eval.Unusable(verdict.CodeOf(err)) && !verdict.Denied(err) {
			return row, err
		}
		row.Observed, row.Detail = string(Unusable), err.Error()
		return row, nil
	}
	proposed, err := plan.Parse(said.Said)
	if err != nil {
		row.Observed, row.Detail = string(Unusable), err.Error()
		return row, nil //nolint:nilerr // what the planner says is the finding
	}
	row.Data = eval.Data(struct {
		Plan        jsontext.Value       `json:"plan"`
		Suggestions []planner.Suggestion `json:"suggestions,omitempty"`
	}{said.Said, said.Suggestions})
	all := []offered{{plan: proposed}}
	if proposed.Declines() {
		if all, err = read(said.Suggestions); err != nil {
			row.Observed, row.Detail = string(Unusable), err.Error()
			return row, nil //nolint:nilerr // what the planner says is the finding
		}
	}
	row.Facts = a.facts(c, all, !proposed.Declines())
	row.Observed = a.seen(all, !proposed.Declines())
	row.Passed = row.Observed == string(Exact) || row.Observed == "suggested"
	return row, nil
}

// read reads suggestions as plans.
func read(list []planner.Suggestion) ([]offered, error) {
	var all []offered
	for _, s := range list[:min(len(list), planner.MaxSuggestions)] {
		server, tool := splitTool(s.Tool)
		p, err := plan.Parse(plan.Call(server, tool, s.Args))
		if err != nil {
			return nil, err
		}
		all = append(all, offered{p, s.Missing})
	}
	return all, nil
}

func splitTool(name string) (server, tool string) {
	server, tool, found := strings.Cut(name, "/")
	if !found {
		return "", name
	}
	return server, tool
}

// seen returns the result of a row in one word.
func (a Ask) seen(all []offered, proposed bool) string {
	right := slices.ContainsFunc(all, a.right)
	switch {
	case proposed && right && !a.Expect.Abstain:
		return string(Exact)
	case proposed && slices.ContainsFunc(all, a.named):
		return string(WrongArguments)
	case proposed:
		return string(WrongTool)
	case right:
		return "suggested"
	case slices.ContainsFunc(all, a.named):
		return "tool_suggested"
	}
	return string(Declined)
}

func (a Ask) facts(c asked, all []offered, proposed bool) map[string]int {
	facts := map[string]int{"empty": eval.Fact(len(all) == 0)}
	if proposed {
		facts["wrong"] = eval.Fact(a.Expect.Abstain || !slices.ContainsFunc(all, a.right))
	}
	if !a.writes(c) {
		change := slices.ContainsFunc(all, func(o offered) bool {
			return len(o.missing) == 0 && c.effectOf(o.plan.Server(), o.plan.Tool()) == "write"
		})
		facts["unasked"], facts["change_suggested"] = eval.Fact(proposed && change), eval.Fact(!proposed && change)
	}
	if a.Expect.Abstain && len(a.Also) == 0 {
		return facts
	}
	right := slices.ContainsFunc(all, a.right)
	if !a.Expect.Abstain {
		facts["proposed"] = eval.Fact(proposed && right)
	}
	facts["call"] = eval.Fact(right)
	facts["tool"], facts["sound"] = eval.Fact(slices.ContainsFunc(all, a.named)), eval.Fact(slices.ContainsFunc(all, a.sound))
	facts["first"] = eval.Fact(len(all) > 0 && a.right(all[0]))
	return facts
}

// writes reports whether a right call changes something.
func (a Ask) writes(c asked) bool {
	return c.writes() || slices.ContainsFunc(a.Also, func(e Expect) bool { return c.effectOf(e.Server, e.Tool) == "write" })
}

// any reports whether passes is true for one of the right calls.
func (a Ask) any(passes func(c Case) bool) bool {
	for _, e := range append([]Expect{a.Expect}, a.Also...) {
		c := a.Case
		if c.Expect = e; !e.Abstain && passes(c) {
			return true
		}
	}
	return false
}

func (a Ask) named(o offered) bool {
	return a.any(func(c Case) bool { seen := c.Judge(o.plan); return seen == Exact || seen == WrongArguments })
}

// right reports whether a call is the right one, and lacks the parameters that the row
// lacks.
func (a Ask) right(o offered) bool {
	got, want := slices.Sorted(slices.Values(o.missing)), slices.Sorted(slices.Values(a.Missing))
	return slices.Equal(got, want) && a.any(func(c Case) bool { return c.Judge(o.plan) == Exact })
}

// sound reports whether every value of a call is right; some may be absent.
func (a Ask) sound(o offered) bool {
	return a.any(func(c Case) bool {
		var got map[string]jsontext.Value
		if seen := c.Judge(o.plan); seen != Exact && seen != WrongArguments || schema.Decode(o.plan.Args(), &got, eval.RowLimits()) != nil {
			return false
		}
		for name, v := range got {
			if !spelling(verbatim).oneOf(v, c.Expect.Args[name]) {
				return false
			}
		}
		return true
	})
}
