package summarize

import (
	"fmt"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The limits of a summary. They are items of each list; bytes of a selection, of a claim
// with its context, and of a comment; lines of a context.
const (
	maxBullets = 5
	maxOthers  = 3
	maxText    = 8 << 10
	maxComment = 1 << 10
	maxContext = 64
)

// written is the output of a writer.
type written struct {
	Type            string     `json:"type"`
	Bullets         []selected `json:"bullets"`
	Risks           []selected `json:"risks"`
	Recommendations []selected `json:"recommendations"`
	Commentary      []comment  `json:"commentary,omitempty"`
}

// selected names a range of the result. The writer need not give a claim.
type selected struct {
	Claim    *string `json:"claim,omitempty"`
	Evidence string  `json:"evidence"`
	Pointer  *string `json:"pointer,omitempty"` // the leaf, if several contain the evidence
}

type comment struct {
	Text     string  `json:"text"`
	Evidence string  `json:"evidence"`
	Pointer  *string `json:"pointer,omitempty"`
}

// Lock reads a writer's output about t, exactly one object
//
//	{"type":"summary","bullets":[{"evidence"}],"risks":[…],"recommendations":[…],"commentary":[{"text","evidence"}]}
//
// and renders its selections. It drops an item that selects nothing in the result, and an
// item in which a scanner found something. The summary reports dropped items. Without a
// remaining bullet Lock returns no summary. Every refusal is a summary.* denial.
func Lock(t gate.Typed, level Level, b []byte) (Summary, error) {
	if t.Basis() == catalog.Untyped {
		return Summary{}, verdict.Deny(verdict.SummaryUntyped, "the result has no type")
	}
	var w written
	if err := schema.Decode(b, &w, schema.PlanLimits); err != nil {
		return Summary{}, schema.Deny(err, "the summary", verdict.SummaryJSON, map[schema.Fault]verdict.Code{schema.Misfit: verdict.SummaryShape})
	}
	if w.Type != "summary" {
		return Summary{}, verdict.Deny(verdict.SummaryShape, "the type is not summary")
	}
	l := lock{result: resultOf(t), level: level, dropped: []Dropped{}}
	s := Summary{
		bullets:         each(&l, "bullets", w.Bullets, maxBullets, l.item),
		risks:           each(&l, "risks", w.Risks, maxOthers, l.item),
		recommendations: each(&l, "recommendations", w.Recommendations, maxOthers, l.item),
		commentary:      each(&l, "commentary", w.Commentary, maxOthers, l.comment),
	}
	if s.dropped = l.dropped; s.Empty() {
		if len(l.dropped) == 0 {
			return Summary{}, verdict.Deny(verdict.SummaryEvidence, "no bullet was selected")
		}
		first := l.dropped[0]
		return Summary{}, verdict.Deny(verdict.SummaryEvidence, "no bullet of the writer's selection is left; dropped: %d, the first %s: %s", len(l.dropped), first.Item, first.Reason)
	}
	s.whole = l.result.whole(s)
	return s, nil
}

// lock renders items one after another, and records why it drops one.
type lock struct {
	result  result
	level   Level
	dropped []Dropped
}

// each renders the first entries of a list. It drops the others, and those that cannot be
// rendered.
func each[S, T any](l *lock, list string, all []S, most int, render func(S) (T, error)) []T {
	rendered := []T{}
	for i, one := range all {
		var item T
		err := error(verdict.Deny(verdict.SummaryShape, "the summary is full"))
		if i < most {
			item, err = render(one)
		}
		if err == nil {
			rendered = append(rendered, item)
			continue
		}
		d, _ := verdict.First(err)
		l.dropped = append(l.dropped, Dropped{fmt.Sprintf("%s[%d]", list, i), string(d.Code), d.Reason})
	}
	return rendered
}

// item renders one selection. A claim in the writer's own words is not a selection, and
// is not shown as the result's.
func (l *lock) item(s selected) (Item, error) {
	if s.Claim != nil && fold(*s.Claim) != fold(s.Evidence) {
		return Item{}, verdict.Deny(verdict.SummaryClaim, "the claim %s differs from its evidence", lex.Repeat(*s.Claim))
	}
	return l.result.render(s.Evidence, s.Pointer)
}

// comment renders the evidence of a comment.
func (l *lock) comment(c comment) (Comment, error) {
	switch {
	case l.level != Quoted:
		return Comment{}, verdict.Deny(verdict.SummaryClaim, "the level %v shows no words of a writer's own", l.level)
	case !says(c.Text) || len(c.Text) > maxComment:
		return Comment{}, verdict.Deny(verdict.SummaryShape, "the text says nothing, or is over %d bytes", maxComment)
	}
	it, err := l.result.render(c.Evidence, c.Pointer)
	return Comment{Text: c.Text, Item: it}, err
}
