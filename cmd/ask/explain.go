package main

import (
	"context"
	"strings"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
)

// explained plans as the embedded planner does, and says on stderr how.
type explained struct {
	*lexical.Proposer
	app *app
}

// Propose explains, then proposes.
func (e explained) Propose(ctx context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error) {
	e.app.explain(e.Explain(q, c))
	return e.Proposer.Propose(ctx, q, c)
}

func (a *app) explain(x lexical.Explanation) {
	for i, k := range x.Candidates {
		a.say("%d. %s/%s  rank %.2f  score %.2f  shares: %s", i+1, k.Server, k.Tool, k.Rank, k.Score, strings.Join(k.Words, " "))
	}
	a.say("margin %.2f", x.Margin)
	for _, arg := range x.Arguments {
		a.say("  %s = %s  from the %s: %s", arg.Path, arg.Value, arg.Origin, arg.Words)
	}
	if len(x.Missing) > 0 {
		a.say("  missing: %s", strings.Join(x.Missing, ", "))
	}
	if x.Declined != "" {
		a.say("declined: %s", x.Declined)
	}
}
