// Package lexical is the embedded planner: no model, no network, no weights.
// It proposes a call only if the call accounts for what was said, and declines
// with a question of its own otherwise. The same question, catalog and time
// give the same bytes, in whatever order tools are listed.
//
// It vouches for nothing: its plan goes through the same gates as a model's.
// What it does promise of its own: the choice of the tool rests on the
// question alone, never on its context; and no word of a tool's description
// enters an argument, which is made of the question's words, of values that
// the tool's schema lists (enum, const, and the default of a required
// parameter), or of true. A tool that the operator has not called reading is
// proposed for a plain request only.
//
// host calls it; docs/planner.md says how it decides and what it cannot do.
// The text is read into typed values in words.go, values.go, numbers.go and
// dates.go, a tool's parameters in slots.go. The rest chooses (index.go), fills
// (fill.go), accounts (account.go), or declines (decline.go).
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

// Propose writes the plan for q: a call, or a decline that asks for what is
// missing. It never fails.
func (p *Proposer) Propose(_ context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error) {
	d := p.decide(q, c)
	if d.why != "" {
		return planner.Proposal{Said: plan.Decline(d.question())}, nil
	}
	best := d.best()
	t := best.f.e.tool
	return planner.Proposal{Said: plan.Call(t.Server(), t.Name(), best.f.encode())}, nil
}

// decide is the whole of it: read the question, take the tools whose words it
// shares, fill each from what it says, account for every word, and choose the
// one that leaves nothing over; or say why there is none.
func (p *Proposer) decide(q input.Query, c catalog.Catalog) decision {
	x := p.indexes.of(c.Tools())
	t := stemmer{}.read(q.Words())
	values, now := t.values(), p.now()
	d := decision{text: t, none: len(x.tools) == 0}
	for _, k := range x.nearest(t, values) {
		k.f = fill(x, &x.tools[k.tool], t, values, now)
		k.account = x.account(k.f)
		k.rank = (k.score + tellingWord*float64(k.account.told)) * k.weight()
		d.candidates = append(d.candidates, k)
	}
	// Equal ranks keep the catalog's order, which is by server and name.
	slices.SortStableFunc(d.candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.state(), b.state()), cmp.Compare(b.rank, a.rank))
	})
	if d.judge(); d.why == missing {
		if best := d.best(); len(d.candidates) == 1 || best.before(&d.candidates[1], t) {
			best.f.borrow(stemmer{}.read(q.Context()))
			d.judge()
		}
	}
	return d
}

// Rank sorts tools by how well the words of a question speak of them, best
// first; those that share no word with it keep their order at the end. A
// model's prompt is cut by it when not all tools fit.
func (p *Proposer) Rank(words string, tools []catalog.Tool) []catalog.Tool {
	scores := p.indexes.of(tools).scores(stemmer{}.read(words))
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

// candidate is a tool that the question may mean.
type candidate struct {
	tool    int
	score   float64 // BM25
	rank    float64 // score, weighed with what the call leaves of the question
	f       *filling
	account account
}

// The states of a candidate, best first.
const (
	complete   = iota // the call accounts for the question
	incomplete        // but for a parameter that has to be asked for
	unfit
	unasked // it changes something, and is not asked for plainly
)

func (k *candidate) state() int {
	switch {
	case k.account.against == noRequest:
		return unasked
	case k.account.against != "" || !k.meant():
		return unfit
	case len(k.f.missing) > 0:
		return incomplete
	}
	return complete
}

// enoughKnown is the part of what a question's words say, and enoughSaid that
// of a reading tool's name, that has to fit.
const (
	enoughKnown = 0.66
	enoughSaid  = 0.3
	enoughWords = 2
	enoughBare  = 0.6 // of the name, where no argument speaks for the tool, or it may change something
)

// meant reports whether the question's words speak of the tool: of what is said
// enough is known, and of the tool's name enough is said, unless an argument
// has a form that is the tool's own.
func (k *candidate) meant() bool {
	a := k.account
	switch {
	case !k.stated() && a.said < enoughBare, k.f.e.changes && !k.formed() && a.said < enoughBare:
		return false
	case k.formed():
		return len(a.words) <= 2
	case a.unknown == 0 && (a.known >= enoughWords || a.said > 0 && a.known > 0):
		return true
	}
	return a.share() >= enoughKnown && a.said >= enoughSaid
}

// stated reports whether an argument is made of the question's words.
func (k *candidate) stated() bool {
	for _, a := range k.f.args {
		if a.origin != fromSchema {
			return true
		}
	}
	return len(k.f.missing) > 0
}

// formed reports whether an argument has a form that tells it from a word.
func (k *candidate) formed() bool {
	for i, a := range k.f.args {
		if s := &k.f.e.slots[i]; a.origin == fromQuestion && (s.telling() || s.required && a.form >= told) {
			return true
		}
	}
	return false
}

// share is the part of what the left-over words say that the tool knows.
func (a account) share() float64 {
	if a.known+a.unknown == 0 {
		return 1
	}
	return float64(a.known) / float64(a.known+a.unknown)
}

// weight is by how much a call gains that leaves little over and is asked for by
// its name and its verb.
func (k *candidate) weight() float64 {
	w := (0.5 + k.account.said/2) * k.account.share()
	if k.f.e.deprecated {
		w /= 2
	}
	if k.account.verb {
		w *= sameVerb
	}
	return w
}

// tellingWord is what an argument adds to a tool's score whose place is told: what
// a word does that one tool in nine says.
const tellingWord = 1.9

// sameVerb is what it weighs that the question asks with the verb of the tool's
// name: "list" for list_directory, and not for read_file.
const sameVerb = 1.6

// maxCandidates are looked at closely; the rest have their score only.
const maxCandidates = 12

// nearest are the tools with the best scores, and those that have a form for
// one of the values.
func (x *index) nearest(t text, vs []value) []candidate {
	var all []candidate
	for i, score := range x.scores(t) {
		if x.tools[i].formFor(vs) {
			score++
		}
		if score > 0 {
			all = append(all, candidate{tool: i, score: score})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return all[:min(len(all), maxCandidates)]
}

// formFor reports whether a required parameter has a form of its own that one
// of the values has.
func (e *entry) formFor(vs []value) bool {
	for k := range e.slots {
		s := &e.slots[k]
		has := func(v value) bool {
			return s.telling() && s.pattern.MatchString(v.text) || v.shape == mailbox && s.mail() || v.shape == address && s.page()
		}
		if s.required && slices.ContainsFunc(vs, has) {
			return true
		}
	}
	return false
}
