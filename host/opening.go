package host

import (
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/trace"
)

// opening is the first line: the question, who asks it, and all that a replay
// must be given beside what was said.
func (r *run) opening() trace.BeginBody {
	q := r.question
	return trace.BeginBody{
		Format: trace.Format, RunID: r.out.RunID, Version: r.config.Version, BuiltIn: input.BuiltInDigest(),
		Question: upTo(input.MaxQuestion, q.Text), Context: kept(q.Context != "", input.MaxContext, q.Context),
		Plan:    kept(q.Plan != nil, schema.PlanLimits.Bytes, string(q.Plan)),
		Subject: q.Subject, Summarize: q.Summarize.record(), DryRun: q.DryRun, Only: q.Only, Follows: q.Follows.record(), Resumes: r.config.Release.record(),
		Approval: r.binding.record(), Planner: r.config.Planner, Policy: r.log.Share(r.shared.policy), Servers: r.log.Share(r.shared.servers),
	}
}

// upTo keeps a text to one byte over its limit: the input gate refuses it for
// its length then, in the run and in its replay.
func upTo(max int, text string) trace.Bytes {
	return trace.Keep([]byte(text[:min(len(text), max+1)]))
}

// kept is [upTo] of what need not be there.
func kept(there bool, max int, text string) *trace.Bytes {
	if !there {
		return nil
	}
	b := upTo(max, text)
	return &b
}
