package lexical

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
)

// Explanation says how a proposal came about. Names of tools and parameters,
// and enum values, are strangers' text.
type Explanation struct {
	Candidates []Candidate `json:"candidates"` // best first
	Margin     float64     `json:"margin"`     // of the best before the next, in parts of its rank
	Arguments  []Argument  `json:"arguments"`  // of the best candidate
	Missing    []string    `json:"missing"`    // its required parameters without a value
	Declined   string      `json:"declined,omitzero"`
	Question   string      `json:"question,omitzero"`
}

// Candidate is one tool that was looked at closely.
type Candidate struct {
	Server   string   `json:"server"`
	Tool     string   `json:"tool"`
	Score    float64  `json:"score"` // BM25
	Rank     float64  `json:"rank"`  // score, weighed with the fit
	Topic    float64  `json:"topic"` // of the question's words that are no argument, the part that the tool knows
	Name     float64  `json:"name"`  // of the tool's name, the part that the question says
	Covered  float64  `json:"covered"`
	Complete float64  `json:"complete"`
	Words    []string `json:"words"` // stems that question and tool share
}

// Argument is one filled parameter.
type Argument struct {
	Path   string         `json:"path"`
	Value  jsontext.Value `json:"value"`
	Origin string         `json:"origin"` // question, context, enum, phrase, schema or content
	Words  string         `json:"words"`  // what it rests on
}

// Explain says how Propose decides on the same question.
func (p *Proposer) Explain(q input.Query, c catalog.Catalog) Explanation {
	d := p.decide(q, c)
	x := Explanation{Candidates: []Candidate{}, Arguments: []Argument{}, Missing: []string{}, Margin: d.margin, Declined: string(d.why)}
	if d.why != "" {
		x.Question = d.question()
	}
	stems := stemmer{}.read(q.Words()).stems()
	for _, k := range d.candidates {
		x.Candidates = append(x.Candidates, k.explain(stems))
	}
	if len(d.candidates) > 0 {
		x.Arguments, x.Missing = d.best().arguments()
	}
	return x
}

func (k candidate) explain(stems []string) Candidate {
	e := Candidate{
		Server: k.e.tool.Server(), Tool: k.e.tool.Name(), Score: k.score, Rank: k.rank,
		Topic: k.fit.topic, Name: k.fit.name, Covered: k.fit.covered, Complete: k.fit.complete, Words: []string{},
	}
	for _, st := range stems {
		if k.e.words[st] != 0 {
			e.Words = append(e.Words, st)
		}
	}
	return e
}

func (k candidate) arguments() ([]Argument, []string) {
	args, missing := []Argument{}, []string{}
	for i := range k.e.slots {
		if a, ok := k.filling.args[i]; ok {
			args = append(args, Argument{k.e.slots[i].label(), a.literal, a.origin, a.words})
		}
	}
	for _, i := range k.filling.missing {
		missing = append(missing, k.e.slots[i].label())
	}
	return args, missing
}
