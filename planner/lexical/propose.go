// Package lexical is the embedded planner: no model, no network, no weights.
// It chooses a tool by the words that question and descriptors share, fills
// the arguments from the question's own words, and declines when it is not
// sure. The same question, catalog and time give the same bytes.
//
// It vouches for nothing: its plan goes through the same gates as a model's.
// What it does promise of its own: the choice of the tool rests on the
// question alone, never on its context; and no word of a tool's description
// enters an argument, which is made of the question's words, of values that
// the tool's schema lists (enum, const, and the default of a required
// parameter), or of true and false. A description decides no more than the
// capitals of a word that it names as a value and the question says too.
//
// host calls it; docs/planner.md says how it decides and what it cannot do.
package lexical

import (
	"context"
	"slices"
	"time"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/planner"
)

// Proposer is safe for concurrent use.
type Proposer struct {
	now     func() time.Time
	indexes indexes
}

// New makes a proposer. now gives "tomorrow" its meaning; nothing else reads it.
func New(now func() time.Time) *Proposer { return &Proposer{now: now} }

// Propose writes the plan for q: a call, or a decline that asks for what is
// missing. It never fails.
func (p *Proposer) Propose(_ context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error) {
	d := p.decide(q, c)
	if d.why != "" {
		return planner.Proposal{Said: plan.Decline(d.question())}, nil
	}
	t := d.best().e.tool
	return planner.Proposal{Said: plan.Call(t.Server(), t.Name(), d.best().filling.encode(d.best().e))}, nil
}

// Rank sorts tools by how well the words of a question speak of them, best
// first; those that share no word with it keep their order at the end. A
// model's prompt is cut by it when not all tools fit.
func (p *Proposer) Rank(words string, tools []catalog.Tool) []catalog.Tool {
	scores := p.indexes.of(tools).scores(newReading(words))
	order := make([]int, len(tools))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(scores[b], scores[a]) })
	ranked := make([]catalog.Tool, len(tools))
	for i, k := range order {
		ranked[i] = tools[k]
	}
	return ranked
}

// candidate is a tool that the question may mean.
type candidate struct {
	e       *entry
	score   float64 // BM25
	rank    float64 // score, weighed with how well the question fits
	formed  bool    // an identifier of the question has the form that the tool asks for
	fit     fit
	filling filling
}

// decision is what was chosen, or why nothing was.
type decision struct {
	candidates []candidate // best first
	why        reason
	margin     float64
}

func (d decision) best() candidate { return d.candidates[0] }

// maxCandidates are looked at closely; the rest have their score only.
const maxCandidates = 6

func (p *Proposer) decide(q input.Query, c catalog.Catalog) decision {
	x := p.indexes.of(c.Tools())
	if len(x.tools) == 0 {
		return decision{why: noTools}
	}
	words := newReading(q.Words())
	d := decision{candidates: x.rank(words)}
	if len(d.candidates) == 0 {
		return decision{why: noMatch}
	}
	now := p.now()
	for i := range d.candidates {
		k := &d.candidates[i]
		k.filling = fill(k.e, words, reading{}, now) // context chooses no tool
		k.fit = x.fitOf(words, k.e, k.filling)
		k.rank = k.score * k.fit.weight()
	}
	// Equal ranks keep the catalog's order, which is by server and name.
	slices.SortStableFunc(d.candidates, func(a, b candidate) int { return compare(b.rank, a.rank) })
	d.judge()
	if best := &d.candidates[0]; d.why == missing {
		best.filling = fill(best.e, words, newReading(q.Context()), now)
		if len(best.filling.missing) == 0 {
			d.why = ""
		}
	}
	return d
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// thinMargin is how far, in parts of its rank, the best must stand before the
// next.
const thinMargin = 0.02

// judge decides whether the best candidate is good enough.
func (d *decision) judge() {
	best := d.candidates[0]
	d.margin = 1
	if len(d.candidates) > 1 && best.rank > 0 {
		d.margin = (best.rank - d.candidates[1].rank) / best.rank
	}
	switch {
	case best.fit.forbidden:
		d.why = otherAction
	case !best.enough():
		d.why = noMatch
	case d.margin < thinMargin:
		d.why = ambiguous
	case len(best.filling.missing) > 0:
		d.why = missing
	}
}
