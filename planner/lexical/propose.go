// Package lexical is the embedded planner: no model, no network, no weights. It proposes a
// call only if the call accounts for the whole question. Otherwise it declines, and asks a
// question. The same question, catalog and time give the same bytes, in any order of the
// tools.
//
// It vouches for nothing: its plan goes through the same gates as a model's. It promises
// three things. Only the question, never its context, chooses the tool. No word of a tool's
// description enters an argument: an argument consists of the question's words, of values
// that the tool's schema lists (enum, const, and the default of a required parameter), or
// of true. A tool that the operator has not called reading is proposed only for a plain
// request, and an answer does not become its value only by being the answer.
//
// host calls it; docs/planner.md explains how it decides and what it cannot do. It has two
// parts. The text is read into words (words.go) and typed values (values.go, numbers.go), a
// catalog into tools with parameters (index.go, slots.go, property.go). Then decide chooses
// the tools that share words with the text (choose.go) and fills each from the question
// (fill.go, which names its steps). It accounts for every word that is left (account.go,
// and for a change request.go), and proposes the one call that leaves nothing open, or
// declines (decline.go), with calls to choose from (suggest.go, everyday.go, request.go;
// shape.go has the forms of values). answer.go reads an answer to an earlier decline.
package lexical

import (
	"cmp"
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

// Propose writes the plan for q: a call, or a decline that asks for the missing part. It
// never fails.
func (p *Proposer) Propose(_ context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error) {
	d := p.decide(q, c)
	if d.why != "" {
		return planner.Proposal{Said: plan.Decline(d.question()), Open: d.open(), Suggestions: d.suggestions(), Excluded: d.text.excluded(c)}, nil
	}
	best := d.best()
	t := best.f.e.tool
	return planner.Proposal{Said: plan.Call(t.Server(), t.Name(), best.f.encode())}, nil
}

// decide has all the steps. It reads the question, takes the tools with words of the
// question, and fills each from it. It accounts for every word, and chooses the tool that
// leaves nothing over. If no tool does, it gives the reason.
func (p *Proposer) decide(q input.Query, c catalog.Catalog) decision {
	x := p.indexes.of(c.Tools())
	d := p.read(x, stemmer{}.read(q.Words()), q.Context())
	if q.Answer() != "" {
		d = p.answered(x, q, d)
	}
	if d.why != "" {
		d.nearest, d.foreign = p.ranked(x, d.text), x.foreign(d.text)
		if d.why == leftOver && d.surpassed() {
			d.why = noMatch
		}
	}
	return d
}

// read decides on a text by its words alone.
func (p *Proposer) read(x *index, t text, context string) decision {
	values, now := t.values(), p.now()
	d := decision{text: t, none: len(x.tools) == 0}
	weigh := func(k candidate) candidate {
		k.f = fill(x, &x.tools[k.tool], t, values, now, false)
		k.account = k.f.account()
		k.rank = (k.score + tellingWord*float64(k.account.told)) * k.weight()
		return k
	}
	for _, k := range x.nearest(t, values) {
		d.candidates = append(d.candidates, weigh(k))
	}
	// Equal ranks keep the catalog's order, which is by server and name.
	slices.SortStableFunc(d.candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.state(), b.state()), cmp.Compare(b.rank, a.rank))
	})
	if d.judge(); d.why == missing {
		if best := d.best(); len(d.candidates) == 1 || best.before(&d.candidates[1], t) {
			best.f.borrow(stemmer{}.read(context))
			d.judge()
		}
	}
	return d
}

// Rank sorts tools by how well the words of a question match them, best first. Tools that
// share no word keep their order at the end. A model's prompt is cut by this order if not
// all tools fit.
func (p *Proposer) Rank(words string, tools []catalog.Tool) []catalog.Tool {
	scores := p.indexes.of(tools).scores(stemmer{}.read(words).topics())
	order := make([]int, len(tools))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	ranked := make([]catalog.Tool, len(tools))
	for i, k := range order {
		ranked[i] = tools[k]
	}
	return ranked
}
