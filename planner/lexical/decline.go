package lexical

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/planner"
)

// decision is the result of a question: the candidates, or why nothing is proposed.
type decision struct {
	text       text
	none       bool        // the catalog has no tools
	candidates []candidate // best first
	why        reason
	nearest    []candidate // tools to suggest, best first, if no call is proposed
	foreign    bool        // the question has no word of any tool's name or title
}

// reason is why nothing was proposed.
type reason string

const (
	noTools   reason = "no_tools"
	noMatch   reason = "no_match"
	ambiguous reason = "ambiguous"
	missing   reason = "missing_argument"
	leftOver  reason = "left_over"
)

func (d decision) best() *candidate { return &d.candidates[0] }

// question is the question of a declining planner. Tool names are plain by escape.Name;
// names of parameters and the user's own words are quoted, cut and escaped.
func (d decision) question() string {
	switch d.why {
	case noTools:
		return "No tool is allowed here. Which tools should be in the allowlist?"
	case ambiguous:
		return "Which tool is meant: " + strings.Join(d.near(), " or ") + "? Name one, or say more of what it should do."
	case missing:
		return fmt.Sprintf("%s needs %s, which the question does not state. What should it be?%s", d.best().name(), d.best().missing(), d.best().marks())
	case leftOver:
		return d.best().askLeftOver()
	}
	switch {
	case len(d.nearest) == 0, d.foreign && d.nearest[0].account.said < 0.5: // "pull request" is two words that say little alone
		return "No allowed tool fits this question. What should be looked up, in other words?"
	case !slices.ContainsFunc(d.nearest[0].f.e.name, func(st string) bool { return !glue()[st] && d.text.has(st) || slices.Contains(d.text.means(), st) }):
		return "Nearest, not the same. What should be looked up, in other words?"
	}
	return "Which call is meant? Choose one, or say in other words what should be looked up."
}

// open is the same as data, if a word of the user's can answer it. It has the tools to
// choose from, or the parameters that need a value.
func (d decision) open() *planner.Open {
	switch {
	case d.why == ambiguous:
		return &planner.Open{Tools: d.near()}
	case d.why == missing, d.why == leftOver && d.best().misfits():
		_, labels := d.best().f.explain()
		return &planner.Open{Tools: []string{d.best().name()}, Missing: labels}
	}
	return nil
}

// misfits reports whether the value that is left over lacks the form of the missing
// parameter.
func (k *candidate) misfits() bool { return k.account.against == noPlace && len(k.f.missing) > 0 }

// near are the names of up to three candidates that account for the question.
func (d decision) near() []string {
	var list []string
	for i := range d.candidates {
		if k := &d.candidates[i]; k.state() == complete && len(list) < 3 {
			list = append(list, k.name())
		}
	}
	return list
}

func (k *candidate) name() string { return k.f.e.tool.Server() + "/" + k.f.e.tool.Name() }

// missing are the parameters that are still needed.
func (k *candidate) missing() string {
	var list []string
	for _, i := range k.f.missing[:min(4, len(k.f.missing))] {
		s := &k.f.e.slots[i]
		list = append(list, quoted40(s.label)+s.takes())
	}
	return strings.Join(list, " and ")
}

// askLeftOver asks about the words that one call cannot express.
func (k *candidate) askLeftOver() string {
	switch a := k.account; a.against {
	case noRequest:
		return fmt.Sprintf("%s may change something, and this is not a plain request for it. To have it done, say so as an order, and nothing else.", k.name())
	case another:
		return fmt.Sprintf("No allowed tool does what %s asks for. The nearest is %s. What should be looked up instead?", said(a.words), k.name())
	case noPlace, tooMuch:
		return k.askPlace()
	case unclear:
		return fmt.Sprintf("Which parameter of %s is %s? Put its name before it.", k.name(), said(a.words))
	default:
		return fmt.Sprintf("One call of %s cannot express %s (%s). What should it do, without it?", k.name(), said(a.words), a.against)
	}
}

// askPlace asks which of several values is meant, if all fit one parameter. Otherwise it
// asks what to do without the value that has no place.
func (k *candidate) askPlace() string {
	for i := range k.f.e.slots {
		if values := k.either(i); len(values) > 1 {
			return fmt.Sprintf("%s takes one %s at a time: %s?", k.name(), quoted40(k.f.e.slots[i].label), strings.Join(values, " or "))
		}
	}
	if k.misfits() {
		return fmt.Sprintf("%s needs %s, and %s is not of the form that it asks for. What should it be?%s", k.name(), k.missing(), said(k.account.words), k.marks())
	}
	return fmt.Sprintf("%s has no place for %s. What should it do, without it?", k.name(), said(k.account.words))
}

// either gives up to three values that could all be slot i's.
func (k *candidate) either(i int) (values []string) {
	f := k.f
	kept, filled := f.args[i]
	if !filled || kept.origin != fromQuestion || len(f.missing) > 0 {
		return nil
	}
	values = append(values, cut40(string(kept.literal)))
	for n := range f.values {
		if v := &f.values[n]; !f.taken(v) && len(values) < planner.MaxSuggestions {
			if a, ok := f.convert(v, &f.e.slots[i]); ok {
				values = append(values, cut40(string(a.literal)))
			}
		}
	}
	return values
}

// said quotes up to four of the user's words.
func said(words []string) string {
	list := make([]string, 0, 4)
	for _, w := range words[:min(4, len(words))] {
		list = append(list, quoted40(w))
	}
	return strings.Join(slices.Compact(list), " and ")
}

// marks says how to write a value without a form, if words alone do not count.
func (k *candidate) marks() string {
	open := func(i int) bool { return k.f.e.slots[i].open() }
	if k.f.e.changes && slices.ContainsFunc(k.f.missing, open) {
		return " Put it in quotation marks."
	}
	return ""
}

// takes describes the type of a slot, in this package's own words.
func (s *slot) takes() string {
	switch {
	case s.kind == "boolean":
		return " (yes or no)"
	case s.kind == "integer" || s.kind == "number":
		return " (a number)"
	case s.format == "date" || s.format == "date-time":
		return " (a date)"
	case s.kind == "array":
		return " (a list)"
	}
	return ""
}

// quoted40 is a stranger's name in ASCII, quoted and cut. Four of them and two tools fit a
// plan's answer.
func quoted40(s string) string { return cut40(fmt.Sprintf("%+q", s)) }

func cut40(s string) string {
	if len(s) > 42 {
		s = s[:41] + `"`
	}
	return s
}

// Explanation explains how a proposal was made. Names of tools and parameters, and enum
// values, are strangers' text.
type Explanation struct {
	Candidates []Candidate `json:"candidates"` // best first
	Arguments  []Argument  `json:"arguments"`  // of the best candidate
	Missing    []string    `json:"missing"`    // its required parameters without a value
	Declined   string      `json:"declined,omitzero"`
	Question   string      `json:"question,omitzero"`
}

// Candidate is one tool that was filled from the question.
type Candidate struct {
	Server  string   `json:"server"`
	Tool    string   `json:"tool"`
	Score   float64  `json:"score"` // BM25
	Rank    float64  `json:"rank"`  // score, weighted by how much of the question the call explains
	Said    float64  `json:"said"`  // the part of the tool's name that the question has
	Known   float64  `json:"known"` // the known part of the words that are not in arguments
	Against string   `json:"against,omitzero"`
	Words   []string `json:"words"` // words that speak against it, or that nothing accounts for
}

// Argument is one filled parameter.
type Argument struct {
	Path   string         `json:"path"`
	Value  jsontext.Value `json:"value"`
	Origin string         `json:"origin"` // question, context, enum, name or schema
	Words  string         `json:"words"`  // the words that it is taken from
}

// Explain explains how Propose decides on the same question.
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
