package planner

import (
	"fmt"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
)

// suggestMarked turns a call that the intent lock marks into a decline that suggests the
// call. It does not suggest a call of a tool that may change something, unless the question
// plainly asks for a change. Anything but a call, and any call of an unapproved tool, stays
// unchanged: the gates refuse it and record why.
func suggestMarked(p Proposal, q input.Query, c catalog.Catalog) Proposal {
	tool, proposed, ok := chosenBy(p.Said, c)
	if !ok {
		return p
	}
	args, err := schema.Canonical(proposed.Args())
	if err != nil {
		return p
	}
	reads := tool.Effect().Reads
	asked := intent.Question{
		Text: q.Words(), Context: q.Context(), Server: tool.Server(), Tool: tool.Name(), Resource: tool.ResourceArguments(), Changes: !reads,
	}
	report, err := intent.Compare(asked, tool.Input().Root(), args)
	if err != nil || !report.Marked(reads) {
		return p
	}
	name := tool.Server() + "/" + tool.Name()
	p.Said = plan.Decline(fmt.Sprintf("The model's call of %s carries a mark, so it is suggested and not made.", name))
	if report.NotAsked == nil {
		p.Suggestions = []Suggestion{{Tool: name, Args: args}}
	}
	return p
}
