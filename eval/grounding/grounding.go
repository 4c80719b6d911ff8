// Package grounding measures the evidence lock: how many claims it accepts
// that their text supports, and how many that it does not.
//
// It vouches that every claim is locked by summarize.Lock itself, to a result
// that went through the gates, at every level; and that what is accepted
// rightly stands beside what is accepted wrongly, for to refuse everything is
// no achievement. Beside the claims of the cases, which people worded freely,
// it locks claims of the kind that the lock is made for: sentences of the
// cases' texts with words left out, some harmlessly and some not. It does not
// vouch for the labels, nor that a rule's edits are as cunning as a person's.
// `ask eval grounding` calls it, and so does the test that holds the lock to
// its aims.
package grounding

import (
	"context"
	"errors"
	"fmt"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/summarize"
)

// The facts of a row. A claim has one of the first four, by what it is. No
// figure is made of the last two, which are for the curve and a note.
const (
	trueAccept       = "true_accept"
	falseAccept      = "false_accept"
	harmlessAccepted = "harmless_accepted"
	harmfulAccepted  = "harmful_accepted"
	evidenceStands   = "evidence_stands"
	overlapPercent   = "overlap_percent"
	editsLeftOut     = "edits_left_out"
)

var measures = []eval.Measure{
	{Name: trueAccept, Title: "supported accepted", Better: eval.Higher},
	{Name: falseAccept, Title: "unsupported accepted", Better: eval.Lower},
	{Name: evidenceStands, Title: "evidence stands", Better: eval.Neither}, // whole sentences or lines of the text
	{Name: harmlessAccepted, Title: "harmless edits accepted", Better: eval.Higher},
	{Name: harmfulAccepted, Title: "harmful edits accepted", Better: eval.Lower},
}

// levels in the order of what they accept: the agents of the suite.
var levels = []summarize.Level{summarize.Verbatim, summarize.Strict, summarize.Facts}

// Suite locks the claim of every case at every level, and beside the first
// case of each text the edits of its sentences.
func Suite(cases []Case) eval.Suite {
	s := eval.Suite{Name: "grounding", Subject: "evidence lock", Digest: eval.Digest(cases), Measures: measures, Finish: finish}
	edited := make([]bool, len(cases))
	seen := map[string]bool{}
	for i, c := range cases {
		s.IDs = append(s.IDs, c.ID)
		edited[i] = !seen[c.Text]
		seen[c.Text] = true
	}
	s.Observe = func(_ context.Context, i int) ([]eval.Row, error) { return observe(cases[i], edited[i]) }
	return s
}

// claim is what is locked, and what would be right.
type claim struct {
	id, group, half string
	text, evidence  string
	supported       bool
	fact            string // that it has if it is accepted
}

func observe(c Case, edited bool) ([]eval.Row, error) {
	result, err := eval.AcceptedText(c.Text)
	if err != nil {
		return nil, err
	}
	half := eval.HashHalf(c.Text)
	own := claim{c.ID, c.Source, half, c.Claim, c.Evidence, c.Supported, falseAccept}
	if c.Supported {
		own.fact = trueAccept
	}
	rows, err := own.lock(result)
	if !edited || err != nil {
		return rows, err
	}
	made := edits(c, result)
	if extra := len(made) - maxEdits; extra > 0 {
		rows[0].Facts[editsLeftOut] = extra
		made = made[:maxEdits]
	}
	for n, made := range made {
		made.id, made.half = fmt.Sprintf("%s/edit-%d", c.ID, n+1), half
		more, err := made.lock(result)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// maxEdits is how many edits of one text are locked. Each is locked to the
// whole of it, and a text of a megabyte has tens of thousands.
const maxEdits = 400

// edits are the claims made of a text's sentences: of what a writer is given.
func edits(c Case, result gate.Typed) []claim {
	var made []claim
	by := newEditor(c.Text)
	source, _ := summarize.Prepare(result, "", len(c.Text))
	for _, v := range source.Values {
		for _, sentence := range v.Sentences {
			for _, e := range by.edits(sentence) {
				to := claim{group: group(e.kind, e.harmful), text: e.claim, evidence: sentence, supported: !e.harmful, fact: harmlessAccepted}
				if e.harmful {
					to.fact = harmfulAccepted
				}
				made = append(made, to)
			}
		}
	}
	return made
}

func group(kind string, harmful bool) string {
	if harmful {
		return "harmful: " + kind
	}
	return "harmless: " + kind
}

// What is expected and observed; of a refusal, its code is observed.
const (
	accepted = "accepted"
	refused  = "refused"
)

// manners say of a claim that a level accepts which level does so first.
var manners = map[summarize.Level]string{
	summarize.Verbatim: "word for word",
	summarize.Strict:   "with words left out",
	summarize.Facts:    "in other words, with the same facts",
}

// lock gives a row for every level.
func (c claim) lock(result gate.Typed) ([]eval.Row, error) {
	said := eval.Data(map[string]any{
		"type": "summary", "bullets": []map[string]string{{"claim": c.text, "evidence": c.evidence}},
	})
	data := eval.Data(map[string]string{"evidence": c.evidence})
	overlap := overlap(c.text, c.evidence)
	var rows []eval.Row
	manner := ""
	for _, level := range levels {
		row := eval.Row{
			ID: c.id, Group: c.group, Half: c.half, Agent: level.String(), Query: c.text, Expected: refused, Data: data,
			Facts: map[string]int{overlapPercent: overlap},
		}
		if c.supported {
			row.Expected = accepted
		}
		_, err := summarize.Lock(result, level, said)
		var d *verdict.Denial
		switch {
		case err == nil:
			if manner == "" {
				manner = manners[level]
			}
			row.Observed, row.Detail = accepted, manner
		case errors.As(err, &d):
			row.Observed, row.Detail = string(d.Code), d.Reason
		default:
			return nil, err
		}
		row.Passed = c.supported == (d == nil)
		row.Facts[c.fact] = eval.Fact(d == nil)
		if c.fact == trueAccept || c.fact == falseAccept {
			row.Facts[evidenceStands] = eval.Fact(d == nil || d.Code == verdict.SummaryClaim)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
