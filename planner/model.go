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

// Chat asks a language model once. host/model has the real ones. A reply with an error has
// data for the record, and no text.
type Chat interface {
	Complete(ctx context.Context, r Request) (Reply, error)
}

// Request is one exchange: the instructions for the model, and separately the data. Data is
// one JSON document, so nothing inside it can end it.
type Request struct {
	System string         // this program's instructions, without any stranger's text
	Data   string         // one JSON document
	Schema jsontext.Value // JSON Schema for endpoints that can constrain a reply; a wish, never a check
}

// Reply is the model's reply. It vouches for nothing.
type Reply struct {
	Text  []byte // the model's text, unchanged
	Raw   []byte // the endpoint's whole answer, without headers, for the record
	Usage Usage
}

// Model proposes a language model's answer. It keeps two promises that no model could: a
// stranger's description reaches the model as data, and context does not choose the tool.
// [Parse] checks that the answer is a plan, and the gate checks that it is allowed.
type Model struct {
	Chat Chat
	// Rank sorts the tools by how well they fit the words, best first. If not all fit into
	// the prompt, the last ones are left out. nil keeps the catalog's order.
	Rank func(words string, tools []catalog.Tool) []catalog.Tool
	// Today is the date on which "yesterday" depends, in the form for the model; "" states no
	// date.
	Today string
	// Narrow asks for a plan with arguments in the form of their tool's schema. Servers that
	// decode under a grammar can enforce it; others refuse unknown keywords.
	Narrow bool
	// SuggestMarked suggests a call that the intent lock marks, and proposes only calls
	// without a mark.
	SuggestMarked bool
	// MaxData is the limit of the data message in bytes; 0 means 128 KiB.
	MaxData int
}

// defaultMaxData is about 32 000 tokens, which today's models accept. A tool of a public
// server takes 1.2 KB of it at the median.
const defaultMaxData = 128 << 10

// Proposal is a proposer's answer, and the exchanges with a model that it took.
type Proposal struct {
	Said    []byte   // the proposed plan: untrusted bytes
	Open    *Open    // the requests of a declining plan, as data; nil if it has only words
	LeftOut []string // "server/tool" of the tools that did not fit into the prompt, sorted
	Replies []Reply  // in the order of the requests, including unusable replies

	// Suggestions are calls to choose from, best first; only a declining plan has them.
	Suggestions []Suggestion
	// Excluded is "server/tool" of a tool that a declined question names and that cannot be
	// called; otherwise "".
	Excluded string
}

// MaxSuggestions is the maximum number of suggestions with one decline.
const MaxSuggestions = 3

// Suggestion is a call that is offered to the user and not made. It is as untrusted as a
// plan: choosing it makes the plan of a new question, which passes every gate again.
type Suggestion struct {
	Tool    string         `json:"tool"`              // "server/tool"
	Args    jsontext.Value `json:"arguments"`         // one JSON object, filled as far as the question goes
	Missing []string       `json:"missing,omitempty"` // required parameters that Args lacks
}

// Open is what a declining planner leaves to the user. It is for a program that can ask a
// person, and decides nothing. A model returns none.
type Open struct {
	Tools   []string `json:"tools"`             // "server/tool", best first: with several the choice is open
	Missing []string `json:"missing,omitempty"` // parameters of the one tool, in its schema's words, that the question does not state
}

// Plan is the plan for the suggested call, as untrusted as any.
func (s Suggestion) Plan() []byte {
	server, tool, _ := strings.Cut(s.Tool, "/")
	return plan.Call(server, tool, s.Args)
}

// Propose asks the model, and returns the exchanges also with an error.
//
// It sends a question with context to the model twice. First it sends the question alone:
// that answer chooses the tool. Then it sends the question with its context and that one
// tool: that answer gives the arguments. So a model with a choice of tools never sees the
// context, and a second answer that still names another tool is refused. Context can still
// make the model decline, and can influence the arguments; the gate marks arguments that
// occur in it.
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
	var err error
	if q.Context() == "" {
		p.Said, err = m.ask(ctx, &p, m.brief(instructions, q.Words(), ""), c.Tools())
		return p, err
	}
	first, err := m.ask(ctx, &p, m.brief(choosing, q.Words(), ""), c.Tools())
	if err != nil {
		return p, err
	}
	chosen, _, ok := chosenBy(first, c)
	if !ok { // a decline, or an answer that the gates refuse: it needs no arguments
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
	request, leftOut, err := b.prompt(tools, max)
	if err != nil {
		return nil, err
	}
	if p.LeftOut == nil { // the second prompt leaves out by design
		p.LeftOut = leftOut
	}
	reply, err := m.Chat.Complete(ctx, request)
	if reply.Raw != nil {
		p.Replies = append(p.Replies, reply)
	}
	if err != nil {
		return nil, err
	}
	return reply.Text, nil
}

// chosenBy is the catalog's tool that a plan names, if the bytes are a plan and name one.
func chosenBy(said []byte, c catalog.Catalog) (catalog.Tool, plan.Plan, bool) {
	proposed, err := plan.Parse(said)
	if err != nil || proposed.Declines() {
		return catalog.Tool{}, proposed, false
	}
	tool, err := c.Tool(proposed.Server(), proposed.Tool())
	return tool, proposed, err == nil
}

// keepsTo refuses a plan for another tool than the chosen one. It passes bytes that are not a
// plan: Parse refuses them visibly.
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

// Usage is the endpoint's own count of tokens, zero if it gave none.
type Usage struct {
	Input  int    `json:"input_tokens"`
	Output int    `json:"output_tokens"`
	Cost   string `json:"cost,omitempty"` // as reported, a decimal without an exponent; "" if not reported
}

// Plus adds up two exchanges. The sum's cost is exact, and present only if both are: half a
// price would read as a whole one. Impossible counts add up to the largest number, and never
// to one below zero.
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

// decimal reads digits with or without a point. big.Rat itself also accepts fractions and
// hexadecimals, and takes minutes for a megabyte of digits.
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

// places is the number of digits after the point.
func places(decimal string) int {
	_, behind, _ := strings.Cut(decimal, ".")
	return len(behind)
}

// Took is the total usage of the replies.
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
