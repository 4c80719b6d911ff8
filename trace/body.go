package trace

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
)

// The bodies of the lines, by kind. Together they contain what a replay needs, and no
// header, no environment value and no credential.

// BeginBody opens a trace.
type BeginBody struct {
	Format    int            `json:"format"`
	RunID     string         `json:"run_id"`
	Version   string         `json:"version,omitempty"`       // version of the program that ran
	BuiltIn   string         `json:"builtin_rules,omitempty"` // digest of its built-in input rules
	Subject   string         `json:"subject,omitempty"`       // the user who asked
	Facts     *FactsBody     `json:"facts,omitempty"`         // facts that came with the question
	Question  Bytes          `json:"question"`
	Context   *Bytes         `json:"context,omitempty"`
	Summarize *bool          `json:"summarize,omitzero"` // absent if the question's words decide
	DryRun    bool           `json:"dry_run"`
	Plan      *Bytes         `json:"plan,omitempty"`     // plan that came with the question
	Brought   jsontext.Value `json:"brought,omitempty"`  // an Object: a client's plan, as Bytes
	Only      string         `json:"only,omitempty"`     // the only tool for the question, "server/tool"
	Follows   *RunBody       `json:"follows,omitempty"`  // the run that asked for more, if the question answers it
	Edited    bool           `json:"edited,omitzero"`    // the user who was asked wrote the plan in place of that run's
	Resumes   *ResumeBody    `json:"resumes,omitempty"`  // the run with a withheld result that the user released
	Approval  *BindingBody   `json:"approval,omitempty"` // binding of an approval of the call
	Planner   string         `json:"planner"`            // the proposer that ran
	Policy    jsontext.Value `json:"policy"`             // an Object, written and read by host
	// Servers is how each allowlisted server is reached, by name. It contains no secret.
	// It is an Object, written and read by host.
	Servers jsontext.Value `json:"servers,omitempty"`
	// Files are the files of policy and servers. It is an Object.
	Files jsontext.Value `json:"files,omitempty"`
}

// RereadBody records that a run read the deciding files again. It says that they changed,
// that they cannot be read, or why else the call is decided again. The lines after it are
// about the new decision.
type RereadBody struct {
	Look    int            `json:"look"` // number of the reading within the run
	Why     string         `json:"why,omitempty"`
	Error   *Error         `json:"error,omitempty"`
	Policy  jsontext.Value `json:"policy,omitempty"` // as in the begin line; absent if unchanged
	Servers jsontext.Value `json:"servers,omitempty"`
	Files   jsontext.Value `json:"files,omitempty"`
}

// Format is the version of the bodies, the one that is written and read. Formats 1
// to 4 were of builds that were never released; no number is used again.
const Format = 5

// CheckFormat fails for every format but this one.
func CheckFormat(format int) error {
	switch {
	case format == Format:
		return nil
	case format < Format:
		return fmt.Errorf("format %d, and was made by an unreleased build of onestep: this version cannot read it", format)
	}
	return fmt.Errorf("format %d, and this version reads format %d", format, Format)
}

// FactsBody contains the facts that came with a question.
type FactsBody struct {
	Time         string   `json:"time,omitempty"` // RFC 3339
	Conversation string   `json:"conversation,omitempty"`
	Labels       []string `json:"labels,omitempty"`
	Grants       []string `json:"grants,omitempty"`

	Client        string `json:"client,omitempty"` // the client and its version, as it states them
	ClientVersion string `json:"client_version,omitempty"`

	// Origins are the sources of a client's arguments, by the client's hooks. They are nil
	// if no hook informs.
	Origins []OriginBody `json:"origins,omitempty"`
}

// RunBody names another run.
type RunBody struct {
	RunID string `json:"run_id"`
	Trace string `json:"trace"` // digest of its trace
}

// BindingBody is what an approval is bound to besides the call. It names the run itself,
// or the run of the approval that came with the question.
type BindingBody struct {
	RunID   string `json:"run_id"`
	Expires string `json:"expires"`          // RFC 3339
	Digest  string `json:"digest,omitempty"` // the reviewed digest, if one came with the question
	By      string `json:"by,omitempty"`
	How     string `json:"how,omitempty"`
	Trace   string `json:"trace,omitempty"` // digest of that run's trace
}

// ConsentBody is the user's consent; gate writes it.
type ConsentBody struct {
	Approval string `json:"approval"`
	By       string `json:"by"`
	How      string `json:"how"`
	RunID    string `json:"run_id,omitempty"`
	Trace    string `json:"trace,omitempty"`

	At    string       `json:"at,omitempty"`    // time of the decision if a grant answered; RFC 3339
	Grant *grant.Grant `json:"grant,omitempty"` // the grant that answered
	Gives *grant.Grant `json:"gives,omitempty"` // a grant that the user gave with the consent
}

// VerdictBody is one gate's decision.
type VerdictBody struct {
	Gate    string       `json:"gate"`
	Verdict string       `json:"verdict"` // "allow", "deny" or "ask"; "fault" if the gate had nothing to decide on
	Code    verdict.Code `json:"code,omitempty"`
	Reason  string       `json:"reason,omitempty"`
	Rules   []string     `json:"rules,omitempty"` // names of the rules that decided

	Rates []grant.Bucket `json:"rates,omitempty"` // by the gate rate: the rest of the call's limits

	Removed *RemovedBody `json:"removed,omitempty"` // by the gate additions: removed from the arguments

	Outside []OutsideBody `json:"outside,omitempty"` // by the gate outside: the answers, in order
}

// RemovedBody is an argument that a client adds to every tool. It was removed from the
// call before the gates decided. The begin line has the plan as the client sent it.
type RemovedBody struct {
	Client   string `json:"client"` // as it names itself
	Argument string `json:"argument"`
	Value    bool   `json:"value"`
}

// DecisionBody is the decision of the operator's policy, and the record that it depends
// on. The decision is a pure function of the record.
type DecisionBody struct {
	Verdict string         `json:"verdict"` // "allow", "deny" or "ask"
	By      string         `json:"by"`      // the rule, as file:line, "floor" or "default"
	Code    verdict.Code   `json:"code,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Spoke   []SpokeBody    `json:"spoke"`            // every rule that applies to the call
	Record  jsontext.Value `json:"record"`           // `ask policy schema` prints its schema
	Grants  []grant.Grant  `json:"grants,omitempty"` // of the subject for the tool, in the conversation
}

// SpokeBody is one rule that applies to a call.
type SpokeBody struct {
	Rule   string `json:"rule"`   // file:line
	Effect string `json:"effect"` // "allow", "deny" or "ask"
	Why    string `json:"why,omitempty"`
	Error  string `json:"error,omitempty"` // why its validators gave no verdict
}

// ReadBrought reads a client's plan, or returns nil without one.
func (b BeginBody) ReadBrought(objects Objects) ([]byte, error) {
	if b.Brought == nil {
		return nil, nil
	}
	v, err := objects.Value(b.Brought)
	if err != nil {
		return nil, err
	}
	var kept Bytes
	if err := schema.Decode(v, &kept, lineLimits); err != nil {
		return nil, fmt.Errorf("the plan of a client has %w", err)
	}
	return kept.Get()
}

// SaidBody is the output of a planner or a writer, or its error.
type SaidBody struct {
	Said    *Bytes      `json:"said,omitempty"`
	Error   *Error      `json:"error,omitempty"`
	LeftOut []string    `json:"left_out,omitempty"` // tools that were not shown to a model
	Replies []ReplyBody `json:"replies,omitempty"`  // replies of a model; not replayed

	Suggestions []SuggestionBody `json:"suggestions,omitempty"` // suggestions of a planner that declined
	Excluded    string           `json:"excluded,omitempty"`    // "server/tool" in the question that cannot be called
}

// SuggestionBody is a call that was suggested to the user, and not made.
type SuggestionBody struct {
	Tool    string         `json:"tool"`
	Args    jsontext.Value `json:"arguments"`
	Missing []string       `json:"missing,omitempty"`
}

// ReplyBody is a model endpoint's whole answer, without headers, and the cost that it
// reports.
type ReplyBody struct {
	Raw          Bytes  `json:"raw"`
	InputTokens  int    `json:"input_tokens"`
	OutputTokens int    `json:"output_tokens"`
	Cost         string `json:"cost,omitempty"` // a decimal; absent if not reported
}

// ResultBody is the result of an approved call.
type ResultBody struct {
	Live         *Bytes             `json:"live,omitempty"` // the descriptor that the connection listed
	Instructions *Bytes             `json:"told,omitempty"` // its instructions, if they differ from those of the listing
	Redeemed     bool               `json:"redeemed"`       // the approval was redeemed: a request may have left
	Raw          *Bytes             `json:"raw,omitempty"`
	Redacted     bool               `json:"redacted,omitempty"` // Raw had a key of the server, which is redacted
	Hidden       []secret.Redaction `json:"hidden,omitempty"`   // secrets that appear as [redacted:kind] in Raw
	Sealed       string             `json:"sealed,omitempty"`   // HMAC, under a machine key, of the unredacted answer
	Login        *LoginBody         `json:"login,omitempty"`    // the login of the call
	Sandbox      *SandboxBody       `json:"sandbox,omitempty"`  // of a confined server
	Logs         []LogBody          `json:"logs,omitempty"`     // messages that the server logged during the call
	LogsLeftOut  int                `json:"logs_left_out,omitzero"`
	Requests     int                `json:"requests,omitzero"`   // the server's own requests, all refused
	RPC          *int64             `json:"rpc_error,omitempty"` // code of the JSON-RPC error with the message in Raw
	Error        *Error             `json:"error,omitempty"`
}

// LogBody is a message that a server logged: one line, bounded, without secrets.
type LogBody struct {
	Level  string `json:"level"`
	Logger string `json:"logger,omitempty"`
	Text   string `json:"text"`
}

// LoginBody is the record of a login, without its token.
type LoginBody struct {
	Issuer    string   `json:"issuer"`
	Scopes    []string `json:"scopes,omitempty"`
	Age       int64    `json:"age"`                 // of the token, in seconds
	Refreshed bool     `json:"refreshed,omitempty"` // in the process of the run
}

// SandboxBody is the confinement of a stdio server, and its refused attempts since the
// last recorded call of its process.
type SandboxBody struct {
	Kernel    string        `json:"kernel"`
	Landlock  int           `json:"landlock_abi"`
	Sockets   bool          `json:"pidfd_getfd"`         // the supervisor makes its connections
	Manifest  string        `json:"manifest_sha256"`     // of manifest and scopes
	Proved    []string      `json:"proved"`              // actions that its process tried first, and was refused
	FilesOnly bool          `json:"files_only,omitzero"` // without a supervisor: no attempt is recorded
	NotHeld   []string      `json:"not_held,omitempty"`  // limits that this machine cannot enforce
	Counted   bool          `json:"counted,omitzero"`    // memory and processes are limited for all together
	Bound     []string      `json:"bound,omitempty"`     // paths granted by arguments of the call
	Blocked   []AttemptBody `json:"blocked,omitempty"`
	Unlisted  int           `json:"unlisted,omitzero"` // further attempts
}

// FileBody is a file or a whole directory that an argument of the call names. A confined
// server is granted it. It describes the file before the call was approved.
type FileBody struct {
	Pointer    string `json:"pointer"` // of the argument (RFC 6901)
	Path       string `json:"path"`    // without symbolic links
	Permission string `json:"permission"`
	Siblings   bool   `json:"siblings,omitzero"` // everything in the directory Path
	ID         string `json:"id"`                // device, inode and time of birth: another file has another ID
}

// AttemptBody is one refused attempt. Resource and Process are the server's own texts,
// bounded.
type AttemptBody struct {
	Action     string         `json:"action"`
	Resource   string         `json:"resource"`
	Permission string         `json:"permission,omitempty"` // the permission that would allow it
	Patch      jsontext.Value `json:"patch,omitempty"`      // of a manifest with scopes (RFC 6902)
	Process    string         `json:"process,omitempty"`
	Time       string         `json:"time"`             // RFC 3339
	InCall     bool           `json:"in_call,omitzero"` // first made between the call and its answer
}

// OutcomeBody is the outcome of the run.
type OutcomeBody struct {
	Type string       `json:"type"`
	Call string       `json:"call"`
	Code verdict.Code `json:"code,omitempty"`
}

// Bytes are untrusted bytes, kept exactly. They are a text if they are UTF-8, and
// otherwise base64 (RFC 4648, section 4).
type Bytes struct {
	Text   *string `json:"text,omitzero"` // may be empty
	Base64 *string `json:"base64,omitzero"`
}

// Keep makes the record of b.
func Keep(b []byte) Bytes {
	if utf8.Valid(b) {
		s := string(b)
		return Bytes{Text: &s}
	}
	s := base64.StdEncoding.EncodeToString(b)
	return Bytes{Base64: &s}
}

// Get returns the kept bytes.
func (b *Bytes) Get() ([]byte, error) {
	switch {
	case b == nil:
		return nil, nil
	case b.Text != nil && b.Base64 == nil:
		return []byte(*b.Text), nil
	case b.Base64 != nil && b.Text == nil:
		return base64.StdEncoding.Strict().DecodeString(*b.Base64)
	}
	return nil, errors.New("neither text nor base64")
}

// Error records a failure at an edge of the program.
type Error struct {
	Code   verdict.Code `json:"code"`
	Reason string       `json:"reason"`
	Denied bool         `json:"denied"` // a denial by a gate, not a fault
}

// ErrorOf records err; nil for nil.
func ErrorOf(err error) *Error {
	if err == nil {
		return nil
	}
	e := &Error{Code: verdict.CodeOf(err), Reason: err.Error()}
	switch d, f := verdict.First(err); {
	case d != nil:
		e.Reason, e.Denied = d.Reason, true
	case f != nil:
		e.Reason = f.Reason
	}
	e.Reason = bounded(e.Reason)
	return e
}

// maxReason bounds a recorded reason, in bytes.
const maxReason = 4 << 10

// bounded makes a text for JSON from an edge's message, which may quote untrusted bytes.
func bounded(s string) string {
	if len(s) > maxReason {
		s = s[:maxReason] + "…"
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// Err returns the recorded error; nil for nil.
func (e *Error) Err() error {
	switch {
	case e == nil:
		return nil
	case e.Denied:
		return verdict.Deny(e.Code, "%s", e.Reason)
	}
	return verdict.Fail(e.Code, nil, "%s", e.Reason)
}

// Denial returns the recorded error as a denial, even if it was a fault.
func (e *Error) Denial() *verdict.Denial { return verdict.Deny(e.Code, "%s", e.Reason) }

// GuardBody contains the findings in the answer, by the built-in rules and by each
// scanner. It has the places of findings, never the text.
type GuardBody struct {
	Rules    string        `json:"rules"`    // version of the built-in rules, including redaction
	Ledger   []scan.Entry  `json:"ledger"`   // an entry for every part of the answer
	Scanners []ScannerBody `json:"scanners"` // the first is the built-in rules
}

// ScannerBody is the answer of one scanner, or its error.
type ScannerBody struct {
	Name     string        `json:"name"`
	Findings []FindingBody `json:"findings,omitempty"`
	Error    *Error        `json:"error,omitempty"`
}

// FindingBody is a place in the answer, and the rule that found it.
type FindingBody struct {
	Rule  string `json:"rule"`
	Tier  string `json:"tier"`  // "hard" or "soft"
	Where string `json:"where"` // JSON Pointer (RFC 6901) in the recorded answer
	Start int    `json:"start"` // in bytes of the decoded text there
	End   int    `json:"end"`
	Why   string `json:"why,omitempty"` // the scanner's words, bounded; untrusted for external scanners
}

// ResumeBody is the run with the withheld result that is used, and the user who released
// it.
type ResumeBody struct {
	RunBody
	By    string   `json:"by"`
	At    string   `json:"at"`    // RFC 3339
	Rules []string `json:"rules"` // the overruled rules, as scanner/rule
}
