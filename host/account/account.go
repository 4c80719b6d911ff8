// Package account shows a recorded run to the user. It writes the run as a row of a list,
// or as sections that an auditor reads from top to bottom.
//
// It vouches that it shows what the trace's lines say, and that every text is escaped and
// bounded for a terminal, or for HTML by [HTML]. It does not vouch for the trace: verify
// that first. Claims of a summary and their places are not in the record, so host/replay
// makes them again. If its result differs from the record, the account says so.
//
// `ask` prints accounts; a program that shows runs imports this package.
package account

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

// Trace is the readable part of a recorded run.
type Trace struct {
	Events  []trace.Event
	Objects trace.Objects
	Wrong   error // the error after the events, if the trace is incomplete
}

// Row is a run in one line. A value that the trace lacks is "".
type Row struct {
	RunID    string    `json:"run_id"`
	Time     time.Time `json:"time"`
	Question string    `json:"question"`
	Tool     string    `json:"tool"` // server/tool of the planned call
	// Arguments are the arguments of the call, with secrets masked.
	Arguments jsontext.Value `json:"arguments,omitzero"`
	Type      string         `json:"type"` // of the outcome; "incomplete" if the trace has no outcome
	Code      string         `json:"code,omitempty"`
	Call      string         `json:"call"`
}

// incomplete is the type of a run if its trace has no outcome.
const incomplete = "incomplete"

// RowOf reads the row from a trace's lines, up to the first that it cannot read.
func RowOf(events []trace.Event) Row {
	r := Row{Type: incomplete}
	for _, e := range events {
		switch e.Kind {
		case trace.Begin:
			var begin trace.BeginBody
			if e.Decode(&begin) != nil || trace.CheckFormat(begin.Format) != nil {
				return r
			}
			question, _ := begin.Question.Get()
			masked, _ := secret.Redact(string(question))
			r.RunID, r.Time, r.Question = begin.RunID, e.Time.UTC(), strings.ToValidUTF8(masked, "\ufffd")
			r.plan(begin.Plan)
			if begin.Brought != nil {
				r.Tool = begin.Only
			}
			if brought, err := begin.ReadBrought(nil); err == nil && brought != nil { // a long plan is in an object
				r.planned(plan.ParseBrought(brought, len(brought)))
			}
		case trace.Proposal:
			var said trace.SaidBody
			if e.Decode(&said) != nil {
				return r
			}
			r.plan(said.Said)
		case trace.Outcome:
			var out trace.OutcomeBody
			if e.Decode(&out) != nil {
				return r
			}
			r.Type, r.Code, r.Call = out.Type, string(out.Code), out.Call
		}
	}
	return r
}

func (r *Row) plan(said *trace.Bytes) {
	b, err := said.Get()
	if err != nil || said == nil {
		return
	}
	r.planned(plan.Parse(b))
}

func (r *Row) planned(p plan.Plan, err error) {
	if err == nil && !p.Declines() {
		r.Tool, r.Arguments = p.Server()+"/"+p.Tool(), Masked(p.Args())
	}
}

// Title names the run by its question, or a direct call by its tool and arguments.
func (r Row) Title() string {
	if r.Question != "" || r.Tool == "" {
		return cmp.Or(r.Question, noQuestion)
	}
	return "ask call " + r.Tool + " " + Compact(r.Arguments)
}

// Compact returns a document in one line.
func Compact(v jsontext.Value) string {
	v = v.Clone()
	_ = v.Compact() // other text than JSON stays unchanged
	return string(v)
}

// Brief returns a text of at most max bytes unchanged. For a longer text it returns the
// beginning with the size and digest, which distinguish two texts. It does not escape.
func Brief(text string, max int) string {
	if len(text) <= max {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes, sha256:%x)", strings.ToValidUTF8(text[:max], ""), len(text), sha256.Sum256([]byte(text)))
}

// maxArgument bounds an argument in an account. The trace has all of it.
const maxArgument = 4 << 10

// body decodes a line's body. An unreadable body gives the zero value; the raw lines show
// it.
func body[T any](e trace.Event) T {
	var b, none T
	if schema.DecodeOpen(e.Body, &b, schema.ResultLimits) != nil {
		return none
	}
	return b
}

// Section is a part of the account. Its texts are not escaped yet.
type Section struct {
	Title string
	Facts []Fact
}

// Fact is one statement of the account. Its text may have several lines.
type Fact struct {
	Name string
	Text string
	Tone Tone
}

// Tone classifies a fact.
type Tone string

// The tones.
const (
	plain Tone = ""
	good  Tone = "good" // a gate that allows, an intact chain
	bad   Tone = "bad"  // a refusal, a fault, a difference
	look  Tone = "look" // a mark that the user has to check
)

// MaxText bounds a fact on a page or a terminal, in bytes. The trace has all of it.
const MaxText = 64 << 10

// Of returns the account of a run: first the outcome, then the reasons for it. opt are
// options of a replay under the recorded policy.
func Of(ctx context.Context, t Trace, opt replay.Options) []Section {
	of := &teller{Trace: t}
	if len(t.Events) > 0 {
		of.begin = body[trace.BeginBody](t.Events[0])
	}
	opt.Objects = t.Objects
	if again, err := replay.Run(ctx, t.Events, opt); err == nil {
		of.again = &again
	} else {
		of.why = err
	}
	return []Section{
		of.question(), of.outcome(), of.planned(), of.result(), of.claims(),
		of.approval(), of.gates(), of.servers(), of.policy(), of.record(),
	}
}

// Text returns the account for a terminal or a file, with at most max bytes of each fact.
func Text(sections []Section, max int) string {
	var b strings.Builder
	for _, s := range sections {
		if len(s.Facts) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s\n", escape.Line(s.Title, 128))
		for _, f := range s.Facts {
			text := shown(f.Text, max)
			// Every line except the first may be untrusted. The first begins with the
			// name.
			fmt.Fprintf(&b, "  %-14s %s\n", escape.Line(f.Name, 128), strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+strings.Repeat(" ", 15)+"| "))
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// shown returns a text for display: bounded, escaped, and with secrets masked.
func shown(text string, max int) string {
	text, _ = secret.Redact(text)
	return escape.Text(text, max)
}

type teller struct {
	Trace
	begin trace.BeginBody
	again *replay.Report // nil if the run could not be replayed
	why   error          // why it could not be replayed
}

func (s *Section) say(name, format string, args ...any) {
	s.tell(plain, name, format, args...)
}

// tell adds a fact, unless its text is empty.
func (s *Section) tell(tone Tone, name, format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		s.Facts = append(s.Facts, Fact{name, text, tone})
	}
}

// noQuestion is the title of a plan without a question.
const noQuestion = "no planner: the question came with a plan"

// Lines returns the events of a trace in a form that may be shown, each with its hash in
// the file. Secrets are masked. An answer that no guard passed is replaced by the command
// that shows it. The file itself has every byte.
func Lines(events []trace.Event) []trace.Event {
	var run trace.BeginBody
	passed := false
	for _, e := range events {
		switch e.Kind {
		case trace.Begin:
			run = body[trace.BeginBody](e)
		case trace.Verdict:
			v := body[trace.VerdictBody](e)
			passed = passed || v.Gate == "guard" && v.Verdict == "allow"
		}
	}
	lines := make([]trace.Event, len(events))
	for i, e := range events {
		if lines[i] = e; passed || !answer(e) {
			lines[i].Body = Masked(e.Body)
		} else {
			quoted, _ := jsontext.AppendQuote(nil, "ask quarantine show "+escape.Line(run.RunID, 128)) // of visible text
			lines[i].Body = fmt.Appendf(nil, `{"withheld":%s}`, quoted)
		}
	}
	return lines
}

// answer reports whether an event contains an answer, or names places in one.
func answer(e trace.Event) bool {
	switch e.Kind {
	case trace.Result:
		r := body[trace.ResultBody](e)
		return r.Raw != nil || !r.Redeemed && r.Error == nil // no run writes this: the body is unreadable
	case trace.Guard:
		return true
	}
	return false
}

// Masked returns a document with its secrets masked.
func Masked(b jsontext.Value) jsontext.Value {
	safe, _, err := secret.RedactJSON(b)
	if err != nil {
		return jsontext.Value(`{}`)
	}
	return safe
}
