package host

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// Type is the result of a run. Its zero value is Failed.
type Type int

// The types of an outcome.
const (
	Failed                Type = iota // an edge or onestep itself broke
	Blocked                           // a gate refused
	FinalAnswer                       // no call: the planner asks for more
	ApprovalNeeded                    // no call: a person has to approve it first
	Planned                           // no call: a dry run
	ToolResult                        // an accepted result
	ToolResultWithSummary             // an accepted result and a summary rendered from it
)

var typeNames = map[Type]string{
	Blocked: "blocked", FinalAnswer: "final_answer", ApprovalNeeded: "approval_needed",
	Planned: "planned", ToolResult: "tool_result", ToolResultWithSummary: "tool_result_with_summary",
}

func (t Type) String() string { return cmp.Or(typeNames[t], "failed") }

// MarshalText gives the type's name.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// The fate of the one call.
const (
	None     = "none"     // nothing left
	Answered = "answered" // the server answered, if only with an error
	Unknown  = "unknown"  // a request may have left, and no answer came back
)

// The versions of the JSON documents that `ask` prints. Version 2 of an [Outcome]
// has rendered summaries; all other documents have SchemaVersion.
const (
	OutcomeVersion = 2
	SchemaVersion  = 1
)

// Outcome is the end of one question, as one JSON document. Its zero value is a
// failure. It has strings that strangers wrote, verbatim: escape them before they
// reach a terminal.
type Outcome struct {
	SchemaVersion int                  `json:"schema_version"`
	Type          Type                 `json:"type"`
	RunID         string               `json:"run_id"`
	Plan          jsontext.Value       `json:"plan,omitempty"`
	Verdicts      []Verdict            `json:"decisions"`
	Removed       *trace.RemovedBody   `json:"removed,omitempty"` // from the arguments that a client sent
	Intent        *Intent              `json:"intent,omitempty"`
	Approval      *Approval            `json:"approval,omitempty"`
	Call          string               `json:"call"`
	Typed         jsontext.Value       `json:"typed,omitzero"` // a null is a value, too
	Summary       *summarize.Summary   `json:"summary,omitempty"`
	Raw           jsontext.Value       `json:"raw,omitempty"`
	Structured    jsontext.Value       `json:"structured_content,omitempty"` // untyped
	Attachments   []Attachment         `json:"attachments,omitempty"`
	Guard         *Guard               `json:"guard,omitempty"`
	Open          *planner.Open        `json:"open,omitempty"`        // the request of a declining planner, as data
	Suggestions   []planner.Suggestion `json:"suggestions,omitempty"` // calls to choose from; see [Question.Follow]
	Note          string               `json:"note,omitempty"`
	Unreachable   []Unreachable        `json:"unreachable,omitempty"`
	Error         *Failure             `json:"error,omitempty"`
	Usage         *planner.Usage       `json:"usage,omitempty"` // nil if no endpoint was asked
	TracePath     string               `json:"trace_path,omitempty"`
	TraceDigest   string               `json:"trace_digest,omitempty"`

	Result []byte `json:"-"` // the whole accepted CallToolResult, redacted: for a program that passes it on
	// ToolError is the whole CallToolResult of a tool that reports an error, redacted and
	// scanned. It is set if that error failed the run.
	ToolError []byte `json:"-"`
	// Logs are the messages that the server logged during the call, redacted and
	// scanned. A result that is withheld has no logs here.
	Logs    []trace.LogBody `json:"-"`
	Labels  []string        `json:"-"` // that the call gives to the conversation that gets its result
	Asks    string          `json:"-"` // the question of a declining planner: a model's free text
	Planned plan.Plan       `json:"-"` // Plan, decoded

	// Handed is the result of the same call, made by an earlier run of the conversation.
	// The asker of that run had gone; see [Host.Undelivered].
	Handed    []byte `json:"-"`
	HandedRun string `json:"-"`

	key  string       // of the call
	owed inbox.Result // Handed, as it was kept

	decidedBy string        // the rule of the policy, or the setting in its place
	took      time.Duration // from the call to its answer
}

// Attachment is one attachment of a result, next to its text.
type Attachment struct {
	gate.Attachment
	Saved string `json:"saved,omitempty"` // the file that the caller had it written to
}

// Intent says which parts of the call the user said.
type Intent struct {
	Effect       string `json:"effect"`        // "read" or "write", set by the operator
	EffectStated bool   `json:"effect_stated"` // false if a plain list gives neither
	EffectBy     string `json:"effect_by"`     // "operator", "sandbox" or "default": see By of gate/catalog
	Marked       bool   `json:"marked"`        // a person should check the marks
	intent.Report
}

// Approval is the approval of a call that may change something.
type Approval struct {
	Digest  string `json:"approval_digest"`
	RunID   string `json:"run_id"` // of the run that it is bound to
	Expires string `json:"expires,omitempty"`
	By      string `json:"by,omitempty"`
	How     string `json:"how,omitempty"`
}

// Verdict is the decision of one gate.
type Verdict trace.VerdictBody

// Unreachable is an allowed server that listed nothing, and why.
type Unreachable struct {
	Server string       `json:"server"`
	Code   verdict.Code `json:"code"`
	Reason string       `json:"reason"`
}

// Failure is why a run did not answer.
type Failure struct {
	Code      verdict.Code `json:"code"`
	Message   string       `json:"message"`
	Hint      string       `json:"hint"`
	Retryable bool         `json:"retryable"`
}

// FailureOf describes any error by its code.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Code: verdict.CodeOf(err), Message: err.Error()}
	entry := f.Code.Entry()
	f.Hint, f.Retryable = entry.Remedy, entry.Retryable
	switch d, b := verdict.First(err); {
	case d != nil:
		f.Message, f.Hint = d.Reason, d.Advice()
	case b != nil:
		f.Message, f.Hint = b.Reason, b.Advice()
	}
	f.Message = strings.ToValidUTF8(f.Message, "\ufffd")
	return f
}

// exitNeedsMore is the exit code of a planner that asks for more.
const exitNeedsMore = 8

// Exit is the process exit code, as docs/codes.md lists them.
func (o Outcome) Exit() int {
	switch {
	case o.Error != nil:
		return o.Error.Code.Entry().Exit
	case o.Type == FinalAnswer && o.Asks != "":
		return exitNeedsMore
	case o.Type == Failed || o.Type == Blocked || o.Type == ApprovalNeeded:
		return verdict.Internal.Entry().Exit
	}
	return 0
}

// newRunID is a run id that sorts by time: UTC to the millisecond, then 64 random bits.
func newRunID() string {
	var b [8]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return time.Now().UTC().Format("20060102T150405.000Z") + "-" + hex.EncodeToString(b[:])
}
