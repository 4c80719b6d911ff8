package host

import (
	"cmp"

	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/trace"
)

// opening is the first line: the question, who asks it, and all that a replay needs
// besides the recorded answers.
func (r *run) opening() trace.BeginBody {
	q, b := r.question, r.approval.binding
	body := trace.BeginBody{
		Format: trace.Format, RunID: r.out.RunID, Version: r.config.Version, BuiltIn: input.BuiltInDigest(),
		Question: *kept(true, input.MaxQuestion, q.Text), Context: kept(q.Context != "", input.MaxContext, q.Context),
		Plan:    kept(q.Plan != nil && !q.Client, schema.PlanLimits.Bytes, string(q.Plan)),
		Subject: q.Subject, Facts: q.Facts.Body(), Summarize: q.Summarize, DryRun: q.DryRun, Only: q.Only, Follows: q.Follows, Edited: q.Edited, Resumes: r.world.Release(),
		Approval: &trace.BindingBody{RunID: b.RunID, Digest: b.Digest, By: b.By, How: b.How, Expires: b.Expires, Trace: b.Trace}, Planner: r.config.Planner, Policy: r.log.Share(r.shared.policy), Servers: r.log.Share(r.shared.servers),
	}
	if len(r.config.Files) > 0 {
		body.Files = r.log.Share(r.shared.files)
	}
	if q.Client {
		max := cmp.Or(r.config.Policy.MaxArguments, plan.MaxBrought)
		brought := trace.NewText(string(q.Plan[:min(len(q.Plan), max+1)]))
		if body.Brought = brought.Inline(); len(q.Plan) > maxInline {
			body.Brought = r.log.Share(brought)
		}
	}
	return body
}

// maxInline is the longest plan of a client, in bytes, that a begin line contains. An
// object costs a file, and one more sync.
const maxInline = 4 << 10

// kept keeps a text to one byte over its limit. The input gate then refuses it for its
// length, in the run and in its replay. Without a text, kept is nil.
func kept(there bool, max int, text string) *trace.Bytes {
	if !there {
		return nil
	}
	return new(trace.Keep([]byte(text[:min(len(text), max+1)])))
}

// shared are the objects that the runs of a reading have in common, as the trace keeps
// them. Their digests are computed once.
type shared struct{ policy, servers, files trace.Object }
