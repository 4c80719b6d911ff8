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
	Arguments  []Argument  `json:"arguments"`  // of the best candidate
	Missing    []string    `json:"missing"`    // its required parameters without a value
	Declined   string      `json:"declined,omitzero"`
	Question   string      `json:"question,omitzero"`
}

// Candidate is one tool that was looked at closely.
type Candidate struct {
	Server  string   `json:"server"`
	Tool    string   `json:"tool"`
	Score   float64  `json:"score"` // BM25
	Rank    float64  `json:"rank"`  // score, weighed with what the call leaves of the question
	Said    float64  `json:"said"`  // of the tool's name, the part that the question says
	Known   float64  `json:"known"` // of what no argument holds, the part that the tool knows
	Against string   `json:"against,omitzero"`
	Words   []string `json:"words"` // words that speak against it, or that nothing accounts for
}

// Argument is one filled parameter.
type Argument struct {
	Path   string         `json:"path"`
	Value  jsontext.Value `json:"value"`
	Origin string         `json:"origin"` // question, context, enum, name or schema
	Words  string         `json:"words"`  // what it rests on
}

// Explain says how Propose decides on the same question.
func (p *Proposer) Explain(q input.Query, c catalog.Catalog) Explanation {
	d := p.decide(q, c)
	x := Explanation{Candidates: []Candidate{}, Arguments: []Argument{}, Missing: []string{}, Declined: string(d.why)}
	if d.why != "" {
		x.Question = d.question()
	}
	for i := range d.candidates {
		x.Candidates = append(x.Candidates, d.candidates[i].explain())
	}
	if len(d.candidates) > 0 {
		x.Arguments, x.Missing = d.best().f.explain()
	}
	return x
}

func (k *candidate) explain() Candidate {
	return Candidate{
		Server: k.f.e.tool.Server(), Tool: k.f.e.tool.Name(), Score: k.score, Rank: k.rank,
		Said: k.account.said, Known: k.account.share(), Against: k.account.against, Words: append([]string{}, k.account.words...),
	}
}

func (f *filling) explain() ([]Argument, []string) {
	args, missing := []Argument{}, []string{}
	for i := range f.e.slots {
		if a, ok := f.args[i]; ok {
			args = append(args, Argument{f.e.slots[i].label, a.literal, a.origin, a.words})
		}
	}
	for _, i := range f.missing {
		missing = append(missing, f.e.slots[i].label)
	}
	return args, missing
}
