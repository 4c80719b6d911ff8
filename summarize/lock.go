package summarize

import (
	"errors"
	"fmt"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The most items of each list, and the longest claim or evidence in bytes.
const (
	maxBullets         = 5
	maxRisks           = 3
	maxRecommendations = 3
	maxText            = 8 << 10
)

// written is what a writer says.
type written struct {
	Type            string `json:"type"`
	Bullets         []said `json:"bullets"`
	Risks           []said `json:"risks"`
	Recommendations []said `json:"recommendations"`
}

type said struct {
	Claim    string `json:"claim"`
	Evidence string `json:"evidence"`
}

// Lock reads what a writer wrote about t, exactly one object
//
//	{"type":"summary","bullets":[{"claim","evidence"}],"risks":[…],"recommendations":[…]}
//
// with one to five bullets and at most three of each other kind (which may be
// left out), and locks each item to a leaf of t. One item that does not hold
// refuses the whole: a reader cannot tell which half of a summary to believe.
// Every refusal is a summary.* denial; a claim's or an evidence's names the
// item and the words.
func Lock(t gate.Typed, level Level, b []byte) (Summary, error) {
	if t.Basis() == catalog.Untyped {
		return Summary{}, verdict.Deny(verdict.SummaryUntyped, "the result has no type")
	}
	var w written
	if err := schema.Decode(b, &w, schema.PlanLimits); err != nil {
		return Summary{}, unreadable(err)
	}
	if err := w.shape(); err != nil {
		return Summary{}, err
	}
	l := lock{leaves: read(t.Leaves()), level: level}
	s := Summary{
		bullets:         l.items("bullets", w.Bullets),
		risks:           l.items("risks", w.Risks),
		recommendations: l.items("recommendations", w.Recommendations),
	}
	if l.err != nil {
		return Summary{}, l.err
	}
	return s, nil
}

func unreadable(err error) error {
	code := verdict.SummaryJSON
	var e *schema.Error
	if errors.As(err, &e) && e.Fault == schema.Misfit {
		code = verdict.SummaryShape
	}
	return verdict.Deny(code, "the summary has %v", err)
}

func (w written) shape() error {
	switch {
	case w.Type != "summary":
		return verdict.Deny(verdict.SummaryShape, "the type is not summary")
	case len(w.Bullets) == 0:
		return verdict.Deny(verdict.SummaryShape, "there are no bullets")
	}
	for _, list := range []struct {
		name  string
		items []said
		max   int
	}{
		{"bullets", w.Bullets, maxBullets},
		{"risks", w.Risks, maxRisks},
		{"recommendations", w.Recommendations, maxRecommendations},
	} {
		if len(list.items) > list.max {
			return verdict.Deny(verdict.SummaryShape, "there are %d %s, over the limit of %d", len(list.items), list.name, list.max)
		}
		for i, it := range list.items {
			if !says(it.Claim) || len(it.Claim) > maxText || len(it.Evidence) > maxText {
				return verdict.Deny(verdict.SummaryShape, "%s[%d] has a claim that says nothing, or a text over %d bytes", list.name, i, maxText)
			}
		}
	}
	return nil
}

// lock checks items one after another and keeps the first refusal.
type lock struct {
	leaves []leaf
	level  Level
	err    error
}

func (l *lock) items(list string, said []said) []Item {
	items := make([]Item, 0, len(said))
	for i, it := range said {
		if l.err != nil {
			return nil
		}
		items = append(items, l.item(fmt.Sprintf("%s[%d]", list, i), it))
	}
	return items
}

func (l *lock) item(name string, it said) Item {
	p, why := find(l.leaves, it.Evidence)
	if why != "" {
		l.err = verdict.Deny(verdict.SummaryEvidence, "%s: the evidence %.80q %s", name, it.Evidence, why)
		return Item{}
	}
	if why := l.level.goesBeyond(it.Claim, p); why != "" {
		l.err = verdict.Deny(verdict.SummaryClaim, "%s: the claim %s", name, why)
		return Item{}
	}
	return Item{Claim: it.Claim, Evidence: p.text(), Pointer: p.leaf.Pointer(), Range: [2]int{p.from, p.to}}
}

// goesBeyond says in which words a claim goes beyond its evidence, or "".
// A quotation keeps every level.
func (l Level) goesBeyond(claim string, p passage) string {
	if fold(claim) == fold(p.text()) {
		return ""
	}
	switch l {
	case Strict:
		return beyondWords(claim, p)
	case Facts:
		return beyondFacts(claim, p)
	}
	return "is not its evidence, word for word"
}
