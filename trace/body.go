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

// The bodies of the lines, by kind. Together they hold what a replay needs;
// no header, no environment value and no credential is part of any.

// BeginBody opens a trace.
type BeginBody struct {
	Format    int            `json:"format"`
	RunID     string         `json:"run_id"`
	Version   string         `json:"version,omitempty"`       // of the program that ran
	BuiltIn   string         `json:"builtin_rules,omitempty"` // the digest of its built-in input rules
	Subject   string         `json:"subject,omitempty"`       // who asked
	Facts     *FactsBody     `json:"facts,omitempty"`         // that the question came with
	Question  Bytes          `json:"question"`
	Context   *Bytes         `json:"context,omitempty"`
	Summarize *bool          `json:"summarize,omitzero"` // left out where the question's words decide
	DryRun    bool           `json:"dry_run"`
	Plan      *Bytes         `json:"plan,omitempty"`     // that came with the question
	Brought   jsontext.Value `json:"brought,omitempty"`  // an Object's: the plan that a client brought, as Bytes
	Only      string         `json:"only,omitempty"`     // the one tool that the question is limited to, "server/tool"
	Follows   *RunBody       `json:"follows,omitempty"`  // the run that asked for more, where the question answers one
	Edited    bool           `json:"edited,omitzero"`    // the person who was asked wrote the plan in place of that run's
	Resumes   *ResumeBody    `json:"resumes,omitempty"`  // the run whose withheld result a person released
	Approval  *BindingBody   `json:"approval,omitempty"` // what an approval of the call is bound to
	Planner   string         `json:"planner"`            // which proposer ran
	Policy    jsontext.Value `json:"policy"`             // an Object's; host writes and reads it
	// Servers says how each allowlisted server is reached, by its name. It holds
	// no secret. It is an Object's; host writes and reads it.
	Servers jsontext.Value `json:"servers,omitempty"`
	// Files are those that policy and servers were read from. It is an Object's.
	Files jsontext.Value `json:"files,omitempty"`
}

// RereadBody says that a run looked again at what decides: that it is another one
// than before, that it cannot be read, or why else the call is decided again. The
// lines after it are of that.
type RereadBody struct {
	Look    int            `json:"look"` // the number of the look among those of the run
	Why     string         `json:"why,omitempty"`
	Error   *Error         `json:"error,omitempty"`
	Policy  jsontext.Value `json:"policy,omitempty"` // as of the begin line; left out where it is the same reading
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

// FactsBody are the facts that a question came with.
type FactsBody struct {
	Time         string   `json:"time,omitempty"` // RFC 3339
	Conversation string   `json:"conversation,omitempty"`
	Labels       []string `json:"labels,omitempty"`
	Grants       []string `json:"grants,omitempty"`

	Client        string `json:"client,omitempty"` // as the client says, and its version
	ClientVersion string `json:"client_version,omitempty"`
}

// RunBody names another run.
type RunBody struct {
	RunID string `json:"run_id"`
	Trace string `json:"trace"` // the digest of its trace
}

// BindingBody is what an approval is bound to next to the call: the run itself,
// or the run whose approval the question brought.
type BindingBody struct {
	RunID   string `json:"run_id"`
	Expires string `json:"expires"`          // RFC 3339
	Digest  string `json:"digest,omitempty"` // that was looked at, where the question brought one
	By      string `json:"by,omitempty"`
	How     string `json:"how,omitempty"`
	Trace   string `json:"trace,omitempty"` // the digest of that run's trace
}

// ConsentBody is a person's yes; gate writes it.
type ConsentBody struct {
	Approval string `json:"approval"`
	By       string `json:"by"`
	How      string `json:"how"`
	RunID    string `json:"run_id,omitempty"`
	Trace    string `json:"trace,omitempty"`

	At    string       `json:"at,omitempty"`    // of the decision, where a grant answered: RFC 3339
	Grant *grant.Grant `json:"grant,omitempty"` // that answered
	Gives *grant.Grant `json:"gives,omitempty"` // that the person gave with it
}

// VerdictBody is one gate's decision.
type VerdictBody struct {
	Gate    string       `json:"gate"`
	Verdict string       `json:"verdict"` // "allow", "deny" or "ask"; "fault" where the gate had nothing to decide on
	Code    verdict.Code `json:"code,omitempty"`
	Reason  string       `json:"reason,omitempty"`
	Rules   []string     `json:"rules,omitempty"` // that decided, where they have names

	Rates []grant.Bucket `json:"rates,omitempty"` // what was left of the limits of the call, of the gate rate

	Removed *RemovedBody `json:"removed,omitempty"` // from the arguments, of the gate additions
}

// RemovedBody is an argument that a client adds to every tool, and that was removed
// from its call before the gates decided. The begin line has the plan as the client
// sent it.
type RemovedBody struct {
	Client   string `json:"client"` // as it names itself
	Argument string `json:"argument"`
	Value    bool   `json:"value"`
}

// DecisionBody is what the operator's policy came to, and the record that it is a
// pure function of.
type DecisionBody struct {
	Verdict string         `json:"verdict"` // "allow", "deny" or "ask"
	By      string         `json:"by"`      // the rule, as file:line, "floor" or "default"
	Code    verdict.Code   `json:"code,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Spoke   []SpokeBody    `json:"spoke"`            // every rule that is of the call
	Record  jsontext.Value `json:"record"`           // `ask policy schema` prints its schema
	Grants  []grant.Grant  `json:"grants,omitempty"` // of the subject in the conversation, of the tool
}

// SpokeBody is one rule that is of a call.
type SpokeBody struct {
	Rule   string `json:"rule"`   // file:line
	Effect string `json:"effect"` // "allow", "deny" or "ask"
	Why    string `json:"why,omitempty"`
	Error  string `json:"error,omitempty"` // what kept its validators from a verdict
}

// ReadBrought reads the plan that a client brought: nil where none did.
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

// SaidBody is what a planner or a writer wrote, or how it failed.
type SaidBody struct {
	Said    *Bytes      `json:"said,omitempty"`
	Error   *Error      `json:"error,omitempty"`
	LeftOut []string    `json:"left_out,omitempty"` // tools that a model was not shown
	Replies []ReplyBody `json:"replies,omitempty"`  // of a model; not replayed

	Suggestions []SuggestionBody `json:"suggestions,omitempty"` // of a planner that declined
	Excluded    string           `json:"excluded,omitempty"`    // "server/tool" that the question names and that cannot be called
}

// SuggestionBody is a call that was offered to the user, and not made.
type SuggestionBody struct {
	Tool    string         `json:"tool"`
	Args    jsontext.Value `json:"arguments"`
	Missing []string       `json:"missing,omitempty"`
}

// ReplyBody is a model endpoint's whole answer, without headers, and what it
// says that the answer took.
type ReplyBody struct {
	Raw          Bytes  `json:"raw"`
	InputTokens  int    `json:"input_tokens"`
	OutputTokens int    `json:"output_tokens"`
	Cost         string `json:"cost,omitempty"` // a decimal; left out where none is reported
}

// ResultBody is what came of an approved call.
type ResultBody struct {
	Live         *Bytes             `json:"live,omitempty"` // the descriptor that the connection listed
	Instructions *Bytes             `json:"told,omitempty"` // the instructions that came with it, where they are not those of the listing
	Redeemed     bool               `json:"redeemed"`       // the approval was redeemed against it: a request may have left
	Raw          *Bytes             `json:"raw,omitempty"`
	Redacted     bool               `json:"redacted,omitempty"` // raw is not all that the server wrote: it told a key that it was given
	Hidden       []secret.Redaction `json:"hidden,omitempty"`   // secrets that appear as [redacted:kind] in raw
	Sealed       string             `json:"sealed,omitempty"`   // the HMAC of what the server wrote, under a key of this machine, where something is hidden
	Login        *LoginBody         `json:"login,omitempty"`    // that the call went out with
	Sandbox      *SandboxBody       `json:"sandbox,omitempty"`  // of a confined server
	Logs         []LogBody          `json:"logs,omitempty"`     // messages that the server logged during the call
	LogsLeftOut  int                `json:"logs_left_out,omitzero"`
	Requests     int                `json:"requests,omitzero"`   // that the server made of its client meanwhile (elicitation, sampling, roots), all refused
	RPC          *int64             `json:"rpc_error,omitempty"` // the code of the JSON-RPC error that raw has the message of
	Error        *Error             `json:"error,omitempty"`
}

// LogBody is a message that a server logged: one line, bounded, without secrets.
type LogBody struct {
	Level  string `json:"level"`
	Logger string `json:"logger,omitempty"`
	Text   string `json:"text"`
}

// LoginBody is what is recorded of a login, and nothing of its token.
type LoginBody struct {
	Issuer    string   `json:"issuer"`
	Scopes    []string `json:"scopes,omitempty"`
	Age       int64    `json:"age"`                 // of the token, in seconds
	Refreshed bool     `json:"refreshed,omitempty"` // in the process of the run
}

// SandboxBody is what the kernel held a stdio server to, and what it was refused
// since the last call of its process was recorded.
type SandboxBody struct {
	Kernel    string        `json:"kernel"`
	Landlock  int           `json:"landlock_abi"`
	Sockets   bool          `json:"pidfd_getfd"`         // its connections are made by the supervisor
	Manifest  string        `json:"manifest_sha256"`     // of manifest and scopes
	Proved    []string      `json:"proved"`              // what its process tried before its program ran, and was refused
	FilesOnly bool          `json:"files_only,omitzero"` // without a supervisor: no attempt is recorded
	NotHeld   []string      `json:"not_held,omitempty"`  // limits that this machine cannot hold
	Counted   bool          `json:"counted,omitzero"`    // its limits of memory and processes are of all its processes together
	Bound     []string      `json:"bound,omitempty"`     // paths that arguments of the call were granted
	Blocked   []AttemptBody `json:"blocked,omitempty"`
	Unlisted  int           `json:"unlisted,omitzero"` // further attempts
}

// FileBody is a file, or a directory with all that is in it, that a confined server
// is granted because an argument of the call names it, as it was found before the
// call was approved.
type FileBody struct {
	Pointer    string `json:"pointer"` // of the argument (RFC 6901)
	Path       string `json:"path"`    // without symbolic links
	Permission string `json:"permission"`
	Siblings   bool   `json:"siblings,omitzero"` // all of the directory Path
	ID         string `json:"id"`                // device, inode and time of birth: another file has another
}

// AttemptBody is one attempt that was refused. Resource and process are the
// server's own texts, bounded.
type AttemptBody struct {
	Action     string         `json:"action"`
	Resource   string         `json:"resource"`
	Permission string         `json:"permission,omitempty"` // that would allow it
	Patch      jsontext.Value `json:"patch,omitempty"`      // of a manifest with scopes (RFC 6902)
	Process    string         `json:"process,omitempty"`
	Time       string         `json:"time"`             // RFC 3339
	InCall     bool           `json:"in_call,omitzero"` // made for the first time between the call and its answer
}

// OutcomeBody is what the run came to.
type OutcomeBody struct {
	Type string       `json:"type"`
	Call string       `json:"call"`
	Code verdict.Code `json:"code,omitempty"`
}

// Bytes are a stranger's bytes, kept exactly: as text where they are UTF-8,
// else in base64 (RFC 4648, section 4).
type Bytes struct {
	Text   *string `json:"text,omitzero"` // an empty text is one too
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

// Get is the bytes that were kept.
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

// Error records how an edge failed, by its code.
type Error struct {
	Code   verdict.Code `json:"code"`
	Reason string       `json:"reason"`
	Denied bool         `json:"denied"` // a gate's no, not a fault
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

// bounded makes text that JSON can hold of what an edge says, which may quote
// a stranger's bytes.
func bounded(s string) string {
	if len(s) > maxReason {
		s = s[:maxReason] + "…"
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// Err is the error that was recorded; nil for nil.
func (e *Error) Err() error {
	switch {
	case e == nil:
		return nil
	case e.Denied:
		return verdict.Deny(e.Code, "%s", e.Reason)
	}
	return verdict.Fail(e.Code, nil, "%s", e.Reason)
}

// Denial is the recorded error as a refusal, whatever it was.
func (e *Error) Denial() *verdict.Denial { return verdict.Deny(e.Code, "%s", e.Reason) }

// GuardBody is what was found in the answer, by the built-in rules and by each
// scanner. Of what they found it has the places, never the text.
type GuardBody struct {
	Rules    string        `json:"rules"`    // the version of the built-in rules, of redaction too
	Ledger   []scan.Entry  `json:"ledger"`   // of every part of the answer
	Scanners []ScannerBody `json:"scanners"` // the first is the built-in rules
}

// ScannerBody is what one scanner answered, or how it failed.
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
	Why   string `json:"why,omitempty"` // the scanner's words, bounded: a stranger's where it is not ours
}

// ResumeBody is the run whose withheld result goes on, and who released it.
type ResumeBody struct {
	RunBody
	By    string   `json:"by"`
	At    string   `json:"at"`    // RFC 3339
	Rules []string `json:"rules"` // that were overruled, as scanner/rule
}
