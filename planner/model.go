package planner

import (
	"context"
	"math"
	"math/big"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Chat asks a language model once. host/model speaks to real ones. A reply that
// comes with an error holds what there is for the record, and no text.
type Chat interface {
	Complete(ctx context.Context, r Request) (Reply, error)
}

// Request is one exchange: what the model is to do, and apart from it what
// there is to do it with. Data is one JSON document, so nothing inside it can
// end it.
type Request struct {
	System string         // our instructions, and no stranger's word
	Data   string         // one JSON document
	Schema jsontext.Value // JSON Schema to ask for where the endpoint can; a wish, never a check
}

// Reply is what came back. It vouches for nothing.
type Reply struct {
	Text  []byte // what the model said, as it said it
	Raw   []byte // the endpoint's whole answer, without headers, for the record
	Usage Usage
}

// Model proposes what a language model says. It keeps two promises that no
// model could: a stranger's description reaches the model as data, and context
// does not choose the tool. That the answer is a plan at all is for [Parse],
// and that it may be done for the gate.
type Model struct {
	Chat Chat
	// Rank puts the tools that fit the words best first; it decides who is left
	// out when not all fit into the prompt. nil keeps the catalog's order.
	Rank func(words string, tools []catalog.Tool) []catalog.Tool
	// Today is the date that "yesterday" is counted from, as the model is to read
	// it; "" says nothing of it.
	Today string
	// Narrow asks for a plan whose arguments have the form of their tool's. Servers
	// that decode under a grammar can hold a model to it; others refuse what they
	// do not know.
	Narrow bool
	// SuggestMarked suggests a call that the intent lock marks, and proposes only
	// calls without a mark.
	SuggestMarked bool
	// MaxData is the limit of the data message in bytes; 0 means 128 KiB.
	MaxData int
}

// defaultMaxData is about 32 000 tokens, which today's models hold; a tool of
// a public server takes 1.2 KB of it at the median.
const defaultMaxData = 128 << 10

// Proposal is what a proposer says, and what it took a model to say it.
type Proposal struct {
	Said    []byte   // the proposed plan: untrusted bytes
	Open    *Open    // what a plan that declines asks for, as data; nil where its words are all there is
	LeftOut []string // "server/tool" of those that did not fit into the prompt, sorted
	Replies []Reply  // in the order of the asking, also of a model whose reply could not be used

	// Suggestions are calls to choose from, best first; of a plan that declines only.
	Suggestions []Suggestion
	// Excluded is "server/tool" of a tool that a declined question names and that
	// cannot be called; "" where there is none.
	Excluded string
}

// MaxSuggestions is how many suggestions come with one decline.
const MaxSuggestions = 3

// Suggestion is a call that is offered to the user and not made. It is as
// untrusted as a plan: choosing it makes a plan of a new question, which passes
// every gate again.
type Suggestion struct {
	Tool    string         `json:"tool"`              // "server/tool"
	Args    jsontext.Value `json:"arguments"`         // one JSON object, filled as far as the question goes
	Missing []string       `json:"missing,omitempty"` // required parameters that Args lacks
}

// Open is what a declining planner leaves to the user. It is for a program that
// can ask a person, and decides nothing. A model gives none.
type Open struct {
	Tools   []string `json:"tools"`             // "server/tool", best first: of several it is open which is meant
	Missing []string `json:"missing,omitempty"` // parameters of the one tool, in its schema's words, that the question does not state
}

// Plan is the plan for the suggested call, untrusted bytes like any.
func (s Suggestion) Plan() []byte {
	server, tool, _ := strings.Cut(s.Tool, "/")
	return plan.Call(server, tool, s.Args)
}

// Propose asks the model, and tells what it took also beside an error.
//
// A question that comes with context is put to the model twice. First alone:
// that answer chooses the tool. Then with its context and that one tool: that
// answer gives the arguments. So the context is never in front of a model that
// has a choice of tools, and a second answer that names another tool all the
// same is refused. Context can still make the model decline, and can steer the
// arguments; the gate marks arguments that stand in it.
func (m Model) Propose(ctx context.Context, q input.Query, c catalog.Catalog) (Proposal, error) {
	p, err := m.propose(ctx, q, c)
	if err == nil && m.SuggestMarked {
		p = suggestMarked(p, q, c)
	}
	return p, err
}

func (m Model) propose(ctx context.Context, q input.Query, c catalog.Catalog) (Proposal, error) {
	if q.Words() == "" {
		return Proposal{}, verdict.Deny(verdict.InputEmpty, "there is no question to plan for")
	}
	var p Proposal
	if q.Context() == "" {
		said, err := m.ask(ctx, &p, m.brief(instructions, q.Words(), ""), c.Tools())
		p.Said = said
		return p, err
	}
	first, err := m.ask(ctx, &p, m.brief(choosing, q.Words(), ""), c.Tools())
	if err != nil {
		return p, err
	}
	chosen, ok := chosenBy(first, c)
	if !ok { // a decline, or what the gates refuse: there is nothing to give arguments to
		p.Said = first
		return p, nil
	}
	said, err := m.ask(ctx, &p, m.brief(filling, q.Words(), q.Context()), []catalog.Tool{chosen})
	if err != nil {
		return p, err
	}
	if err := keepsTo(chosen, said); err != nil {
		return p, err
	}
	p.Said = said
	return p, nil
}

func (m Model) brief(system, words, material string) brief {
	return brief{system: system, today: m.Today, words: words, context: material, narrow: m.Narrow && system != choosing}
}

func (m Model) ask(ctx context.Context, p *Proposal, b brief, tools []catalog.Tool) ([]byte, error) {
	max := m.MaxData
	if max <= 0 {
		max = defaultMaxData
	}
	if m.Rank != nil {
		tools = m.Rank(b.words, tools)
	}
	prompt, err := b.prompt(tools, max)
	if err != nil {
		return nil, err
	}
	if p.LeftOut == nil { // the second prompt leaves out by design
		p.LeftOut = prompt.leftOut
	}
	reply, err := m.Chat.Complete(ctx, prompt.request)
	if reply.Raw != nil {
		p.Replies = append(p.Replies, reply)
	}
	if err != nil {
		return nil, err
	}
	return reply.Text, nil
}

// chosenBy is the catalog's tool that a plan names, if it is a plan and names one.
func chosenBy(said []byte, c catalog.Catalog) (catalog.Tool, bool) {
	proposed, err := plan.Parse(said)
	if err != nil || proposed.Declines() {
		return catalog.Tool{}, false
	}
	tool, err := c.Tool(proposed.Server(), proposed.Tool())
	return tool, err == nil
}

// keepsTo refuses a plan for another tool than the chosen one. Bytes that are
// no plan pass: Parse refuses them where everyone can see it.
func keepsTo(chosen catalog.Tool, said []byte) error {
	proposed, err := plan.Parse(said)
	if err != nil || proposed.Declines() {
		return nil
	}
	if proposed.Server() == chosen.Server() && proposed.Tool() == chosen.Name() {
		return nil
	}
	return verdict.Deny(verdict.PlanContext, "the question alone chose %s/%s; with its context the planner named %s of server %s",
		chosen.Server(), chosen.Name(), lex.Repeat(proposed.Tool()), lex.Repeat(proposed.Server()))
}

// Usage is the endpoint's own count of tokens; zero where it gave none.
type Usage struct {
	Input  int    `json:"input_tokens"`
	Output int    `json:"output_tokens"`
	Cost   string `json:"cost,omitempty"` // as reported, a decimal without an exponent; "" where it was not
}

// Plus adds up two exchanges. The sum's cost is exact, and is there only where
// both are: half a price reads as a whole one. Counts that no endpoint can mean
// add up to the largest number, and never to one below zero.
func (u Usage) Plus(more Usage) Usage {
	return Usage{count(u.Input, more.Input), count(u.Output, more.Output), plus(u.Cost, more.Cost)}
}

func count(a, b int) int {
	a, b = max(0, a), max(0, b)
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

func plus(a, b string) string {
	x, readA := decimal(a)
	y, readB := decimal(b)
	if !readA || !readB {
		return ""
	}
	return x.Add(x, y).FloatString(max(places(a), places(b)))
}

// decimal reads digits with or without a point. big.Rat itself takes fractions
// and hexadecimals too, and minutes for a megabyte of digits.
func decimal(text string) (*big.Rat, bool) {
	whole, behind, point := strings.Cut(text, ".")
	if !digits(whole) || point && !digits(behind) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func digits(s string) bool {
	return len(s) >= 1 && len(s) <= 256 && strings.Trim(s, "0123456789") == ""
}

// places is how many digits stand behind the point.
func places(decimal string) int {
	_, behind, _ := strings.Cut(decimal, ".")
	return len(behind)
}

// Took is what the replies took together.
func Took(replies []Reply) Usage {
	var u Usage
	for i, r := range replies {
		if i == 0 {
			u = r.Usage
		} else {
			u = u.Plus(r.Usage)
		}
	}
	return u
}
