package host

import (
	"strings"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
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
}

// Follow is the question that an answer makes of q, whose run ended as out. It
// is a question of its own, with its own run, its own call and the same gates:
// they read the whole text, and a tool that was chosen is not one that was
// approved. An answer that says nothing makes the same question again.
func (q Question) Follow(out Outcome, a Answer) Question {
	q.Follows = &Run{out.RunID, out.TraceDigest}
	if a.Tool != "" {
		q.Only = a.Tool
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
	if server, tool := q.only(); q.Only != "" && !(guard.Name(server) && guard.Name(tool)) {
		return verdict.Fail(verdict.UsageArgument, nil, "%.300q is no tool, as server/tool", q.Only)
	}
	if f := q.Follows; f != nil {
		if _, err := trace.ParseDigest(f.Trace); err != nil || !guard.Name(f.ID) {
			return verdict.Fail(verdict.UsageArgument, nil, "the question follows a run that has no id or no trace")
		}
	}
	return nil
}

// reach is the servers that a run may ask for their tools: those of the
// allowlist. Where the question names one tool, by its plan or by a choice, it
// is that tool's alone, if it is allowed.
func (r *run) reach(brought plan.Plan) ([]string, error) {
	allow := r.config.Policy.Allowlist
	server, tool := brought.Server(), brought.Tool()
	if brought.Declines() {
		server, tool = r.question.only()
	}
	if tool == "" {
		return allow.Servers(), allow.Refusal()
	}
	return []string{server}, allow.Permits(server, tool)
}

// limited is what the question leaves of the catalog.
func (r *run) limited(c catalog.Catalog) catalog.Catalog {
	if r.question.Only == "" {
		return c
	}
	return c.Only(r.question.only())
}

// record is the run as a trace holds it.
func (f *Run) record() *trace.RunBody {
	if f == nil {
		return nil
	}
	return &trace.RunBody{RunID: f.ID, Trace: f.Trace}
}
