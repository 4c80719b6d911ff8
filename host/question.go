package host

import (
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/trace"
)

// Question is one question, with all that its asker adds to it.
type Question struct {
	Text string
	// Context is a second, labelled text. Arguments may be taken from it; the
	// choice of a tool is not.
	Context string
	// Subject names who asks, for the trace; it may be "".
	Subject string
	// Approver is the person to ask for this question's call, nil for the host's.
	Approver Approver
	// Facts are the asking program's knowledge about the question. They are
	// recorded.
	Facts gate.Facts
	// Labelled is the conversation whose labels the question shares, "" for the one
	// of Facts. All servers of one client share the labels of that client.
	Labelled string
	// Summarize says whether the result is to be summarized; nil leaves it to the
	// words of the question.
	Summarize *bool
	// DryRun stops before the call: the outcome has the plan and the verdicts.
	DryRun bool
	// Plan is a plan that the asker brought along, or nil: no planner is asked,
	// and no server but the plan's. The gates are the same. Text may be left out
	// then; the text of the arguments passes the input gate either way.
	Plan []byte
	// Approval is a pending approval that is brought along, or nil. A plan never
	// approves anything, and neither does an approval of another call.
	Approval *Binding
	// Hold has a call that needs an approval wait for one from another process; nil
	// never waits.
	Hold *inbox.Hold
	// Client says that Plan is written by the model of a client. The client waits for the
	// answer: no other process makes its call. No user's question comes with it, it may be
	// longer, and no argument of it is the user's. Outside of a conversation its call is
	// alone: no grant is offered for it, and no approval outlives it.
	Client bool
	// Same is the plan by which a client's call is recognised as the same within
	// its conversation: Plan after [gate.Gate.WithoutAddition]. It is nil if that
	// is Plan.
	Same []byte
	// Only limits the question to one tool, "server/tool", among the tools that the
	// operator allows. It excludes all others, and approves nothing. "" excludes
	// none.
	Only string
	// Follows is the run that asked for more, if the question answers one. It is
	// recorded, and decides nothing.
	Follows *trace.RunBody
	// Edited says that Plan replaces the call of the run in Follows: the person who was
	// asked for that call wrote it. That run made no call, and this one asks again.
	Edited bool
	// Answer is the end of Text that was typed in answer; see [Question.Follow].
	// A planner may take it for the value that it asked for.
	Answer string
}

// maxSubject bounds the name of the subject, in bytes.
const maxSubject = 256

// maxFacts bounds how many facts come with a question.
const maxFacts = 128

// check refuses input that no gate reads.
func (q Question) check() error {
	if len(q.Subject) > maxSubject || escape.Line(q.Subject, maxSubject) != q.Subject {
		return verdict.Fail(verdict.UsageArgument, nil, "the subject is not one line of visible text of at most %d bytes", maxSubject)
	}
	unplanned := q.Plan == nil || q.Text != "" || q.Context != ""
	if q.Client && unplanned {
		return verdict.Fail(verdict.UsageArgument, nil, "a client brings a plan, and no question")
	}
	ofNoRun := q.Client || q.Follows == nil
	if q.Edited && (unplanned || ofNoRun) {
		return verdict.Fail(verdict.UsageArgument, nil, "an edited call brings a plan, no question, and the run that it follows")
	}
	facts := slices.Concat([]string{q.Facts.Time, q.Facts.Conversation, q.Facts.Client, q.Facts.ClientVersion, q.Labelled}, q.Facts.Labels, q.Facts.Grants)
	for _, f := range facts {
		if len(facts) > maxFacts || len(f) > maxSubject || escape.Line(f, maxSubject) != f {
			return verdict.Fail(verdict.UsageArgument, nil, "the facts are more than %d, or one is not one line of visible text of at most %d bytes", maxFacts, maxSubject)
		}
	}
	if server, tool := q.only(); q.Only != "" && !(escape.Name(server) && escape.Name(tool)) {
		return verdict.Fail(verdict.UsageArgument, nil, "%.300q is not a tool, as server/tool", q.Only)
	}
	if q.Follows == nil {
		return nil
	}
	if _, err := trace.ParseDigest(q.Follows.Trace); err != nil || !escape.Name(q.Follows.RunID) {
		return verdict.Fail(verdict.UsageArgument, nil, "the question follows a run that has no id or no trace")
	}
	return nil
}

// brought is the plan that came with the question. A plan that calls nothing is
// refused.
func (q Question) brought(max int) (plan.Plan, error) {
	read := plan.Parse
	if q.Client {
		read = func(b []byte) (plan.Plan, error) { return plan.ParseBrought(b, max) }
	}
	p, err := read(q.Plan)
	if err == nil && p.Declines() {
		err = verdict.Deny(verdict.PlanShape, "the plan that came with the question calls no tool")
	}
	return p, err
}

// asked is the input of the input gate. If a plan came with the question, it has
// every text in the plan's arguments, member names too, without JSON's escapes.
func (q Question) asked(brought plan.Plan, worded bool) input.Asked {
	a := input.Asked{Words: q.Text, Context: q.Context, Answer: q.Answer, Bounded: q.Client && !worded}
	if brought.Declines() {
		return a
	}
	a.Arguments = []string{}
	for leaf := range schema.Leaves(brought.Args()) {
		if leaf.Name || leaf.Kind == '"' {
			a.Arguments = append(a.Arguments, leaf.Text)
		}
	}
	return a
}

// Answer is a person's answer to a planner that asks for more.
type Answer struct {
	Tool string // the chosen tool, as "server/tool"; "" for no choice
	Text string // the typed text
	// Suggestion is the chosen call, nil for no choice.
	Suggestion *planner.Suggestion
}

// suggested are the suggestions that make a plan for a tool of the catalog, at most
// three. The gates that a plan meets find all other errors.
func suggested(c catalog.Catalog, all []planner.Suggestion) []planner.Suggestion {
	var list []planner.Suggestion
	for _, s := range all {
		p, err := plan.Parse(s.Plan())
		if _, unknown := c.Tool(p.Server(), p.Tool()); err == nil && unknown == nil && len(list) < planner.MaxSuggestions {
			list = append(list, s)
		}
	}
	return list
}

// Follow makes the next question from an answer to q, whose run ended as out. It is
// a separate question, with its own run, its own call and the same gates. They read
// the whole text. Choosing a tool or a call approves neither. An empty answer makes
// the same question again.
func (q Question) Follow(out Outcome, a Answer) Question {
	q.Follows = &trace.RunBody{RunID: out.RunID, Trace: out.TraceDigest}
	if a.Tool != "" {
		q.Only = a.Tool
	}
	if s := a.Suggestion; s != nil {
		q.Plan, q.Only, q.Answer = s.Plan(), "", ""
	}
	if a.Text != "" {
		q.Text, q.Answer = q.Text+"\n"+a.Text, a.Text
	}
	return q
}

// only is the server and the tool that the question is limited to.
func (q Question) only() (server, tool string) {
	server, tool, _ = strings.Cut(q.Only, "/")
	return server, tool
}
