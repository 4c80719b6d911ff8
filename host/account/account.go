// Package account tells a recorded run to people: as a row of a list, and as
// sections that an auditor reads from top to bottom.
//
// It vouches that what it tells is what the trace's lines say, and that every
// text is escaped and bounded for a terminal, or for HTML where [HTML] writes
// it. It does not vouch for the trace: verify that first. Claims of a summary
// and their places are not in the record, so they are made again by host/replay;
// where that finds otherwise than the record, it says so.
//
// `ask` prints it; a program that shows runs imports it.
package account

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/trace"
)

// Trace is what was read of a recorded run.
type Trace struct {
	Events  []trace.Event
	Objects trace.Objects
	Wrong   error // what follows the events, where the trace is not whole
}

// Row is a run in a line. What the trace does not say is "".
type Row struct {
	RunID    string    `json:"run_id"`
	Time     time.Time `json:"time"`
	Question string    `json:"question"`
	Tool     string    `json:"tool"` // server/tool of the call that was planned
	// Arguments are those of the call, with secrets masked.
	Arguments jsontext.Value `json:"arguments,omitzero"`
	Type      string         `json:"type"` // of the outcome; "incomplete" where the trace has none
	Code      string         `json:"code,omitempty"`
	Call      string         `json:"call"`
}

// incomplete is the type of a run whose trace does not reach its outcome.
const incomplete = "incomplete"

// RowOf reads the row from a trace's lines.
func RowOf(events []trace.Event) Row {
	r := Row{Type: incomplete}
	for _, e := range events {
		switch e.Kind {
		case trace.Begin:
			begin := body[trace.BeginBody](e)
			question, _ := begin.Question.Get()
			masked, _ := secret.Redact(string(question))
			r.RunID, r.Time, r.Question = begin.RunID, e.Time.UTC(), strings.ToValidUTF8(masked, "\ufffd")
			r.plan(begin.Plan)
			if begin.Brought != nil {
				r.Tool = begin.Only
			}
			if brought, err := begin.ReadBrought(nil); err == nil { // a long one is an object
				r.planned(plan.ParseBrought(brought, len(brought)))
			}
		case trace.Proposal:
			r.plan(body[trace.SaidBody](e).Said)
		case trace.Outcome:
			out := body[trace.OutcomeBody](e)
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

// Title names the run: by its question, or a direct call by its tool and
// arguments.
func (r Row) Title() string {
	if r.Question != "" || r.Tool == "" {
		return cmp.Or(r.Question, noQuestion)
	}
	return "ask call " + r.Tool + " " + Compact(r.Arguments)
}

// Compact is a document in one line.
func Compact(v jsontext.Value) string {
	v = v.Clone()
	_ = v.Compact() // what is not JSON stays as it is
	return string(v)
}

// Brief is a text of at most max bytes, or the beginning of a longer one with its
// size and digest, by which two are told apart. It is not escaped.
func Brief(text string, max int) string {
	if len(text) <= max {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes, sha256:%x)", strings.ToValidUTF8(text[:max], ""), len(text), sha256.Sum256([]byte(text)))
}

// maxArgument is how much of an argument an account shows: the trace has it whole.
const maxArgument = 4 << 10

// body reads a line's body; what is not readable is zero, as a reader of the
// raw lines can see.
func body[T any](e trace.Event) (b T) {
	if schema.DecodeOpen(e.Body, &b, schema.ResultLimits) != nil {
		var none T
		return none
	}
	return b
}

// Section is a part of the account. Its texts are not yet escaped.
type Section struct {
	Title string
	Facts []Fact
}

// Fact is one thing that is told. A text of several lines is shown as they are.
type Fact struct {
	Name string
	Text string
	Tone Tone
}

// Tone says how a fact reads.
type Tone string

// The tones.
const (
	plain Tone = ""
	good  Tone = "good" // a gate that allows, a chain that holds
	bad   Tone = "bad"  // a refusal, a fault, a difference
	look  Tone = "look" // a mark: somebody has to look
)

// MaxText is how much of one fact a page or a terminal shows, in bytes: the
// trace has all of it.
const MaxText = 64 << 10

// Of is the account of a run: first what happened, then how it came about. The options are those of a replay under the recorded policy.
func Of(ctx context.Context, t Trace, opt replay.Options) []Section {
	of := &teller{Trace: t}
	if len(t.Events) > 0 {
		of.begin = body[trace.BeginBody](t.Events[0])
	}
	of.recompute(ctx, opt)
	return []Section{
		of.question(), of.outcome(), of.planned(), of.result(), of.claims(),
		of.approval(), of.gates(), of.servers(), of.policy(), of.record(),
	}
}

// Text is the account for a terminal or a file, with at most max bytes of each
// fact.
func Text(sections []Section, max int) string {
	var b strings.Builder
	for _, s := range sections {
		if len(s.Facts) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s\n", escape.Line(s.Title, 128))
		for _, f := range s.Facts {
			text := shown(f.Text, max)
			// Each line but the first, which its name begins, may be a stranger's.
			fmt.Fprintf(&b, "  %-14s %s\n", escape.Line(f.Name, 128), strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+strings.Repeat(" ", 15)+"| "))
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// shown is a text as a person is shown it: bounded, escaped, and with secrets masked.
func shown(text string, max int) string {
	text, _ = secret.Redact(text)
	return escape.Text(text, max)
}

type teller struct {
	Trace
	begin trace.BeginBody
	again *replay.Report // nil where the run could not be run again
	why   error          // why not
}

func (t *teller) recompute(ctx context.Context, opt replay.Options) {
	opt.Objects = t.Objects
	r, err := replay.Run(ctx, t.Events, opt)
	if err != nil {
		t.why = err
		return
	}
	t.again = &r
}

func (s *Section) say(name, format string, args ...any) {
	s.tell(plain, name, format, args...)
}

// tell leaves out what the trace does not say.
func (s *Section) tell(tone Tone, name, format string, args ...any) {
	if text := fmt.Sprintf(format, args...); text != "" {
		s.Facts = append(s.Facts, Fact{name, text, tone})
	}
}

// noQuestion stands for the question of a plan that came without one.
const noQuestion = "no planner: the question came with a plan"

// Lines are the events of a trace as anybody may see them, each with the hash
// that it has in the file: secrets are masked, and of an answer that no guard let
// pass there is only where it is kept. The file itself has every byte.
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
			lines[i].Body = elsewhere(run.RunID)
		}
	}
	return lines
}

// answer reports whether an event holds an answer, or names places in one.
func answer(e trace.Event) bool {
	switch e.Kind {
	case trace.Result:
		r := body[trace.ResultBody](e)
		return r.Raw != nil || !r.Redeemed && r.Error == nil // which no run writes: it could not be read
	case trace.Guard:
		return true
	}
	return false
}

// Masked is a document with its secrets masked.
func Masked(b jsontext.Value) jsontext.Value {
	safe, _, err := secret.RedactJSON(b)
	if err != nil {
		return jsontext.Value(`{}`)
	}
	return safe
}

// elsewhere stands for what is withheld.
func elsewhere(run string) jsontext.Value {
	b, err := json.Marshal(map[string]string{"withheld": "ask quarantine show " + escape.Line(run, 128)})
	if err != nil {
		return jsontext.Value(`{}`)
	}
	return b
}
