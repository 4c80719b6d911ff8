package host

import (
	"strings"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/trace"
)

// Run names a run by its id and the digest of its trace.
type Run struct {
	ID    string
	Trace string
}

// Answer is what a person answers a planner that asks for more.
type Answer struct {
	Tool string // the one that was chosen, as "server/tool"; "" where none was
	Text string // what was typed
	// Suggestion is the call that was chosen, nil where none was.
	Suggestion *planner.Suggestion
}

// suggested are the suggestions that make a plan for a tool of the catalog, at most
// three. What else is wrong with them is for the gates that a plan meets.
func suggested(c catalog.Catalog, all []planner.Suggestion) []planner.Suggestion {
	var list []planner.Suggestion
	for _, s := range all {
		p, err := plan.Parse(s.Plan())
		if _, unknown := c.Tool(p.Server(), p.Tool()); err == nil && unknown == nil && len(list) < planner.MaxSuggestions {
			list = append(list, s)
		}
	}
	return list
}

// Follow is the question that an answer makes of q, whose run ended as out. It
// is a question of its own, with its own run, its own call and the same gates:
// they read the whole text, and neither a tool nor a call that was chosen is one
// that was approved. An answer that says nothing makes the same question again.
func (q Question) Follow(out Outcome, a Answer) Question {
	q.Follows = &Run{out.RunID, out.TraceDigest}
	if a.Tool != "" {
		q.Only = a.Tool
	}
	if s := a.Suggestion; s != nil {
		q.Plan, q.Only, q.Answer = s.Plan(), "", ""
	}
	if a.Text != "" {
		q.Text, q.Answer = q.Text+"\n"+a.Text, a.Text
	}
	return q
}

// only is the server and the tool that the question is limited to.
func (q Question) only() (server, tool string) {
	server, tool, _ = strings.Cut(q.Only, "/")
	return server, tool
}

// checkFollow refuses a limit that no tool can be, and a run that none can be.
func (q Question) checkFollow() error {
	if server, tool := q.only(); q.Only != "" && !(escape.Name(server) && escape.Name(tool)) {
		return verdict.Fail(verdict.UsageArgument, nil, "%.300q is no tool, as server/tool", q.Only)
	}
	if f := q.Follows; f != nil {
		if _, err := trace.ParseDigest(f.Trace); err != nil || !escape.Name(f.ID) {
			return verdict.Fail(verdict.UsageArgument, nil, "the question follows a run that has no id or no trace")
		}
	}
	return nil
}

// record is the run as a trace holds it.
func (f *Run) record() *trace.RunBody {
	if f == nil {
		return nil
	}
	return &trace.RunBody{RunID: f.ID, Trace: f.Trace}
}
